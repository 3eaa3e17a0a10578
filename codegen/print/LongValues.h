// LongValues: takes a value apart where its text is too deep, or too wide, for the page.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// A part about half as deep as `value` that may be computed ahead of it; null if there is none.
/// What a guard protects may not be computed ahead.
Value middlePart(const Value &value);

/// A load that may be computed ahead of the value, where one of them is as asked; null if none is.
Value loadIn(const Value &value, llvm::function_ref<bool(const Value &)> isAsked);

/// `value` with the very part `part` replaced.
Value replacePart(const Value &value, const Value &part, const Value &with);

} // namespace stencilc
