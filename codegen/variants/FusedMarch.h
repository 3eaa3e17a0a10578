// FusedMarch: a kernel that makes several time steps in one march along the slowest axis.
//
// A block has a tile of the other axes, each thread a patch of it in registers: `x` points of a row
// and, in three dimensions, `y` rows. A turn of the march takes in one plane of the state that the
// pass begins with, level 0, and makes one plane of every later level from those around it one
// level below. A level follows the one below at a distance, its lag, so that all a turn reads of
// other warps was shown before its one barrier: rows beside a warp's own go through shared memory,
// points beside a thread's own along a row from lane to lane.
//
// Of a step that has several stages, each makes its planes of the level from what the same step and
// the one before have made, as far behind as what it reads asks for. An array has a plane a turn of
// each level that it gets a new value in, whatever stages stand between, and planes go by their
// age: the turns since they were the newest. Arrays that early stages make are loaded as many
// planes ahead, so that all levels are alike. Temps are made, shown and read like fields, and never
// loaded, stored or kept.
//
// What an update reads of older planes is summed up before the newest plane of the level below is
// made (MarchSums.h), which can then take the place of the oldest one: so no plane is moved, and a
// value goes through all levels of a turn by few operations each. So it is in steps of one stage;
// where there are more, planes are kept as long as they are read.
//
// A march by planes, of steps of one stage, has of each level the newest plane and the sums of
// those to come. Its levels do not wait for each other: each reads what the one below has made in
// the turn before, so the last is made first. What points keep from level to level stays in shared
// memory, where the state comes in.
//
// One kernel does for all tiles. Most turns have nothing to do with an end of the grid, neither by
// their planes nor by the tile: what they do stands apart, without a question, so that it is one
// straight run of instructions. In the others, what ends ask for is done behind the levels' own
// work, where the points of some thread of a warp have to do with an end. On grids whose ends are
// those of tiles, what lies beyond is beside the outermost threads' points alone, and what is not
// updated are points of theirs that are known: in a kernel for such grids, selects do for tiles at
// ends, and turns with planes at the ends of the march, which are few, stand apart as well.
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
// beside it, where a thread reads around its points. A field that has the level before of another
// one keeps nothing: it is what that was everywhere.
#pragma once

#include "codegen/lower/GridReads.h"
#include "codegen/lower/StageArrays.h"
#include "codegen/variants/FusedState.h"
#include "codegen/variants/MarchReach.h"
#include "codegen/variants/StepValues.h"

#include <functional>

namespace stencilc {

class FusedMarch {
public:
  enum class Form {
    InElements,
    InVectors,     ///< moves pieces of rows, which every row of every field must allow
    BesideFitting, ///< ... on the grids that another kernel is not for
    Fitting        ///< ... on grids whose ends are those of tiles, or of pieces, as grids() says
  };
  /// Where tiles lie in a row: from `begin` on, which is as far before the first point that is
  /// updated as marginAtEnd() says, or further, and `lower` points before the places that follow
  /// from it. Only a first tile that must not reach beyond the grid is at `begin` itself.
  struct Row {
    int begin, lower;
  };
  /// Tiles lie in one of these ways.
  FusedMarch(const FusedState &state, const Schedule &schedule, Form form, std::vector<Row> ways);

  /// Adds the kernel to the program; the launch that makes schedule.fuse steps.
  Launch addTo(Program &program);
  /// The grids that a fitting kernel is for; none if their ends make no difference.
  std::optional<WholePieces> grids() const;
  /// Rows are stored with the points at their ends that no update writes, whose values they keep at
  /// the last level too, so that no thread has parts of pieces to store. Not where turns have texts
  /// of their own: most of those have nothing to do with ends.
  bool storesKept() const;
  /// Bytes of the pieces that the aligned kernel moves.
  int bytesOfPieces() const;
  /// The buffers that they are moved from and to.
  std::vector<unsigned> movedBuffers() const;

private:
  /// What an update makes: a field, or a temp, which has no level 0.
  struct Field {
    unsigned array = 0; ///< of the stencil
    unsigned stage = 0; ///< that makes it
    bool isTemp = false;
    bool isPrevious = false; ///< it has the level before of another field
    Area area = {};          ///< of its update
    int lanes = 1;           ///< elements of a piece
    unsigned planes = 0;     ///< patch: slot, level, row, point
    unsigned coming = 0;     ///< patch: plane ahead, row, point; or tile: place, row, point
    unsigned rims = 0;       ///< tile: plane, level, row at a warp's rim, point
    MarchReach::Shown shown = {};

    int firstLevel() const { return isTemp; }
  };

