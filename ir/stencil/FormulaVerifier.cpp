#include "ir/stencil/FormulaVerifier.h"

#include "ir/stencil/StencilFacts.h"
#include "ir/stencil/StencilVerifier.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace stencilc {

namespace {
class FormulaVerifier {
public:
  FormulaVerifier(const Stencil &stencil, const Formula &formula, const FormulaPlace &place)
      : stencil(stencil), formula(formula), place(place) {}

  std::string run() {
    checkOrder();
    if (!fault.empty())
      return fault; // nothing further can be looked up
    for (const Expr &expr : formula.exprs)
      std::visit([&](const auto &node) { check(expr, node); }, expr.node);
    require(typeOf(formula.result) == place.type, "type: a formula of {} has the type {}",
            word(place.type), word(typeOf(formula.result)));
    return fault;
  }

private:
  template <class... Args>
  void require(bool holds, fmt::format_string<Args...> text, Args &&...args) {
    if (!holds && fault.empty())
      fault = fmt::format(text, std::forward<Args>(args)...);
  }

  static std::string word(ScalarType type) { return spelling(type).str(); }
  ScalarType typeOf(ExprId id) const { return formula[id].type; }
  bool isLiteral(ExprId id) const { return std::holds_alternative<Literal>(formula[id].node); }

  void checkOrder() {
    const size_t count = formula.exprs.size();
    require(count > 0 && formula.result < count, "order: there is no result");
    require(count <= kMaxFormulaValues, "size: a formula has {} values, more than {}", count,
            kMaxFormulaValues);
    std::vector<bool> isUsed(count);
    for (auto [id, expr] : llvm::enumerate(formula.exprs))
      for (ExprId operand : operands(expr.node)) {
        require(operand < id, "order: %{} uses %{}, which is not there yet", id, operand);
        if (operand < count)
          isUsed[operand] = true;
      }
    if (!fault.empty())
      return;
    isUsed[formula.result] = true;
    for (size_t id = 0; id < count; ++id)
      require(isUsed[id], "order: nothing uses %{}", id);
    Formula again;
    again.merge(formula);
    require(again.exprs.size() == count, "order: two values are equal");
  }

  // ---- leaves

  void check(const Expr &expr, const Literal &literal) {
    const bool isWhole = literal.value == std::trunc(literal.value) &&
                         std::abs(literal.value) <= kMaxWholeNumber &&
                         (literal.value != 0 || !std::signbit(literal.value));
    require(expr.type != ScalarType::Bool, "type: a literal is no truth value");
    require(std::isfinite(literal.value) &&
                (expr.type == ScalarType::Int ? isWhole
                                              : roundTo(expr.type, literal.value) == literal.value),
            "literal: {} is no number of type {}", literal.value, word(expr.type));
  }

  void check(const Expr &expr, const ParamValue &value) {
    require(value.param < stencil.params.size(), "leaf: there is no param {}", value.param);
    if (fault.empty())
      require(expr.type == stencil.params[value.param].type, "type: `{}` is {}, not {}",
              stencil.params[value.param].name, word(stencil.params[value.param].type),
              word(expr.type));
  }

  void check(const Expr &expr, const AxisValue &value) {
    require(value.axis < stencil.rank(), "leaf: there is no axis {}", value.axis);
    require(place.kind != FormulaPlace::BoundaryValue && place.kind != FormulaPlace::InitOverTime,
            "leaf: no position stands here");
    const bool isInit = place.kind == FormulaPlace::Init;
    require(isInit ? isFloat(expr.type) : expr.type == ScalarType::Int,
            "type: a position is no {} here", word(expr.type));
  }

  void check(const Expr &expr, const StepValue &) {
    require(place.kind != FormulaPlace::Reduction && place.kind != FormulaPlace::Init,
            "leaf: no step number stands here");
    require(expr.type == ScalarType::Int, "type: the step number is no {}", word(expr.type));
  }

  void check(const Expr &expr, const TimeRead &read) {
    require(read.array < stencil.arrays.size() && stencil.arrays[read.array].isOverTime,
            "leaf: array {} has no value a step", read.array);
    require(place.kind == FormulaPlace::Update || place.kind == FormulaPlace::BoundaryValue,
            "leaf: no array over time stands here");
    require(std::abs(read.offset) <= kMaxOffset, "offset: {} steps are too many", read.offset);
    if (fault.empty())
      checkType(expr, stencil.arrays[read.array]);
  }

  void check(const Expr &expr, const Read &read) {
    require(read.array < stencil.arrays.size() && !stencil.arrays[read.array].isOverTime,
            "leaf: there is no array {} over the grid", read.array);
    require(place.kind == FormulaPlace::Update || place.kind == FormulaPlace::Reduction,
            "leaf: no array stands here");
    if (!fault.empty())
      return;
    const Array &array = stencil.arrays[read.array];
    checkType(expr, array);
    checkLevel(read, array);
    for (unsigned axis = 0; axis < kMaxRank; ++axis) {
      require(read.offset[axis] == 0 || array.hasAxis(axis), "offset: `{}` has no axis {}",
              array.name, axis);
      require(std::abs(read.offset[axis]) <= kMaxOffset, "offset: {} is too far from the point",
              read.offset[axis]);
    }
    if (!fault.empty())
      return;
    for (unsigned axis : array.axes)
      if (read.offset[axis] != 0)
        checkOutside(array, axis, read.offset[axis] < 0 ? Low : High);
  }

  void checkType(const Expr &expr, const Array &array) {
    require(expr.type == array.type, "type: `{}` is {}, not {}", array.name, word(array.type),
            word(expr.type));
  }

