// The order in which a reduction combines its points: one tree, fixed by the extents alone, so that
// every schedule, and a device that does it in two launches, gives the same bits.
//
// A run of numbers becomes one: number i is taken by lane i % lanes, each lane combines what it
// takes in ascending order, starting from the neutral number; then lanes are halved: for half =
// lanes/2, ..., 2, 1, lane i < half combines its own with that of lane i + half. What a run lacks
// at its end is the neutral number.
//
// Each row of the grid (along its last axis, whole rows whatever the region; points outside it are
// the neutral number) is cut into runs from its start; their results, in row-major order, are the
// partial numbers. They are one list, which is cut into runs again, until one number is left.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// 0, or the infinity that every number is nearer to.
double neutralOf(Reduction::Op op);
/// Both in one. `Min` and `Max` are those of the language: they ignore NaN.
double combined(Reduction::Op op, double left, double right);

/// One number of the rows' numbers, all rows being of one length.
double reduced(const ReductionTree &tree, Reduction::Op op, llvm::ArrayRef<double> numbers,
               int64_t rowLength);

} // namespace stencilc
