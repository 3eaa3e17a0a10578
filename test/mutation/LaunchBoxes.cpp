#include "test/mutation/LaunchBoxes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;
using namespace stencilc::mutation;

LaunchBox mutation::launchBoxOf(const Launch &launch, const RunNumbers &numbers) {
  LaunchBox box;
  for (unsigned axis = 0; axis < numbers.extents.size(); ++axis) {
    box.begin[axis] = valueOf(launch.cover.begin[axis], numbers);
    box.end[axis] = valueOf(launch.cover.end[axis], numbers);
    box.isEmpty |= box.begin[axis] >= box.end[axis];
    if (box.begin[axis] < box.end[axis])
      box.blocks[axis] =
          llvm::divideCeil(uint64_t(box.end[axis] - box.begin[axis]), launch.cover.points[axis]);
  }
  return box;
}

/// The usual params, and each that bounds regions at the ends of its range and one point inside,
/// alone.
static std::vector<std::vector<double>> paramsFor(const Signature &signature,
                                                  llvm::ArrayRef<int64_t> extents) {
  const std::vector<double> usual = usualParams(signature, extents);
  std::vector<std::vector<double>> all = {usual};
  for (const auto &[place, range] : signature.paramRanges) {
    const int64_t least = -range.least, most = extents[place.first] - range.most;
    for (const int64_t value : {least, least + 1, most - 1, most}) {
      all.push_back(usual);
      all.back()[place.second] = double(value);
    }
  }
  llvm::erase_if(all, [&](const std::vector<double> &params) {
    return refusal(signature, extents, params).has_value();
  });
  return all;
}

bool mutation::forAllRuns(const Signature &signature,
                          llvm::function_ref<bool(const RunNumbers &)> holds) {
  const unsigned rank = signature.rank();
  static constexpr int64_t sizes[] = {1, 2, 3, 4, 5, 7, 11, 33, 36, 66};
  constexpr size_t count = std::size(sizes);
  std::vector<int64_t> extents(rank);
  size_t combinations = 1;
  for (unsigned axis = 0; axis < rank; ++axis)
    combinations *= count;
  for (size_t combination = 0; combination < combinations; ++combination) {
    size_t rest = combination;
    for (int64_t &extent : extents) {
      extent = sizes[rest % count];
      rest /= count;
    }
    const bool isLegal = llvm::all_of(llvm::enumerate(extents), [&](auto extent) {
      return extent.value() >= signature.minimumExtent[extent.index()];
    });
    if (!isLegal)
      continue;
    for (const std::vector<double> &params : paramsFor(signature, extents))
      if (!holds({extents, params}))
        return false;
  }
  return true;
}
