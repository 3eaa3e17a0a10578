// Outside: what is seen where a read reaches beyond an end of the grid, axis by axis.
#pragma once

#include "codegen/lower/StepFormula.h"
#include "ir/stencil/Region.h"

namespace stencilc {

/// Where a read looks along an axis, and the end that this may lie beyond.
struct Reach {
  Index index;
  std::optional<Side> beyond = {};
  bool isOrOther = false; ///< or the other end, where the array's boundary is the same
};
/// By axis of the stencil.
using Reaches = std::array<Reach, kMaxRank>;

bool isMirror(BoundaryKind kind);

/// The boundary of an array at the end that the reach may lie beyond.
const Boundary &boundaryAt(const Array &array, unsigned axis, const Reach &reach);
/// The reach is on the grid's side of that end, or of both.
Range isOnGrid(unsigned axis, const Reach &reach);
/// The index that a boundary which bends coordinates (clamp, periodic, mirrors) sends it to; the
/// index itself of any other.
Index bent(const Array &array, unsigned axis, const Reach &reach);
bool isBent(const Array &array, unsigned axis, const Reach &reach);

/// What a read of an array sees, if `value` is what memory has at the indices that its boundaries
/// send the reaches to: numbers outside, in a step of the pass, and mirrors' factors applied.
Value withOutside(KernelBuilder &kernel, const Stencil &stencil, const StepFormula &formula,
                  const Index &step, unsigned array, const Reaches &reaches, Value value);

} // namespace stencilc