  /// Of parts that are made early (MarchSums.h), for the plane that comes next.
  struct Sum {
    ExprId part;
    unsigned patch; ///< row, point; by planes: level, row, point
  };

  void makeFields();
  /// A march by planes.
  bool goesByPlanes() const { return !sumsByPlane.empty(); }
  /// Some point keeps its value from level to level.
  bool keepsPoints();
  /// What a turn makes of the plane that it has just made at the level below stands at the same
  /// points: values are kept beside the march when all levels are made.
  bool canKeepLate() const;
  /// Tiles at ends keep pace with the others if they have a text of their own, so that what tiles
  /// read of each other stays in the L2. Of 4 bytes a point, and where points that are kept come
  /// from shared memory, they do not, and one text for all was measured to be faster.
  bool canPart();
  /// Where a tile of `size` points stands that is for those from `tile` on: none stands beyond the
  /// high end, if one at `least` does not.
  Index withinEnds(unsigned axis, const Index &tile, const Index &least, int size);
  void appendStart();
  void appendMarch();
  void appendTurn(Body &body);
  /// What a turn does from the next plane of the state to what it stores.
  void appendPlanes(Body &body);
  void appendLevels(Body &body);
  /// Shows other warps what they read in the next turn.
  void showRims(Body &body);
  /// ... of what a stage has made of a level.
  void showStage(Body &body, unsigned stage, const Index &level, bool isLast = false);
  /// ... of a level of a field.
  void show(Body &body, const Field &field, const Index &level);
  void showPlane(Body &body, const Field &field, const Index &place, const Index &level,
                 const Index &slot);
  /// Sends the partner what was shown of the rows where the tile is parted, as it lies at `place`;
  /// or at all places.
  void sendSeam(Body &body, const Index &message, bool ofAllPlaces = false);
  void awaitSeam(Body &body, const Index &message, bool ofAllPlaces = false);
  /// The next plane at level 0 takes its place; sums for the level above it.
  void takeIn(Body &body);
  void take(Body &body, const Field &field, const Index &row);
  void loadAhead(Body &body);
  /// Makes a plane of the level above `level`, stage by stage.
  void advance(Body &body, const Index &level, bool isLast);
  /// Makes what a stage does of it; but for the last level, also sums for the one above.
  void makeStage(Body &body, unsigned stage, const Index &level, bool isLast);
  void surround(Body &body, const Index &level, const MarchReach::Plane &plane, unsigned around);
  /// Of a plane around the points is read before the newest one of the level is made.
  bool isForSums(const MarchReach::Plane &plane) const { return !sums.empty() && plane.age > 0; }
  /// What a stage's formulas make of reads of this level, and of the one above, for a plane.
  std::vector<Value> valuesOf(Body &body, std::vector<ExprId> wanted, unsigned stage,
                              const Index &level, const Index &made, const Index &row,
                              const Index &i, KnownValues known = {});
  std::vector<Value> sumsOf(Body &body, const Index &level, const Index &row, const Index &i);
  void update(Body &body, unsigned stage, const Index &level, const Index &row, const Index &i);
  /// Makes a plane of the level above `level` in a march by planes, and its sums.
  void advanceByPlane(Body &body, const Index &level, bool isLast);
  void updateByPlane(Body &body, const Index &level, const Index &row, const Index &i);
  /// Where the newest plane of a level is the first, it stands for those before it.
  void sumUpBeforeFirst(Body &body, const Index &level);
  void appendLevelsByPlane(Body &body);
  /// What the planes up to this offset give the update of a plane; the newest one lies there.
  std::vector<Value> partsUpTo(Body &body, int plane, const Index &level, const Index &row,
                               const Index &i);
  void leave(Body &body, const Field &field);
  /// Stores the thread's points [begin, end) of a row, whose first is at `point`: those in the
  /// range, if it is one.
  void storeRow(Body &body, const Field &field, const Point &point, const Index &row, int begin,
                int end, const Range &right);

