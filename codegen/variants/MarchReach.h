// StepReach: how far the updates of a step read. MarchReach: stage by stage, and what follows for a
// march that fuses steps (FusedMarch.h): how far a stage lags behind those before it, which planes
// of what is made stay at hand, what warps show each other, what a tile is good for.
//
// In a turn of the march every stage of every step makes a plane, and a plane has an age: so many
// turns ago it was the newest one of its array and step. Planes of the state that a pass begins
// with come as if a step before had made them.
#pragma once

#include "ir/kernel/KernelBuilder.h"
#include "ir/kernel/Program.h"
#include "ir/kernel/Schedule.h"
#include "ir/stencil/StencilAreas.h"
#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

struct StepReach {
  explicit StepReach(const Stencil &stencil);

  /// Of a step: along the march, how far it reads by all its stages together, and never on the
  /// other side.
  int lowest = 0, highest = 0;
  int x = 0, y = 0;          ///< that a stage reads beside a point at most
  Widths ofStep = {};        ///< how far a step reads by all its stages together, by axis and side
  Widths ofStage = {};       ///< ... a stage at most
  std::vector<int> lowestOf; ///< along the march, by stage
};

struct MarchReach : StepReach {
  explicit MarchReach(const Stencil &stencil);

  /// An array that an update makes: number by number, those of all stages.
  struct Made {
    unsigned array, stage;
    int lowest = 0, highest = 0; ///< planes that are read of it, as offsets along the march
    /// Age of the oldest plane that is read of what the step before has made, and the same one.
    int oldestOld = 0, oldestNew = 0;
    /// Planes that a thread keeps from turn to turn of all levels of so many steps.
    int keptPlanes(int steps) const {
      return oldestOld + (steps - 1) * std::max(oldestOld, oldestNew) + oldestNew;
    }
  };
  std::vector<Made> made;
  /// Points read beside a point in one plane of an array that is made.
  struct Plane {
    unsigned field; ///< number among `made`
    int plane;      ///< offset along the march
    int x = 0, y = 0;
    bool hasCorners = false;                      ///< some read is off the point along both
    unsigned stage = 0;                           ///< that reads it
    bool isNew = false;                           ///< of what the same step has made
    int age = 0;                                  ///< when the stage reads it
    std::array<bool, 2> readsX = {}, readsY = {}; ///< on which sides of the point
  };
  std::vector<Plane> planes; ///< of which more than the point itself is read
  /// What the warps of a block show each other of an array.
  struct Shown {
    int rows = 0;                      ///< at each end of a warp's; 0: nothing
    int youngest = 0, oldest = 0;      ///< planes, by age
    bool ofOld = false, ofNew = false; ///< of what the step before has made, or the same one
    /// Planes that shared memory holds: those that a turn reads, and the one that the next one
    /// adds.
    int planes() const { return oldest - youngest + 2; }
    /// Levels of which planes are shown, where so many steps are fused, and the first of them.
    int levels(int steps) const { return steps + (ofOld && ofNew); }
    int firstLevel() const { return ofOld ? 0 : 1; }
  };
  std::vector<Shown> shown; ///< by number among `made`
  int lag = 0;              ///< planes by which a step follows the one before
  int oldest = 0;           ///< age of the oldest plane that is read
  int lead = 0; ///< turns before the first plane that a step needs, for fields that come early
  std::array<bool, kMaxRank> constantAxes = {}; ///< of const arrays that are read
  bool readsConstants() const {
    return llvm::any_of(constantAxes, [](bool isUsed) { return isUsed; });
  }

