#include "codegen/lower/ScheduleLimits.h"

#include "codegen/lower/Variant.h"

#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <fmt/format.h>

using namespace stencilc;

template <class... Args>
static llvm::Error refuse(fmt::format_string<Args...> format, Args &&...args) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 fmt::format(format, std::forward<Args>(args)...));
}

/// Planes ahead beyond which likewise.
static constexpr int kMostAhead = 8;

static llvm::Error checkPatches(const Stencil &stencil, const Schedule &schedule,
                                const ScheduleLimits &limits) {
  const auto [x, y] = schedule.pointsPerThread;
  const bool marches = schedule.chunk > 1;
  const bool mayBeWide = limits.mostPoints > 4;
  if (limits.handsRowsOn && x > limits.mostPoints)
    return refuse("a lane has at most {} points along {}, the schedule asks for /v{}x{}",
                  limits.mostPoints, stencil.axes.back(), x, y);
  if (!limits.handsRowsOn && x != 1 && x != 2 && x != 4 &&
      !(mayBeWide && x % 2 == 0 && x <= limits.mostPoints))
    return refuse("a thread has {} along {}, which it moves as vectors, the schedule asks for "
                  "/v{}x{}",
                  mayBeWide ? fmt::format("1 point or an even number up to {}", limits.mostPoints)
                            : "1, 2 or 4 points",
                  stencil.axes.back(), x, y);
  if (!limits.handsRowsOn && y > 1 && stencil.rank() - marches < 2)
    return refuse("{}, the schedule asks for /v{}x{}",
                  marches ? "threads march along the axis on which they could have several points"
                          : "there is no second axis on which a thread could have several points",
                  x, y);
  if (y > kMostRows)
    return refuse("a thread has at most {} points along the second axis, the schedule asks for "
                  "/v{}x{}",
                  kMostRows, x, y);
  if (schedule.prefetch > 0 && !marches)
    return refuse("planes are loaded ahead of a march, and /p{} comes without a chunk",
                  schedule.prefetch);
  if (schedule.prefetch > kMostAhead)
    return refuse("at most {} planes are loaded ahead, the schedule asks for /p{}", kMostAhead,
                  schedule.prefetch);
  return llvm::Error::success();
}

llvm::Error stencilc::checkLimits(const Stencil &stencil, const Schedule &schedule,
                                  const ScheduleLimits &limits) {
  const std::string &variant = schedule.variant;
  if (schedule.hasFlag(kLdgFlag.name) && schedule.hasFlag(kPlainFlag.name))
    return refuse("`ldg` asks for the path of what is only read, `plain` leaves it out");
  if (schedule.hasFlag(kLdgFlag.name) &&
      (schedule.pointsPerThread != std::array{1, 1} || schedule.prefetch > 0))
    return refuse("`ldg` is for threads of one point that load nothing ahead");
  if (!limits.chunk && schedule.chunk != 1)
    return refuse("`{}` has no chunk, the schedule asks for /c{}", variant, schedule.chunk);
  if (!limits.fuse && schedule.fuse != 1)
    return refuse("`{}` fuses no time steps, the schedule asks for /t{}", variant, schedule.fuse);
  if (!limits.pointsPerThread && schedule.pointsPerThread != std::array{1, 1})
    return refuse("`{}` has one point per thread, the schedule asks for /v{}x{}", variant,
                  schedule.pointsPerThread[0], schedule.pointsPerThread[1]);
  if (!limits.prefetch && schedule.prefetch != 0)
    return refuse("`{}` loads nothing ahead, the schedule asks for /p{}", variant,
                  schedule.prefetch);
  if (schedule.band != 0 && (stencil.rank() < 3 || !limits.block))
    return refuse("bands are cut along the second of three axes, which blocks of threads stand on; "
                  "the schedule asks for /b{}",
                  schedule.band);
  if (llvm::Error error = checkPatches(stencil, schedule, limits))
    return error;
  for (const std::string &flag : schedule.flags)
    if (!llvm::is_contained(limits.flags, flag))
      return refuse("`{}` has no flag `{}`", variant, flag);
  if (!limits.block)
    return llvm::Error::success();

  for (unsigned dimension = stencil.rank(); dimension < kMaxRank; ++dimension)
    if (schedule.block[dimension] != 1)
      return refuse("the block shape has {} numbers, the stencil has {} {}", dimension + 1,
                    stencil.rank(), stencil.rank() == 1 ? "axis" : "axes");
  if (schedule.threads() > cuda::kMaxThreadsPerBlock)
    return refuse("a block of {} threads is larger than the {} that a GPU launches",
                  schedule.threads(), cuda::kMaxThreadsPerBlock);
  if (schedule.block[2] > cuda::kMaxBlockZ)
    return refuse("a block {} threads deep is deeper than the {} that a GPU launches",
                  schedule.block[2], cuda::kMaxBlockZ);
  if (schedule.residency > cuda::kMaxBlocksPerSm ||
      schedule.residency * schedule.threads() > cuda::kMaxThreadsPerSm)
    return refuse("/r{} asks for {} threads an SM, of at most {} in at most {} blocks",
                  schedule.residency, schedule.residency * schedule.threads(),
                  cuda::kMaxThreadsPerSm, cuda::kMaxBlocksPerSm);
  return llvm::Error::success();
}

llvm::Error stencilc::refuseEmptyTile(const Stencil &stencil, const Schedule &schedule,
                                      unsigned axis) {
  return refuse(
      "in a tile of `{}` no point along `{}` is right after {} step{}, since each spoils as "
      "many at both ends as it reads beyond them: blocks of more threads along `{}`, or "
      "fewer steps, leave some",
      schedule.variant, stencil.axes[axis], schedule.fuse, schedule.fuse == 1 ? "" : "s",
      stencil.axes[axis]);
}
