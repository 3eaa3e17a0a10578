// Stores: which statements store in arrays or in tiles, and how many points a thread updates.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// An element, or a vector.
bool storesToArray(const Statement &statement);

/// A copy to a tile, which passes through no register.
bool startsCopy(const Statement &statement);

/// Elements or vectors that the text of a body stores in arrays, turns of unrolled loops each.
double storesInText(const Body &body);

/// Of them those within loops that are not unrolled.
double storesInLoops(const Body &body);

/// Whether a statement stores vectors, and the turn of one of these loops, given by their locals,
/// says in which row.
bool storesRowOf(llvm::ArrayRef<unsigned> turns, const Statement &statement);

/// Whether a turn of a loop updates more than a point: it stores vectors, or in a loop.
bool updatesPatch(const Body &turn);

} // namespace stencilc
