// IntegerRules: instructions that compute indices, conditions and addresses.
#pragma once

#include "costmodel/compiled/CodeReader.h"
#include "ir/kernel/Kernel.h"

namespace stencilc {

/// An addition of 64 bits is so many of 32 bits, and so is base + index * size.
inline constexpr double kWideAddition = 2;

/// An index from its coordinates; what a statement named costs nothing more.
InstructionMix ofIndex(const Index &index, CodeReader &code);
InstructionMix ofBox(const Box &box, CodeReader &code);
/// A 64-bit linear address from its indices.
InstructionMix ofNaming(const LetPointer &pointer, CodeReader &code);

} // namespace stencilc
