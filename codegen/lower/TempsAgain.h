// TempsAgain: temps computed again wherever they are read, which no launch makes then.
//
// The formula of a temp takes the place of its reads, every read in it moved to where the temp was
// read. That is the same value, bit for bit: a formula has the type of its temp, so nothing is
// rounded more or less often. It costs operations and saves a launch, the temp's memory and the
// traffic of both.
//
// Not every temp can be taken apart so; those that cannot are stored. What was the value of one
// point must be that of a formula moved there:
// - one update makes the temp, and another reads it;
// - beyond an end of the grid there is what the temp is evaluated to at ghost points (`halo`), or
//   its formula stays on the point along that axis, does not ask for its position, and all it reads
//   ends there as the temp does;
// - the C interface, which knows nothing of schedules, stays as it is: grids are not to be larger,
//   nor ghost points more.
//
// An update keeps its points, whatever it reads now. A field that is updated in place while its
// temps are stored may be read where it is made, and then has its new level in the workspace.
#pragma once

#include "ir/kernel/Schedule.h"

namespace stencilc {

/// The flag of schedules that have it so, whatever their variant.
inline constexpr llvm::StringLiteral kTempsAgain = "recompute";

/// A stencil as schedules lower it.
struct StencilForm {
  Stencil stencil;
  std::vector<unsigned> inWorkspace = {}; ///< fields whose new level the caller has no buffer for
};

/// The stencil without the updates of temps but for those that have to be made, or why all have.
/// Arrays keep their numbers.
llvm::Expected<StencilForm> withTempsAgain(const Stencil &stencil);

} // namespace stencilc
