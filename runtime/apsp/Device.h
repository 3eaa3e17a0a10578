// All-pairs shortest paths on a CUDA device, with the interface of Apsp.h.
//
// solve() starts kernels on the caller's stream and returns; it allocates nothing, waits for
// nothing and may be captured into a graph, which small problems gain much from. The workspace must
// stay until the stream has come past. What it starts is defined in Instantiate.h, for one file of
// a program to compile; this header takes nvcc no time.
#pragma once

#include "Algebra.h"
#include "LookAhead.h"

#include <algorithm>
#include <type_traits>

namespace stencilc::apsp::device {

/// Fills in what a plan leaves open.
template <class T> Plan completePlan(Plan plan, int64_t n, PathKind kind) {
  if (plan.algorithm != Algorithm::Blocked) {
    if (plan.blockSize == 0)
      plan.blockSize = 16;
    return plan;
  }
  const bool withPaths = kind != PathKind::None;
  const bool isNarrow = plan.range == WeightRange::Below22Bits;
  if (plan.tileSize == 0)
    plan.tileSize = sizeof(T) == 8 || (withPaths && !isNarrow) ? 64
                    : n > 3072 || (isNarrow && !withPaths)     ? 128
                                                               : 64;
  if (plan.blockSize == 0)
    plan.blockSize = std::min(greatestBlockSize(kind, plan.range), n <= 3072   ? 64
                                                                   : n <= 8192 ? 128
                                                                               : 256);
  return plan;
}

namespace detail {

/// Whether a range has kernels of its own. An unsigned type's weights are never negative.
template <class Semiring, class T> constexpr bool hasKernels(WeightRange range) {
  return hasRange<Semiring, T>(range) && (range != WeightRange::NonNegative || std::is_signed_v<T>);
}

/// The kernels for one combination of what their code depends on, defined in Instantiate.h. They
/// take complete plans that were found to exist.
template <class Semiring, class T, WeightRange range, bool withPaths,
          bool exist = hasKernels<Semiring, T>(range)>
struct Kernels {
  static Status workspaceBytes(int64_t n, PathKind kind, const Plan &plan, size_t &bytes);
  static Status solve(const Problem<T> &problem, const Plan &plan, void *workspace,
                      cudaStream_t stream, const LookAhead *ahead);
};
template <class Semiring, class T, WeightRange range, bool withPaths>
struct Kernels<Semiring, T, range, withPaths, false> {};

inline bool hasBlockSize(const Plan &plan, PathKind kind) {
  if (plan.algorithm != Algorithm::Blocked)
    return plan.blockSize == 8 || plan.blockSize == 16 || plan.blockSize == 32;
  return plan.blockSize <= greatestBlockSize(kind, plan.range) &&
         (plan.blockSize == 64 || plan.blockSize == 128 || plan.blockSize == 256);
}

/// Calls visit(Kernels<..>()) for a complete plan.
template <class Semiring, class T, class Visitor>
Status visitKernels(const Plan &plan, PathKind kind, Visitor visit) {
  const bool isKind =
      plan.algorithm != Algorithm::RacyInPlaceMinPlus || kind != PathKind::Predecessor;
  if (!hasRange<Semiring, T>(plan.range) || !hasBlockSize(plan, kind) || !isKind)
    return Status::BadPlan;
  const auto withRange = [&](auto range) {
    return kind == PathKind::None ? visit(Kernels<Semiring, T, range(), false>())
                                  : visit(Kernels<Semiring, T, range(), true>());
  };
  using Any = std::integral_constant<WeightRange, WeightRange::Any>;
  using NonNegative = std::integral_constant<WeightRange, WeightRange::NonNegative>;
  using Below22Bits = std::integral_constant<WeightRange, WeightRange::Below22Bits>;
  if (plan.algorithm == Algorithm::Blocked) {
    if constexpr (hasKernels<Semiring, T>(WeightRange::Below22Bits))
      if (plan.range == WeightRange::Below22Bits)
        return withRange(Below22Bits());
    if constexpr (hasKernels<Semiring, T>(WeightRange::NonNegative))
      if (plan.range == WeightRange::NonNegative)
        return withRange(NonNegative());
  }
  return withRange(Any());
}

} // namespace detail

/// Bytes of device memory that solve needs.
template <class Semiring, class T>
Status workspaceBytes(int64_t n, PathKind kind, const Plan &plan, size_t &bytes) {
  bytes = 0;
  if (n < 0)
    return Status::BadExtent;
  if (n > maximumExtent)
    return Status::TooLarge;
  const Plan complete = completePlan<T>(plan, n, kind);
  return detail::visitKernels<Semiring, T>(complete, kind, [&](auto kernels) {
    return kernels.workspaceBytes(n, kind, complete, bytes);
  });
}

/// All pointers name device memory. Without `ahead` everything runs on `stream`.
template <class Semiring, class T>
Status solve(const Problem<T> &problem, const Plan &plan, void *workspace, size_t bytes,
             cudaStream_t stream, const LookAhead *ahead = nullptr) {
  if (Status status = checkProblem(problem); status != Status::Ok)
    return status;
  size_t needed;
  if (Status status = workspaceBytes<Semiring, T>(problem.n, problem.kind, plan, needed);
      status != Status::Ok)
    return status;
  if (problem.n == 0)
    workspace = nullptr;
  else if (!workspace || bytes < needed || reinterpret_cast<uintptr_t>(workspace) % 256 != 0)
    return Status::WorkspaceTooSmall;
  const Plan complete = completePlan<T>(plan, problem.n, problem.kind);
  return detail::visitKernels<Semiring, T>(complete, problem.kind, [&](auto kernels) {
    return kernels.solve(problem, complete, workspace, stream, ahead);
  });
}

} // namespace stencilc::apsp::device
