// shm: neighbours meet in tiles in shared memory.
//
// Maruyama & Aoki 2014 (SHM) and Nasciutti & Panetta 2017 (COMP) are kernels of this form. A block
// keeps one plane of points, and those around it that are read, in a tile; with a chunk its threads
// march along the slowest axis, and what they will read again at their own place stays in
// registers. Boundaries are applied while a tile is filled, so that reading it needs none.
//
// Flags: all threads fill the tile in turns, cell by cell, unless `rim` has the threads at the rim
// of the block load what lies beyond it, `diagonal` each thread the corners of its neighbourhood
// (SHM-TEX), `halo-warps` warps of their own the cells around the block (SHM-WARP, as its text
// says), or `own-rows` leaves the rows around the block in memory (SHM-WARP, as its table says).
// With `async` the next turn's plane is copied while this one's is used.
// `reload` keeps nothing from one plane to the next; `buffered` has room for one plane more, so
// that one barrier a plane is enough; `padded` makes rows of tiles longer, so that a warp that
// stands in several of them finds what it reads in different banks; `peel` makes planes behind
// which the grid may end outside of the loop; `plain` loads as usual instead of by the read-only
// path.
#include "codegen/lower/Candidates.h"
#include "codegen/lower/ScheduleLimits.h"
#include "codegen/variants/TiledStage.h"

#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace stencilc;

static constexpr VariantFlag kFlags[] = {
    {"async", "the next turn's plane is copied while this one's is used"},
    {"buffered", "tiles have room for a plane more, so that one barrier a plane is enough"},
    {"diagonal", "each thread loads the corners of its neighbourhood, none asks where it stands"},
    {"halo-warps", "further warps load what lies around the block"},
    kLdgFlag,
    {"own-rows", "tiles have no rows beyond those of the block, which are read from memory"},
    {kPaddedFlag, "rows of tiles are longer, so that what a warp reads lies in different banks"},
    kPeelFlag,
    kPlainFlag,
    {"reload", "threads keep nothing from one plane to the next"},
    {"rim", "threads at the rim of the block load what lies beyond them; else all, cell by cell"}};

static Schedule defaultSchedule(const Stencil &stencil) {
  Schedule schedule;
  schedule.variant = "shm";
  schedule.rank = stencil.rank();
  schedule.block = stencil.rank() == 1 ? std::array{256, 1, 1} : std::array{32, 8, 1};
  schedule.chunk = stencil.rank() == 3 ? 32 : 1;
  return schedule;
}

static llvm::Error refuse(std::string reason) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), reason);
}

/// A way to fill a tile needs enough threads along each of its axes.
static llvm::Error checkMargins(const Stencil &stencil, const TileLayer &layer,
                                const TileShape &shape) {
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    if (!shape.isTiled(axis))
      continue;
    const int low = layer.margin[axis][Low], high = layer.margin[axis][High];
    const std::string &array = stencil.arrays[layer.base.array].name;
    if (shape.style == TileStyle::Rim && std::max(low, high) > shape.points[axis])
      return refuse(fmt::format("`{}` is read {} points away along {}, more than the {} threads of "
                                "the `rim` that would load them",
                                array, std::max(low, high), stencil.axes[axis],
                                shape.points[axis]));
    if (shape.style == TileStyle::Diagonal && low + high > shape.points[axis])
      return refuse(fmt::format("a tile of `{}` is {} points wider than the block along {}: with "
                                "{} threads its `diagonal` corners leave gaps",
                                array, low + high, stencil.axes[axis], shape.points[axis]));
  }
  return llvm::Error::success();
}

static llvm::Error checkTiles(const Stencil &stencil, const Schedule &schedule,
                              const TileLayers &layers) {
  int64_t bytes = 0;
  for (const TileLayer &layer : layers.tiles) {
    if (llvm::Error error = checkMargins(stencil, layer, layers.shape))
      return error;
    int64_t elements = 1;
    for (int size : layer.sizes(layers.shape, layer.planes() + sparePlanes(schedule)))
      elements *= size;
    bytes += elements * sizeInBytes(stencil.arrays[layer.base.array].type);
  }
  if (bytes > cuda::kMaxSharedBytesPerBlock)
    return refuse(fmt::format("the tiles take {} bytes of shared memory, a block has at most {}",
                              bytes, cuda::kMaxSharedBytesPerBlock));
  return llvm::Error::success();
}

