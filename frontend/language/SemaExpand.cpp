#include "frontend/language/SemaExpand.h"

#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

namespace stencilc {

Formula Expander::expand(const Term &term, const FormulaPlace &standsIn,
                         std::optional<unsigned> array) {
  formula = {};
  makes = array;
  place = standsIn;
  numberType = place.type;
  uses = 0;
  gaveUp = false;
  built.clear();
  formula.result = value(term, place.type, View());
  if (!gaveUp && formula.exprs.size() > kMaxFormulaValues)
    fault(Diag::formula_too_large, term, kMaxFormulaValues);
  if (gaveUp)
    return {};
  // Numbers that were folded have left their operands behind.
  Formula result;
  result.result = result.merge(formula);
  return result;
}

/// The name of the let, function or parameter that a term uses.
static llvm::StringRef nameOf(const Term &use, const std::vector<NamedTerm> &lets) {
  if (const auto *let = std::get_if<LetTerm>(&use.node))
    return lets[let->let].name;
  if (const auto *call = std::get_if<FunctionTerm>(&use.node))
    return call->name;
  return std::get<ArgumentTerm>(use.node).name;
}

void Expander::notePath(DiagnosticEngine::Report &report) const {
  if (outermostUse)
    report.note(Diag::reached_through, outermostUse->range, nameOf(*outermostUse, lets));
}

template <class... Args> void Expander::fault(Diag id, const Term &term, Args &&...args) {
  if (!isNew(id, term))
    return;
  DiagnosticEngine::Report report = diagnostics.report(id, term.range, std::forward<Args>(args)...);
  notePath(report);
}

/// The type in which `term` is worked out. In `init` the index of the point has none of its own.
ScalarType Expander::typeOf(const Term &term, ScalarType wanted) const {
  const bool isIndex = place.kind == FormulaPlace::Init && term.uses.positions;
  return term.type == ScalarType::Int && isIndex ? wanted : term.type.value_or(wanted);
}

/// The value of `term` as a number of `type`.
ExprId Expander::value(const Term &term, ScalarType type, const View &view) {
  ExprId id = build(term, type, view);
  return typeOf(term, type) == type || gaveUp ? id : cast(id, type, term);
}

/// The value of `term` in its own type, or in `type` if it has none.
ExprId Expander::build(const Term &term, ScalarType type, const View &view) {
  if (gaveUp)
    return 0;
  if (++uses > kMaxFormulaUses || formula.exprs.size() > kMaxFormulaValues) {
    gaveUp = true;
    fault(Diag::formula_too_large, term, kMaxFormulaValues);
    return 0;
  }
  return std::visit([&](const auto &inner) { return node(inner, term, typeOf(term, type), view); },
                    term.node);
}

// ---- operations on numbers ----------------------------------------------------------------------

/// A number that was rounded to `type`, as a literal.
ExprId Expander::rounded(double value, ScalarType type, const Term &term) {
  if (!std::isfinite(value))
    fault(Diag::constant_overflow, term, spelling(type));
  return formula.add(type, Literal{value});
}

ExprId Expander::cast(ExprId operand, ScalarType type, const Term &term) {
  const ScalarType from = formula[operand].type;
  if (from == type)
    return operand;
  if (const Literal *number = literalAt(operand))
    return rounded(convert(from, type, literalOf(from, number->value)).number, type, term);
  return formula.add(type, CastExpr{operand});
}

ExprId Expander::negate(ExprId operand, ScalarType type) {
  if (const Literal *number = literalAt(operand))
    return formula.add(type, Literal{-number->value});
  return formula.add(type, UnaryExpr{UnaryOp::Negate, operand});
}

ExprId Expander::binary(BinaryOp op, ExprId left, ExprId right, ScalarType type, const Term &term) {
  const Literal *a = literalAt(left), *b = literalAt(right);
  if (op == BinaryOp::Divide && b && b->value == 0) {
    fault(Diag::division_by_zero, term);
    return left;
  }
  if (a && b && isFloat(type))
    return rounded(apply(type, op, a->value, b->value), type, term);
  return formula.add(type, BinaryExpr{op, left, right});
}

// ---- leaves -----------------------------------------------------------------------------------

ExprId Expander::literal(const Rational &value, ScalarType type, const Term &term) {
  if (type == ScalarType::Int)
    return formula.add(type, Literal{value.convert_to<double>()});
  double number = roundTo(type, value);
  if (std::isinf(number))
    fault(Diag::constant_overflow, term, spelling(type));
  else if (number == 0 && !value.is_zero())
    fault(Diag::constant_underflow, term, spelling(type));
  return formula.add(type, Literal{number});
}

ExprId Expander::node(const ExactTerm &exact, const Term &term, ScalarType type, const View &) {
  return literal(exact.value, type, term);
}

ExprId Expander::node(const ParamTerm &param, const Term &, ScalarType type, const View &) {
  return formula.add(type, ParamValue{param.param});
}

/// A formula that is moved has the index of the point that it is moved to.
ExprId Expander::node(const AxisTerm &axis, const Term &, ScalarType type, const View &view) {
  const ExprId index = formula.add(type, AxisValue{axis.axis});
  const int offset = view.offset[axis.axis];
  if (offset == 0)
    return index;
  const ExprId distance = formula.add(type, Literal{double(std::abs(offset))});
  return formula.add(type,
                     BinaryExpr{offset < 0 ? BinaryOp::Subtract : BinaryOp::Add, index, distance});
}

ExprId Expander::node(const StepTerm &, const Term &term, ScalarType type, const View &view) {
  if (view.isPrevious)
    reportShiftedTwice(term, "the step number `t`");
  return formula.add(type, StepValue{});
}

ExprId Expander::node(const TimeReadTerm &read, const Term &term, ScalarType type,
                      const View &view) {
  if (view.isPrevious)
    reportShiftedTwice(term, "`" + stencil.arrays[read.array].name + "`, an array over time");
  if (std::abs(read.offset) > kMaxOffset)
    fault(Diag::offset_too_large, term, read.offset, "t", kMaxOffset);
  return formula.add(type, TimeRead{read.array, read.offset});
}

Expander::View Expander::moved(const View &view, const Move &move) const {
  View result = view;
  result.isPrevious |= move.isPrevious;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    result.offset[axis] += move.along[axis];
  return result;
}

ExprId Expander::node(const ReadTerm &read, const Term &term, ScalarType type, const View &view) {
  View there = moved(view, read.move);
  Read result{read.array, TimeLevel::Current, {}};
  if (read.isNext)
    result.level = TimeLevel::Next;
  else if (there.isPrevious && stencil.arrays[read.array].kind == ArrayKind::Field)
    result.level = TimeLevel::Previous;
  for (unsigned axis : stencil.arrays[read.array].axes)
    result.offset[axis] = there.offset[axis];
  if (checkOffset(result.offset, term) && checkLevel(read, term, view)) {
    checkNext(result, term);
    checkBoundaries(result, term);
  }
  return formula.add(type, result);
}

bool Expander::checkOffset(const Offset &offset, const Term &term) {
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    if (std::abs(offset[axis]) > kMaxOffset) {
      fault(Diag::offset_too_large, term, offset[axis], stencil.axes[axis], kMaxOffset);
      return false;
    }
  return true;
}

void Expander::reportShiftedTwice(const Term &reader, std::string read) {
  if (isNew(Diag::let_shifted_twice, reader))
    diagnostics.report(Diag::let_shifted_twice, shiftedUse->range, nameOf(*shiftedUse, lets), read)
        .note(Diag::read_here, reader.range);
}

bool Expander::checkLevel(const ReadTerm &read, const Term &term, const View &view) {
  const std::string &name = stencil.arrays[read.array].name;
  if (view.isPrevious && (read.isNext || read.move.isPrevious)) {
    reportShiftedTwice(term, "`" + name + (read.isNext ? "'`" : "[t-1]`"));
    return false;
  }
  const bool isPrevious = read.move.isPrevious || view.isPrevious;
  if (isPrevious && place.kind == FormulaPlace::Reduction && !readsPrevious(stencil, read.array))
    fault(Diag::previous_not_kept, term, name);
  return true;
}

/// Some earlier stage makes what is read; of a temp, no other stage does.
void Expander::checkNext(const Read &read, const Term &term) {
  if (read.level != TimeLevel::Next)
    return;
  const std::vector<Making> &made = makings[read.array];
  const auto isLate = [&](const Making &making) { return making.stage >= place.stage; };
  const bool isTemp = stencil.arrays[read.array].kind == ArrayKind::Temp;
  if (made.empty() || !(isTemp ? llvm::any_of(made, isLate) : llvm::all_of(made, isLate)))
    return;
  if (!isNew(Diag::next_too_early, term))
    return;
  const std::string &name = stencil.arrays[read.array].name;
  if (read.array == makes && read.offset != Offset{} &&
      llvm::any_of(made, [&](const Making &making) { return making.stage == place.stage; })) {
    DiagnosticEngine::Report report = diagnostics.report(
        Diag::order_of_points, term.range, "`" + name + "'` is read where it is made");
    report.hint(isTemp ? Diag::order_of_points_temp_hint : Diag::order_of_points_hint, name);
    notePath(report);
    return;
  }
  DiagnosticEngine::Report report =
      diagnostics.report(Diag::next_too_early, term.range, stencil.arrays[read.array].name);
  report.note(Diag::made_here, llvm::find_if(made, isLate)->place, stencil.arrays[read.array].name);
  notePath(report);
}

static bool dependsOnTime(const Formula &formula) {
  return llvm::any_of(formula.exprs, [](const Expr &expr) {
    return std::holds_alternative<StepValue>(expr.node) ||
           std::holds_alternative<TimeRead>(expr.node);
  });
}

void Expander::checkBoundaries(const Read &read, const Term &term) {
  const Array &array = stencil.arrays[read.array];
  for (unsigned axis : array.axes) {
    int offset = read.offset[axis];
    Side side = offset < 0 ? Low : High;
    const Boundary &boundary = array.boundary[axis][side];
    if (offset != 0 && place.kind == FormulaPlace::Reduction && dependsOnTime(boundary.value))
      fault(Diag::reduction_through_time, term, array.name);
    if (offset == 0 || boundary.kind != BoundaryKind::None || array.kind == ArrayKind::Temp ||
        hasFaultyBoundary || !missingBoundaries.insert({read.array, axis, side}).second)
      continue;
    std::string end = stencil.axes[axis] + (side == Low ? "-" : "+");
    std::string place = end + std::to_string(std::abs(offset));
    DiagnosticEngine::Report report =
        diagnostics.report(Diag::boundary_missing, term.range, array.name, place, end);
    notePath(report);
    report.hint(Diag::boundary_missing_hint, array.name, end);
  }
}

// ---- lets and functions
// -------------------------------------------------------------------------------------

ExprId Expander::node(const LetTerm &use, const Term &term, ScalarType type, const View &view) {
  View there = moved(view, use.move);
  const NamedTerm &let = lets[use.let];
  if (view.isPrevious && use.move.isPrevious)
    reportShiftedTwice(term, "`" + let.name + "[t-1]`");
  auto key = std::tuple(use.let, there.offset, there.isPrevious, type, numberType);
  if (auto known = built.find(key); known != built.end())
    return known->second;

  llvm::SaveAndRestore outermost(outermostUse, outermostUse ? outermostUse : &term);
  llvm::SaveAndRestore shifted(shiftedUse, use.move.isPrevious ? &term : shiftedUse);
  ExprId id = build(*let.value, type, there);
  if (gaveUp)
    return 0;
  built.emplace(key, id);
  Expr &expr = formula.exprs[id];
  const bool hasName =
      std::holds_alternative<Literal>(expr.node) || std::holds_alternative<ParamValue>(expr.node) ||
      std::holds_alternative<AxisValue>(expr.node) || std::holds_alternative<StepValue>(expr.node);
  // The same let of two time levels would be two values of one name.
  if (expr.name.empty() && !hasName && !there.isPrevious) {
    expr.name = let.name;
    expr.shift = there.offset;
  }
  return id;
}

ExprId Expander::node(const FunctionTerm &call, const Term &term, ScalarType type,
                      const View &view) {
  Frame own{&call, frame};
  llvm::SaveAndRestore inside(frame, &own);
  llvm::SaveAndRestore outermost(outermostUse, outermostUse ? outermostUse : &term);
  return build(*call.body, type, view);
}

ExprId Expander::node(const ArgumentTerm &use, const Term &term, ScalarType type,
                      const View &view) {
  const View there = moved(view, use.move);
  if (view.isPrevious && use.move.isPrevious)
    reportShiftedTwice(term, "`" + use.name + "[t-1]`");
  Frame &call = *frame;
  const auto key = std::tuple(use.number, there.offset, there.isPrevious, type, numberType);
  if (const auto known = call.built.find(key); known != call.built.end())
    return known->second;
  llvm::SaveAndRestore shifted(shiftedUse, use.move.isPrevious ? &term : shiftedUse);
  llvm::SaveAndRestore outside(frame, call.outer);
  const ExprId id = build(*call.call->arguments[use.number], type, there);
  if (!gaveUp)
    call.built.emplace(key, id);
  return id;
}

// ---- operations -------------------------------------------------------------------------------

ExprId Expander::node(const UnaryTerm &unary, const Term &, ScalarType type, const View &view) {
  ExprId operand = value(*unary.operand, type, view);
  return unary.op == UnaryOp::Negate ? negate(operand, type)
                                     : formula.add(type, UnaryExpr{unary.op, operand});
}

ExprId Expander::node(const BinaryTerm &both, const Term &term, ScalarType type, const View &view) {
  ExprId left = value(*both.left, type, view);
  ExprId right = value(*both.right, type, view);
  return gaveUp ? 0 : binary(both.op, left, right, type, term);
}

ExprId Expander::node(const CompareTerm &compare, const Term &, ScalarType, const View &view) {
  const bool isIndex = place.kind == FormulaPlace::Init &&
                       (compare.left->uses.positions || compare.right->uses.positions);
  ScalarType type = compare.operandType.value_or(numberType);
  if (isIndex && type == ScalarType::Int)
    type = numberType;
  ExprId left = value(*compare.left, type, view);
  ExprId right = value(*compare.right, type, view);
  return formula.add(ScalarType::Bool, CompareExpr{compare.op, left, right});
}

ExprId Expander::node(const SelectTerm &select, const Term &, ScalarType type, const View &view) {
  llvm::SaveAndRestore choosing(numberType, isFloat(type) ? type : numberType);
  ExprId condition = value(*select.condition, ScalarType::Bool, view);
  ExprId then = value(*select.then, type, view);
  ExprId otherwise = value(*select.otherwise, type, view);
  return formula.add(type, SelectExpr{condition, then, otherwise});
}

/// The operand to a simple power, which no `pow` is needed for.
ExprId Expander::power(const Term &operand, double exponent, ScalarType type, const View &view) {
  const std::optional<ExprId> one =
      exponent <= 0 ? std::optional(formula.add(type, Literal{1})) : std::nullopt;
  const ExprId base = value(operand, type, view);
  if (gaveUp)
    return 0;
  if (exponent == 0.5)
    return formula.add(type, CallExpr{Builtin::Sqrt, {base}});
  if (exponent == 0)
    return *one;
  const auto times = [&](ExprId left, ExprId right) {
    return binary(BinaryOp::Multiply, left, right, type, operand);
  };
  const double factors = std::abs(exponent);
  ExprId product = factors == 1 ? base : times(base, base);
  if (factors > 2)
    product = times(product, factors == 3 ? base : product);
  return one ? binary(BinaryOp::Divide, *one, product, type, operand) : product;
}

ExprId Expander::node(const CallTerm &call, const Term &, ScalarType type, const View &view) {
  const ExactTerm *exponent = call.function == Builtin::Pow ? call.operands[1]->exact() : nullptr;
  if (const double rounded = exponent ? roundTo(type, exponent->value) : 0;
      exponent && isSimplePower(rounded))
    return power(*call.operands[0], rounded, type, view);
  CallExpr result{call.function, {}};
  for (const TermPtr &operand : call.operands)
    result.operands.push_back(value(*operand, type, view));
  return formula.add(type, std::move(result));
}

ExprId Expander::node(const CastTerm &cast, const Term &, ScalarType type, const View &view) {
  return value(*cast.operand, type, view);
}

ExprId Expander::node(const SignTerm &sign, const Term &term, ScalarType type, const View &view) {
  const ExprId operand = value(*sign.operand, type, view);
  const auto whole = [&](int value) { return literal(value, type, term); };
  const auto chosen = [&](CompareOp op, int value, ExprId otherwise) {
    const ExprId condition = formula.add(ScalarType::Bool, CompareExpr{op, operand, whole(0)});
    return formula.add(type, SelectExpr{condition, whole(value), otherwise});
  };
  return gaveUp ? 0 : chosen(CompareOp::Greater, 1, chosen(CompareOp::Less, -1, operand));
}

ExprId Expander::node(const SumTerm &sum, const Term &term, ScalarType type, const View &view) {
  std::optional<ExprId> total;
  const auto with = [&](ExprId next) {
    return sum.extreme ? formula.add(type, CallExpr{*sum.extreme, {*total, next}})
                       : binary(BinaryOp::Add, *total, next, type, term);
  };
  for (const TermPtr &summand : sum.terms) {
    const ExprId next = value(*summand, type, view);
    if (gaveUp)
      break;
    total = total ? with(next) : next;
  }
  return total.value_or(0);
}

ExprId Expander::node(const DifferenceTerm &difference, const Term &term, ScalarType type,
                      const View &view) {
  auto weighted = [&](const Rational &weight, ExprId operand) {
    // Nobody writes it, and leaving it out changes no bit.
    if (weight == 1)
      return operand;
    ExprId factor = literal(weight, type, term);
    return formula.add(type, BinaryExpr{BinaryOp::Multiply, factor, operand});
  };
  std::optional<ExprId> total;
  if (!difference.isOdd)
    total = weighted(difference.centre, value(*difference.operand, type, view));
  for (unsigned axis : difference.axes)
    for (size_t d = 0; d < difference.weights.size() && !gaveUp; ++d) {
      View low = view, high = view;
      low.offset[axis] -= d + 1;
      high.offset[axis] += d + 1;
      ExprId below = value(*difference.operand, type, low);
      ExprId above = value(*difference.operand, type, high);
      ExprId pair = difference.isOdd
                        ? formula.add(type, BinaryExpr{BinaryOp::Subtract, above, below})
                        : formula.add(type, BinaryExpr{BinaryOp::Add, below, above});
      ExprId next = weighted(difference.weights[d], pair);
      total = total ? formula.add(type, BinaryExpr{BinaryOp::Add, *total, next}) : next;
    }
  return total.value_or(0);
}

} // namespace stencilc