  void checkLevel(const Read &read, const Array &array) {
    const bool isUpdate = place.kind == FormulaPlace::Update;
    switch (read.level) {
    case TimeLevel::Current:
      require(array.kind != ArrayKind::Temp, "level: `{}` is a temp, of which `{}'` alone is there",
              array.name, array.name);
      return;
    case TimeLevel::Previous:
      require(array.kind == ArrayKind::Field, "level: `{}[t-1]` is of no field", array.name);
      require(isUpdate || readsPrevious(stencil, read.array),
              "level: `{}[t-1]` is kept for no update", array.name);
      return;
    case TimeLevel::Next:
      require(isUpdate, "level: `{}'` is read outside a step", array.name);
      require(array.kind != ArrayKind::Const, "level: `{}` is const", array.name);
      require(isMadeBefore(read.array, array.kind == ArrayKind::Temp),
              "level: `{}'` is not made before stage {}", array.name, place.stage);
      return;
    }
  }

  /// By an earlier stage; `entirely`: by no other.
  bool isMadeBefore(unsigned array, bool entirely) const {
    bool earlier = false, later = false;
    for (auto [number, stage] : llvm::enumerate(stencil.stages))
      for (const Update &update : stage.updates)
        if (update.array == array)
          (number < place.stage ? earlier : later) = true;
    return earlier && !(entirely && later);
  }

  void checkOutside(const Array &array, unsigned axis, Side side) {
    const Boundary &boundary = array.boundary[axis][side];
    require(boundary.kind != BoundaryKind::None || array.kind == ArrayKind::Temp,
            "outside: `{}` has no boundary at `{}{}`", array.name, stencil.axes[axis],
            side == Low ? '-' : '+');
    if (place.kind == FormulaPlace::Reduction)
      require(llvm::none_of(boundary.value.exprs,
                            [](const Expr &expr) {
                              return std::holds_alternative<StepValue>(expr.node) ||
                                     std::holds_alternative<TimeRead>(expr.node);
                            }),
              "outside: a reduction reads `{}` through a value that depends on time", array.name);
  }

  // ---- operations

  void checkOperands(const Expr &expr, ScalarType type, llvm::StringRef what) {
    for (ExprId operand : operands(expr.node))
      require(typeOf(operand) == type, "type: {} of {} takes an operand of {}", what.str(),
              word(type), word(typeOf(operand)));
  }

  void check(const Expr &expr, const UnaryExpr &node) {
    const bool isNot = node.op == UnaryOp::Not;
    require(isNot == (expr.type == ScalarType::Bool), "type: `{}` gives no {}",
            spelling(node.op).str(), word(expr.type));
    checkOperands(expr, expr.type, spelling(node.op));
    require(!isLiteral(node.operand), "literal: the sign of a literal is its own");
  }

  void check(const Expr &expr, const BinaryExpr &node) {
    const bool isLogic = node.op == BinaryOp::And || node.op == BinaryOp::Or;
    const std::string op = spelling(node.op).str();
    require(isLogic == (expr.type == ScalarType::Bool), "type: `{}` gives no {}", op,
            word(expr.type));
    require(node.op != BinaryOp::Divide || expr.type != ScalarType::Int,
            "type: whole numbers have no `/`");
    if (node.op == BinaryOp::Remainder) {
      const auto *divisor = std::get_if<Literal>(&formula[node.right].node);
      require(expr.type == ScalarType::Int && divisor && divisor->value > 0,
              "type: `%` takes whole numbers, and a literal above 0");
    }
    checkOperands(expr, expr.type, op);
    require(!isLiteral(node.left) || !isLiteral(node.right),
            "literal: `{}` of two literals is not folded", op);
    if (node.op == BinaryOp::Divide && isLiteral(node.right))
      require(std::get<Literal>(formula[node.right].node).value != 0, "literal: division by zero");
  }

  void check(const Expr &expr, const CompareExpr &node) {
    const std::string op = spelling(node.op).str();
    require(expr.type == ScalarType::Bool, "type: `{}` gives no {}", op, word(expr.type));
    require(typeOf(node.left) != ScalarType::Bool, "type: `{}` compares truth values", op);
    checkOperands(expr, typeOf(node.left), op);
    require(typeOf(node.left) != ScalarType::Int || !isLiteral(node.left) || !isLiteral(node.right),
            "literal: `{}` of two whole literals is not folded", op);
  }

  void check(const Expr &expr, const SelectExpr &node) {
    require(expr.type != ScalarType::Bool, "type: `where` gives no truth value");
    require(typeOf(node.condition) == ScalarType::Bool, "type: `where` asks a number");
    require(typeOf(node.then) == expr.type && typeOf(node.otherwise) == expr.type,
            "type: `where` of {} takes operands of {} and {}", word(expr.type),
            word(typeOf(node.then)), word(typeOf(node.otherwise)));
  }

  void check(const Expr &expr, const CallExpr &node) {
    const std::string name = spelling(node.function).str();
    require(isFloat(expr.type), "type: `{}` gives no {}", name, word(expr.type));
    require(node.operands.size() == arity(node.function), "type: `{}` takes no {} operands", name,
            node.operands.size());
    checkOperands(expr, expr.type, name);
  }

  void check(const Expr &expr, const CastExpr &node) {
    const ScalarType from = typeOf(node.operand);
    require(isFloat(expr.type) && from != ScalarType::Bool && from != expr.type,
            "type: no cast leads from {} to {}", word(from), word(expr.type));
    require(!isLiteral(node.operand), "literal: a cast of a literal is not folded");
  }

  const Stencil &stencil;
  const Formula &formula;
  const FormulaPlace place;
  std::string fault;
};
} // namespace

std::string faultOf(const Stencil &stencil, const Formula &formula, const FormulaPlace &place) {
  return FormulaVerifier(stencil, formula, place).run();
}

} // namespace stencilc
