// UnreadTemps: temps that nothing reads are not made.
//
// A temp is gone after the step, so that what no update reads of it is work, memory and traffic for
// nothing; and so are temps that only such ones read.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// The stencil without their updates, unless the C interface would change: what they read may be
/// why a caller has ghost points or a second buffer. Arrays keep their numbers.
Stencil withoutUnreadTemps(const Stencil &stencil);

} // namespace stencilc
