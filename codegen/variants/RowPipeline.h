// RowPipeline: a kernel of two axes that makes several time steps in one march, warps holding
// successive ones.
//
// A block has a tile of whole rows of warps: each lane of every warp has the same few points of a
// row. Rows stream along the slowest axis in chunks, which lie in a ring in shared memory. In a
// turn all threads store the chunk that is finished; each warp takes the chunk that the warp before
// it left in the last turn, makes its steps of it, row by row, and leaves the result in its place;
// and all threads start to copy a chunk that a later turn begins with. The last warp has the first
// steps. One barrier a turn serves all steps.
//
// A row that comes in is the last that some row of the step needs: what the step has made of the
// rows before is kept in registers as partial values (PartialUpdates.h), so that no row is kept.
// Points beside a lane's come from its neighbours by shuffles. A step's result lags behind its rows
// by as many as updates read ahead.
//
// A block makes a chunk of a tile's rows; or some blocks share the chunks of some tiles, in equal
// parts, wherever one tile ends and the next begins: as many blocks as are resident at once, of
// which none then starts late or ends early. Rows of the tiles at ends, which take longer, may be
// shared by more.
//
// Tiles overlap by what is not right after the last step. Points outside the area of the updates
// keep their values from step to step: where such points lie, they stand at the same few places in
// a lane, whatever the extent, since a tile at the end of a row moves its lanes left until they do.
// Beyond ends that clamp they take the nearest point's instead, in each step: beside a row as it
// comes in, where ends may mirror it, too; before the first row, which is taken as often as rows
// are read before it; and behind the last one, which is kept where a later row's partial values
// would be. Turns in the middle of a march ask nothing about its ends, those of tiles inside
// nothing at all.
//
// Const arrays stay in memory: each step reads of them what it needs for the points that it makes.
#pragma once

#include "codegen/lower/StageArrays.h"
#include "codegen/variants/FusedState.h"
#include "codegen/variants/PartialUpdates.h"
#include "codegen/variants/PipelineShape.h"
#include "codegen/variants/StepValues.h"

namespace stencilc {

class RowPipeline {
public:
  /// `isAligned`: pieces of rows are moved as vectors, which every row of every field must allow.
  /// The first tile owns points from one of `begins` on.
  RowPipeline(const FusedState &state, const Schedule &schedule, bool isAligned,
              std::vector<int> begins);

  /// Adds the kernel to the program; the launch that makes schedule.fuse steps, of tiles from the
  /// least of `begins` on.
  Launch addTo(Program &program);
  int bytesOfPieces() const;
  /// The buffers that they are moved from and to.
  std::vector<unsigned> movedBuffers() const;
  /// Grids of fewer points a row are left to other kernels.
  int64_t leastWidth() const;
  int64_t leastHeight() const; ///< likewise, of rows

private:
  /// Where a value that waits for a row stands: an element of a patch, for each step and point.
  struct Kept {
    std::optional<ExprId> id; ///< none: it only keeps points outside the area
    ScalarType type;
    unsigned patch = 0;
    int slot = 0;
  };
  struct Field {
    unsigned array = 0;      ///< of the stencil
    bool isPrevious = false; ///< it has the level before of another field
    int lanes = 1;           ///< elements of a piece
    unsigned ring = 0;       ///< tile: slot, row, point
    unsigned around = 0;     ///< patch: a lane's points of a row and those beside them
    unsigned made = 0;       ///< patch: a step's result
    unsigned leaving = 0;    ///< patch: a piece on its way out
    std::vector<unsigned>
        carriers;      ///< by plane from 0 on: number of what keeps points, if some are
    unsigned last = 0; ///< after plane -1: number of what keeps the last row
  };
  /// What a turn has to ask about.
  struct Ends {
    bool ofRows;  ///< its tile holds ends of rows
    bool ofMarch; ///< its rows may lie at the ends of the march
  };

