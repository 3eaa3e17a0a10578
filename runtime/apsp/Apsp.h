// All-pairs shortest paths: what a caller says and what it is told. Needs no CUDA.
//
// The work is done by one of two functions of the same shape:
//   device::solve (Device.h)  matrices, workspace and report in device memory; returns at once, the
//                             work runs on the given stream
//   host::solve   (Host.h)    everything in host memory; OpenMP, returns when done
// Both are templates on a semiring (Algebra.h) and a type of weights. Neither allocates memory nor
// ends the process; both may be called with `distances == weights`.
//
// `weights(i, j)` is the weight of the edge from i to j; "no edge" is `Algebra<..>::zero()`. Read
// as if the diagonal held at least `one()`, a path of no edges. Afterwards `distances(i, j)` is the
// best weight of any path from i to j, and `zero()` where there is none.
//
// Values with no place in the algebra (Algebra.h says which) are taken for "no edge" and counted in
// the report. Integer distances saturate at infinity and never wrap: what no path joins and what is
// joined by a path beyond the type's range look the same, so the report says whether there may be
// any of these (Saturation.h tells them apart).
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define STENCILC_APSP_BOTH __host__ __device__ __forceinline__
#else
#define STENCILC_APSP_BOTH inline
#endif

namespace stencilc::apsp {

enum class Status {
  Ok,
  NullPointer,       ///< a matrix or the report is missing
  BadExtent,         ///< n < 0
  TooLarge,          ///< n above maximumExtent
  BadPitch,          ///< a row pitch below n
  BadPlan,           ///< no such block size, or a range that this algebra does not have
  WorkspaceTooSmall, ///< fewer bytes than workspaceBytes says, or not aligned to 256
  LaunchFailed,      ///< CUDA refused a launch; the matrices are undefined
  BadVertex,         ///< a vertex outside 0 .. n - 1
  NoPath,            ///< the two vertices are not connected
  CyclicPath,        ///< the path matrix does not lead to the end within n steps
  BufferTooSmall,    ///< the path has more vertices than the buffer
};

inline const char *describe(Status status) {
  switch (status) {
  case Status::Ok:
    return "ok";
  case Status::NullPointer:
    return "a pointer is null";
  case Status::BadExtent:
    return "the number of vertices is negative";
  case Status::TooLarge:
    return "too many vertices";
  case Status::BadPitch:
    return "a row pitch is below the number of vertices";
  case Status::BadPlan:
    return "the plan names a block size or a range of weights that does not exist";
  case Status::WorkspaceTooSmall:
    return "the workspace is too small or not aligned to 256 bytes";
  case Status::LaunchFailed:
    return "a kernel could not be started";
  case Status::BadVertex:
    return "no such vertex";
  case Status::NoPath:
    return "no path connects the two vertices";
  case Status::CyclicPath:
    return "the path matrix has a cycle";
  case Status::BufferTooSmall:
    return "the path is longer than the buffer";
  }
  return "unknown status";
}

/// What `paths(i, j)` holds, for i != j and a path from i to j: the vertex after i on it, or the
/// one before j. It is `noVertex` everywhere else.
enum class PathKind { None, FirstHop, Predecessor };

constexpr int32_t noVertex = -1;

/// The entry of the path matrix before any path of two edges is known.
STENCILC_APSP_BOTH int32_t firstPath(PathKind kind, int64_t from, int64_t to, bool isEdge) {
  return static_cast<int32_t>(!isEdge ? noVertex : kind == PathKind::FirstHop ? to : from);
}

constexpr int64_t maximumExtent = int64_t(1) << 20;

enum class Algorithm {
  /// Floyd-Warshall by pivot blocks: the one to use.
  Blocked,
  /// Floyd-Warshall as Duemmler and Egerland's algorithms 3 and 4: one launch per pivot.
  PivotByPivot,
  /// Repeated squaring in tiles, as their algorithms 1 and 2, but from one pair of matrices into
  /// another, so that distances and paths stay in step.
  MinPlus,
  /// Their algorithms 1 and 2 to the letter, in place. Its path matrix can be WRONG: a block may
  /// read a distance that another block has lowered together with the vertex that belonged to the
  /// distance before. It is here to be measured. FirstHop only.
  RacyInPlaceMinPlus,
};

/// What the caller knows of the weights. A broken promise leaves the distances undefined (memory
/// stays unharmed) and is counted in the report.
enum class WeightRange {
  Any,
  NonNegative, ///< min-plus: faster for float and int32
  /// Min-plus of int32 on the device: weights and distances in [0, 2^22), which the tensor cores
  /// add exactly, and beside which, with paths, the number of a pivot fits into a word. A distance
  /// beyond, up to 2^23, is counted in the report's `saturated`.
  Below22Bits,
};

/// How to do it. Zeros stand for the choice of `completePlan`.
struct Plan {
  Algorithm algorithm = Algorithm::Blocked;
  /// Blocked: pivots whose product is taken at once, 64, 128 or 256; with paths at most 64, or 128
  /// below 22 bits. The others: the width of a thread block, 8, 16 or 32.
  int blockSize = 0;
  /// Blocked: columns of a tile of the distance matrix in words, 64 (not on tensor cores) or 128
  /// (not for double). It has 64 rows.
  int tileSize = 0;
  WeightRange range = WeightRange::Any;
};

/// Blocked: the greatest block size. With paths a product's pivots must be read off before the next
/// one changes their columns; their numbers ride in words of at most 22 bits, or are searched for.
constexpr int greatestBlockSize(PathKind kind, WeightRange range) {
  return kind == PathKind::None ? 256 : range == WeightRange::Below22Bits ? 128 : 64;
}

/// Found out on the way, and written when the work on the stream has come that far.
struct Report {
  int32_t onNegativeCycle; ///< least vertex whose path to itself beats the empty path, or noVertex
  uint32_t refusedWeights; ///< weights that were taken for "no edge" though they were no `zero()`
  uint32_t brokenRange;    ///< weights outside of the promised range
  /// 0 if every distance is exact: none is beyond what its integer type, or the promised range, can
  /// hold. Without negative weights, 1 means that one may be; with any, that some path of n - 1
  /// edges would be.
  uint32_t saturated;
  uint32_t greatestWeight;   ///< the greatest magnitude of a finite weight; of integers under plus
  uint32_t improvingWeights; ///< 1 if one is better than none (min-plus: negative); of the same
};
/// Before anything is found.
STENCILC_APSP_BOTH constexpr Report emptyReport() { return {noVertex, 0, 0, 0, 0, 0}; }

/// Matrices are stored by rows; a pitch counts elements from one row to the next. `weights` may be
/// `distances` itself but must not overlap it otherwise.
template <class T> struct Problem {
  int64_t n = 0;
  const T *weights = nullptr;
  int64_t weightsPitch = 0;
  T *distances = nullptr;
  int64_t distancesPitch = 0;
  PathKind kind = PathKind::None;
  int32_t *paths = nullptr; ///< unless kind is None
  int64_t pathsPitch = 0;
  Report *report = nullptr;
};

/// The part of the checks that needs no algebra.
template <class T> Status checkProblem(const Problem<T> &problem) {
  if (problem.n < 0)
    return Status::BadExtent;
  if (problem.n > maximumExtent)
    return Status::TooLarge;
  if (!problem.report)
    return Status::NullPointer;
  if (problem.n == 0)
    return Status::Ok;
  const bool withPaths = problem.kind != PathKind::None;
  if (!problem.weights || !problem.distances || (withPaths && !problem.paths))
    return Status::NullPointer;
  if (problem.weightsPitch < problem.n || problem.distancesPitch < problem.n ||
      (withPaths && problem.pathsPitch < problem.n))
    return Status::BadPitch;
  return Status::Ok;
}

/// Launches of a min-plus product that n vertices need: ceil(log2(n - 1)).
inline int minPlusSteps(int64_t n) {
  int steps = 0;
  while ((int64_t(1) << steps) < n - 1)
    ++steps;
  return steps;
}

} // namespace stencilc::apsp
