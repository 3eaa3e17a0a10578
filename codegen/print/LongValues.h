// LongValues: takes a value apart where its text is too deep for the page.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// A part about half as deep as `value` that may be computed ahead of it; null if there is none.
/// What a guard protects may not be computed ahead.
Value middlePart(const Value &value);

/// `value` with the very part `part` replaced.
Value replacePart(const Value &value, const Value &part, const Value &with);

} // namespace stencilc
