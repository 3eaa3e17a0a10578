// RepeatedLoads: what a march loads ahead of its first turn as every turn loads the next plane.
//
// Where vectors and single elements take turns in a row, or ends are asked for, both are long. They
// say the same but for the planes: one text of it is a function of these.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

struct RepeatedLoads {
  /// Where the loads begin that stand before the march and in its turns.
  const Statement *ahead = nullptr, *inTurn = nullptr;
  size_t countAhead = 0, countInTurn = 0; ///< statements there
  int64_t first = 0, end = 0;             ///< the planes ahead; a turn loads the one behind them
  Body body;                     ///< the text, in a turn, for planes from one local up to another
  unsigned march = 0, begin = 0; ///< locals of the turn's plane, and of the first turn's
  bool asksPlane = false;        ///< the text does not only read from the march's pointer
};

/// Of a kernel whose loads ahead are long; `first` and `end` are the locals.
std::optional<RepeatedLoads> repeatedLoads(const Kernel &kernel, unsigned first, unsigned end);

} // namespace stencilc
