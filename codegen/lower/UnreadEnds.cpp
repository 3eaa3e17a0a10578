#include "codegen/lower/UnreadEnds.h"

#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

Stencil stencilc::withoutUnreadEnds(Stencil stencil) {
  for (auto [number, array] : llvm::enumerate(stencil.arrays)) {
    // Temps are made at ghost points of their own, where their formulas read at the point itself.
    const Widths read = reach(stencil, number), ghosts = ghostWidths(stencil, number);
    for (unsigned axis : array.axes) {
      auto &ends = array.boundary[axis];
      // For numbers that differ from step to step the C interface asks, read or not.
      const auto isUnread = [&, number = axis](Side side) {
        return read[number][side] <= 0 && ghosts[number][side] == 0 &&
               !dependsOnStep(ends[side].value);
      };
      const bool isPeriodic = ends[Low].kind == BoundaryKind::Periodic;
      for (const Side side : {Low, High})
        if (isUnread(side) && (!isPeriodic || isUnread(side == Low ? High : Low)))
          ends[side] = {};
    }
  }
  return stencil;
}
