#include "codegen/lower/ValuesOnce.h"

#include "ir/kernel/Signature.h"
#include "ir/stencil/StencilVerifier.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <set>

using namespace stencilc;

namespace {

llvm::Error refuse(const std::string &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
}

/// Adds an operation; of literals alone, what it gives. Nothing where that is no finite number.
std::optional<ExprId> addFolded(Formula &formula, ScalarType type, Expr::Node node) {
  const auto literal = [&](ExprId id) { return std::get_if<Literal>(&formula[id].node); };
  std::optional<ScalarValue> number;
  if (const auto *unary = std::get_if<UnaryExpr>(&node); unary && literal(unary->operand))
    number = apply(type, unary->op, literalOf(type, literal(unary->operand)->value));
  if (const auto *cast = std::get_if<CastExpr>(&node); cast && literal(cast->operand)) {
    const ScalarType from = formula[cast->operand].type;
    number = convert(from, type, literalOf(from, literal(cast->operand)->value));
  }
  if (const auto *binary = std::get_if<BinaryExpr>(&node)) {
    const Literal *left = literal(binary->left), *right = literal(binary->right);
    if (binary->op == BinaryOp::Divide && right && right->value == 0)
      return std::nullopt;
    if (left && right)
      number = apply(type, binary->op, literalOf(type, left->value), literalOf(type, right->value));
  }
  if (!number)
    return formula.add(type, std::move(node));
  if (!isFloat(type) || !std::isfinite(number->number))
    return std::nullopt;
  return formula.add(type, Literal{number->number});
}

/// The formula where its reads give something else; nothing if one of them does not, or if a part
/// of it is no number.
std::optional<Formula> withReads(const Formula &formula,
                                 llvm::function_ref<const Formula *(const Read &)> valueOf) {
  Formula whole;
  std::vector<ExprId> numbers;
  for (const Expr &expr : formula.exprs) {
    const auto *read = std::get_if<Read>(&expr.node);
    const Formula *value = read ? valueOf(*read) : nullptr;
    if (read && !value)
      return std::nullopt;
    const std::optional<ExprId> id =
        value ? whole.merge(*value) : addFolded(whole, expr.type, withOperands(expr.node, numbers));
    if (!id)
      return std::nullopt;
    numbers.push_back(*id);
  }
  Formula needed;
  needed.result = needed.merge(whole, numbers[formula.result]);
  return needed;
}

/// Where a value of a formula reads its arrays.
struct Place {
  bool isOnePoint = true;               ///< all of them at `offset`; no position is asked for
  Offset offset = {};                   ///< on the axes that its arrays have
  std::array<bool, kMaxRank> axes = {}; ///< these
  ExprId moved = 0;                     ///< among the values of the stage, moved to the point

  void join(const Place &other) {
    isOnePoint &= other.isOnePoint;
    for (unsigned axis = 0; axis < kMaxRank; ++axis)
      if (other.axes[axis]) {
        isOnePoint &= !axes[axis] || offset[axis] == other.offset[axis];
        offset[axis] = other.offset[axis];
        axes[axis] = true;
      }
  }
};

/// The values of a stage that several points ask for.
class StageValues {
public:
  StageValues(const Stencil &stencil, const Stage &stage) : stencil(stencil) {
    for (const Update &update : stage.updates)
      places.push_back(placesIn(update.formula));
    varies = variesByPoint(values);
    for (const std::vector<Place> &ofUpdate : places)
      for (const Place &place : ofUpdate)
        if (isPoint(place))
          wanted[place.moved].insert(place.offset);
    for (const auto &[update, ofUpdate] : llvm::zip_equal(stage.updates, places))
      chooseIn(update.formula, ofUpdate);
    makeFewer();
  }

  /// Those that become temps, in order.
  const std::set<ExprId> &chosen() const { return isChosen; }

  /// The value at the point, alone.
  Formula formulaOf(ExprId value) const {
    Formula formula;
    formula.result = formula.merge(values, value);
    return formula;
  }

  /// The name of a `let` that it stands for anywhere; empty if there is none.
  std::string nameOf(ExprId value) const { return values[value].name; }