/// Flags that do not go together, or not with the block.
static llvm::Error checkFlags(const Stencil &stencil, const Schedule &schedule) {
  const TileShape shape(stencil, schedule);
  if (!shape.marches)
    for (const char *flag : {"buffered", "peel", "reload"})
      if (schedule.hasFlag(flag))
        return refuse(
            fmt::format("`{}` is for threads that march through a chunk of planes", flag));
  std::vector<std::string> ways;
  for (const char *flag : {"diagonal", "halo-warps", "own-rows", "rim"})
    if (schedule.hasFlag(flag))
      ways.push_back(flag);
  if (ways.size() > 1)
    return refuse(
        fmt::format("a tile is filled in one way, not by `{}`", fmt::join(ways, "` and `")));
  if (schedule.hasFlag("async") && schedule.hasFlag(kPeelFlag.name))
    return refuse(
        "`async` copies of a turn are for the next one, in a loop of all planes: there is "
        "none to `peel`");
  if (schedule.hasFlag("async") && shape.style == TileStyle::Diagonal)
    return refuse("`diagonal` corners pass through registers, `async` copies do not");
  if (shape.style != TileStyle::HaloWarps)
    return llvm::Error::success();
  if (schedule.block[0] % kLanesPerWarp != 0 || schedule.block[2] != 1)
    return refuse("`halo-warps` needs rows of whole warps, and one plane of them");
  if (stencil.rank() == 1)
    return refuse("`halo-warps` stand in further rows of a block, and the stencil has one axis");
  if (const int threads = schedule.threads() + 2 * schedule.block[0];
      threads > cuda::kMaxThreadsPerBlock)
    return refuse(fmt::format("with `halo-warps` a block has {} threads, more than the {} that a "
                              "GPU launches",
                              threads, cuda::kMaxThreadsPerBlock));
  return llvm::Error::success();
}

static llvm::Error checkLegal(const Stencil &stencil, const Schedule &schedule) {
  ScheduleLimits limits;
  limits.chunk = stencil.rank() > 1;
  limits.flags = namesOf(kFlags);
  if (llvm::Error error = checkLimits(stencil, schedule, limits))
    return error;
  const TileShape shape(stencil, schedule);
  if (int threads = schedule.block[dimensionOf(0, stencil.rank())]; shape.marches && threads != 1)
    return refuse(fmt::format("threads of `shm` march along axis {} in chunks, the block shape "
                              "puts {} threads along it",
                              stencil.axes[0], threads));
  if (llvm::Error error = checkFlags(stencil, schedule))
    return error;
  if (schedule.hasFlag(kPeelFlag.name))
    if (llvm::Error error = checkPeeled(stencil, [&](const Area &area, llvm::ArrayRef<Read> reads) {
          return TileLayers(stencil, reads, shape).peeledBy(schedule, stencil, area, reads);
        }))
      return error;
  bool hasTiles = false, hasPadding = false;
  for (const Stage &stage : stencil.stages) {
    const TileLayers layers(stencil, readsOf(stage), shape);
    hasTiles |= !layers.tiles.empty();
    hasPadding |=
        llvm::any_of(layers.tiles, [](const TileLayer &layer) { return layer.padding > 0; });
    if (llvm::Error error = checkTiles(stencil, schedule, layers))
      return error;
  }
  if (!hasTiles)
    return refuse("`shm` has nothing to put into tiles: no thread of a block reads what another "
                  "one could put there for it");
  if (shape.isPadded && !hasPadding)
    return refuse("there is nothing for `padded` to do: threads of a warp ask for different banks "
                  "as they stand");
  return llvm::Error::success();
}

static Program lower(const Stencil &stencil, const Schedule &schedule) {
  StepLowering step(stencil, Target::Device);
  for (unsigned part = 0; part < step.parts.size(); ++part)
    TiledStage(step, part, schedule).append();
  return step.finish();
}

namespace stencilc {
extern const Variant shmVariant;
const Variant shmVariant = {
    .name = "shm",
    .summary = "neighbours meet in a tile in shared memory",
    .defaultSchedule = defaultSchedule,
    .checkLegal = checkLegal,
    .lower = lower,
    .flags = kFlags,
};
} // namespace stencilc
