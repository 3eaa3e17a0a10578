#include "codegen/lower/ScheduleLimits.h"

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

llvm::Error stencilc::checkLimits(const Stencil &stencil, const Schedule &schedule,
                                  const ScheduleLimits &limits) {
  const std::string &variant = schedule.variant;
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
