// Boundaries: from clauses to one kind per array, axis and side.
#include "frontend/language/Sema.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace stencilc {

void Sema::resolve(const ast::BoundaryDecl &item) {
  for (const ast::BoundaryClause &clause : item.clauses)
    if (clause.value)
      boundaryValues[&clause] = resolver.resolveNumber(
          *clause.value, clause.kind == BoundaryKind::Value ? Place::BoundaryValue : Place::Factor);

  if (item.arrays.empty()) {
    if (rest)
      diagnostics.report(Diag::boundary_rest_repeated, item.keyword)
          .note(Diag::first_here, rest->keyword);
    else
      rest = &item;
    return;
  }
  for (const ast::Name &name : item.arrays) {
    const Symbol *symbol = resolver.resolveArray(name);
    if (!symbol)
      continue;
    if (stencil.arrays[symbol->number].isOverTime) {
      diagnostics.report(Diag::boundary_over_time, name.range(), name.text);
      continue;
    }
    auto [first, isNew] = covered.try_emplace(symbol->number, name.range());
    if (isNew)
      cover(symbol->number, item);
    else
      diagnostics.report(Diag::boundary_repeated, name.range(), name.text)
          .note(Diag::first_here, first->second);
  }
}

Sema::Sides::Side Sema::sideOf(const ast::BoundaryClause &clause) {
  return {clause.kind, boundaryValues[&clause].get(), clause.range};
}

/// Gives `array` the sides that the clauses name, then the kind alone to those that are left.
void Sema::cover(unsigned array, const ast::BoundaryDecl &item) {
  Sides &result = sides[array];
  const ast::BoundaryClause *alone = nullptr;
  auto repeated = [&](const ast::BoundaryClause &clause, llvm::StringRef what,
                      llvm::SMRange first) {
    diagnostics.report(Diag::side_repeated, clause.range, what).note(Diag::first_here, first);
  };
  for (const ast::BoundaryClause &clause : item.clauses) {
    if (!clause.axis) {
      if (alone)
        repeated(clause, "every side not named", alone->range);
      else
        alone = &clause;
      continue;
    }
    std::optional<unsigned> axis = resolver.resolveAxis(*clause.axis);
    if (!axis)
      continue;
    if (!stencil.arrays[array].hasAxis(*axis)) {
      // `boundary:` speaks for arrays of all shapes.
      if (!item.arrays.empty())
        diagnostics.report(Diag::array_lacks_axis, clause.range, stencil.arrays[array].name,
                           clause.axis->text);
      continue;
    }
    for (Side side : {Low, High}) {
      char mark = side == Low ? '-' : '+';
      if (clause.side && clause.side != mark)
        continue;
      Sides::Side &place = result.sides[*axis][side];
      if (place.kind != BoundaryKind::None) {
        repeated(clause, "`" + clause.axis->text.str() + mark + "`", place.place);
        break;
      }
      place = sideOf(clause);
    }
  }
  if (alone)
    for (unsigned axis : stencil.arrays[array].axes)
      for (Sides::Side &place : result.sides[axis])
        if (place.kind == BoundaryKind::None)
          place = sideOf(*alone);
  checkPeriodic(array);
}

void Sema::coverRest() {
  if (!rest)
    return;
  for (unsigned array = 0; array < stencil.arrays.size(); ++array)
    if (!covered.contains(array))
      cover(array, *rest);
}

void Sema::checkPeriodic(unsigned array) {
  for (unsigned axis : stencil.arrays[array].axes) {
    const auto &[low, high] = sides[array].sides[axis];
    bool isLow = low.kind == BoundaryKind::Periodic, isHigh = high.kind == BoundaryKind::Periodic;
    if (isLow != isHigh)
      diagnostics.report(Diag::periodic_one_side, (isLow ? low : high).place,
                         stencil.arrays[array].name, stencil.axes[axis]);
  }
}

void Sema::setBoundaries() {
  Expander expander(diagnostics, stencil, lets, makings);
  for (const auto &[number, chosen] : sides) {
    Array &array = stencil.arrays[number];
    for (unsigned axis : array.axes)
      for (Side side : {Low, High}) {
        const Sides::Side &from = chosen.sides[axis][side];
        Boundary &boundary = array.boundary[axis][side];
        boundary.kind = from.kind;
        if (!from.value)
          continue;
        if (from.kind == BoundaryKind::Value)
          boundary.value = expander.expand(*from.value, {FormulaPlace::BoundaryValue, array.type});
        else
          boundary.factor = factorOf(from, array, expander);
      }
  }
}

double Sema::factorOf(const Sides::Side &side, const Array &array, Expander &expander) {
  const Formula formula = expander.expand(*side.value, {FormulaPlace::BoundaryValue, array.type});
  if (diagnostics.hasErrors())
    return 1;
  const double factor = evaluate(formula, [](const Expr &) -> ScalarValue {
                          llvm_unreachable("a factor is made of literals");
                        }).number;
  if (!std::isfinite(factor))
    diagnostics.report(Diag::constant_overflow, side.value->range, spelling(array.type));
  return factor;
}

} // namespace stencilc
