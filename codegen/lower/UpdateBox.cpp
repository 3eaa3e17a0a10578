#include "codegen/lower/UpdateBox.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

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

Area stencilc::areaAround(const StencilAreas &areas, unsigned rank) {
  std::vector<Area> all;
  for (const std::vector<Area> &ofStage : areas.updates)
    llvm::append_range(all, ofStage);
  return areaAround(all, rank);
}

bool stencilc::isWhole(const std::optional<Area> &made) {
  return !made || llvm::all_of(*made, [](const AxisSpan &span) {
    return span.from.empty() || (span.isOpen(Low) && span.isOpen(High));
  });
}

bool stencilc::mayLeave(const Area &area, const Area &made, const Array &temp, const Read &read,
                        unsigned axis, Side side) {
  const BoundaryKind kind = temp.boundary[axis][side].kind;
  if (kind != BoundaryKind::None && kind != BoundaryKind::Fixed)
    return false;
  const AxisSpan hit = area[axis].shifted(read.offset[axis]);
  const auto &bounds = side == Low ? made[axis].from : made[axis].to;
  return llvm::any_of(bounds, [&](const AxisBound &bound) {
    return llvm::none_of(side == Low ? hit.from : hit.to, [&](const AxisBound &own) {
      return own.base == bound.base && own.param == bound.param &&
             (side == Low ? own.offset >= bound.offset : own.offset <= bound.offset);
    });
  });
}

Box stencilc::conditionOf(const Area &area, const Point &point, KernelBuilder &kernel) {
  const PointBox bounds = kernel.boxOf(area);
  Box box;
  for (unsigned axis = point.size(); axis-- > 0;)
    box.push_back({point[axis], bounds.begin[axis], bounds.end[axis]});
  return box;
}