  /// How the value ends on a side: as all it reads does. Nothing where these differ.
  std::optional<Boundary> endOf(ExprId value, unsigned axis, Side side) const {
    const std::set<Offset> &points = wanted.at(value);
    const auto goesThere = [&](const Offset &offset) { return distance(offset[axis], side) > 0; };
    const auto leaves = [&](const Offset &offset) { return offset[axis] != 0; };
    std::optional<Boundary> end;
    bool isOneEnd = true;
    const Formula formula = formulaOf(value);
    forEachRead(formula, [&](const Read &read) {
      if (!stencil.arrays[read.array].hasAxis(axis))
        return;
      const Boundary &own = stencil.arrays[read.array].boundary[axis][side];
      isOneEnd &= own.factor == 1 && (!end || end->kind == own.kind);
      end = own;
    });
    const bool isPeriodic = end->kind == BoundaryKind::Periodic; // which both ends are, or none
    if (isPeriodic ? llvm::none_of(points, leaves) : llvm::none_of(points, goesThere))
      return Boundary{};
    if (!isOneEnd)
      return std::nullopt;
    if (end->kind != BoundaryKind::Value)
      return end;
    const auto valueOf = [&](const Read &read) -> const Formula * {
      const Array &array = stencil.arrays[read.array];
      return array.hasAxis(axis) ? &array.boundary[axis][side].value : nullptr;
    };
    const std::optional<Formula> beyond = withReads(formula, valueOf);
    return beyond ? std::optional(Boundary{BoundaryKind::Value, *beyond}) : std::nullopt;
  }

  /// The formula with reads of temps in place of the values that became one.
  Formula rewritten(const Formula &formula, unsigned update,
                    const std::map<ExprId, unsigned> &temps) const {
    Formula all;
    std::vector<ExprId> numbers;
    for (const auto &[expr, place] : llvm::zip_equal(formula.exprs, places[update])) {
      const auto temp = isPoint(place) ? temps.find(place.moved) : temps.end();
      numbers.push_back(temp != temps.end()
                            ? all.add(expr.type, Read{temp->second, TimeLevel::Next, place.offset})
                            : all.add(expr.type, withOperands(expr.node, numbers)));
      if (Expr &added = all.exprs[numbers.back()]; temp == temps.end() && added.name.empty()) {
        added.name = expr.name;
        added.shift = expr.shift;
      }
    }
    Formula needed;
    needed.result = needed.merge(all, numbers[formula.result]);
    return needed;
  }

private:
  std::vector<Place> placesIn(const Formula &formula) {
    std::vector<Place> found;
    std::vector<ExprId> numbers; // by Expr of the formula, among `values`
    for (const Expr &expr : formula.exprs) {
      Place place = placeOf(expr, found);
      if (place.isOnePoint) {
        Expr::Node node = withOperands(expr.node, numbers);
        if (auto *read = std::get_if<Read>(&node))
          read->offset = {};
        place.moved = values.add(expr.type, std::move(node));
        if (Expr &value = values.exprs[place.moved]; value.name.empty())
          value.name = expr.name;
      }
      numbers.push_back(place.moved);
      found.push_back(place);
    }
    return found;
  }

  Place placeOf(const Expr &expr, llvm::ArrayRef<Place> found) const {
    Place place;
    place.isOnePoint = !std::holds_alternative<AxisValue>(expr.node);
    if (const auto *read = std::get_if<Read>(&expr.node)) {
      place.offset = read->offset;
      for (unsigned axis : stencil.arrays[read->array].axes)
        place.axes[axis] = true;
    }
    for (ExprId operand : operands(expr.node))
      place.join(found[operand]);
    return place;
  }

  /// Whether it says of all axes where the point is.
  bool isPoint(const Place &place) const {
    return place.isOnePoint && size_t(llvm::count(place.axes, true)) == stencil.rank();
  }

  /// From users to operands: what is part of a value that is chosen is not wanted for itself.
  void chooseIn(const Formula &formula, llvm::ArrayRef<Place> ofUpdate) {
    std::vector<bool> isNeeded(formula.exprs.size());
    isNeeded[formula.result] = true;
    for (ExprId id = formula.exprs.size(); id-- > 0;) {
      if (!isNeeded[id])
        continue;
      if (isPoint(ofUpdate[id]) && isWorthIt(ofUpdate[id].moved)) {
        isChosen.insert(ofUpdate[id].moved);
        continue;
      }
      for (ExprId operand : operands(formula[id].node))
        isNeeded[operand] = true;
    }
  }

  /// Takes what values are made of in place of them, where little work is left beside that and it
  /// is fewer: fluxes of many quantities come from a few speeds.
  void makeFewer() {
    std::vector<bool> isCore;
    std::set<ExprId> inner;
    for (ExprId value = 0; value < values.exprs.size(); ++value)
      isCore.push_back(isWorthIt(value) && workBeside(value, isCore, inner) >= kLeastWork);
    std::set<ExprId> fewer;
    for (ExprId value : isChosen) {
      inner.clear();
      if (isCore[value] || workBeside(value, isCore, inner) >= kLeastWork)
        inner = {value};
      fewer.insert(inner.begin(), inner.end());
    }
    if (fewer.size() < isChosen.size())
      isChosen = std::move(fewer);
  }

