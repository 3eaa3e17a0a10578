// IntegerRules: instructions that compute indices, conditions and addresses, as nvcc 13 compiles
// them for compute capability 9.0.
#pragma once

#include "costmodel/compiled/Instructions.h"

namespace stencilc {

/// An argument is fetched from the constant bank into a uniform register; two that lie side by side
/// in one instruction.
constexpr double kArgument = 0.7;

/// An index from its coordinates; what a statement named costs nothing more.
InstructionMix ofIndex(const Index &index);
InstructionMix ofBox(const Box &box);
/// A 64-bit linear address from its indices.
InstructionMix ofNaming(const LetPointer &pointer);

} // namespace stencilc
