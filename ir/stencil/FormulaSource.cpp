#include "ir/stencil/FormulaSource.h"

#include "ir/stencil/Precedence.h"
#include "ir/stencil/Shorthands.h"
#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <fmt/format.h>

namespace stencilc {

std::string literalSource(ScalarType type, double value) {
  if (std::isnan(value))
    return "sqrt(-1)";
  if (std::isinf(value))
    return value > 0 ? "exp(10000)" : "log(0)";
  if (value == 0 && std::signbit(value))
    return "-1e-400"; // rounds to it; no literal is less than zero and zero
  return type == ScalarType::F32 ? fmt::format("{}", static_cast<float>(value))
                                 : fmt::format("{}", value);
}

static std::string wordOf(ScalarType type) { return spelling(type).str(); }

static bool isLeaf(const Expr &expr) { return operands(expr.node).empty(); }

static bool isCast(const Expr &expr) { return std::holds_alternative<CastExpr>(expr.node); }
static bool isLiteral(const Expr &expr) { return std::holds_alternative<Literal>(expr.node); }

/// The operand of a call that needs a type of its own: without it, the language would work out the
/// function of literals by itself, or make products of a power.
static std::optional<unsigned> operandWithType(const Formula &formula, const CallExpr &call) {
  const auto literal = [&](ExprId id) { return std::get_if<Literal>(&formula[id].node); };
  if (call.function == Builtin::Pow) {
    const Literal *exponent = literal(call.operands[1]);
    return exponent && isSimplePower(exponent->value) ? std::optional(1) : std::nullopt;
  }
  return isExactOfLiterals(call.function) && llvm::all_of(call.operands, literal) ? std::optional(0)
                                                                                  : std::nullopt;
}

namespace {
/// Unnamed values of more operations than this are not written twice.
constexpr size_t kSmall = 8;
/// Deeper expressions are cut into lets: the parser bounds the nesting of one.
constexpr size_t kDeep = 500;

/// What printing has to know of each value of a formula before the first word.
struct ValueNotes {
  bool isNamed = false; ///< written as a let
  std::string name;     ///< of the let, once it is written
  Offset shift = {};    ///< of the let
  /// The language finds a type for the expression by itself; else it takes what it meets.
  bool isTyped = false;
  std::array<bool, kMaxRank> moves = {}; ///< along these axes it reads something
  bool hasPosition = false;
  unsigned numberTypes = 0;       ///< bits: types that comparisons of untyped numbers are made in
  std::optional<BoxSum> sum;      ///< it is written as one
  std::optional<Laplace> laplace; ///< likewise
};

class FormulaNotes {
public:
  FormulaNotes(const Stencil &stencil, const Formula &formula, ScalarType type)
      : stencil(stencil), formula(formula), notes(formula.exprs.size()) {
    noteTypes();
    noteNumberTypes(type);
    noteNames();
    noteShorthands();
  }

  ValueNotes &operator[](ExprId id) { return notes[id]; }
  const ValueNotes &operator[](ExprId id) const { return notes[id]; }

private:
  void noteTypes() {
    for (auto [id, expr] : llvm::enumerate(formula.exprs)) {
      ValueNotes &note = notes[id];
      for (ExprId operand : operands(expr.node)) {
        for (unsigned axis = 0; axis < kMaxRank; ++axis)
          note.moves[axis] = note.moves[axis] || notes[operand].moves[axis];
        note.hasPosition |= notes[operand].hasPosition;
      }
      if (const auto *read = std::get_if<Read>(&expr.node))
        for (unsigned axis : stencil.arrays[read->array].axes)
          note.moves[axis] = true;
      note.hasPosition |= std::holds_alternative<AxisValue>(expr.node);
      note.isTyped = isTyped(expr);
    }
  }

  bool isTyped(const Expr &expr) const {
    const auto typed = [&](ExprId id) { return notes[id].isTyped; };
    return std::visit(
        llvm::makeVisitor([](const Literal &) { return false; },
                          [&](const AxisValue &) { return expr.type == ScalarType::Int; },
                          [](const ParamValue &) { return true; },
                          [](const StepValue &) { return true; }, [](const Read &) { return true; },
                          [](const TimeRead &) { return true; },
                          [&](const UnaryExpr &e) { return typed(e.operand); },
                          [&](const BinaryExpr &e) { return typed(e.left) || typed(e.right); },
                          [](const CompareExpr &) { return true; },
                          [&](const SelectExpr &e) { return typed(e.then) || typed(e.otherwise); },
                          [&](const CallExpr &e) {
                            return operandWithType(formula, e) || llvm::any_of(e.operands, typed);
                          },
                          [](const CastExpr &) { return true; }),
        expr.node);
  }

