// SeparateFootprint: what the blocks of a grid access but once, summed up axis by axis.
//
// Most kernels access, along each axis, what the block's number along that axis alone says. Then
// the kinds of blocks are found along each axis by itself (first, interior and last ones, say), and
// not for every combination of them: of a box of nine kinds along each of three axes 27 are looked
// at instead of 729.
//
// A point lies in the union of boxes if, of the accesses whose intervals hold it along the slower
// axes, one holds it along the contiguous axis. So it is enough to know, for each set of accesses,
// how many places along a slower axis lie in the intervals of these and no others.
#pragma once

#include "costmodel/count/BlockFootprint.h"

namespace stencilc {

/// Nothing if an access of the launch depends on several dimensions of the grid at once.
std::optional<GridFootprint> separateFootprint(const PlacedLaunch &launch);

} // namespace stencilc
