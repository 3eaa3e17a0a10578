// GhostContents: what stands in the layers around a box of points, as loops set them.
//
// Along each axis a position is inside of the box or in a layer: -d is the d-th before it, d the
// d-th behind it. A Cell says so for all axes; 0 is inside.
#pragma once

#include "frontend/lift/Levels.h"

namespace stencilc::lift {

/// Layers that are set by loops of their own are at most so many.
constexpr int64_t kMostLayers = 4;

using Cell = std::array<int, kMaxRank>;

/// Where an assignment writes, along each axis, in C's positions.
struct Spot {
  struct Along {
    Range range;
    std::optional<unsigned> loop; ///< number in LoopTree::loops; none of a single position
    int64_t shift = 0;            ///< position = loop variable + shift
    unsigned dimension = 0;       ///< of the buffer
  };
  std::array<Along, kMaxRank> axes;
};
std::optional<Spot> spotOf(const LoopTree &tree, const Levels &levels, unsigned rank,
                           const Assignment &assignment);

/// Where a read goes, seen from what is written there.
struct ReadSpot {
  std::array<int64_t, kMaxRank> offset = {};
  /// Of a single position where that is no distance from the one that is written.
  std::array<std::optional<Polynomial>, kMaxRank> at = {};
};
std::optional<ReadSpot> spotOfRead(const LoopTree &tree, const Levels &levels, unsigned rank,
                                   const Spot &target, const Access &access);

/// The storage that stands for all levels of its array.
Storage familyOf(const Levels &levels, const Storage &storage);

bool isSame(const Boundary &left, const Boundary &right);

struct Box {
  unsigned rank = 0;
  std::array<Range, kMaxRank> inside = {};
  std::array<std::array<bool, 2>, kMaxRank> hasLayers = {}; ///< by axis and side

  /// All of the range is in layers.
  bool isBeyond(unsigned axis, const Range &range) const;
  /// Without what is in layers. None if that is not known.
  std::optional<Range> clipped(unsigned axis, const Range &range) const;
  /// The layer of a position, 0 inside; none if that is not known.
  std::optional<int> layerOf(unsigned axis, const Polynomial &position) const;
  Polynomial positionOf(unsigned axis, int layer) const;
  /// Calls `use` with each cell that a box of positions touches, and the positions inside of it
  /// along axes without a layer, until it says false. False also if that is not known.
  bool forEachCell(
      const std::array<Range, kMaxRank> &points,
      llvm::function_ref<bool(const Cell &, const std::array<Range, kMaxRank> &)> use) const;
};

/// A cell that holds copies of points inside, or a number.
struct Content {
  Storage storage;
  Cell cell;
  std::array<Range, kMaxRank> points; ///< along axes without a layer
  /// The position of which it is a copy, along axes with a layer.
  std::array<std::optional<Polynomial>, kMaxRank> at;
  double factor = 1;
  std::optional<Formula> value; ///< instead of a copy
  unsigned number;              ///< of the assignment
  bool isKnown = true;          ///< else it holds what nothing here says
};

class GhostContents {
public:
  /// `isSetBetween`: points inside are set by one of the assignments from .. to - 1.
  using IsSet = std::function<bool(const Storage &storage, unsigned from, unsigned to)>;
  GhostContents(const LoopTree &tree, const Levels &levels, const Box &box, IsSet isSetBetween)
      : tree(tree), levels(levels), box(box), isSetBetween(std::move(isSetBetween)) {}

  /// Takes over what an assignment to ghosts leaves. False if that is not plain.
  bool fill(unsigned number, const Spot &spot);
  /// Takes over what a copy of an array takes along with the points inside, at all those points.
  void carry(unsigned number, const Storage &to, const Storage &from,
             const std::array<Range, kMaxRank> &points);
  const std::vector<Content> &all() const { return contents; }
  /// What stands at all those points after the first `time` assignments; null if that is not known.
  const Content *at(const Storage &storage, const Cell &cell,
                    const std::array<Range, kMaxRank> &points, unsigned time) const;
  /// Some of those points may have been set by then.
  bool isTouched(const Storage &storage, const Cell &cell,
                 const std::array<Range, kMaxRank> &points, unsigned time) const;

  /// The boundaries that give such content in a layer straight beyond an end.
  std::vector<Boundary> kinds(const Content &content, unsigned axis, int layer) const;
  /// A cell beyond several ends holds what their boundaries together give.
  bool follows(const Content &content, const Cell &cell,
               llvm::function_ref<const Boundary *(unsigned axis, unsigned side)> edge) const;

private:
  struct Source {
    std::optional<unsigned> access; ///< number in LoopTree::accesses; none of a number
    double factor = 1;
  };
  std::optional<Source> sourceOf(const Formula &value) const;
  bool fillCell(Content content, const Spot &spot, const Source &source);

  const LoopTree &tree;
  const Levels &levels;
  const Box &box;
  const IsSet isSetBetween;
  std::vector<Content> contents; ///< in order of time
};

} // namespace stencilc::lift