  void noteNumberTypes(ScalarType type) {
    const auto bit = [](ScalarType type) { return 1u << static_cast<unsigned>(type); };
    notes[formula.result].numberTypes |= bit(type);
    for (ExprId id = formula.exprs.size(); id-- > 0;) {
      const Expr &expr = formula[id];
      const bool isSelect = std::holds_alternative<SelectExpr>(expr.node) && isFloat(expr.type);
      for (ExprId operand : operands(expr.node))
        notes[operand].numberTypes |= isSelect ? bit(expr.type) : notes[id].numberTypes;
    }
  }

  void noteNames() {
    std::vector<size_t> uses(formula.exprs.size()), sizes(formula.exprs.size(), 1),
        depths(formula.exprs.size(), 1);
    const auto use = [&](ExprId id) {
      while (isCast(formula[id]))
        id = std::get<CastExpr>(formula[id].node).operand;
      ++uses[id];
    };
    use(formula.result);
    for (const Expr &expr : formula.exprs)
      if (!isCast(expr))
        for (ExprId operand : operands(expr.node))
          use(operand);

    for (auto [id, expr] : llvm::enumerate(formula.exprs)) {
      if (isLeaf(expr))
        continue;
      size_t &size = sizes[id], &depth = depths[id];
      for (ExprId operand : operands(expr.node)) {
        size += sizes[operand];
        depth = std::max(depth, depths[operand] + 1);
      }
      if (isCast(expr))
        continue;
      // A let may hold no position as yet: there only what would grow without end becomes one.
      const bool isPlain = !notes[id].hasPosition;
      const bool isShared = uses[id] > 1 && size > (isPlain ? kSmall : 100 * kSmall);
      if (!isShared && !(isPlain && (depth > kDeep || !expr.name.empty())))
        continue;
      ValueNotes &note = notes[id];
      note.isNamed = true;
      if (isPlain)
        for (unsigned axis = 0; axis < kMaxRank; ++axis)
          note.shift[axis] = note.moves[axis] ? expr.shift[axis] : 0;
      size = depth = 1;
    }
  }

  /// Additions from the first on that are a `sum` or a `laplace`, as many as can be.
  void noteShorthands() {
    std::vector<bool> isInside(formula.exprs.size());
    for (ExprId top = formula.exprs.size(); top-- > 0;) {
      if (isInside[top])
        continue;
      llvm::SmallVector<ExprId> terms = addedIn(formula, top);
      for (ExprId id = top; terms.size() > 2;) {
        ValueNotes &note = notes[id];
        note.laplace = laplace(formula, terms, stencil);
        if (!note.laplace)
          note.sum = boxSum(formula, terms, stencil.rank());
        if (note.laplace || note.sum)
          break;
        terms.pop_back();
        id = std::get<BinaryExpr>(formula[id].node).left;
        isInside[id] = true;
        if (notes[id].isNamed)
          break;
      }
    }
    for (ExprId top = 0; top < formula.exprs.size(); ++top)
      if (notes[top].sum || notes[top].laplace)
        for (ExprId id = top; const auto *add = std::get_if<BinaryExpr>(&formula[id].node);
             id = add->left) {
          const bool isCut = id != top && notes[id].isNamed;
          if (add->op != BinaryOp::Add)
            break;
          if (isCut || notes[add->right].isNamed)
            notes[top].sum.reset(), notes[top].laplace.reset();
        }
  }

  const Stencil &stencil;
  const Formula &formula;
  std::vector<ValueNotes> notes;
};

/// Writes one expression: that of the result or of a let, operators in the order of the text.
class ExpressionWriter {
public:
  /// `isFree` tells whether an index of a sum may have a name.
  ExpressionWriter(const Stencil &stencil, const Formula &formula, const FormulaNotes &notes,
                   const Offset &shift, llvm::function_ref<bool(llvm::StringRef)> isFree)
      : stencil(stencil), formula(formula), notes(notes), shift(shift), isFree(isFree) {}

