// TileFills: the loops that bring cells of arrays into shared memory, and what registers depend on
// in them.
//
// Turns of such a loop are made several at a time, and the addresses of all their cells are alive
// together. A compiler makes the more of them one the fewer instructions each has; which cell a
// thread takes is computed by divisions where a tile has several rows.
#pragma once

#include "costmodel/compiled/Instructions.h"

namespace stencilc {

struct TileFills {
  bool inMarch = false; ///< in each turn of one
  bool divides = false;
  double leastInstructions = 0; ///< of a turn, where that is least; 0: no loop fills tiles
};

TileFills tileFills(const Kernel &kernel, const InstructionEstimate &instructions);

} // namespace stencilc
