// Programs built by hand whose blocks have two warps, for what threads do together.
#pragma once

#include "test/ir/KernelPrograms.h"

namespace stencilc {

inline const Index warp = coordinate(CoordinateKind::Warp, 0);
inline const Index lane = coordinate(CoordinateKind::Lane, 0);

inline Value element(std::vector<Index> at) {
  return makeValue(ScalarType::F64, PatchElement{0, std::move(at)});
}
inline Value shuffle(ShuffleFrom from, unsigned distance, Value operand) {
  return makeValue(ScalarType::F64, ShuffleValue{from, distance, std::move(operand)});
}
inline Index c(int64_t value) { return constant(value); }

/// onePoint() in blocks of 64 threads, with registers r, s; locals i, j; a patch p of 3 x 4; tiles
/// `tile` and `other` of 2 x 64; groups front (warp 0), back (warp 1) and both. Rows of u and
/// u_next are aligned in twos where blocks begin.
Program twoWarps(Body body);

inline For loop(LoopKind kind, unsigned number, Index begin, Index end, Body body) {
  return {kind, number, std::move(begin), std::move(end), 1, std::move(body)};
}
/// Roles of the two warps.
inline Roles roles(Body front, Body back) {
  return {{{"front", 0, 1, std::move(front)}, {"back", 1, 1, std::move(back)}}};
}

} // namespace stencilc
