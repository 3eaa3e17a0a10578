// FusedLine: a kernel that makes several time steps of a stencil on one axis.
//
// Each warp of a block has a tile, and each lane some consecutive points of it in registers. All
// steps of a pass are made there: points beside a lane's own come from the lanes beside it, so no
// warp waits for another one. Tiles overlap: with every step more of a tile's rims is not right any
// more, and only what is right after the last one is stored.
//
// Of a step that has several stages, each makes its arrays from the state and from what those
// before it have made. What stands beyond an end that has a number, clamps or mirrors takes its
// place in a lane's registers each time that points around it are read. Points that are not updated
// keep their values from step to step, ghost points among them; on a periodic axis those beyond the
// ends are images of others, and updated like them.
#pragma once

#include "codegen/lower/StageArrays.h"
#include "codegen/variants/FusedState.h"
#include "codegen/variants/MarchReach.h"
#include "codegen/variants/StepValues.h"

namespace stencilc {

/// Tiles of a schedule for a stencil on one axis.
struct LineShape {
  LineShape(const Stencil &stencil, const Schedule &schedule);
  int beside;        ///< points that a stage reads beside one at most
  int warps, points; ///< of a block; of a lane
  int margin;        ///< points at each end of a tile that are not right after the last step
  int width() const;
  int right() const { return width() - 2 * margin; }
};

/// Why a schedule cannot be lowered for a stencil on one axis; success if it can.
llvm::Error checkLine(const Stencil &stencil, const Schedule &schedule);

class FusedLine {
public:
  /// `isAligned`: pieces of rows are moved as vectors, which all fields must allow. The first tile
  /// owns points from one of `begins` on.
  FusedLine(const FusedState &state, const Schedule &schedule, bool isAligned,
            std::vector<int> begins);

  /// Adds the kernel to the program; the launch that makes schedule.fuse steps, of tiles from the
  /// least of `begins` on.
  Launch addTo(Program &program);
  int bytesOfPieces() const;
  /// The buffers that they are moved from and to.
  std::vector<unsigned> movedBuffers() const;

private:
  /// A lane's points of an array and those beside them; on either side, how many are read.
  struct Row {
    unsigned patch = 0;
    std::array<int, 2> reads = {};
  };
  struct Field {
    unsigned array = 0, stage = 0; ///< of the stencil; that makes it
    bool isTemp = false;
    bool isPrevious = false; ///< it has the level before of another field
    Area area = {};          ///< of its update
    int lanes = 1;           ///< elements of a piece
    Row state, made;         ///< a temp has no state
  };

  void makeFields(const FusedState &state);
  void addReads();
  void takeIn();
  void makeStep(Body &body, const Index &step);
  void makeStage(Body &body, unsigned stage, const Index &step);
  std::vector<Value> valuesOf(Body &body, unsigned stage, const Index &step, const Index &i);
  /// Points outside the area of an update keep what the state has there.
  void keep(Body &body, const Field &field);
  /// Takes what lies beside a lane's points from other lanes, and what stands beyond the ends.
  void surround(Body &body, const Field &field, const Row &row);
  void foldEnd(Body &body, const Field &field, const Row &row, Side side);
  void store(const Field &field);

  /// Of a lane's points, those beside them counted.
  Value cell(const Field &field, const Row &row, const Index &at) const;
  Point pointAt(const Index &i) const { return {add(x, i)}; }
  ScalarType typeOf(const Field &field) const { return stencil.arrays[field.array].type; }
  void atEnds(Body &body, Body work) const;

  const Stencil &stencil;
  const StepFormula &formula;
  const Schedule &schedule;
  const bool isAligned;
  const std::vector<int> begins;
  const LineShape shape;
  const MarchReach reach;
  KernelBuilder builder;
  const StageArrays arrays;
  const StepValues ofSteps;
  const Area around; ///< all updates
  std::vector<Field> fields;
  Body body;
  Index tile, x;
  Index room; ///< of a lane's points before the ends: below 0, or enough; null on a periodic axis
};

} // namespace stencilc
