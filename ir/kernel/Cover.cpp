#include "ir/kernel/Cover.h"

#include "llvm/Support/MathExtras.h"

namespace stencilc {

int64_t valueOf(const Index &index, const RunNumbers &numbers) {
  return evaluate(index, [&](const Coordinate &coordinate) {
    if (coordinate.kind == CoordinateKind::WholeParam)
      return int64_t(numbers.params[coordinate.number]);
    assert(coordinate.kind == CoordinateKind::Extent && "boxes hold nothing of a thread");
    return numbers.extents[coordinate.number];
  });
}

PlacedCover placeCover(const Cover &cover, Target target, const RunNumbers &numbers,
                       llvm::function_ref<int64_t(llvm::ArrayRef<int64_t> point)> pastLine) {
  const unsigned rank = numbers.extents.size();
  PlacedCover placed;
  bool isEmpty = false;
  for (unsigned axis = 0; axis < rank; ++axis) {
    placed.begin[axis] = valueOf(cover.begin[axis], numbers);
    placed.end[axis] = valueOf(cover.end[axis], numbers);
    isEmpty |= placed.begin[axis] >= placed.end[axis];
  }
  placed.first = placed.begin;
  if (target == Target::Host)
    return placed;
  if (isEmpty) {
    placed.blocks.fill(0);
    return placed;
  }
  if (cover.alignTo)
    placed.first[rank - 1] -= pastLine(llvm::ArrayRef(placed.begin).take_front(rank));
  for (unsigned axis = 0; axis < rank; ++axis)
    placed.blocks[axis] =
        llvm::divideCeil(uint64_t(placed.end[axis] - placed.first[axis]), cover.points[axis]) *
        cover.together(axis);
  return placed;
}

std::vector<PlacedCover> slabsOf(const PlacedCover &placed, const Cover &cover, unsigned rank,
                                 int64_t most) {
  std::vector<PlacedCover> slabs = {placed};
  for (unsigned axis = 0; axis + 1 < rank; ++axis) {
    const int together = cover.together(axis);
    const int64_t each =
        llvm::alignDown(axis == 1 && cover.band > 0 ? std::min<int64_t>(most, cover.band)
                                                    : std::max<int64_t>(most, together),
                        together);
    std::vector<PlacedCover> cut;
    for (const PlacedCover &slab : slabs)
      for (int64_t start = 0; start < placed.blocks[axis]; start += each) {
        PlacedCover &part = cut.emplace_back(slab);
        part.first[axis] = placed.first[axis] + start / together * cover.points[axis];
        part.blocks[axis] = std::min(placed.blocks[axis] - start, each);
      }
    slabs = std::move(cut);
  }
  return slabs;
}

} // namespace stencilc
