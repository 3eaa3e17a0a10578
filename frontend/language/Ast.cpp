#include "frontend/language/Ast.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::ast {

llvm::StringRef spelling(TypeWord type) {
  switch (type) {
  case TypeWord::F32:
    return "f32";
  case TypeWord::F64:
    return "f64";
  case TypeWord::Real:
    return "real";
  case TypeWord::Int:
    return "int";
  }
  llvm_unreachable("all types are listed");
}

llvm::StringRef spelling(const std::variant<BinaryOp, CompareOp> &op) {
  return std::visit([](auto op) { return stencilc::spelling(op); }, op);
}

static unsigned precedenceOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Or:
    return 1;
  case BinaryOp::And:
    return 2;
  case BinaryOp::Add:
  case BinaryOp::Subtract:
    return 5;
  case BinaryOp::Multiply:
  case BinaryOp::Divide:
  case BinaryOp::Remainder:
    return 6;
  }
  llvm_unreachable("all operators are listed");
}

static unsigned precedenceOf(CompareOp op) {
  return op == CompareOp::Equal || op == CompareOp::NotEqual ? 3 : 4;
}

unsigned precedence(const std::variant<BinaryOp, CompareOp> &op) {
  return std::visit([](auto op) { return precedenceOf(op); }, op);
}

namespace {

constexpr unsigned kUnaryPrecedence = 7;

class Printer {
public:
  explicit Printer(llvm::raw_ostream &out) : out(out) {}

  void print(const File &file) {
    out << "stencil " << file.name.text << "(";
    names(file.axes);
    out << ") {\n";
    for (const Item &item : file.items)
      std::visit([&](const auto &item) { print(item); }, item);
    out << "}\n";
  }

private:
  // ---- items
  void print(const FieldDecl &item) {
    indent() << stencilc::spelling(item.kind) << " " << spelling(item.type) << " ";
    names(item.names);
    out << ";\n";
  }
  void print(const ConstDecl &item) {
    indent() << "const " << spelling(item.type) << " ";
    llvm::interleaveComma(item.arrays, out, [&](const ArrayDecl &array) {
      out << array.name.text;
      if (array.axes.empty())
        return;
      out << "(";
      names(array.axes);
      out << ")";
    });
    out << ";\n";
  }
  void print(const ParamsDecl &item) {
    indent() << "param " << spelling(item.type) << " ";
    llvm::interleaveComma(item.params, out, [&](const ParamDecl &param) {
      out << param.name.text;
      if (param.defaultValue) {
        out << " = ";
        print(*param.defaultValue);
      }
    });
    out << ";\n";
  }
  void print(const BoundaryDecl &item) {
    indent() << "boundary" << (item.arrays.empty() ? "" : " ");
    names(item.arrays);
    out << ": ";
    llvm::interleaveComma(item.clauses, out, [&](const BoundaryClause &clause) {
      if (clause.axis) {
        out << clause.axis->text;
        if (clause.side)
          out << clause.side;
        out << " ";
      }
      out << stencilc::spelling(clause.kind);
      if (clause.value) {
        out << "(";
        print(*clause.value);
        out << ")";
      }
    });
    out << ";\n";
  }
  void print(const LetDecl &item) {
    indent() << "let " << item.name.text;
    if (!item.parameters.empty()) {
      out << "(";
      names(item.parameters);
      out << ")";
    }
    out << " = ";
    print(*item.value);
    out << ";\n";
  }
  void print(const InitDecl &item) {
    indent() << "init " << item.array.text << (item.isPrevious ? "[t-1]" : "") << " = ";
    print(*item.value);
    out << ";\n";
  }
  void print(const UpdateDecl &item) {
    indent() << item.field.text << "'";
    print(item.region);
    out << " = ";
    print(*item.value);
    out << ";\n";
  }
  void print(const ReduceDecl &item) {
    indent() << "reduce " << stencilc::spelling(item.op) << " " << item.name.text;
    print(item.region);
    out << " = ";
    print(*item.value);
    out << ";\n";
  }
  void print(const Region &region) {
    if (region.empty())
      return;
    out << " on ";
    llvm::interleaveComma(region, out, [&](const SliceOf &slice) {
      out << slice.axis.text << "[";
      if (slice.from)
        print(*slice.from);
      if (!slice.isPoint)
        out << ":";
      if (slice.to)
        print(*slice.to);
      out << "]";
    });
  }
  void print(const Bound &bound) {
    if (!bound.param)
      out << (bound.isFromEnd ? "-" : "") << bound.offset;
    else if (out << bound.param->text; bound.offset != 0)
      out << (bound.offset < 0 ? "" : "+") << bound.offset;
  }
  void print(const StageDecl &item) {
    indent() << "stage {\n";
    level += 2;
    for (const auto &inner : item.items)
      std::visit([&](const auto &inner) { print(inner); }, inner);
    level -= 2;
    indent() << "}\n";
  }

  // ---- expressions
  void print(const Expr &expr) {
    std::visit([&](const auto &node) { print(node); }, expr.node);
  }
  void print(const Number &number) { out << number.text << (number.isSingle ? "f" : ""); }
  void print(const Access &access) {
    out << access.name.text << (access.isNext ? "'" : "");
    if (access.shifts.empty())
      return;
    out << "[";
    llvm::interleaveComma(access.shifts, out, [&](const Shift &shift) {
      out << shift.axis.text;
      for (const Step &step : shift.steps) {
        out << (step.isNegative ? "-" : "+");
        if (!step.index || step.factor != 1)
          out << step.factor << (step.index ? "*" : "");
        if (step.index)
          out << step.index->text;
      }
    });
    out << "]";
  }
  void print(const Unary &unary) {
    out << stencilc::spelling(unary.op);
    printOperand(*unary.operand, kUnaryPrecedence);
  }
  void print(const Binary &binary) {
    unsigned own = precedence(binary.op);
    bool isTight = own == precedence(BinaryOp::Multiply);
    printOperand(*binary.left, own);
    out << (isTight ? "" : " ") << spelling(binary.op) << (isTight ? "" : " ");
    printOperand(*binary.right, own + 1);
  }
  void print(const Call &call) {
    out << call.function.text << "(";
    llvm::interleaveComma(call.arguments, out, [&](const auto &argument) {
      if (const auto *expr = std::get_if<ExprPtr>(&argument))
        return print(**expr);
      const auto &option = std::get<Option>(argument);
      out << option.name.text << "=" << option.first.value;
      if (option.last)
        out << ":" << option.last->value;
    });
    out << ")";
  }
  /// In parentheses if it binds less tightly than its place asks for.
  void printOperand(const Expr &expr, unsigned needed) {
    const auto *binary = std::get_if<Binary>(&expr.node);
    bool needsParentheses = binary && precedence(binary->op) < needed;
    out << (needsParentheses ? "(" : "");
    print(expr);
    out << (needsParentheses ? ")" : "");
  }

  void names(llvm::ArrayRef<Name> names) {
    llvm::interleaveComma(names, out, [&](const Name &name) { out << name.text; });
  }
  llvm::raw_ostream &indent() { return out.indent(level); }

  llvm::raw_ostream &out;
  unsigned level = 2;
};

} // namespace

std::optional<int64_t> Shift::amount() const {
  int64_t total = 0;
  for (const Step &step : steps) {
    if (step.index)
      return std::nullopt;
    total += step.isNegative ? -int64_t(step.factor) : step.factor;
  }
  return total;
}

void print(llvm::raw_ostream &out, const File &file) { Printer(out).print(file); }

} // namespace stencilc::ast
