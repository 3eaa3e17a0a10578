// Cover: which points the blocks of a launch stand on, and how they are placed on a grid of given
// extents. Interpreter, walk and counts place launches by this one function; the launcher's text
// says the same; the verifier holds it against the kernel's own index.
//
// A launch covers the box [begin, end) of the stencil's index space: block b of a dimension starts
// at first + b * points along the axis of that dimension. `first` is begin, except that where
// `alignTo` names an array argument, first on the contiguous axis is moved down so that the element
// of that array at (begin of the slower axes, first) starts a memory line; kernels guard against
// the points before begin. A grid larger than the device allows is cut into slabs along the slower
// axes: each slab is a launch of the same kernel with larger `first`. Where a kernel's blocks are
// partners, two along y stand where else one does, and block b of them starts where block b / 2
// would. An empty box launches nothing. Host kernels are called once, with the whole box.
#pragma once

#include "ir/kernel/Kernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc {

struct Cover {
  std::array<Index, kMaxRank> begin, end; ///< per axis, over extents, constants and whole params
  std::array<int, kMaxRank> points = {1, 1, 1}; ///< that a block advances, per axis
  std::optional<unsigned> alignTo = {};         ///< number in Kernel::arrays
  int band = 0;    ///< of three axes: most blocks of a slab along the second; 0: of any slab
  int cluster = 1; ///< of three axes: blocks along the second that stand at one place

  /// Blocks along an axis that stand at one place.
  int together(unsigned axis) const { return axis == 1 ? cluster : 1; }
};

struct PlacedCover {
  std::array<int64_t, kMaxRank> begin = {}, end = {};
  std::array<int64_t, kMaxRank> first = {};         ///< of block 0
  std::array<int64_t, kMaxRank> blocks = {1, 1, 1}; ///< per axis; all 0: nothing to launch

  bool isEmpty() const { return blocks[0] == 0; }
  bool operator==(const PlacedCover &) const = default;
};

/// What the indices of a plan stand for.
struct RunNumbers {
  llvm::ArrayRef<int64_t> extents;
  llvm::ArrayRef<double> params = {}; ///< all of the signature; whole ones are used
  int64_t step = 0;                   ///< number of the first step of the pass under way
};
/// The value of an index over extents, constants and whole params.
int64_t valueOf(const Index &index, const RunNumbers &numbers);

/// `pastLine` tells how many elements the one at a point, of the array aligned to, lies past the
/// start of its memory line.
PlacedCover placeCover(const Cover &cover, Target target, const RunNumbers &numbers,
                       llvm::function_ref<int64_t(llvm::ArrayRef<int64_t> point)> pastLine);

/// The slabs that a placed cover takes where a grid has at most `most` blocks along each slower
/// axis, and no more than its band; `end` stays that of the whole.
std::vector<PlacedCover> slabsOf(const PlacedCover &placed, const Cover &cover, unsigned rank,
                                 int64_t most);

} // namespace stencilc
