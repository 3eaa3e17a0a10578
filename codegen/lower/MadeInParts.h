// Which new values are there, all of them, when a later stage reads them.
#pragma once

#include "ir/stencil/StencilFacts.h"

namespace stencilc {

/// True of new values of an array that several updates make: what holds more of them than a point
/// reads would find some that are not there yet.
inline bool isMadeInParts(const Stencil &stencil, const Read &read) {
  unsigned updates = 0;
  forEachUpdate(stencil, [&](const Update &update) { updates += update.array == read.array; });
  return read.level == TimeLevel::Next && updates > 1;
}

} // namespace stencilc
