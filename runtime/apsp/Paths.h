// Reads paths off a path matrix in host memory.
#pragma once

#include "Apsp.h"

namespace stencilc::apsp {

/// A path matrix of n vertices, as `solve` leaves it.
struct PathMatrix {
  int64_t n;
  PathKind kind;
  const int32_t *paths;
  int64_t pitch;
};

/// The number of vertices of the path, both ends included; the path of a vertex to itself has one.
inline Status pathLength(const PathMatrix &matrix, int64_t from, int64_t to, int64_t &length) {
  length = 0;
  if (matrix.kind == PathKind::None || !matrix.paths)
    return Status::NullPointer;
  if (from < 0 || from >= matrix.n || to < 0 || to >= matrix.n)
    return Status::BadVertex;
  const bool forward = matrix.kind == PathKind::FirstHop;
  int64_t steps = 1;
  for (int64_t at = forward ? from : to, end = forward ? to : from; at != end; ++steps) {
    at = forward ? matrix.paths[at * matrix.pitch + to] : matrix.paths[from * matrix.pitch + at];
    if (at < 0 || at >= matrix.n)
      return steps == 1 ? Status::NoPath : Status::CyclicPath;
    if (steps == matrix.n)
      return Status::CyclicPath;
  }
  length = steps;
  return Status::Ok;
}

/// Writes the vertices of the path in order, from `from` to `to`.
inline Status tracePath(const PathMatrix &matrix, int64_t from, int64_t to, int32_t *vertices,
                        int64_t capacity, int64_t &length) {
  if (Status status = pathLength(matrix, from, to, length); status != Status::Ok)
    return status;
  if (length > capacity)
    return Status::BufferTooSmall;
  if (!vertices)
    return Status::NullPointer;
  const bool forward = matrix.kind == PathKind::FirstHop;
  int64_t at = forward ? from : to;
  for (int64_t step = 0; step < length; ++step) {
    vertices[forward ? step : length - 1 - step] = static_cast<int32_t>(at);
    if (step + 1 < length)
      at = forward ? matrix.paths[at * matrix.pitch + to] : matrix.paths[from * matrix.pitch + at];
  }
  return Status::Ok;
}

/// The paths of `count` pairs (from, to), one after another: that of pair p has the vertices
/// [begins[p], begins[p + 1]), and none where there is no path. `begins` has count + 1 entries and
/// is complete even if the vertices do not fit (BufferTooSmall) or are null, so that a first call
/// can ask for the size.
inline Status tracePaths(const PathMatrix &matrix, const int32_t (*pairs)[2], int64_t count,
                         int64_t *begins, int32_t *vertices, int64_t capacity) {
  if (count < 0)
    return Status::BadExtent;
  if (!begins || (count > 0 && !pairs))
    return Status::NullPointer;
  begins[0] = 0;
  for (int64_t pair = 0; pair < count; ++pair) {
    int64_t length;
    const Status status = pathLength(matrix, pairs[pair][0], pairs[pair][1], length);
    if (status != Status::Ok && status != Status::NoPath)
      return status;
    begins[pair + 1] = begins[pair] + length;
  }
  if (begins[count] > capacity)
    return Status::BufferTooSmall;
  if (begins[count] > 0 && !vertices)
    return Status::NullPointer;
  for (int64_t pair = 0; pair < count; ++pair)
    if (int64_t length = begins[pair + 1] - begins[pair])
      tracePath(matrix, pairs[pair][0], pairs[pair][1], vertices + begins[pair], length, length);
  return Status::Ok;
}

} // namespace stencilc::apsp