  /// What a let stands for, or a result, which is converted to the type of its place.
  std::string write(ExprId root, bool isBody) {
    push(root, Precedence::Conditional, /*isConverted=*/!isBody, isBody);
    while (!left.empty()) {
      const Item item = std::move(left.back());
      left.pop_back();
      if (const auto *piece = std::get_if<std::string>(&item))
        text += *piece;
      else
        write(std::get<Operand>(item));
    }
    return std::move(text);
  }

private:
  struct Operand {
    ExprId id;
    Precedence least;
    bool isConverted; ///< the language casts it by itself
    bool isBody;      ///< what a let stands for, not the let
  };
  using Item = std::variant<std::string, Operand>;

  void push(std::string piece) { left.push_back(std::move(piece)); }
  void push(ExprId id, Precedence least, bool isConverted = false, bool isBody = false) {
    left.push_back(Operand{id, least, isConverted, isBody});
  }
  /// What is pushed from `start` on is written from first to last.
  void turn(size_t start) { std::reverse(left.begin() + start, left.end()); }

  void write(const Operand &operand) {
    const Expr &expr = formula[operand.id];
    const size_t start = left.size();
    if (const auto *cast = std::get_if<CastExpr>(&expr.node)) {
      writeCast(expr.type, cast->operand, operand);
    } else if (notes[operand.id].isNamed && !operand.isBody) {
      push(notes[operand.id].name + shiftText(notes[operand.id].shift, notes[operand.id].moves));
    } else if (notes[operand.id].sum) {
      push(sumText(*notes[operand.id].sum));
    } else if (notes[operand.id].laplace) {
      push(laplaceText(*notes[operand.id].laplace));
    } else {
      const Precedence own = precedenceOf(expr);
      const bool inParentheses = own < operand.least;
      if (inParentheses)
        push("(");
      std::visit([&](const auto &node) { pushNode(expr, node, operand.id); }, expr.node);
      if (inParentheses)
        push(")");
    }
    turn(start);
  }

  void writeCast(ScalarType to, ExprId operand, const Operand &around) {
    const bool isTyped = notes[operand].isTyped;
    const Precedence least = around.isConverted && isTyped ? around.least : Precedence::Conditional;
    if (!around.isConverted)
      push(wordOf(to) + "(");
    if (!isTyped)
      push(wordOf(formula[operand].type) + "(");
    push(operand, least);
    if (!isTyped)
      push(")");
    if (!around.isConverted)
      push(")");
  }

  static Precedence precedenceOf(const Expr &expr) {
    if (const auto *binary = std::get_if<BinaryExpr>(&expr.node);
        binary && binary->op != BinaryOp::Remainder) // which is written as a call
      return stencilc::precedenceOf(binary->op);
    if (const auto *compare = std::get_if<CompareExpr>(&expr.node))
      return stencilc::precedenceOf(compare->op);
    const auto *literal = std::get_if<Literal>(&expr.node);
    return std::holds_alternative<UnaryExpr>(expr.node) || (literal && std::signbit(literal->value))
               ? Precedence::Unary
               : Precedence::Primary;
  }

  // ---- leaves

  void pushNode(const Expr &expr, const Literal &node, ExprId) {
    push(literalSource(expr.type, node.value));
  }
  void pushNode(const Expr &, const ParamValue &node, ExprId) {
    push(stencil.params[node.param].name);
  }
  void pushNode(const Expr &, const AxisValue &node, ExprId) { push(stencil.axes[node.axis]); }
  void pushNode(const Expr &, const StepValue &, ExprId) { push("t"); }
  void pushNode(const Expr &, const TimeRead &node, ExprId) {
    push(stencil.arrays[node.array].name +
         (node.offset ? fmt::format("[t{:+}]", node.offset) : std::string()));
  }
  void pushNode(const Expr &, const Read &node, ExprId id) {
    const bool isNext = node.level == TimeLevel::Next;
    push(stencil.arrays[node.array].name + (isNext ? "'" : "") +
         shiftText(node.offset, notes[id].moves, node.level == TimeLevel::Previous ? "t-1" : ""));
  }

