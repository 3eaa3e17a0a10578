// FusedCandidates: the schedules of fused steps that are worth a forecast.
//
// What follows from the stencil bounds them:
// - registers: what a thread keeps of all levels, or of all its steps, must fit beside what it
//   works with, even if the block has an SM to itself;
// - shared memory: a block has no more than that;
// - what is right: of a tile's points, at least two in five are after the last step, and of tiles
//   for as many steps only those are tried of which most is right.
// Beyond that, blocks of 256 to 512 threads on an H200 were fastest in three dimensions, which are
// 16 or 32 wide, with one plane ahead and as many points of a row as a vector holds; in two, four
// warps with three chunks ahead (test/gpu/results/h200_fused.json), or one warp with two or four
// points a thread (test/gpu/results/h200_fused_flat.json). Chunks that as many blocks share as run
// at once were mostly faster, for the size of grid that they are made for. On one axis nothing was
// timed when they were drawn up: warps with 4, 8 or 16 points a lane.
#pragma once

#include "ir/kernel/Schedule.h"
#include "ir/stencil/Stencil.h"

namespace stencilc {

/// `first`, then few steps and tiles of which most is right first. Some may not be legal, or stand
/// there twice. Of schedules that differ in their chunk alone the first has the usual one.
std::vector<Schedule> fusedCandidates(const Stencil &stencil, const Schedule &first);

} // namespace stencilc
