#include "frontend/language/SemaExpand.h"

#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

namespace stencilc {

Formula Expander::expand(const Term &term, ScalarType type, unsigned standsIn) {
  formula = {};
  numberType = type;
  stage = standsIn;
  uses = 0;
  gaveUp = false;
  built.clear();
  formula.result = value(term, type, View());
  if (!gaveUp && formula.exprs.size() > kMaxFormulaValues)
    fault(Diag::formula_too_large, term, kMaxFormulaValues);
  return std::move(formula);
}

void Expander::notePath(DiagnosticEngine::Report &report) const {
  if (outermostLet)
    report.note(Diag::reached_through, outermostLet->range,
                lets[std::get<LetTerm>(outermostLet->node).let].name);
}

template <class... Args> void Expander::fault(Diag id, const Term &term, Args &&...args) {
  if (!isNew(id, term))
    return;
  DiagnosticEngine::Report report = diagnostics.report(id, term.range, std::forward<Args>(args)...);
  notePath(report);
}

/// The value of `term` as a number of `type`.
ExprId Expander::value(const Term &term, ScalarType type, const View &view) {
  ScalarType own = term.type.value_or(type);
  ExprId id = build(term, type, view);
  return own == type || gaveUp ? id : formula.add(type, CastExpr{id});
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
  return std::visit(
      [&](const auto &inner) { return node(inner, term, term.type.value_or(type), view); },
      term.node);
}

// ---- leaves -----------------------------------------------------------------------------------

ExprId Expander::literal(const Rational &value, ScalarType type, const Term &term) {
  double rounded = roundTo(type, value);
  if (std::isinf(rounded))
    fault(Diag::constant_overflow, term, spelling(type));
  else if (rounded == 0 && !value.is_zero())
    fault(Diag::constant_underflow, term, spelling(type));
  return formula.add(type, Literal{rounded});
}

ExprId Expander::node(const ExactTerm &exact, const Term &term, ScalarType type, const View &) {
  return literal(exact.value, type, term);
}

ExprId Expander::node(const ParamTerm &param, const Term &, ScalarType type, const View &) {
  return formula.add(type, ParamValue{param.param});
}

ExprId Expander::node(const AxisTerm &axis, const Term &, ScalarType type, const View &) {
  return formula.add(type, AxisValue{axis.axis});
}

Expander::View Expander::moved(const View &view, const Move &move) const {
  View result = view;
  result.isPrevious |= move.isPrevious;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    const Move::Along &along = move.along[axis];
    result.offset[axis] += along.constant;
    if (along.index)
      result.offset[axis] += along.factor * indices[*along.index];
  }
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
  if (checkOffset(result.offset, term) && checkLevel(read, term, view))
    checkBoundaries(result, term);
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
    diagnostics
        .report(Diag::let_shifted_twice, shiftedLet->range,
                lets[std::get<LetTerm>(shiftedLet->node).let].name, read)
        .note(Diag::read_here, reader.range);
}

bool Expander::checkLevel(const ReadTerm &read, const Term &term, const View &view) {
  const std::string &name = stencil.arrays[read.array].name;
  if (view.isPrevious && (read.isNext || read.move.isPrevious)) {
    reportShiftedTwice(term, "`" + name + (read.isNext ? "'`" : "[t-1]`"));
    return false;
  }
  const std::optional<Making> &making = makings[read.array];
  if (!read.isNext || !making || making->stage < stage)
    return true;
  if (isNew(Diag::next_too_early, term)) {
    DiagnosticEngine::Report report = diagnostics.report(Diag::next_too_early, term.range, name);
    report.note(Diag::made_here, making->place, name);
    notePath(report);
  }
  return false;
}

void Expander::checkBoundaries(const Read &read, const Term &term) {
  const Array &array = stencil.arrays[read.array];
  for (unsigned axis : array.axes) {
    int offset = read.offset[axis];
    Side side = offset < 0 ? Low : High;
    if (offset == 0 || array.boundary[axis][side].kind != BoundaryKind::None ||
        !missingBoundaries.insert({read.array, axis, side}).second)
      continue;
    std::string end = stencil.axes[axis] + (side == Low ? "-" : "+");
    std::string place = end + std::to_string(std::abs(offset));
    DiagnosticEngine::Report report =
        diagnostics.report(Diag::boundary_missing, term.range, array.name, place, end);
    notePath(report);
    report.hint(Diag::boundary_missing_hint, array.name, end);
  }
}

