#include "test/fuzz/Source.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <map>

namespace stencilc::fuzz {

SourceExpr number(std::string text) { return {SourceExpr::Number, std::move(text)}; }

SourceExpr name(std::string text) { return {SourceExpr::Access, std::move(text)}; }

SourceExpr unary(std::string op, SourceExpr operand) {
  return {SourceExpr::Unary, std::move(op), {std::move(operand)}};
}

SourceExpr binary(std::string op, SourceExpr left, SourceExpr right) {
  return {SourceExpr::Binary, std::move(op), {std::move(left), std::move(right)}};
}

SourceExpr call(std::string function, std::vector<SourceExpr> operands) {
  return {SourceExpr::Call, std::move(function), std::move(operands)};
}

// ---- expressions ------------------------------------------------------------------------------

constexpr int kUnaryPrecedence = 7, kPrimaryPrecedence = 8;

static int precedenceOf(const SourceExpr &expr) {
  if (expr.kind == SourceExpr::Unary)
    return kUnaryPrecedence;
  if (expr.kind != SourceExpr::Binary)
    return kPrimaryPrecedence;
  return llvm::StringSwitch<int>(expr.text)
      .Case("||", 1)
      .Case("&&", 2)
      .Cases("==", "!=", 3)
      .Cases("<", "<=", ">", ">=", 4)
      .Cases("+", "-", 5)
      .Cases("*", "/", 6);
}

static void printIn(llvm::raw_ostream &out, const SourceExpr &expr, int least) {
  if (precedenceOf(expr) >= least) {
    print(out, expr);
    return;
  }
  out << '(';
  print(out, expr);
  out << ')';
}

static void print(llvm::raw_ostream &out, const SourceShift &shift) {
  out << shift.axis;
  if (!shift.index.empty()) {
    out << (shift.factor < 0 ? '-' : '+');
    if (std::abs(shift.factor) != 1)
      out << std::abs(shift.factor) << '*';
    out << shift.index;
  }
  if (shift.offset != 0)
    out << (shift.offset > 0 ? "+" : "") << shift.offset;
}

void print(llvm::raw_ostream &out, const SourceExpr &expr) {
  switch (expr.kind) {
  case SourceExpr::Number:
    out << expr.text;
    return;
  case SourceExpr::Access:
    out << expr.text << (expr.isNext ? "'" : "");
    if (expr.shifts.empty())
      return;
    out << '[';
    llvm::interleaveComma(expr.shifts, out, [&](const SourceShift &shift) { print(out, shift); });
    out << ']';
    return;
  case SourceExpr::Unary:
    out << expr.text;
    printIn(out, expr.operands[0], kPrimaryPrecedence);
    return;
  case SourceExpr::Binary: {
    const int precedence = precedenceOf(expr);
    printIn(out, expr.operands[0], precedence);
    out << ' ' << expr.text << ' ';
    printIn(out, expr.operands[1], precedence + 1);
    return;
  }
  case SourceExpr::Call:
    out << expr.text << '(';
    llvm::interleaveComma(expr.operands, out, [&](const SourceExpr &arg) { print(out, arg); });
    out << ')';
    return;
  case SourceExpr::Sum:
    out << expr.text << '(';
    for (const SourceSumIndex &index : expr.indices)
      out << index.name << '=' << index.low << ':' << index.high << ", ";
    print(out, expr.operands[0]);
    out << ')';
    return;
  case SourceExpr::Difference:
    out << expr.text << '(';
    print(out, expr.operands[0]);
    if (!expr.axis.empty())
      out << ", " << expr.axis;
    out << ", order=" << expr.order << ')';
    return;
  }
  llvm_unreachable("all kinds are printed");
}

// ---- declarations -----------------------------------------------------------------------------

static std::string clauseOf(const SourceBoundary &boundary) {
  if (boundary.kind == BoundaryKind::None)
    return "";
  std::string text = spelling(boundary.kind).str();
  if (boundary.kind == BoundaryKind::Value) {
    llvm::raw_string_ostream out(text);
    out << '(';
    print(out, boundary.value);
    out << ')';
  }
  if (!boundary.factor.empty())
    text += "(" + boundary.factor + ")";
  return text;
}

/// The clauses of one array: what most sides have comes last, without their names.
static std::vector<std::string> clausesOf(const SourceArray &array,
                                          llvm::ArrayRef<std::string> axes) {
  std::map<std::string, unsigned> sides;
  bool allSides = true;
  for (unsigned axis : array.axes)
    for (const SourceBoundary &boundary : array.boundary[axis]) {
      const std::string clause = clauseOf(boundary);
      allSides = allSides && !clause.empty();
      ++sides[clause];
    }
  // A clause without a side covers all sides, which is too much where some have none.
  std::string common;
  if (allSides)
    for (const auto &[clause, count] : sides)
      if (common.empty() || count > sides[common])
        common = clause;

  std::vector<std::string> clauses;
  for (unsigned axis : array.axes) {
    const std::string low = clauseOf(array.boundary[axis][Low]);
    const std::string high = clauseOf(array.boundary[axis][High]);
    if (low == high) {
      if (!low.empty() && low != common)
        clauses.push_back(axes[axis] + " " + low);
      continue;
    }
    if (!low.empty() && low != common)
      clauses.push_back(axes[axis] + "- " + low);
    if (!high.empty() && high != common)
      clauses.push_back(axes[axis] + "+ " + high);
  }
  if (!common.empty())
    clauses.push_back(common);
  return clauses;
}

static void printArray(llvm::raw_ostream &out, const SourceProgram &program,
                       const SourceArray &array) {
  out << "  " << spelling(array.kind) << ' ' << array.type << ' ' << array.name;
  if (array.isOverTime) {
    out << "(t)";
  } else if (array.axes.size() < program.axes.size()) {
    out << '(';
    llvm::interleaveComma(array.axes, out, [&](unsigned axis) { out << program.axes[axis]; });
    out << ')';
  }
  out << ";\n";
}

static std::string on(llvm::ArrayRef<std::string> region) {
  return region.empty() ? "" : " on " + llvm::join(region, ", ");
}

void print(llvm::raw_ostream &out, const SourceProgram &program) {
  out << "stencil " << program.name << '(';
  llvm::interleaveComma(program.axes, out);
  out << ") {\n";
  for (const SourceArray &array : program.arrays)
    printArray(out, program, array);
  for (const SourceParam &param : program.params) {
    out << "  param " << param.type << ' ' << param.name;
    if (!param.defaultValue.empty())
      out << " = " << param.defaultValue;
    out << ";\n";
  }
  for (const SourceArray &array : program.arrays) {
    const std::vector<std::string> clauses = clausesOf(array, program.axes);
    if (!clauses.empty())
      out << "  boundary " << array.name << ": " << llvm::join(clauses, ", ") << ";\n";
  }
  for (const SourceAssignment &let : program.lets) {
    out << "  let " << let.name;
    if (!let.parameters.empty())
      out << '(' << llvm::join(let.parameters, ", ") << ')';
    out << " = ";
    print(out, let.expr);
    out << ";\n";
  }
  const bool inStages = program.writesStages || program.stages.size() > 1;
  for (const std::vector<SourceAssignment> &stage : program.stages) {
    if (inStages)
      out << "  stage {\n";
    for (const SourceAssignment &update : stage) {
      out << (inStages ? "    " : "  ") << update.name << "'" << on(update.region) << " = ";
      print(out, update.expr);
      out << ";\n";
    }
    if (inStages)
      out << "  }\n";
  }
  for (const SourceReduction &reduction : program.reductions) {
    out << "  reduce " << reduction.op << ' ' << reduction.name << on(reduction.region) << " = ";
    print(out, reduction.expr);
    out << ";\n";
  }
  out << "}\n";
}

std::string toText(const SourceProgram &program) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(out, program);
  return text;
}

} // namespace stencilc::fuzz
