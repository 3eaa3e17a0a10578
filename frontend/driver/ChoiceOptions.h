// ChoiceOptions: what the command line asks of the choice, now that the stencil is known.
#pragma once

#include "frontend/driver/Choose.h"
#include "frontend/driver/CommandLine.h"

namespace stencilc {

/// What --schedule, --target and the options for parts of a schedule force; fails with a
/// UsageError.
llvm::Expected<Constraints> constraintsOf(const Stencil &stencil, const CommandLine &line);

/// Refuses grids with more points than any device holds, which no count could carry.
llvm::Error checkPointCount(llvm::ArrayRef<int64_t> extents);

/// What --size and the options of the model say; an axis that --size does not name has 512 points
/// in three dimensions, 8192 in two, 2^27 in one. `device` outlives the situation.
llvm::Expected<Situation> situationOf(const Stencil &stencil, const CommandLine &line,
                                      const DeviceProfile &device);

} // namespace stencilc
