#include "costmodel/model/Su2015Footprint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

Su2015Footprint::Su2015Footprint(const ArrayCounts &array, const LaunchCounts &launch,
                                 const Sizes &block, const Sizes &grid)
    : array(array), boxes(array.boxes.size()) {
  for (Span &span : boxes)
    span.fill({0, 0});
  for (const unsigned axis : launch.kernel->arrays[array.array].axes) {
    const unsigned d = dimensionOf(axis, launch.kernel->rank());
    this->block[d] = block[d];
    this->grid[d] = grid[d];
    for (auto [span, box] : llvm::zip_equal(boxes, array.boxes)) {
      span[d] = {box[axis].first,
                 std::max(box[axis].first, box[axis].last - (launch.cover[axis] - block[d]))};
      below[d] = std::max(below[d], -span[d].first);
      above[d] = std::max(above[d], span[d].last - (block[d] - 1));
    }
  }
}

/// Elements of the lines that hold `points` beyond an end of a row.
int64_t Su2015Footprint::inLines(int64_t points, int64_t lineBytes) const {
  return llvm::divideCeil(points * array.elementBytes, lineBytes) * lineBytes / array.elementBytes;
}

int64_t Su2015Footprint::faces(int64_t lineBytes) const {
  const auto [x, y, z] = block;
  return x * y * z + x * z * haloWidth(1) + x * y * haloWidth(2) +
         y * z * (inLines(below[0], lineBytes) + inLines(above[0], lineBytes));
}

int64_t Su2015Footprint::rows(int64_t lineBytes) const {
  // Between two cuts along y, and two along z, all rows are alike.
  const auto cuts = [&](unsigned dimension) {
    std::vector<int64_t> at;
    for (const Span &box : boxes)
      at.insert(at.end(), {box[dimension].first, box[dimension].last + 1});
    llvm::sort(at);
    at.erase(std::unique(at.begin(), at.end()), at.end());
    return at;
  };
  const std::vector<int64_t> ys = cuts(1), zs = cuts(2);
  const auto holds = [](const Interval &interval, int64_t point) {
    return interval.first <= point && point <= interval.last;
  };
  int64_t elements = 0;
  for (size_t k = 1; k < zs.size(); ++k)
    for (size_t j = 1; j < ys.size(); ++j) {
      bool isTouched = false;
      int64_t left = 0, right = 0;
      for (const auto &[x, y, z] : boxes) {
        if (!holds(y, ys[j - 1]) || !holds(z, zs[k - 1]))
          continue;
        isTouched = true;
        left = std::max(left, -x.first);
        right = std::max(right, x.last - (block[0] - 1));
      }
      if (isTouched)
        elements += (ys[j] - ys[j - 1]) * (zs[k] - zs[k - 1]) *
                    (block[0] + inLines(left, lineBytes) + inLines(right, lineBytes));
    }
  return elements;
}

int64_t Su2015Footprint::group(const Sizes &width, int64_t lineBytes) const {
  const auto along = [&](unsigned dimension) {
    return std::min(width[dimension], grid[dimension]);
  };
  return (along(0) + inLines(below[0], lineBytes) + inLines(above[0], lineBytes)) *
         (along(1) + haloWidth(1)) * (along(2) + haloWidth(2));
}
