// What follows from a Stencil alone: reach, halo widths, frames, counts per point.
//
// All numbers are counted from the formulas' distinct reads; nothing is declared twice.
#pragma once

#include "ir/stencil/Stencil.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc {

/// Non-negative widths in points, [axis][side].
using Widths = std::array<std::array<int, 2>, kMaxRank>;

/// Calls `visit` for each distinct read of a formula; of a stencil, for those of all updates, then
/// those of reductions.
void forEachRead(const Formula &formula, llvm::function_ref<void(const Read &)> visit);
void forEachRead(const Stencil &stencil, llvm::function_ref<void(const Read &)> visit);
void forEachUpdate(const Stencil &stencil, llvm::function_ref<void(const Update &)> visit);

/// Calls `visit` for the formulas that a step evaluates: those of updates and of boundaries.
void forEachFormula(const Stencil &stencil, llvm::function_ref<void(const Formula &)> visit);

/// True of what is another number at another step.
bool dependsOnStep(const Formula &formula);

/// Per Expr: whether its value differs from point to point, that is, depends on a read or on a
/// position. What does not is one number per run, made by the host.
std::vector<bool> variesByPoint(const Formula &formula);

/// How far an offset goes beyond the point on one side; negative if it goes the other way.
int distance(int offset, unsigned side);

/// How far the reads of `array` (any level, any update or reduction) go beyond the point.
Widths reach(const Stencil &stencil, unsigned array);

/// Ghost points of `array` beyond its extents, on sides with boundary `halo`: as far as reads go
/// there, those of temps that are evaluated at ghost points of their own among them.
Widths ghostWidths(const Stencil &stencil, unsigned array);

/// Points at each end where a formula is not evaluated, because a read would leave a `fixed` array.
/// Regions and temps take away more: StencilAreas.h.
Widths frame(const Stencil &stencil, const Update &update);

/// True if some formula reads `field[t-1]`.
bool readsPrevious(const Stencil &stencil, unsigned field);

/// True if a step reads a field that the one before made. Else a second step makes the same once
/// more, but for what follows from the step's number.
bool evolves(const Stencil &stencil);

/// True if the caller must supply a second buffer for the new level: unless every read of the
/// field's oldest level is in an earlier stage than the one that makes the new value, or in that
/// stage at the point itself. Or if it has one for another reason (Array::hasOwnNext).
bool needsNextBuffer(const Stencil &stencil, unsigned field);

/// How many values the updates of a step make, of a stage each distinct one once.
size_t countValues(const Stencil &stencil);

/// Counts for one updated point of the whole step. What updates of one stage have in common counts
/// once, as their launch makes it: reads, and values that are made by the same operations. Of
/// several updates of one array in different regions the one with the most reads counts, as a rule
/// that of the interior.
struct PointCounts {
  unsigned loads = 0;  ///< distinct reads (array, level, offset) of a stage, summed over stages
  unsigned stores = 0; ///< arrays that are made
  /// Distinct + - * / and functions on numbers that depend on a read, each as one. What is one
  /// number per run counts nothing, nor do a change of sign, comparisons and `where`.
  unsigned flops = 0;
  /// Bytes that must move when each old level that is read is read once and each new level is
  /// written once. Temps and arrays with fewer axes than the stencil count nothing.
  unsigned compulsoryBytes = 0;
};
PointCounts countPoint(const Stencil &stencil);

} // namespace stencilc