  Value element(ScalarType type, unsigned patch, std::vector<Index> at) const;
  /// A point in the plane of this age.
  PatchElement planeAt(const Field &field, int age, const Index &level, const Index &row,
                       const Index &i) const;
  Value valueAt(const Field &field, int age, const Index &level, const Index &row,
                const Index &i) const;
  /// Points of a tile's row.
  int width() const { return schedule.block[0] * points; }
  /// Rows of a tile; of the part that a block has.
  int height() const { return blocks * ownRows(); }
  int ownRows() const { return warps * rows; }
  /// Rows beside those of the block's own warps that it has of its partner, before them and behind.
  int seamRows(const Field &field) const { return blocks > 1 ? field.shown.rows : 0; }
  /// Rims that a block has of a field: those of its warps, and of its partner.
  int rimsOf(const Field &field) const { return 2 * (field.shown.rows * warps + seamRows(field)); }
  int margin(unsigned axis, Side side) const {
    return marginAlong(stencil, reach, schedule, axis, side);
  }
  int marginAt(unsigned axis, Side side) const;
  /// The outermost tiles are right up to this end of the grid with none of their points beyond it:
  /// of a thread's cells only those around its own lie there, of the outermost threads.
  bool fits(unsigned axis, Side side) const;
  /// Rows are periodic and of whole pieces, so that a piece beyond an end is the image of one.
  bool wrapsPieces() const;
  /// Of a row, the last level is right at all points of a thread or at none; but for those of the
  /// grid that are not updated, which the outermost threads have.
  bool storesWholePieces() const;
  /// Names the points between which a tile is right that has `size` points from `first` on.
  std::pair<Index, Index> letStored(unsigned axis, const Index &first, int size);
  /// Of a temp, none.
  static llvm::ArrayRef<TimeLevel> levelsInMemory(const Field &field);
  ScalarType typeOf(const Field &field) const { return stencil.arrays[field.array].type; }
  /// Takes so many consecutive elements of memory to a point of a thread's row and after it.
  using Move = std::function<Statement(int first, int lanes, const Point &from)>;
  Move intoPatch(const Field &field, PatchElement row);
  /// ... to where a row of the plane stays until it is taken in so many turns ahead.
  Move ahead(const Field &field, const Index &turns, const Index &row);
  std::vector<Index> comingAt(const Index &turns, const Index &row, int first) const;
  /// Moves the thread's part of a plane, as it stands at level 0 but for numbers outside and
  /// factors.
  void loadPlane(Body &body, const Field &field, const Index &plane,
                 llvm::function_ref<Move(const Index &row)> moveOf);
  /// The same where pieces beyond the ends of a row are images of others.
  void loadImages(Body &body, const Field &field, const Index &plane,
                  llvm::function_ref<Move(const Index &row)> moveOf);
  /// Points between those from `first` to `last` and the nearest end that they have to do with,
  /// below 0 if there is one; null if the axis has no ends.
  Index roomAlong(unsigned axis, const Index &first, const Index &last);
  /// Of which that is the least. `isWithin`: of points that are all to be of the grid, whatever it
  /// is that they have to do with an end.
  std::vector<Index> roomsAlong(unsigned axis, const Index &first, const Index &last,
                                bool isWithin);
  static Index least(llvm::ArrayRef<Index> rooms);
  /// Appends what is done where there is less than no room.
  void where(Body &body, const Index &room, llvm::function_ref<void(Body &)> append) const;
  /// Puts what stands outside in place of what memory has there, at level 0: numbers, mirrors'
  /// factors. A temp's numbers, in place of what was made there.
  void replaceOutside(Body &body, const Field &field, const Index &level);
  Value orOutside(const Field &field, const Point &point, Value value);
  /// Where a point is updated as far as an axis says; else it keeps its value from level to level.
  Box keptUnless(const Field &field, unsigned axis, const Point &point);
  /// Gives the points of the newest plane their values of the level below which keep them by an
  /// axis.
  void keep(Body &body, const Index &level, const Field &field, unsigned axis);
  /// True if the points that are kept by an axis are known to be of the outermost threads, so that
  /// selects do, without a branch. Where one text does for all turns on three axes, they are
  /// of 4 bytes each: so it was measured to be faster.
  bool keepsBySelects(unsigned axis) const;
  /// Does that for what a stage has made of a level.
  void keepOutermost(Body &body, unsigned stage, const Index &level);
  void keepOutermost(Body &body, const Index &level, const Field &field, unsigned axis);
  /// ... by the axes beside the march.
  void keepBeside(Body &body, unsigned stage, const Index &level);
  /// The value that a point of the newest plane of a level keeps; in a march by planes it came in
  /// at that place.
  Value kept(const Index &level, const Field &field, const Index &row, const Index &i,
             const Index &place = nullptr);
  /// Names the address of the thread's first point of a plane.
  void letPointer(Body &body, llvm::StringRef name, const Field &field, TimeLevel level,
                  const Index &plane);
  /// Copies the planes beyond the ends of the march that see the plane which a level has just got.
  void copyBeyondEnds(Body &body, const Index &level, const Field &field);
  /// Corrects what a patch around a thread's points has beyond the ends of the other axes: those
  /// that fit, or the others.
  /// The cells around a thread's points that reads of the plane need across an axis.
  std::pair<int, int> cellsAcross(const MarchReach::Plane &plane, unsigned axis) const;
  void foldEnds(Body &body, const MarchReach::Plane &plane, unsigned around, const Index &level,
                bool isFit);
  /// Beyond this end stands a number, which no tile needs points for.
  bool isFolded(const Field &field, unsigned axis, Side side) const;
  void foldNumber(Body &body, unsigned axis, Side side, const MarchReach::Plane &plane,
                  unsigned around, const Index &level);
  void foldEnd(Body &body, unsigned axis, Side side, const MarchReach::Plane &plane,
               unsigned around, const Index &level);
  /// Where a mirror's factor applies to a point as far as other axes go: not beyond their ends that
  /// have numbers, which stand there already.
  Box isNoNumber(const Field &field, unsigned axis, const Point &point) const;
  /// The turn's plane of a field's rims that shows a plane read for the one that is made, which an
  /// end of the march may mirror.
  Index shownAt(const MarchReach::Plane &plane, const Index &made) const;
  /// Applies the factor of a mirror at the first plane to such a row around a thread's points.
  void scaleBeyondEnd(Body &body, const Index &made, const MarchReach::Plane &plane,
                      unsigned around, int row);
  /// Where a level has the plane of this age: planes stay in their places, which take turns.
  Index slot(int age) const {
    return turns() == 1 ? constant(0) : remainder(add(phase, reach.oldest - age), turns());
  }
  /// Turns of a round, after which planes stand where they stood.
  int turns() const { return goesByPlanes() ? 1 : reach.slots() - !sums.empty(); }
  /// The plane that a stage makes of a level.
  Index madeAt(unsigned stage, const Index &level) const {
    return add(z, add(scale(level, -reach.lag), -reach.behind(stage)));
  }
  /// The newest plane of a level.
  Index newestOf(const Field &field, const Index &level) const {
    return add(z, add(scale(level, -reach.lag), reach.ahead(field.stage)));
  }
  /// The plane that comes in the first turn.
  Index firstPlane() const { return add(begin, levels * reach.lowest - reach.lead); }
  bool hasOneStage() const { return stencil.stages.size() == 1; }
  /// Names the point nearest to one of the tile at which an update is made.
  Point within(Body &body, const Point &point);
  /// On a periodic axis, points beyond the ends have the positions of those that they are images
  /// of.
  bool mapsPosition(unsigned axis) const {
    return ofSteps.asksPosition(axis) && isPeriodic(stencil, axis);
  }
  /// x, or y and x, behind a plane.
  Point pointOf(Index plane, const Index &row, Index pointX) const;

