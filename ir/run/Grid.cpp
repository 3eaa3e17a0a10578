#include "ir/run/Grid.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace stencilc {

Grid::Grid(ScalarType type, std::vector<int64_t> extents, std::vector<int64_t> low,
           std::vector<int64_t> high, double fill)
    : type(type), extents(std::move(extents)), low(std::move(low)), high(std::move(high)) {
  size_t count = 1;
  for (size_t axis = 0; axis < this->extents.size(); ++axis)
    count *= this->low[axis] + this->extents[axis] + this->high[axis];
  values.assign(count, fill);
}

bool Grid::contains(llvm::ArrayRef<int64_t> index) const {
  assert(index.size() == extents.size() && "one index per axis");
  for (size_t axis = 0; axis < extents.size(); ++axis)
    if (index[axis] < -low[axis] || index[axis] >= extents[axis] + high[axis])
      return false;
  return true;
}

size_t Grid::position(llvm::ArrayRef<int64_t> index) const {
  assert(contains(index) && "index outside the grid");
  size_t position = 0;
  for (size_t axis = 0; axis < index.size(); ++axis) {
    position *= low[axis] + extents[axis] + high[axis];
    position += index[axis] + low[axis];
  }
  return position;
}

double &Grid::at(llvm::ArrayRef<int64_t> index) { return values[position(index)]; }
double Grid::at(llvm::ArrayRef<int64_t> index) const { return values[position(index)]; }

void forEachPoint(llvm::ArrayRef<int64_t> begin, llvm::ArrayRef<int64_t> end,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  assert(begin.size() == end.size() && "one bound per axis");
  for (size_t axis = 0; axis < begin.size(); ++axis)
    if (begin[axis] >= end[axis])
      return;
  llvm::SmallVector<int64_t, kMaxRank> point(begin);
  while (true) {
    visit(point);
    // Counts up like an odometer, last axis fastest.
    size_t axis = point.size();
    while (axis > 0 && ++point[axis - 1] == end[axis - 1]) {
      point[axis - 1] = begin[axis - 1];
      --axis;
    }
    if (axis == 0)
      return;
  }
}

static bool sameNumber(double left, double right) {
  if (std::isnan(left) || std::isnan(right))
    return std::isnan(left) && std::isnan(right);
  return left == right && std::signbit(left) == std::signbit(right);
}

std::optional<std::vector<int64_t>> firstDifference(const Grid &left, const Grid &right) {
  assert(left.extents == right.extents && left.low == right.low && left.high == right.high &&
         "grids of one shape");
  const size_t rank = left.extents.size();
  std::vector<int64_t> begin(rank), end(rank);
  for (size_t axis = 0; axis < rank; ++axis) {
    begin[axis] = -left.low[axis];
    end[axis] = left.extents[axis] + left.high[axis];
  }
  std::optional<std::vector<int64_t>> found;
  forEachPoint(begin, end, [&](llvm::ArrayRef<int64_t> point) {
    if (!found && !sameNumber(left.at(point), right.at(point)))
      found = point.vec();
  });
  return found;
}

} // namespace stencilc