// ---- lets -------------------------------------------------------------------------------------

ExprId Expander::node(const LetTerm &use, const Term &term, ScalarType type, const View &view) {
  View there = moved(view, use.move);
  const NamedTerm &let = lets[use.let];
  if (view.isPrevious && use.move.isPrevious)
    reportShiftedTwice(term, "`" + let.name + "[t-1]`");
  auto key = std::tuple(use.let, there.offset, there.isPrevious, type, numberType);
  if (auto known = built.find(key); known != built.end())
    return known->second;

  llvm::SaveAndRestore outermost(outermostLet, outermostLet ? outermostLet : &term);
  llvm::SaveAndRestore shifted(shiftedLet, use.move.isPrevious ? &term : shiftedLet);
  // The let's own sums count their indices from 0.
  llvm::SaveAndRestore ownIndices(indices, {});
  ExprId id = build(*let.value, type, there);
  if (gaveUp)
    return 0;
  built.emplace(key, id);
  Expr &expr = formula.exprs[id];
  bool isNumber =
      std::holds_alternative<Literal>(expr.node) || std::holds_alternative<ParamValue>(expr.node);
  // The same let of two time levels would be two values of one name.
  if (expr.name.empty() && !isNumber && !there.isPrevious) {
    expr.name = let.name;
    expr.shift = there.offset;
  }
  return id;
}

// ---- operations -------------------------------------------------------------------------------

ExprId Expander::node(const UnaryTerm &unary, const Term &, ScalarType type, const View &view) {
  ExprId operand = value(*unary.operand, type, view);
  return formula.add(type, UnaryExpr{unary.op, operand});
}

ExprId Expander::node(const BinaryTerm &binary, const Term &, ScalarType type, const View &view) {
  ExprId left = value(*binary.left, type, view);
  ExprId right = value(*binary.right, type, view);
  return formula.add(type, BinaryExpr{binary.op, left, right});
}

ExprId Expander::node(const CompareTerm &compare, const Term &, ScalarType, const View &view) {
  ScalarType type = compare.operandType.value_or(numberType);
  ExprId left = value(*compare.left, type, view);
  ExprId right = value(*compare.right, type, view);
  return formula.add(ScalarType::Bool, CompareExpr{compare.op, left, right});
}

ExprId Expander::node(const SelectTerm &select, const Term &, ScalarType type, const View &view) {
  llvm::SaveAndRestore choosing(numberType, type);
  ExprId condition = value(*select.condition, ScalarType::Bool, view);
  ExprId then = value(*select.then, type, view);
  ExprId otherwise = value(*select.otherwise, type, view);
  return formula.add(type, SelectExpr{condition, then, otherwise});
}

ExprId Expander::node(const CallTerm &call, const Term &, ScalarType type, const View &view) {
  CallExpr result{call.function, {}};
  for (const TermPtr &operand : call.operands)
    result.operands.push_back(value(*operand, type, view));
  return formula.add(type, std::move(result));
}

ExprId Expander::node(const SumTerm &sum, const Term &, ScalarType type, const View &view) {
  size_t outer = indices.size();
  for (const SumTerm::Range &range : sum.indices)
    indices.push_back(range.first);
  std::optional<ExprId> total;
  // An odometer: the last index turns fastest.
  for (bool isDone = false; !isDone && !gaveUp;) {
    ExprId next = value(*sum.term, type, view);
    if (!gaveUp)
      total = total ? formula.add(type, BinaryExpr{BinaryOp::Add, *total, next}) : next;
    size_t turned = sum.indices.size();
    while (turned > 0 && ++indices[outer + turned - 1] > sum.indices[turned - 1].last) {
      --turned;
      indices[outer + turned] = sum.indices[turned].first;
    }
    isDone = turned == 0;
  }
  indices.resize(outer);
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