  void makeFields();
  void makeKept();
  /// The march of a block, or one after the other those of the tiles of which it has rows.
  void appendMarches(const std::vector<Index> &origin);
  /// Rows of the blocks before this one of those that share chunks, all tiles' behind one another.
  Index rowsBefore(const Index &number) const;
  /// Of a march through rows of a tile that owns points from `ownX` on; no end: through a chunk.
  void nameCoordinates(const Index &ownX, const Index &firstRow, const Index &endRow);
  void appendStart();
  void appendMarch();
  Body turns(const Index &from, const Index &to, Ends ends);
  void takeIn(Body &body, const Index &chunk, Ends ends);
  /// A point of a tile at ends of rows, wherever it lies.
  void copyPoint(Body &body, const Field &field, const std::vector<Index> &to, const Point &point,
                 Ends ends);
  void leave(Body &body, Ends ends);
  /// Pieces of a row that a thread stores at most.
  int piecesOfThread(const Field &field) const;
  void loadPiece(Body &body, const Field &field, PatchElement to, std::vector<Index> from) const;
  Statement storePiece(const Field &field, Point to, PatchElement from) const;
  void advance(Body &body, Ends ends);
  void makeStep(Body &body, const Index &newest, const Index &step, Ends ends);
  /// What a row that has come adds to partial values of points for which it is plane `highest` or a
  /// lower one; those that it completes are made.
  void takeRow(Body &body, int highest, const Index &newest, const Index &step, Ends ends);
  bool clamps(const Field &field, unsigned axis, Side side) const;
  /// Gives points of the newest row that lie beyond its ends what those see.
  void foldRow(Body &body, const Field &field, const Index &newest, Ends ends);
  /// Fields that clamp behind the last row: takes it in place of one that lies there; keeps it.
  void takeLast(Body &body, const Index &newest, const Index &step);
  void keepLast(Body &body, const Index &newest, const Index &step);
  void keepOutside(Body &body, int plane, const Index &newest, const Index &step, Ends ends);
  void moveRow(Body &body, const Field &field, bool isLoad, const std::vector<Index> &at);
  /// All threads in turn have the pieces of a row.
  void forEachPiece(Body &body, int lanes, llvm::function_ref<void(Body &, const Index &)> append);
  /// Names the point nearest to this one at which an update is made.
  Point within(Body &body, const Point &point);
  /// On a periodic axis, points beyond the ends have the positions of those that they are images
  /// of.
  bool mapsPosition(unsigned axis) const {
    return ofSteps.asksPosition(axis) && isPeriodicAlong(axis);
  }
  /// Values over time, of the steps that a thread's warp holds.
  void loadValues();
  Value outside(const Field &field, const Point &point);
  Point placeOf(const Field &field, Point point) const;

  /// Names an index of one body.
  Index name(Body &body, llvm::StringRef wanted, Index value);
  ScalarType typeOf(const Field &field) const { return stencil.arrays[field.array].type; }
  Value element(ScalarType type, unsigned patch, std::vector<Index> at) const;
  Value kept(const Kept &state, const Index &step, const Index &i) const;
  llvm::ArrayRef<Kept> keptAfter(int plane) const { return states[plane - partial.lowest]; }
  bool isPeriodicAlong(unsigned axis) const { return isPeriodic(stencil, axis); }
  /// Places in a lane at which points outside the area may matter, by end.
  std::vector<int> placesOutside(Side side) const;

  const Stencil &stencil;
  const Stage &stage;
  const StepFormula &formula;
  const Schedule &schedule;
  const bool isAligned;
  const std::vector<int> begins;
  const PipelineShape shape;
  const MarchReach reach;
  const PartialUpdates partial;
  KernelBuilder builder;
  const StageArrays arrays;
  const StepValues ofSteps;
  const Area area; ///< of all updates
  PointBox bounds; ///< the same
  std::vector<Field> fields;
  std::vector<std::vector<Kept>> states; ///< by plane
  Body body;
  /// The first points of the tile and of its lanes, which may stand further left; what it owns.
  Index tileX, left, ownBegin, ownEnd;
  Index x, begin, end, first, turn, thread;
  Index before; ///< steps of the pass that other warps make before those of the thread's
};

} // namespace stencilc