  const Stencil &stencil;
  const StepFormula &formula;
  const Schedule &schedule;
  const bool isFitting, isAligned;
  const std::vector<Row> ways;
  const unsigned rank;
  const MarchReach reach;
  const int levels, rows, points, warps; ///< rows and points of a thread
  const int blocks;                      ///< that have a tile together
  /// Planes ahead are copied to places in shared memory that a thread has to itself: they take no
  /// registers. Where warps stand alone and show nothing, they stay in registers.
  const bool keepsComingShared;
  KernelBuilder builder;
  const StageArrays arrays;
  const StepValues ofSteps;
  const Area around; ///< all updates
  bool keepsLate = false;
  /// Turns that have nothing to do with ends have a text of their own. Those that show two rows at
  /// each rim were measured to be a little faster without.
  bool partsTurns = false;
  std::vector<Field> fields;
  std::vector<Sum> sums;
  std::vector<std::vector<Sum>> sumsByPlane; ///< up to each but the highest, from the lowest on
  std::vector<MarchReach::Plane> seen;       ///< of which a patch holds what is around the points
  std::vector<unsigned> surroundings;        ///< patches, by `seen`
  int comingPlaces = 0;                      ///< planes in the tile Field::coming
  Body body;
  Index x, y, begin, end, turn, phase = constant(0), z;
  Index part, seam; ///< of blocks that have a tile together: which one, the warp at the other
  std::pair<Index, Index> storedX, storedY; ///< what the tile stores, if it lies in an area
  std::array<Index, kMaxRank> roomOf;       ///< along each axis, null where there are no ends
  Index roomBeside;                         ///< along all but the first: 0, or less than none
  Index room;                               ///< along all, or 0
  Index roomOfTile;                         ///< of all points of the tile: 0, or less than none
  /// What is appended is of turns of which no plane, or nothing of the tile, is at an end.
  bool withinPlanes = false, withinTile = false;
};

} // namespace stencilc
