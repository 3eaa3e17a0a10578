// TileFill: how the threads of a block bring a plane of a layer into its tile.
#pragma once

#include "codegen/lower/TileCells.h"
#include "codegen/variants/TileLayers.h"

namespace stencilc {

/// Where a block stands.
struct TileBlock {
  std::vector<Spot> own; ///< of a thread, per axis; along the axis of a march that of its plane
  Point corner;          ///< its first point, per axis
};

/// Which threads are at work: all, or where warps have roles those that compute, and those that
/// bring in the rows and the ends of rows around the block.
enum class TilePart { All, Own, Rows, Columns };

class TileFill {
public:
  /// With `copies` what comes from memory is copied asynchronously.
  TileFill(StageKernel &stage, const TileLayers &layers, TileCells &cells, TileBlock block,
           bool copies)
      : stage(stage), builder(stage.builder), layers(layers), shape(layers.shape), cells(cells),
        block(std::move(block)), copies(copies) {}

  /// A plane of a layer: where it lies, and the tile's number for it if it holds several; `own` is
  /// the thread's own value there, if a register has it.
  struct Plane {
    const TileLayer *layer;
    Spot spot;
    Index slot;
    Value own;
  };
  /// Names the places along the axes of the tile that all planes have in common.
  void prepare(Body &body, TilePart part);
  /// Stores what a barrier lets all threads read, or starts to copy it.
  void append(Body &body, llvm::ArrayRef<Plane> planes, TilePart part);
  /// True if some tile holds more than the rows, or the row, of its block.
  bool hasRowsAround() const;

private:
  /// The part of a tile that lies beyond the block at these ends, one optional end per axis.
  using Ends = std::vector<std::optional<Side>>;
  /// Cells of a tile along each axis, from `begin`.
  struct Span {
    int begin, count;
  };
  using Cells = std::array<Span, kMaxRank>;

  void forEachPart(const TileLayer &layer, llvm::function_ref<void(const Ends &)> visit) const;
  Spot spotOf(const TileLayer &layer, unsigned axis, std::optional<Side> end) const;
  /// The cells beyond the block at one end of an axis, and as much of the others as asked for.
  Cells beyond(const TileLayer &layer, unsigned axis, Side side, bool withCorners) const;
  bool needsCorners(const TileLayer &layer) const;

  void store(Body &body, const Plane &plane, std::vector<Index> at, Value value);
  /// Brings what stands at a place into a cell.
  void bring(Body &body, const Plane &plane, std::vector<Index> at, TileCells &cells,
             llvm::ArrayRef<Spot> spots);
  std::vector<Spot> spotsIn(const Plane &plane) const;
  void ownCell(Body &body, const Plane &plane);
  void byRim(Body &body, const Plane &plane);
  void byDiagonals(Body &body, const Plane &plane);
  /// So many threads, of which this one has a number.
  struct Team {
    Index number;
    int threads;
  };
  /// They take one cell after the other.
  void inTurns(Body &body, llvm::ArrayRef<Plane> planes, const Cells &some, const Team &team);

  StageKernel &stage;
  KernelBuilder &builder;
  const TileLayers &layers;
  const TileShape &shape;
  TileCells &cells;
  const TileBlock block;
  const bool copies;
};

} // namespace stencilc
