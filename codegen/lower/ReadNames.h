// ReadNames: what the emitted text calls the values of reads.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// "_below2_east" for {-2, 0, 1}: compass words along x and y, below and above along z.
std::string direction(const Offset &offset, unsigned rank);

/// "u_here", "u_below2_east", "u_prev_here" for `u[t-1]`, "u_new_west" for `u'[x-1]`.
std::string readName(const Stencil &stencil, const Read &read);
/// "pulse_now", "pulse_before2", "pulse_after1".
std::string readName(const Stencil &stencil, const TimeRead &read);

} // namespace stencilc
