#include "ir/walk/WalkLaunch.h"

#include "llvm/Support/MathExtras.h"

using namespace stencilc;

std::vector<ArrayLayout> stencilc::recommendedLayouts(const Program &program,
                                                      llvm::ArrayRef<int64_t> extents) {
  const RecommendedRows rows = recommendedRows(program.signature);
  std::vector<ArrayLayout> layouts;
  for (const Buffer &buffer : program.buffers) {
    const bool isStrided = buffer.layout == Layout::Strided;
    const Widths &ghost = isStrided ? rows.ghost : buffer.ghost;
    ArrayLayout &layout = layouts.emplace_back();
    int64_t stride = 1;
    for (size_t position = buffer.axes.size(); position-- > 0;) {
      const unsigned axis = buffer.axes[position];
      layout.stride[position] = stride;
      stride *= ghost[axis][Low] + extents[axis] + ghost[axis][High];
      if (isStrided && axis == extents.size() - 1)
        stride = llvm::alignTo(stride, rows.line);
    }
    layout.origin = euclideanRemainder(-rows.firstUpdated, rows.line);
  }
  return layouts;
}

/// How far the element at `point` lies past the start of a line.
static int64_t pastLine(const ArrayArgument &array, const ArrayLayout &layout,
                        llvm::ArrayRef<int64_t> point) {
  int64_t element = layout.origin;
  for (auto [axis, stride] : llvm::zip_first(array.axes, layout.stride))
    element += point[axis] * stride;
  return euclideanRemainder(element, kLineBytes / sizeInBytes(array.type));
}

PlacedLaunch stencilc::place(const Program &program, const Launch &launch,
                             llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<ArrayLayout> layouts) {
  const unsigned rank = extents.size();
  PlacedLaunch placed;
  const Kernel &kernel = program.kernels[launch.kernel];
  placed.kernel = &kernel;
  placed.extents = extents.vec();
  for (unsigned buffer : launch.buffers)
    placed.layouts.push_back(layouts[buffer]);
  placed.cover =
      placeCover(launch.cover, kernel.target, extents, [&](llvm::ArrayRef<int64_t> point) {
        const unsigned array = *launch.cover.alignTo;
        return pastLine(kernel.arrays[array], placed.layouts[array], point);
      });
  for (unsigned axis = 0; axis < rank; ++axis)
    placed.blocks[dimensionOf(axis, rank)] = placed.cover.blocks[axis];
  for (const IntegerBinding &binding : launch.integers)
    placed.integers.push_back(integerOf(binding, placed.cover));
  return placed;
}

static bool isAligned(const Program &program, const Aligned &aligned,
                      llvm::ArrayRef<ArrayLayout> layouts) {
  return llvm::all_of(aligned.buffers, [&](unsigned number) {
    const Buffer &buffer = program.buffers[number];
    const int64_t size = sizeInBytes(buffer.type);
    const ArrayLayout &layout = layouts[number];
    bool holds = (layout.origin + aligned.at) * size % aligned.bytes == 0;
    for (size_t position = 0; position + 1 < buffer.axes.size(); ++position)
      holds &= layout.stride[position] * size % aligned.bytes == 0;
    return holds;
  });
}

std::vector<const Launch *> stencilc::steadyLaunches(const Program &program, const Pass &pass,
                                                     llvm::ArrayRef<ArrayLayout> layouts) {
  return launchesWhere(pass.actions, [&](const Condition &condition) {
    return std::visit(
        llvm::makeVisitor([](const FirstPasses &) { return false; },
                          [&](const Aligned &node) { return isAligned(program, node, layouts); },
                          [](const Away &) { return false; }),
        condition);
  });
}
