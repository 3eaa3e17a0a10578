#include "codegen/variants/PipelineShape.h"

#include "codegen/lower/Outside.h"
#include "codegen/lower/ScheduleLimits.h"
#include "ir/kernel/CudaLimits.h"
#include "ir/kernel/Kernel.h"
#include "ir/stencil/StencilAreas.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

using namespace stencilc;

/// Far above any use; what they are multiplied by fits 32 bits.
static constexpr int kMostShared = 1024;

/// What a flag says: share264x42x8 has 264 blocks share the chunks of 42 tiles, 8 of them that of
/// the first tile and 8 that of the last; share44x7 has 44 share the chunks of 7, all alike.
static std::optional<std::array<int, 3>> shareOf(llvm::StringRef flag) {
  std::array<int, 3> numbers = {0, 0, 0};
  auto &[blocks, tiles, atEnds] = numbers;
  if (!flag.consume_front("share") || flag.consumeInteger(10, blocks) || !flag.consume_front("x") ||
      flag.consumeInteger(10, tiles) || blocks < 2 || blocks > kMostShared || tiles < 1 ||
      tiles > kMostShared)
    return std::nullopt;
  if (flag.empty())
    return numbers;
  if (!flag.consume_front("x") || flag.getAsInteger(10, atEnds) || atEnds < 1 || tiles < 3 ||
      2 * atEnds >= blocks)
    return std::nullopt;
  return numbers;
}

PipelineShape::PipelineShape(const Stencil &stencil, const Schedule &schedule) {
  const MarchReach reach(stencil);
  warps = schedule.block[1];
  steps = schedule.fuse / warps;
  points = schedule.pointsPerThread[0];
  rows = schedule.pointsPerThread[1];
  ahead = schedule.prefetch;
  slots = warps + ahead + 1;
  lowest = reach.lowest;
  highest = reach.highest;
  x = reach.x;
  width = int(kLanesPerWarp) * points;
  sector = pointsOfSector(stencil);
  margin = llvm::alignTo(fused() * x, sector);
  chunk = schedule.chunk;
  blocks = tiles = 1;
  atEnds = 0;
  for (const std::string &flag : schedule.flags)
    if (const auto share = shareOf(flag))
      std::tie(blocks, tiles, atEnds) = std::tuple_cat(*share);
}

int64_t stencilc::sharedBytes(const Stencil &stencil, const PipelineShape &shape) {
  int64_t bytes = 0;
  for (const Update &update : stencil.stages.front().updates)
    bytes += int64_t(shape.slots) * shape.rows * shape.width *
             sizeInBytes(stencil.arrays[update.array].type);
  return bytes;
}

template <class... Args>
static llvm::Error refuse(fmt::format_string<Args...> format, Args &&...args) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 fmt::format(format, std::forward<Args>(args)...));
}

static llvm::Error checkStencil(const Stencil &stencil) {
  if (stencil.stages.size() > 1)
    return refuse("warps that hold steps make those of one stage, `{}` has {}", stencil.name,
                  stencil.stages.size());
  for (const Update &update : stencil.stages.front().updates)
    if (const Array &array = stencil.arrays[update.array]; array.kind == ArrayKind::Temp)
      return refuse("warps that hold steps make no temps, `{}` is one", array.name);
  if (!llvm::all_equal(areasOf(stencil).updates.front()))
    return refuse("warps that hold steps update all fields at the same points");
  const MarchReach reach(stencil);
  bool clampsAll = true, clampsAny = false; // before the first row
  for (const Update &update : stencil.stages.front().updates) {
    const Array &array = stencil.arrays[update.array];
    for (const Boundary &boundary : array.boundary[0])
      if (isMirror(boundary.kind))
        return refuse("warps that hold steps have no mirrors of rows, as those of `{}` along `{}` "
                      "are",
                      array.name, stencil.axes[0]);
    const auto clamps = [&](Side side) {
      return array.boundary[0][side].kind == BoundaryKind::Clamp;
    };
    if ((clamps(Low) || clamps(High)) && (reach.lowest == 0 || reach.highest == 0))
      return refuse("warps that hold steps clamp along `{}` where rows behind and ahead are read",
                    stencil.axes[0]);
    clampsAll &= clamps(Low);
    clampsAny |= clamps(Low);
  }
  if (clampsAny && !clampsAll)
    return refuse("warps that hold steps clamp every field before the first row, or none");
  return llvm::Error::success();
}

llvm::Error stencilc::checkPipeline(const Stencil &stencil, const Schedule &schedule) {
  if (llvm::Error error = checkStencil(stencil))
    return error;
  ScheduleLimits limits;
  limits.chunk = limits.fuse = limits.pointsPerThread = limits.prefetch = true;
  limits.handsRowsOn = true;
  limits.mostPoints = 32;
  for (const std::string &flag : schedule.flags)
    if (shareOf(flag))
      limits.flags = {flag};
  if (llvm::Error error = checkLimits(stencil, schedule, limits))
    return error;
  if (schedule.block[0] != int(kLanesPerWarp))
    return refuse("a block of `temporal` is one warp wide: 32xW, of W warps that hold steps");
  if (schedule.fuse % schedule.block[1] != 0)
    return refuse("{} warps hold equally many steps, /t{} asks for {} in all", schedule.block[1],
                  schedule.fuse, schedule.fuse);
  if (schedule.prefetch == 0)
    return refuse("warps that hold steps have rows copied ahead: ask for /p1 or more");
  const PipelineShape shape(stencil, schedule);
  if (shape.points < std::max(1, shape.x))
    return refuse("a lane has as many points of a row as reads go beyond it, {}, or more, not {}",
                  shape.x, shape.points);
  if (shape.right() < 1)
    return refuseEmptyTile(stencil, schedule, 1);
  if (const int64_t bytes = sharedBytes(stencil, shape); bytes > cuda::kMaxSharedBytesPerBlock)
    return refuse("the rows that warps hand on take {} bytes of shared memory, of {} that a block "
                  "has",
                  bytes, cuda::kMaxSharedBytesPerBlock);
  return llvm::Error::success();
}
