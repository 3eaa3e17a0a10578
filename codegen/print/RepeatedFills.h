// RepeatedFills: what sends a plane into tiles, ahead of a march and in its turns, as one function.
#pragma once

#include "codegen/print/RepeatedText.h"

namespace stencilc {

/// Finds it in a kernel. The text reads from the pointer that the march carries, so that it has two
/// parameters: the slot of the tile that is filled, and how many planes ahead of where the pointer
/// stands, which is known where it is called. They are the locals `firstLocal` and the next one.
RepeatedTexts repeatedFills(const Kernel &kernel, unsigned firstLocal);

} // namespace stencilc