  /// "[y-1, x+2]" from where the let around is; empty at the point itself.
  std::string shiftText(const Offset &offset, const std::array<bool, kMaxRank> &moves,
                        llvm::StringRef first = "") const {
    llvm::SmallVector<std::string, 4> shifts;
    if (!first.empty())
      shifts.push_back(first.str());
    for (auto [axis, name] : llvm::enumerate(stencil.axes))
      if (const int distance = offset[axis] - shift[axis]; moves[axis] && distance != 0)
        shifts.push_back(fmt::format("{}{:+}", name, distance));
    return shifts.empty() ? "" : "[" + llvm::join(shifts, ", ") + "]";
  }

  // ---- shorthands

  std::string sumText(const BoxSum &sum) const {
    const Read &read = std::get<Read>(formula[sum.read].node);
    std::string indices;
    llvm::SmallVector<std::string, 4> shifts;
    if (read.level == TimeLevel::Previous)
      shifts.push_back("t-1");
    llvm::SmallVector<std::string, kMaxRank> names(stencil.rank());
    for (unsigned axis : sum.nest) {
      names[axis] = "d" + stencil.axes[axis];
      while (!isFree(names[axis]))
        names[axis] += "_";
      indices += fmt::format("{}={}:{}, ", names[axis], sum.low[axis] - shift[axis],
                             sum.high[axis] - shift[axis]);
    }
    for (auto [axis, name] : llvm::enumerate(stencil.axes)) {
      const int distance = sum.low[axis] - shift[axis];
      if (!names[axis].empty())
        shifts.push_back(name + "+" + names[axis]);
      else if (notes[sum.read].moves[axis] && distance != 0)
        shifts.push_back(fmt::format("{}{:+}", name, distance));
    }
    std::string term = stencil.arrays[read.array].name +
                       (read.level == TimeLevel::Next ? "'" : "") + "[" + llvm::join(shifts, ", ") +
                       "]";
    if (const auto *product = std::get_if<BinaryExpr>(&formula[sum.term].node)) {
      const bool isFirst = product->right == sum.read;
      const Expr &factor = formula[isFirst ? product->left : product->right];
      const auto *literal = std::get_if<Literal>(&factor.node);
      const std::string text = literal
                                   ? literalSource(factor.type, literal->value)
                                   : stencil.params[std::get<ParamValue>(factor.node).param].name;
      term = isFirst ? text + " * " + term : term + " * " + text;
    }
    return "sum(" + indices + term + ")";
  }

  std::string laplaceText(const Laplace &laplace) const {
    const Read &read = std::get<Read>(formula[laplace.read].node);
    const bool isNext = read.level == TimeLevel::Next;
    const std::string order =
        laplace.order == 2 ? std::string() : fmt::format(", order={}", laplace.order);
    return "laplace(" + stencil.arrays[read.array].name + (isNext ? "'" : "") +
           shiftText(read.offset, notes[laplace.read].moves,
                     read.level == TimeLevel::Previous ? "t-1" : "") +
           order + ")";
  }

  // ---- operations

  /// Operands that meet in one type: a cast that the language makes by itself is left out.
  void pushMeeting(ExprId id, llvm::ArrayRef<ExprId> meeting, Precedence least) {
    const bool isPromoted = llvm::any_of(meeting, [&](ExprId other) {
      return other != id && notes[other].isTyped && !isCast(formula[other]);
    });
    bool isConverted = false;
    if (const auto *cast = std::get_if<CastExpr>(&formula[id].node)) {
      const ScalarType from = formula[cast->operand].type;
      isConverted = isPromoted && (from == ScalarType::Int || formula[id].type == ScalarType::F64);
    }
    push(id, least, isConverted);
  }

  void pushInfix(llvm::StringRef op, Precedence own, ExprId leftSide, ExprId rightSide) {
    pushMeeting(leftSide, {leftSide, rightSide}, own);
    push(" " + op.str() + " ");
    pushMeeting(rightSide, {leftSide, rightSide}, tighterThan(own));
  }

