// FusedMarch: a kernel that makes several time steps in one march along the slowest axis.
//
// A block has a tile of the other axes, each thread a patch of it in registers: `x` points of a row
// and, in three dimensions, `y` rows. A turn of the march takes in one plane of the state that the
// pass begins with, level 0, and makes one plane of every later level from those around it one
// level below. A level follows the one below at a distance, its lag, so that all a turn reads of
// other warps was shown before its one barrier: rows beside a warp's own go through shared memory,
// points beside a thread's own along a row from lane to lane.
//
// A block whose tile lies inside the grid through its whole march knows that from the start, and
// runs a march that asks nothing about ends. The march of the others has registers of its own.
//
// Tiles overlap: at each level another rim of the reach of the stencil is not right any more, and
// only what is right at the last level is stored. A chunk of planes has the same rims along the
// march.
//
// What a tile has beyond the ends of the grid: where axes are periodic, the points there are images
// of others and updated like them. Everywhere else points outside the area of an update keep their
// values from level to level: of a `fixed` frame, of ghost points, and beyond a boundary `value`,
// which is what a tile has there from level 0 on. Clamped and mirrored ends see points of the grid
// at the same level: along the march, planes beyond them are copied as soon as theirs are made;
// beside it, where a thread reads around its points.
#pragma once

#include "codegen/lower/GridReads.h"
#include "codegen/lower/StageArrays.h"
#include "codegen/lower/StepLowering.h"
#include "codegen/variants/MarchReach.h"

namespace stencilc {

class FusedMarch {
public:
  /// `isAligned`: pieces of rows are moved as vectors, which every row of every field must allow.
  /// Tiles lie in a row from `leastX` on, or from further on.
  FusedMarch(const StepLowering &step, const Program &program, const Schedule &schedule,
             bool isAligned, int leastX);

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
    unsigned newest = 0; ///< patch: level, row, point; if they are kept apart
    unsigned coming = 0; ///< patch: plane ahead, row, point
    unsigned rims = 0;   ///< tile: plane, level, row at a warp's rim, point
    MarchReach::Shown shown = {};
  };

  /// Where the tile of a block lies through its whole march.
  enum class Tile {
    Inside, ///< all of its points are updated: it need not ask
    AtEnds
  };

  void makeFields();
  void appendStart();
  /// The march of a block with such a tile.
  Body march(Tile tile);
  /// The condition that it is Inside.
  Box isInside();
  void appendTurn(Body &body, Tile tile);
  void take(Body &body, Tile tile);
  void show(Body &body);
  void advance(Body &body, const Index &level, Tile tile);
  /// The newest plane of a level takes the place of the one that nothing reads any more.
  void keepNewest(Body &body, const Index &level, const Field &field);
  void surround(Body &body, const Index &level, const MarchReach::Plane &plane, unsigned around,
                Tile tile);
  void update(Body &body, const Index &level, const Index &row, const Index &i, Tile tile);
  void leave(Body &body, const Field &field, Tile tile);
  /// The points of a piece that lie in the area of the update; `mayEnd`: some may not.
  Body storePiece(const Field &field, unsigned argument, const Point &point, const Index &row,
                  int first, bool mayEnd);

  Value element(ScalarType type, unsigned patch, std::vector<Index> at) const;
  /// A point in the plane at this offset.
  PatchElement planeAt(const Field &field, int plane, const Index &level, const Index &row,
                       const Index &i) const;
  Value valueAt(const Field &field, int plane, const Index &level, const Index &row,
                const Index &i) const;
  /// Points of a tile's row, and of those at each end that are not stored.
  int width() const { return schedule.block[0] * points; }
  int rim() const { return marginX(stencil, schedule); }
  ScalarType typeOf(const Field &field) const { return stencil.arrays[field.array].type; }
  /// Loads a row of the tile, as it stands at level 0, into the row of a patch that begins at `to`.
  void loadRow(Body &body, const Field &field, PatchElement to, Index plane, const Index &row,
               Tile tile);
  /// ... of a tile inside.
  void loadInside(Body &body, const Field &field, PatchElement to, const Point &point);
  /// What stands at a point of the tile, if `value` is what memory has at its place: numbers
  /// outside, mirrors' factors. Looks at axes before `axes` only.
  Value orOutside(const Field &field, const Point &point, unsigned axes, Value value);
  /// Where the arrays' memory has what stands at a point of the tile; of points that no read
  /// reaches, some place.
  Point placeOf(const Field &field, Point point) const;
  /// Copies the planes beyond the ends of the march that see the plane which a level has just got.
  void copyBeyondEnds(Body &body, const Index &level, const Field &field);
  /// Corrects what a patch around a thread's points has beyond the ends of the other axes.
  void foldEnds(Body &body, const MarchReach::Plane &plane, unsigned around);
  void foldEnd(Body &body, unsigned axis, Side side, const MarchReach::Plane &plane,
               unsigned around);
  /// The turn's plane of a field's rims that shows a plane, which an end of the march may mirror.
  Index shownAt(const MarchReach::Plane &plane, const Index &made, Tile tile) const;
  /// Applies the factor of a mirror at the first plane to such a row around a thread's points.
  void scaleBeyondEnd(Body &body, const Index &made, const MarchReach::Plane &plane,
                      unsigned around, int row);
  /// The condition that a point is updated; points along periodic axes are everywhere.
  Box updatedAt(const Area &area, const Point &point);
  /// What it says of all points of a row of a level, for all fields alike.
  Box rowIsUpdated(const Index &level, const Index &row);
  /// The updates of all fields are made at the same points.
  bool isOneArea() const;
  /// Where a level has the plane at this offset: planes stay in their places, which take turns.
  Index slot(int plane) const { return remainder(add(phase, plane - reach.lowest), turns); }
  /// The plane that is made of a level.
  Index madeAt(const Index &level) const { return add(z, scale(add(level, 1), -reach.lag)); }
  Value timesFactor(ScalarType type, const Boundary &boundary, Value value);
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
  const int leastX;
  const unsigned rank;
  const MarchReach reach;
  const int levels, rows, points, warps; ///< rows and points of a thread
  const bool keepsApart;                 ///< the newest plane of each level from those before
  const int slots;                       ///< for planes of a level
  const int turns;                       ///< of a round, after which planes stand where they stood
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
