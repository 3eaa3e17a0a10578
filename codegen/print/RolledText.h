// RolledText: loops over what threads do to one element after the other.
//
// A lowering says so where elements are moved one by one, so that a forecast counts each as it is.
// A reader is shown the loop.
#pragma once

#include "ir/kernel/Program.h"

#include <set>

namespace stencilc {

struct RolledText {
  Kernel kernel;
  unsigned firstRolled; ///< the first local of such a loop
  /// Locals of loops whose turns clamp an index. Of such a loop nvcc makes other code than of its
  /// turns, written out before it sees them.
  std::set<unsigned> writtenOut;
};

/// The kernel with loops for neighbouring statements that move elements and differ by a step.
RolledText rolledText(const Program &program, const Kernel &kernel);

} // namespace stencilc