  void pushNode(const Expr &, const UnaryExpr &node, ExprId) {
    push(spelling(node.op).str());
    push(node.operand, Precedence::Primary);
  }
  void pushNode(const Expr &expr, const BinaryExpr &node, ExprId) {
    if (node.op == BinaryOp::Remainder)
      return pushCall(Builtin::Fmod, {node.left, node.right});
    pushInfix(spelling(node.op), precedenceOf(expr), node.left, node.right);
  }
  void pushNode(const Expr &expr, const CompareExpr &node, ExprId id) {
    const ScalarType type = formula[node.left].type;
    const bool hasType = notes[node.left].isTyped || notes[node.right].isTyped;
    // Of literals without a type the language would decide it, and what a `where` makes of it.
    const bool isOfLiterals = isLiteral(formula[node.left]) && isLiteral(formula[node.right]);
    if (hasType || (!isOfLiterals && notes[id].numberTypes == 1u << static_cast<unsigned>(type))) {
      pushInfix(spelling(node.op), precedenceOf(expr), node.left, node.right);
      return;
    }
    push(wordOf(type) + "(");
    push(node.left, Precedence::Conditional);
    push(") " + spelling(node.op).str() + " ");
    push(node.right, tighterThan(precedenceOf(expr)));
  }
  void pushNode(const Expr &, const SelectExpr &node, ExprId) {
    push("where(");
    push(node.condition, Precedence::Conditional);
    for (ExprId operand : {node.then, node.otherwise}) {
      push(", ");
      pushMeeting(operand, {node.then, node.otherwise}, Precedence::Conditional);
    }
    push(")");
  }
  void pushNode(const Expr &, const CallExpr &node, ExprId) {
    pushCall(node.function, node.operands, operandWithType(formula, node));
  }
  void pushCall(Builtin function, llvm::ArrayRef<ExprId> operands,
                std::optional<unsigned> withType = {}) {
    push(spelling(function).str() + "(");
    for (auto [number, operand] : llvm::enumerate(operands)) {
      if (number > 0)
        push(", ");
      if (number == withType)
        push(wordOf(formula[operand].type) + "(");
      pushMeeting(operand, operands, Precedence::Conditional);
      if (number == withType)
        push(")");
    }
    push(")");
  }
  void pushNode(const Expr &, const CastExpr &, ExprId) {
    llvm_unreachable("casts are written by writeCast()");
  }

  const Stencil &stencil;
  const Formula &formula;
  const FormulaNotes &notes;
  const Offset shift;
  const llvm::function_ref<bool(llvm::StringRef)> isFree;
  std::string text;
  std::vector<Item> left; ///< what is still to be written, the next one last
};
} // namespace

FormulaSource::FormulaSource(const Stencil &stencil) : stencil(stencil) {
  for (const std::string &axis : stencil.axes)
    declared.insert(axis);
  for (const Array &array : stencil.arrays)
    declared.insert(array.name);
  for (const Param &param : stencil.params)
    declared.insert(param.name);
  for (const Reduction &reduction : stencil.reductions)
    declared.insert(reduction.name);
  declared.insert("t");
}

std::string FormulaSource::nameOf(llvm::StringRef wanted, const std::string &body, bool &isNew) {
  const bool isFree = !wanted.empty() && !isReservedWord(wanted) && !declared.contains(wanted);
  const std::string base = isFree ? wanted.str() : "v";
  auto [found, isNewHere] = known.names.try_emplace({base, body});
  isNew = isNewHere;
  if (isNew) {
    std::string name = base;
    for (unsigned number = 2; declared.contains(name) || !known.taken.insert(name).second; ++number)
      name = fmt::format("{}{}", base, number);
    found->second = name;
  }
  return found->second;
}

std::string FormulaSource::print(llvm::raw_ostream &out, llvm::StringRef indent,
                                 const Formula &formula, ScalarType type) {
  FormulaNotes notes(stencil, formula, type);
  const auto isFree = [&](llvm::StringRef name) {
    return !declared.contains(name) && !known.taken.contains(name) && !isReservedWord(name);
  };
  for (ExprId id = 0; id < formula.exprs.size(); ++id) {
    ValueNotes &note = notes[id];
    if (!note.isNamed)
      continue;
    const std::string body =
        ExpressionWriter(stencil, formula, notes, note.shift, isFree).write(id, /*isBody=*/true);
    bool isNew;
    note.name = nameOf(formula[id].name, body, isNew);
    if (isNew)
      out << indent << "let " << note.name << " = " << body << ";\n";
  }
  return ExpressionWriter(stencil, formula, notes, {}, isFree)
      .write(formula.result, /*isBody=*/false);
}

} // namespace stencilc
