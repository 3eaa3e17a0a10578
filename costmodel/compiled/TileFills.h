// TileFills: the loops that bring cells of arrays into shared memory, and what registers depend on
// in them.
//
// A compiler makes several turns of such a loop one, 16 of them where each has few instructions,
// and keeps the addresses of all their cells. Where a tile has several rows, divisions say which
// cell a thread takes.
#pragma once

#include "costmodel/compiled/Instructions.h"

namespace stencilc {

struct TileFills {
  bool inMarch = false; ///< in each turn of a march
  bool divides = false; ///< to find the cell
  /// Of a turn, by the shortest loop whose cells pass through registers; 0: there is none.
  double leastInstructions = 0;
};

TileFills tileFills(const Kernel &kernel, const InstructionEstimate &instructions);

} // namespace stencilc
