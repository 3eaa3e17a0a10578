// TiledStage: a kernel that makes one stage with tiles in shared memory.
//
// Threads stand as in other variants, but none returns before the last barrier. In a march a turn
// loads the newest values of the columns that ride in registers, fills the newest plane of each
// tile, waits, updates the thread's point and, if the next turn stores where this one reads, waits
// again. Asynchronous copies are those of the next turn's plane, awaited a turn later.
#pragma once

#include "codegen/variants/TileFill.h"

namespace stencilc {

/// Planes that a tile has room for beyond those that a turn reads.
int sparePlanes(const Schedule &schedule);

class TiledStage {
public:
  TiledStage(StepLowering &step, unsigned part, const Schedule &schedule)
      : stage(step, part, schedule.variant, !schedule.hasFlag("plain")), builder(stage.builder),
        schedule(schedule), layers(step.stencil, stage.reads, {step.stencil, schedule}),
        shape(layers.shape),
        peeled(layers.peeledBy(schedule, step.stencil, stage.area, stage.reads)), cells(stage) {}

  void append();

private:
  TileBlock place();
  void makeTiles();
  void makeQueues();
  Box inside() const;
  /// The number in a layer's tile of the plane `distance` from one, if it holds several.
  Index slot(const TileLayer &layer, const Index &plane, int distance) const;
  int slots(const TileLayer &layer) const { return layer.planes() + sparePlanes(schedule); }
  /// Names them for the planes that a turn fills or reads.
  void nameSlots(Body &body, const Index &plane, TilePart part);
  Spot planeFrom(const Spot &plane, int distance) const;
  Value loaded(Body &body, const Column &column, const Spot &plane);
  std::vector<TileFill::Plane> newest(const Spot &plane, int ahead = 0) const;
  TileFill filling() { return {stage, layers, cells, block, copies()}; }
  bool copies() const { return schedule.hasFlag("async"); }
  ReadSource reads(GridReads memory, Index plane);
  /// What the threads of a part do; `barrier` is that of all parts.
  void appendPoint(Body &body, TilePart part, const Barrier &barrier);
  void appendFirstPlanes(Body &body, TileFill &fill, TilePart part);
  void appendFirstColumns(Body &body);
  void appendMarch(Body &body, const Index &end, TilePart part, const Barrier &barrier);
  void appendTurn(Body &body, TileFill &fill, const Spot &each, const MarchPart &planes,
                  const Index &end, TilePart part, const Barrier &barrier);
  void appendUpdates(Body &body, const Index &plane, std::array<bool, 2> isInside = {});
  void appendRoles(llvm::function_ref<void(Body &, TilePart, const Barrier &)> appendPart);
  std::string phaseOfFilling(TilePart part) const;
  const char *planeWord() const { return shape.rank == 2 ? "row" : "plane"; }

  StageKernel stage;
  KernelBuilder &builder;
  const Schedule &schedule;
  TileLayers layers;
  const TileShape &shape;
  const PeeledPlanes peeled;
  TileCells cells;
  TileBlock block;
  std::map<std::pair<int, int>, Index> turnSlots; ///< by slots, and planes from the lowest
  Point point;
  Body body;
};

} // namespace stencilc
