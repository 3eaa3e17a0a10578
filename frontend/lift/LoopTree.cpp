#include "frontend/lift/LoopTree.h"

namespace stencilc::lift {

std::string LoopTree::text(const Polynomial &value) const {
  return lift::text(value, [&](Symbol symbol) { return symbols[symbol].name; });
}

} // namespace stencilc::lift
