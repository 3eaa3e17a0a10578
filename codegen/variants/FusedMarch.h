// FusedMarch: a kernel that makes several time steps in one march along the slowest axis.
//
// A block has a tile of the other axes, each thread a patch of it in registers: `x` points of a row
// and, in three dimensions, `y` rows. A turn of the march takes in one plane of the state that the
// pass begins with, level 0, and makes one plane of every later level from those around it one
// level below. A level follows the one below at a distance, its lag, so that all a turn reads of
// other warps was shown before its one barrier: rows beside a warp's own go through shared memory,
// points beside a thread's own along a row from lane to lane.
//
// Tiles overlap: at each level another rim of the reach of the stencil is not right any more, and
// only what is right at the last level is stored. A chunk of planes has the same rims along the
// march. Points outside the area of an update keep their values from level to level: of a `fixed`
// frame, of ghost points, and beyond a boundary `value`, which is what a tile has there from
// level 0 on.
#pragma once

#include "codegen/lower/GridReads.h"
#include "codegen/lower/StageArrays.h"
#include "codegen/lower/StepLowering.h"
#include "codegen/variants/MarchReach.h"

namespace stencilc {

class FusedMarch {
public:
  /// `isAligned`: pieces of rows are moved as vectors, which every row of every field must allow.
  FusedMarch(const StepLowering &step, const Program &program, const Schedule &schedule,
             bool isAligned);

  /// Adds the kernel to the program; the launch that makes schedule.fuse steps.
  Launch addTo(Program &program);
  /// Bytes of the pieces that the aligned kernel moves.
  int bytesOfPieces() const;
  /// The buffers that they are moved from and to.
  std::vector<unsigned> movedBuffers() const;

private:
  struct Field {
    unsigned array = 0;  ///< of the stencil
    Area area = {};      ///< of its update
    int lanes = 1;       ///< elements of a piece
    unsigned planes = 0; ///< patch: slot, level, row, point
    unsigned coming = 0; ///< patch: plane ahead, row, point
    unsigned rims = 0;   ///< tile: plane, level, row at a warp's rim, point
    MarchReach::Shown shown = {};
  };

  void makeFields();
  void appendStart();
  void appendTurn(Body &body);
  void take(Body &body);
  void show(Body &body);
  /// The planes that a turn makes, and all of the tile's points in them, are updated.
  Box insideTile();
  void advance(Body &body, const Index &level, bool isGuarded);
  void surround(Body &body, const Index &level, const MarchReach::Plane &plane, unsigned around);
  /// `isGuarded`: points outside the area of an update keep their value.
  void update(Body &body, const Index &level, const Index &row, const Index &i, bool isGuarded);
  void leave(Body &body, const Field &field);

  Value element(ScalarType type, unsigned patch, std::vector<Index> at) const;
  /// Points of a tile's row, and of those at each end that are not stored.
  int width() const { return schedule.block[0] * points; }
  int rim() const { return marginX(stencil, schedule); }
  ScalarType typeOf(const Field &field) const { return stencil.arrays[field.array].type; }
  /// Loads a row of the tile, as it stands at level 0, into a row of a patch.
  void loadRow(Body &body, const Field &field, unsigned patch, std::vector<Index> at, Index plane,
               const Index &row);
  /// What stands at a point of the tile; `value` where it is on the grid or a ghost point. Looks at
  /// axes before `axes` only.
  Value orOutside(const Field &field, const Point &point, unsigned axes, Value value);
  /// The point of the arrays' memory nearest to one of the tile.
  Point nearest(const Field &field, Point point) const;
  /// Where a level has the plane at this offset: planes stay in their places, which take turns.
  Index slot(int plane) const { return remainder(add(phase, plane - reach.lowest), reach.slots()); }
  bool readsConstants() const;
  /// Names the point nearest to one of the tile at which an update is made: const arrays are read
  /// there, for what is made elsewhere is not used.
  Point within(Body &body, const Point &point);
  /// x, or y and x, behind a plane.
  Point pointOf(Index plane, const Index &row, Index pointX) const;

  const Stencil &stencil;
  const Stage &stage;
  const StepFormula &formula;
  const Schedule &schedule;
  const bool isAligned;
  const unsigned rank;
  const MarchReach reach;
  const int levels, rows, points, warps; ///< rows and points of a thread
  KernelBuilder builder;
  const StageArrays arrays;
  const Area around; ///< all updates
  std::vector<Field> fields;
  std::array<bool, kMaxRank> constantAxes = {}; ///< of const arrays that are read
  std::vector<unsigned> surroundings;           ///< patches, by reach.planes
  Body body;
  Index tileX, tileY, x, y, begin, end, turn, phase = constant(0), z;
};

} // namespace stencilc
