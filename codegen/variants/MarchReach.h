// MarchReach: how far the updates of a stage read, and what follows for a march that fuses steps
// (FusedMarch.h): which planes it holds, what warps show each other, what a tile is good for.
#pragma once

#include "ir/kernel/Index.h"
#include "ir/kernel/Program.h"
#include "ir/kernel/Schedule.h"
#include "ir/stencil/StencilAreas.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

/// Of the one stage of a stencil.
struct MarchReach {
  explicit MarchReach(const Stencil &stencil);

  /// Points read beside a point in one plane of a field.
  struct Plane {
    unsigned field; ///< number of its update
    int plane;      ///< offset along the march
    int x = 0, y = 0;
    bool hasCorners = false; ///< some read is off the point along both
  };
  std::vector<Plane> planes; ///< of which more than the point itself is read
  /// What the warps of a block show each other of a field.
  struct Shown {
    int rows = 0;               ///< at each end of a warp's; 0: nothing
    int oldest = 0, newest = 0; ///< planes, by offset along the march
    /// Planes that shared memory holds: those that a turn reads, and the one that the next one
    /// adds.
    int planes() const { return newest - oldest + 2; }
  };
  std::vector<Shown> shown; ///< by field
  int lowest = 0;           ///< along the march, never above 0
  int highest = 0;          ///< never below 0
  int x = 0, y = 0;
  int lag = 0;                                  ///< planes by which a level follows the one below
  std::array<bool, kMaxRank> constantAxes = {}; ///< of const arrays that are read
  bool readsConstants() const {
    return llvm::any_of(constantAxes, [](bool isUsed) { return isUsed; });
  }

  /// Planes of a level that a turn holds: from `lowest` to the newest.
  int slots() const { return lag - lowest + 1; }

private:
  void reachBackAsFar(const Stencil &stencil);
};

/// Clamped and mirrored ends see points of the grid; a tile must know those of its own level.
bool seesGrid(BoundaryKind kind);
/// Of every field it follows from points of the grid at the same level, or from nothing, what
/// stands beyond this end: a tile needs no points there.
bool isKnownBeyond(const Stencil &stencil, unsigned axis, Side side);
/// An end that sees the grid sees, in place of the point that lies `beyond` points behind it, the
/// one that lies so many before the outermost.
int seenBehind(BoundaryKind kind, int beyond);
/// What an end that sees the grid makes of the value of the point that it sees.
Value timesFactor(ScalarType type, const Boundary &boundary, Value value);
/// The axis is periodic for the fields.
bool isPeriodic(const Stencil &stencil, unsigned axis);
/// How far beyond the ends of a periodic axis a tile needs images of points.
int imagesAlong(const Stencil &stencil, const Schedule &schedule, unsigned axis);
/// Where an array's memory has what stands at a coordinate of a tile; of points that no read
/// reaches, some place.
Index placeInTile(const Stencil &stencil, const Schedule &schedule, unsigned array, unsigned axis,
                  const Index &index);
/// The index nearest to this one at which an update in the box is made: const arrays are read
/// there, for what is made elsewhere is not used.
Index nearestUpdated(const Stencil &stencil, const Schedule &schedule, const PointBox &box,
                     unsigned axis, const Index &index);
/// Points of the widest pieces in which rows of fields are moved.
int widestPiece(const Stencil &stencil, const Schedule &schedule);
/// Points at each end of a tile's row that are not right at the last level, in whole pieces.
int marginX(const Stencil &stencil, const Schedule &schedule);
/// Points of a tile that are not right at the last level, at each end that is not the grid's; along
/// an axis but the slowest.
int marginAlong(const Stencil &stencil, const Schedule &schedule, unsigned axis);
/// Points before those that are updated, or behind, with which a tile is right up to the grid's
/// end. `leftOut`: how many points of the grid are not updated there.
int marginAtEnd(const Stencil &stencil, const Schedule &schedule, unsigned axis, Side side,
                int64_t leftOut);
/// Points of a tile that are right at the last level, per axis but the slowest.
std::array<int, kMaxRank> rightPoints(const Stencil &stencil, const Schedule &schedule);
/// Planes that a block has in shared memory of those that are coming and, where a march by planes
/// keeps points from level to level (FusedMarch.h), of those that came.
int comingPlanes(const Schedule &schedule, const MarchReach &reach, bool keepsThem);
/// Of the rows that the warps of a block show each other, or a little more.
int64_t sharedBytes(const Stencil &stencil, const Schedule &schedule);

} // namespace stencilc
