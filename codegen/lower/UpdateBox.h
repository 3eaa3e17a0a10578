// UpdateBox: what a kernel asks of the areas in which the updates of a stage are made.
#pragma once

#include "ir/kernel/KernelBuilder.h"
#include "ir/stencil/StencilAreas.h"

namespace stencilc {

/// How many points at this end of the axis are outside the span on every grid; negative: ghost
/// points are in it.
int64_t leftOut(const AxisSpan &span, Side side);
/// An area that holds all of the areas, with one bound at each end of an axis.
Area areaAround(llvm::ArrayRef<Area> areas, unsigned rank);
/// The condition that the point is in the area, contiguous axis first.
Box conditionOf(const Area &area, const Point &point, KernelBuilder &kernel);

} // namespace stencilc
