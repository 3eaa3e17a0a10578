#include "ir/walk/WalkLaunch.h"

#include "ir/walk/WalkRequest.h"

#include "llvm/Support/MathExtras.h"

using namespace stencilc;

static int64_t onExtents(const Index &index, llvm::ArrayRef<int64_t> extents) {
  return evaluate(index, [&](const Coordinate &coordinate) {
    assert(coordinate.kind == CoordinateKind::Extent && "boxes are over extents and constants");
    return extents[coordinate.number];
  });
}

RecommendedRows stencilc::recommendedRows(const Program &program) {
  RecommendedRows rows;
  rows.ghost = widestGhosts(program.signature);
  for (const SignatureArray &array : program.signature.arrays)
    rows.line = std::max<int>(rows.line, kLineBytes / sizeInBytes(array.type));
  for (const Launch &launch : llvm::reverse(program.launches))
    if (const Index &begin = launch.begin[program.signature.rank() - 1];
        begin && launch.when == LaunchWhen::EveryStep)
      if (const auto *value = std::get_if<IndexConstant>(&begin->node))
        rows.firstUpdated = value->value;
  return rows;
}

std::vector<ArrayLayout> stencilc::recommendedLayouts(const Program &program,
                                                      llvm::ArrayRef<int64_t> extents) {
  const Signature &signature = program.signature;
  const RecommendedRows rows = recommendedRows(program);
  std::vector<ArrayLayout> layouts;
  for (const SignatureArray &array : signature.arrays) {
    const bool isWhole = array.axes.size() == signature.rank();
    const Widths &ghost = isWhole ? rows.ghost : array.ghost;
    ArrayLayout &layout = layouts.emplace_back();
    int64_t stride = 1;
    for (size_t position = array.axes.size(); position-- > 0;) {
      const unsigned axis = array.axes[position];
      layout.stride[position] = stride;
      stride *= ghost[axis][Low] + extents[axis] + ghost[axis][High];
      if (isWhole && axis == signature.rank() - 1)
        stride = llvm::alignTo(stride, rows.line);
    }
    layout.origin = euclideanRemainder(-rows.firstUpdated, rows.line);
  }
  return layouts;
}

/// How far `first` of the contiguous axis moves down to start a line.
static int64_t distanceToLine(const ArrayArgument &array, const ArrayLayout &layout,
                              llvm::ArrayRef<int64_t> first) {
  int64_t element = layout.origin;
  for (auto [axis, stride] : llvm::zip_first(array.axes, layout.stride))
    element += first[axis] * stride;
  return euclideanRemainder(element, kLineBytes / sizeInBytes(array.type));
}

PlacedLaunch stencilc::place(const Program &program, const Launch &launch,
                             llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<ArrayLayout> layouts) {
  const unsigned rank = extents.size();
  PlacedLaunch placed;
  const Kernel &kernel = program.kernels[launch.kernel];
  placed.kernel = &kernel;
  placed.extents = extents.vec();
  for (const BufferRef &buffer : launch.arrays)
    placed.layouts.push_back(layouts[buffer.array]);

  for (unsigned axis = 0; axis < rank; ++axis) {
    if (launch.begin[axis])
      placed.begin[axis] = onExtents(launch.begin[axis], extents);
    if (launch.end[axis])
      placed.end[axis] = onExtents(launch.end[axis], extents);
  }
  placed.first = placed.begin;
  std::array<int64_t, kMaxRank> &first = placed.first, &end = placed.end;
  if (kernel.target == Target::Device) {
    bool isEmpty = false;
    for (unsigned axis = 0; axis < rank; ++axis)
      isEmpty |= first[axis] >= end[axis];
    if (launch.alignTo)
      first[rank - 1] -=
          distanceToLine(kernel.arrays[*launch.alignTo], placed.layouts[*launch.alignTo], first);
    for (unsigned axis = 0; axis < rank; ++axis)
      placed.blocks[dimensionOf(axis, rank)] =
          isEmpty ? 0 : llvm::divideCeil(uint64_t(end[axis] - first[axis]), launch.cover[axis]);
  }

  placed.integers.resize(kernel.integers.size());
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (launch.firstArgument[axis])
      placed.integers[*launch.firstArgument[axis]] = first[axis];
    if (launch.endArgument[axis])
      placed.integers[*launch.endArgument[axis]] = end[axis];
  }
  return placed;
}
