#include "ir/walk/WalkLaunch.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

std::vector<ArrayLayout> stencilc::recommendedLayouts(const Program &program,
                                                      llvm::ArrayRef<int64_t> extents) {
  const LineRows rows = recommendedRows(program.signature);
  const std::array<int64_t, kMaxRank> strides = stridesOf(rows, extents);
  std::vector<ArrayLayout> layouts;
  for (const Buffer &buffer : program.buffers) {
    if (std::holds_alternative<WorkspaceMemory>(buffer.owner)) {
      layouts.push_back(workspaceLayout(program, buffer, extents, strides));
      continue;
    }
    ArrayLayout &layout = layouts.emplace_back(denseLayout(buffer, extents));
    if (buffer.layout == Layout::Strided)
      layout.stride = strides;
    layout.origin = euclideanRemainder(-rows.lineStart, rows.line);
  }
  return layouts;
}

/// How far the element at `point` lies past the start of a line.
static int64_t pastLine(const ArrayArgument &array, const ArrayLayout &layout,
                        llvm::ArrayRef<int64_t> point) {
  llvm::SmallVector<int64_t, kMaxRank> own;
  for (unsigned axis : array.axes)
    own.push_back(point[axis]);
  return euclideanRemainder(layout.element(own), elementsOfLine(array.type));
}

/// What follows from where the blocks stand.
static void settle(PlacedLaunch &placed, const Program &program, const Launch &launch,
                   const RunNumbers &numbers) {
  const unsigned rank = placed.extents.size();
  for (unsigned axis = 0; axis < rank; ++axis)
    placed.blocks[dimensionOf(axis, rank)] = placed.cover.blocks[axis];
  placed.integers.clear();
  for (const IntegerBinding &binding : launch.integers)
    placed.integers.push_back(integerOf(binding, program.buffers, placed.cover, numbers));
}

PlacedLaunch stencilc::place(const Program &program, const Launch &launch,
                             llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<ArrayLayout> layouts) {
  const std::vector<double> params = usualParams(program.signature, extents);
  return place(program, launch, RunNumbers{extents, params}, layouts);
}

PlacedLaunch stencilc::place(const Program &program, const Launch &launch,
                             const RunNumbers &numbers, llvm::ArrayRef<ArrayLayout> layouts) {
  PlacedLaunch placed;
  const Kernel &kernel = program.kernels[launch.kernel];
  placed.kernel = &kernel;
  placed.extents = numbers.extents.vec();
  for (auto [argument, buffer] : llvm::zip_equal(kernel.arrays, launch.buffers)) {
    ArrayLayout &layout = placed.layouts.emplace_back(layouts[buffer]);
    if (argument.lengths.size() == 1) // as it lies in memory
      layout.stride[0] = 1;
  }
  placed.cover =
      placeCover(launch.cover, kernel.target, numbers, [&](llvm::ArrayRef<int64_t> point) {
        const unsigned array = *launch.cover.alignTo;
        return pastLine(kernel.arrays[array], placed.layouts[array], point);
      });
  settle(placed, program, launch, numbers);
  return placed;
}

PlacedLaunch stencilc::slabOf(PlacedLaunch placed, const Program &program, const Launch &launch,
                              const RunNumbers &numbers, const PlacedCover &slab) {
  placed.cover = slab;
  settle(placed, program, launch, numbers);
  return placed;
}

bool stencilc::rowsAreAligned(const Program &program, const Aligned &aligned,
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
                                                     llvm::ArrayRef<int64_t> extents,
                                                     llvm::ArrayRef<ArrayLayout> layouts) {
  return launchesWhere(pass.actions, [&](const Condition &condition) {
    return std::visit(
        llvm::makeVisitor(
            [](const FirstPasses &) { return false; },
            [&](const Aligned &node) { return rowsAreAligned(program, node, layouts); },
            [](const Wanted &) { return false; }, [](const HasPoints &) { return true; },
            [&](const WholePieces &node) { return areWhole(node, extents); },
            [&](const ShortAddresses &) {
              return areShort(program.buffers, extents, program.mostShort);
            },
            [](const Away &) { return false; }),
        condition);
  });
}
