#include "codegen/lower/UpdateBox.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Index indexOf(const AxisBound &bound, unsigned axis) {
  switch (bound.base) {
  case AxisBound::Base::Start:
    return constant(bound.offset);
  case AxisBound::Base::End:
    return add(extent(axis), bound.offset);
  case AxisBound::Base::Param:
    break;
  }
  llvm_unreachable("no region bounded by a param is lowered yet");
}

PointBox stencilc::boxOf(const Area &area, unsigned rank) {
  PointBox box;
  for (unsigned axis = 0; axis < rank; ++axis) {
    Index &begin = box.begin[axis], &end = box.end[axis];
    for (const AxisBound &bound : area[axis].from)
      begin = begin ? maximum(begin, indexOf(bound, axis)) : indexOf(bound, axis);
    for (const AxisBound &bound : area[axis].to)
      end = end ? minimum(end, indexOf(bound, axis)) : indexOf(bound, axis);
  }
  return box;
}

int64_t stencilc::leftOut(const AxisSpan &span, Side side) {
  for (const AxisBound &bound : side == Low ? span.from : span.to)
    if (bound.base == (side == Low ? AxisBound::Base::Start : AxisBound::Base::End))
      return side == Low ? bound.offset : -bound.offset;
  llvm_unreachable("a span ends on the grid or its ghost points");
}

Area stencilc::areaAround(llvm::ArrayRef<Area> areas, unsigned rank) {
  if (llvm::all_equal(areas))
    return areas.front();
  Area around;
  for (unsigned axis = 0; axis < rank; ++axis) {
    const auto least = [&](Side side) {
      int64_t points = leftOut(areas.front()[axis], side);
      for (const Area &area : areas.drop_front())
        points = std::min(points, leftOut(area[axis], side));
      return points;
    };
    around[axis] = AxisSpan::whole(-least(Low), -least(High));
  }
  return around;
}

Box stencilc::conditionOf(const Area &area, const Point &point) {
  const PointBox bounds = boxOf(area, point.size());
  Box box;
  for (unsigned axis = point.size(); axis-- > 0;)
    box.push_back({point[axis], bounds.begin[axis], bounds.end[axis]});
  return box;
}