  /// Planes of a level that a turn holds.
  int slots() const { return oldest + 1; }
  /// Planes by which a stage follows the step before.
  int behind(unsigned stage) const { return behindStep[stage]; }
  /// Planes by which what a stage makes of a field is ahead of what the step makes last.
  int ahead(unsigned stage) const { return lag - behindStep[stage]; }
  /// The age of the plane at this offset when a stage reads it.
  int age(unsigned stage, unsigned field, bool isNew, int plane) const {
    return (isNew ? 0 : lag) + behindStep[stage] - behindStep[made[field].stage] - plane;
  }

private:
  /// What a stage reads of one array that is made.
  struct Use {
    unsigned stage, field;
    Read read;
    bool isNew;
    int besideX, besideY;
  };
  void addUses(const Stencil &stencil);
  /// Lets stages lag as far as what they read asks for.
  void letLag(const Stencil &stencil);
  int leastAge(const Stencil &stencil, const Use &use) const;
  void addPlanes(const Stencil &stencil);
  void addOldest(const Stencil &stencil);
  void addLead(const Stencil &stencil);

  std::vector<Use> uses;
  std::vector<int> behindStep; ///< by stage
};

/// Clamped and mirrored ends see points of the grid; a tile must know those of its own level.
bool seesGrid(BoundaryKind kind);
/// Nothing reads what steps make of points beyond an end that sees the grid, or that no read looks
/// beyond.
inline bool keepsNoneBeyond(BoundaryKind kind) {
  return kind == BoundaryKind::None || seesGrid(kind);
}
/// Of every field it follows from points of the grid at the same level, or from nothing, what
/// stands beyond this end: a tile needs no points there.
bool isKnownBeyond(const Stencil &stencil, unsigned axis, Side side);
/// An end that sees the grid sees, in place of the point that lies `beyond` points behind it, the
/// one that lies so many before the outermost.
int seenBehind(BoundaryKind kind, int beyond);
/// What an end that sees the grid makes of the value of the point that it sees. Outside the box
/// that is a number, which stands beyond an end of another axis and takes no factor.
Value timesFactor(ScalarType type, const Boundary &boundary, Value value, Box isNoNumber = {});
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
/// The point nearest to where a const array is read that its memory has: temps are made at ghost
/// points that others do not have. `around`: the area of all updates.
Point onMemory(const Stencil &stencil, const Area &around, const Read &read, Point where);
/// Points of the widest pieces in which rows of fields are moved.
int widestPiece(const Stencil &stencil, const Schedule &schedule);
/// Points of a sector of memory, of the updated field whose numbers are smallest.
int pointsOfSector(const Stencil &stencil);
/// By this flag tiles of a march on three axes lie as far apart as points of them are right, though
/// what they store then begins within sectors: where that takes a tile less, all of them are done
/// sooner if not device memory sets the time.
inline constexpr llvm::StringLiteral kApartFlag = "apart";
/// By this flag two blocks of a cluster, one after the other along y, have a tile together and send
/// each other the rows where they meet.
inline constexpr llvm::StringLiteral kClusterFlag = "cluster2";
/// Blocks that have a tile together.
inline int blocksOfTile(const Schedule &schedule) { return schedule.hasFlag(kClusterFlag) ? 2 : 1; }
/// Points of a tile that are not right at the last level, at an end that is not the grid's; along
/// an axis but the slowest. Of a row, whole pieces.
int marginAlong(const Stencil &stencil, const StepReach &reach, const Schedule &schedule,
                unsigned axis, Side side);
/// Points before those that are updated, or behind, with which a tile is right up to the grid's
/// end. `leftOut`: how many points of the grid are not updated there.
int marginAtEnd(const Stencil &stencil, const StepReach &reach, const Schedule &schedule,
                unsigned axis, Side side, int64_t leftOut);
/// Points of a tile that are right at the last level, per axis but the slowest.
std::array<int, kMaxRank> rightPoints(const Stencil &stencil, const Schedule &schedule);
/// Planes that a block has in shared memory of those that are coming and, where a march by planes
/// keeps points from level to level (FusedMarch.h), of those that came.
int comingPlanes(const Schedule &schedule, const MarchReach &reach, bool keepsThem);
/// Of the rows that the warps of a block show each other, or a little more.
int64_t sharedBytes(const Stencil &stencil, const Schedule &schedule);

} // namespace stencilc
