// Summaries: numbers over points, such as a residual, as a `reduce` can say them.
#pragma once

#include "frontend/lift/Levels.h"

namespace stencilc::lift {

/// Adds those that are taken of the newest state to the grid, and leaves others out. `addPoints`
/// and `addReads` fill a sweep of an assignment's points, and of what its value reads; they may
/// fail.
void addSummaries(LoopTree &tree, Grid &grid, const Levels &levels, Refusals &refusals,
                  llvm::function_ref<bool(Sweep &, const Assignment &)> addPoints,
                  llvm::function_ref<bool(Sweep &)> addReads);

/// What is gathered, with what it starts from; none if `reduce` cannot say that.
std::optional<Formula> withStart(const Gathered &gathered, Formula term);

/// What has to be taken for granted of it, be it a `reduce` or not; empty if nothing.
std::string assumptionOf(const Gathered &gathered, bool isReduced);

} // namespace stencilc::lift