  /// Work on a value beside the cores in it, which are added to `inner`.
  unsigned workBeside(ExprId value, const std::vector<bool> &isCore,
                      std::set<ExprId> &inner) const {
    unsigned work = 0;
    std::vector<bool> isNeeded(value + 1);
    isNeeded[value] = true;
    for (ExprId id = value + 1; id-- > 0;) {
      if (!isNeeded[id])
        continue;
      if (id != value && isCore[id]) {
        inner.insert(id);
        continue;
      }
      work += varies[id] ? workOf(values[id]) : 0;
      for (ExprId operand : operands(values[id].node))
        isNeeded[operand] = true;
    }
    return work;
  }

  bool isWorthIt(ExprId value) const {
    const auto points = wanted.find(value);
    if (points == wanted.end() || points->second.size() < 2 || !isFloat(values[value].type) ||
        workOf(formulaOf(value)) < kLeastWork)
      return false;
    for (unsigned axis = 0; axis < stencil.rank(); ++axis)
      for (Side side : {Low, High})
        if (!endOf(value, axis, side))
          return false;
    return true;
  }

  const Stencil &stencil;
  std::vector<std::vector<Place>> places; ///< by update and Expr
  Formula values;                         ///< of all updates, moved to the point
  std::vector<bool> varies;               ///< by these
  std::map<ExprId, std::set<Offset>> wanted;
  std::set<ExprId> isChosen;
};

/// A name that nothing of the stencil has yet.
std::string freshName(const Stencil &stencil, std::string wanted) {
  if (wanted.empty())
    wanted = "part";
  const auto isTaken = [&](const std::string &name) {
    const auto hasName = [&](const auto &declared) { return declared.name == name; };
    return name == stencil.name || llvm::is_contained(stencil.axes, name) ||
           llvm::any_of(stencil.arrays, hasName) || llvm::any_of(stencil.params, hasName) ||
           llvm::any_of(stencil.reductions, hasName);
  };
  std::string name = wanted;
  for (unsigned number = 2; isTaken(name); ++number)
    name = fmt::format("{}_{}", wanted, number);
  return name;
}

/// Adds the temp of a value, with the update that makes it.
unsigned addTemp(Stencil &stencil, Stage &makers, const StageValues &values, ExprId value) {
  Formula formula = values.formulaOf(value);
  Array temp;
  temp.name = freshName(stencil, values.nameOf(value));
  temp.kind = ArrayKind::Temp;
  temp.type = formula[formula.result].type;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    temp.axes.push_back(axis);
    for (Side side : {Low, High})
      temp.boundary[axis][side] = *values.endOf(value, axis, side);
  }
  const unsigned number = stencil.arrays.size();
  makers.updates.push_back(
      {number, std::move(formula), temp.name + "' = what several points ask for", {}});
  stencil.arrays.push_back(std::move(temp));
  return number;
}

} // namespace

unsigned stencilc::workOf(const Expr &expr) {
  if (const auto *binary = std::get_if<BinaryExpr>(&expr.node))
    return binary->op == BinaryOp::Divide || binary->op == BinaryOp::Remainder ? kLeastWork : 1;
  if (const auto *call = std::get_if<CallExpr>(&expr.node))
    return llvm::is_contained({Builtin::Min, Builtin::Max, Builtin::Abs, Builtin::Fma},
                              call->function)
               ? 1
               : kLeastWork;
  return operands(expr.node).empty() ? 0 : 1;
}

unsigned stencilc::workOf(const Formula &formula) {
  unsigned work = 0;
  for (const auto &[expr, varies] : llvm::zip_equal(formula.exprs, variesByPoint(formula)))
    work += varies ? workOf(expr) : 0;
  return work;
}

llvm::Expected<StencilForm> stencilc::withValuesOnce(const Stencil &stencil) {
  Stencil result = stencil;
  result.stages.clear();
  for (const Stage &stage : stencil.stages) {
    const StageValues values(stencil, stage);
    Stage makers, users = stage;
    std::map<ExprId, unsigned> temps;
    for (ExprId value : values.chosen())
      temps[value] = addTemp(result, makers, values, value);
    for (auto [number, update] : llvm::enumerate(users.updates))
      update.formula = values.rewritten(update.formula, number, temps);
    if (!makers.updates.empty())
      result.stages.push_back(std::move(makers));
    result.stages.push_back(std::move(users));
  }
  if (result.stages.size() == stencil.stages.size())
    return refuse(fmt::format("no point of `{}` computes for another what that one computes too",
                              stencil.name));
  for (auto [number, array] : llvm::enumerate(stencil.arrays))
    result.arrays[number].hasOwnNext =
        array.kind == ArrayKind::Field && needsNextBuffer(stencil, number);
  if (llvm::Error error = verify(result))
    return error;
  if (!isSameInterface(signatureOf(stencil), signatureOf(result)))
    return refuse("callers would have to pass something else");
  return StencilForm{std::move(result)};
}
