#include "codegen/lower/Candidates.h"

#include "codegen/lower/UpdateBox.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

/// Threads of a block that suit most kernels.
static constexpr int kUsualThreads = 256;

static std::vector<std::array<int, 3>> blockShapes(unsigned dimensions) {
  std::vector<std::array<int, 3>> shapes;
  for (int threads : {kUsualThreads, 128, 512, 64, 1024})
    for (int x = 16; x <= threads; x *= 2)
      for (int y = threads / x; y >= 1; y /= 2) {
        const int z = threads / x / y;
        if ((y == 1 || dimensions >= 2) && (z == 1 || dimensions == 3))
          shapes.push_back({x, y, z});
      }
  llvm::stable_sort(shapes, [](const auto &a, const auto &b) { return a[0] >= 32 && b[0] < 32; });
  return shapes;
}

std::vector<Schedule> stencilc::candidatesIn(const Schedule &first, unsigned dimensions,
                                             llvm::ArrayRef<int> chunks,
                                             llvm::ArrayRef<llvm::StringRef> flags) {
  std::vector<std::vector<std::string>> flagSets = {{}};
  for (llvm::StringRef flag : flags)
    flagSets.push_back({flag.str()});
  const std::vector<std::array<int, 3>> shapes = blockShapes(dimensions);

  std::vector<Schedule> candidates = {first};
  for (const std::vector<std::string> &set : flagSets)
    for (int chunk : chunks)
      for (const std::array<int, 3> &block : shapes) {
        Schedule candidate = first;
        candidate.block = block;
        candidate.chunk = chunk;
        candidate.flags = set;
        if (candidate != first)
          candidates.push_back(std::move(candidate));
      }
  return candidates;
}

/// The most points in a row of a thread.
static int mostColumns(const Stencil &stencil) {
  constexpr int vectorBytes = 16;
  int columns = 4;
  for (const Array &array : stencil.arrays)
    columns = std::min(columns, vectorBytes / int(sizeInBytes(array.type)));
  return columns;
}

/// Points at the ends of a row that a step leaves out.
static int64_t frameOfRows(const Stencil &stencil) {
  std::vector<Area> all;
  for (const std::vector<Area> &stage : areasOf(stencil).updates)
    llvm::append_range(all, stage);
  const AxisSpan along = areaAround(all, stencil.rank())[stencil.rank() - 1];
  return leftOut(along, Low) + leftOut(along, High);
}

static std::vector<Schedule> inPatches(const Schedule &first, int columns,
                                       llvm::ArrayRef<PatchBlock> blocks,
                                       llvm::ArrayRef<int> chunks) {
  std::vector<Schedule> candidates;
  for (int chunk : chunks)
    for (const auto &[block, rowsOfThread] : blocks)
      for (int rows : rowsOfThread) {
        Schedule candidate = first;
        candidate.block = block;
        candidate.chunk = chunk;
        candidate.pointsPerThread = {columns, rows};
        candidates.push_back(std::move(candidate));
      }
  return candidates;
}

std::vector<Schedule> stencilc::candidatesInPatches(const Stencil &stencil, const Schedule &first,
                                                    llvm::ArrayRef<PatchBlock> blocks,
                                                    llvm::ArrayRef<int> chunks) {
  return inPatches(first, mostColumns(stencil), blocks, chunks);
}

std::vector<Schedule> stencilc::candidatesOfWhole(const Stencil &stencil, const Schedule &first,
                                                  llvm::ArrayRef<PatchBlock> blocks,
                                                  llvm::ArrayRef<int> chunks,
                                                  llvm::StringRef flag) {
  int columns = mostColumns(stencil);
  while (columns > 1 && frameOfRows(stencil) % columns != 0)
    columns /= 2;
  if (columns == 1)
    return {};
  Schedule whole = first;
  whole.flags = {flag.str()};
  return inPatches(whole, columns, blocks, chunks);
}
