// TileFill: how the threads of a block bring a plane of a layer into its tile.
#pragma once

#include "codegen/variants/TileCells.h"
#include "codegen/variants/TileLayers.h"

namespace stencilc {

/// Where a block stands.
struct TileBlock {
  std::vector<Spot> own; ///< of a thread, per axis; along the axis of a march that of its plane
  Point corner;          ///< its first point, per axis
};

class TileFill {
public:
  TileFill(StageKernel &stage, const TileLayers &layers, TileCells &cells, TileBlock block,
           bool byRim)
      : stage(stage), builder(stage.builder), layers(layers), shape(layers.shape), cells(cells),
        block(std::move(block)), byRim(byRim) {}

  /// Names the places along the axes of the tile that all planes have in common.
  void prepare(Body &body);
  /// A plane of a layer: where it lies, and the tile's number for it if it holds several; `own` is
  /// the thread's own value there, if a register has it.
  struct Plane {
    const TileLayer *layer;
    Spot spot;
    Index slot;
    Value own;
  };
  /// Stores what a barrier lets all threads read.
  void append(Body &body, llvm::ArrayRef<Plane> planes);

private:
  /// The part of a tile that lies beyond the block at these ends, one optional end per axis.
  using Ends = std::vector<std::optional<Side>>;
  void forEachPart(const TileLayer &layer, llvm::function_ref<void(const Ends &)> visit) const;
  Spot spotOf(const TileLayer &layer, unsigned axis, std::optional<Side> end) const;
  void byThreadsAtTheRim(Body &body, const Plane &plane);
  void byTurns(Body &body, llvm::ArrayRef<Plane> planes);

  StageKernel &stage;
  KernelBuilder &builder;
  const TileLayers &layers;
  const TileShape &shape;
  TileCells &cells;
  const TileBlock block;
  const bool byRim;
};

} // namespace stencilc
