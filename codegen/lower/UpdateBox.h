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
/// The same of all updates of all stages.
Area areaAround(const StencilAreas &areas, unsigned rank);
/// True if a temp is made on the whole grid, or an array is no temp and has no `made`.
bool isWhole(const std::optional<Area> &made);
/// True if the read of a temp from some point of `area` leaves what is made of it at this end of
/// the axis, and no boundary says what is there.
bool mayLeave(const Area &area, const Area &made, const Array &temp, const Read &read,
              unsigned axis, Side side);
/// The condition that the point is in the area, contiguous axis first.
Box conditionOf(const Area &area, const Point &point, KernelBuilder &kernel);

} // namespace stencilc
