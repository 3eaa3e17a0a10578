// UnreadEnds: boundaries that no read ever looks beyond say nothing, and lowerings are not to ask
// what kind they are of.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// The stencil without the boundaries of arrays on sides that no read of them leaves. An axis that
/// is periodic for an array stays so as soon as one of its sides is left. The C interface stays as
/// it is.
Stencil withoutUnreadEnds(Stencil stencil);

} // namespace stencilc
