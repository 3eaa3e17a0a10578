// FusedTile: a kernel that makes two time steps of one stage with a tile in shared memory.
//
// This is TEMP of Maruyama & Aoki 2014. A block marches along the slowest axis, with a thread for
// each of its own points, of the rows around them and of what lies at the ends of all these rows.
// What a thread will read again at its own place rides in registers: planes of the state, and of
// what the first step has made of it. The tile holds one plane. A turn brings a plane of the state
// there, makes the first step of it, puts an earlier plane of that step in its place, and makes the
// second step of that, with a barrier behind each of these phases. Threads of all kinds go through
// one loop.
//
// The tile has no room for rows that only the first step of the rows around the block reads: those
// come from memory.
#pragma once

#include "codegen/lower/ReadSource.h"
#include "codegen/lower/StageArrays.h"
#include "codegen/variants/FusedState.h"
#include "codegen/variants/StepValues.h"

namespace stencilc {

/// By this flag two steps are fused so.
inline constexpr llvm::StringLiteral kFusedTileFlag = "tile";

struct FusedTileShape {
  FusedTileShape(const Stencil &stencil, const Schedule &schedule);

  int below = 0, above = 0;     ///< planes that are read before a point's own, and behind it
  int besideX = 0, besideY = 0; ///< points that are read on either side
  const int blockX, blockY;     ///< points that the block is for
  int width() const { return blockX + 4 * besideX; }
  int height() const { return blockY + 2 * besideY; }
  /// Cells of the tile beyond the block at the ends of its rows, and at those of the rows around.
  int ends() const { return 4 * besideX * blockY; }
  int corners() const { return 4 * besideX * besideY; }
  /// Which of the threads behind those of all rows has the first of the corners: whole warps.
  int firstCorner() const;
  /// Rows of threads, as long as those of the block.
  int threadRows() const;
};

/// Why a schedule cannot be lowered so for a state; success if it can.
llvm::Error checkFusedTile(const Stencil &stencil, const Schedule &schedule);

class FusedTile {
public:
  FusedTile(const FusedState &state, const Schedule &schedule);

  /// Adds the kernel to the program; the launch that makes two steps.
  Launch addTo(Program &program);

private:
  /// What a thread keeps of its own place: planes counted from the one that is read around.
  struct Column {
    unsigned queue = 0;
    int lowest = 0, highest = 0;
    unsigned slot(int plane) const { return plane - lowest; }
  };
  struct Field {
    unsigned array = 0;
    bool isPrevious = false; ///< it has the level before of another field
    bool isRead = false, isReadBeside = false;
    int above = 0;      ///< planes read behind a point's own
    Area area = {};     ///< of its update
    unsigned tile = 0;  ///< of what is read beside a point
    Column state, made; ///< the newest plane of what is made is ahead of the second step
  };
  /// Where a thread stands in a plane.
  struct Spot {
    Point point;
    Index cellX, cellY;
    Spot in(const Index &plane) const {
      Spot moved = *this;
      moved.point[0] = plane;
      return moved;
    }
  };
  /// Threads that stand in the tile by one rule; none, where no one is described by `who`.
  struct Group {
    Box who;
    Index cellX, cellY;
    Index x, y; ///< where they have a name that holds for all of the kernel
    Box makes;  ///< which of them make the first step, and of which planes
    Index madeBegin, madeEnd;
    bool readsRowsBeyond = false; ///< of those that the tile holds
  };
  using AxisSet = std::array<bool, kMaxRank>;

  void makeFields(const FusedState &state);
  /// `point`: where threads of the block's own rows stand.
  void makeGroups(const Point &point);
  Spot spotOf(Body &body, const Group &group, const Index &plane) const;
  /// Appends what those of a group do that are in a box, in a plane.
  void by(Body &body, const Group &group, Box which, const Index &plane,
          llvm::function_ref<void(Body &, const Spot &)> append) const;
  void appendStart();
  void appendTurn(Body &body, const Index &plane);
  /// Gives a plane of a field's column, counted from the spot, what the state has there.
  Statement takeIn(const Field &field, const Spot &spot, int plane);
  /// Puts what columns have at the thread's place into its cell.
  void show(Body &body, const Spot &spot, Column Field::*column);
  void showCorners(Body &body, const Spot &spot);
  void makeFirst(Body &body, const Group &group, const Spot &spot);
  void makeSecond(Body &body, const Spot &spot);
  /// What the state has at a place, boundaries applied along axes on which it may be off the grid.
  Value stateAt(const Field &field, const Spot &spot, AxisSet onGrid = {});
  /// Appends updates at a spot in a step, those of one area under one condition: `give` takes their
  /// values, `keep` is for points where they are not made.
  void append(Body &body, const Spot &spot, int step, const ReadSource &fieldReads,
              llvm::function_ref<bool(const Field &)> isWanted,
              llvm::function_ref<Statement(const Field &, Value)> give,
              llvm::function_ref<void(Body &, const Field &)> keep);
  /// Gives planes of the first step that lie beyond the ends of the march what is seen there.
  void copyBeyondEnds(Body &body, const Field &field, const Index &plane);

  const Field &fieldOf(unsigned array) const;
  Value inColumn(const Field &field, const Column &column, int plane) const;
  static Statement assign(const Column &column, int plane, Value value);
  Value inTile(const Field &field, Index cellY, Index cellX) const;
  ScalarType typeOf(const Field &field) const { return stencil.arrays[field.array].type; }

  const Stencil &stencil;
  const StepFormula &formula;
  const Schedule &schedule;
  const FusedTileShape shape;
  mutable KernelBuilder builder;
  const StageArrays arrays;
  const StepValues ofSteps;
  const Area updated; ///< by any update
  std::vector<Field> fields;
  /// The block's own points, the rows around them, the ends of the block's rows, those of the rows
  /// around: the warp groups of the paper.
  Group own, around, ends, corners;
  std::vector<std::pair<Index, Index>> places; ///< in memory, of own points, and their names
  Body body;
  Index cornerX, cornerY; ///< where the tile begins
  Index begin, end;
};

} // namespace stencilc
