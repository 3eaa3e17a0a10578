// TileLayers: what of a stage's reads is kept in shared tiles, and what in registers.
//
// A layer is one array at one level. What a stage reads of it away from the point, along axes on
// which a block has several threads, comes from a tile: the points of the block and those around it
// that are read. In a march a tile holds as many planes as such reads see at once. What is read at
// the point's own place in several planes, and not all of it in the tile, rides in a queue of
// registers, if the march keeps any. All else comes from memory: arrays with fewer axes than the
// stencil, those whose ends differ too much (TileCells), and planes that no thread of the block
// stands on.
#pragma once

#include "codegen/lower/PeeledPlanes.h"

#include "ir/kernel/Schedule.h"
#include "ir/stencil/StencilFacts.h"

namespace stencilc {

/// How a tile is filled.
enum class TileStyle {
  Turns,     ///< all threads load the whole tile, cell by cell
  Rim,       ///< each thread its own cell, those at the rim of the block what lies beyond it
  Diagonal,  ///< each thread the cells at the corners of its neighbourhood, which overlap
  HaloWarps, ///< each thread its own cell, warps of their own what lies beyond the block
  OwnRows    ///< the same for the ends of rows; rows beyond the block are not in the tile
};

/// By this flag rows of tiles are longer than what they hold, where threads of a warp that stand in
/// several of them then ask for different banks.
inline constexpr llvm::StringLiteral kPaddedFlag = "padded";

/// How a block lies on the axes of a stencil.
struct TileShape {
  TileShape(const Stencil &stencil, const Schedule &schedule);

  unsigned rank;
  TileStyle style;
  bool marches;                     ///< threads go along axis 0
  bool keepsColumns;                ///< ... and keep what they will read again
  bool isPadded;                    ///< rows of tiles are, for the sake of banks
  std::array<int, kMaxRank> points; ///< of a block in one plane, per axis
  bool isTiled(unsigned axis) const { return points[axis] > 1; }
  /// Whether a tile holds points beyond the block along the axis.
  bool hasMargin(unsigned axis) const {
    return isTiled(axis) && (style != TileStyle::OwnRows || axis + 1 == rank);
  }
};

struct TileLayer {
  Read base;                   ///< at offset 0
  std::vector<Offset> reads;   ///< away from the point's own place
  int lowest = 0, highest = 0; ///< planes of the tile, relative to the point's
  Widths margin = {};          ///< of the tile around the block
  int padding = 0;             ///< of the tile's rows, in elements
  unsigned tile = 0;           ///< number in the kernel

  int planes() const { return highest - lowest + 1; }
  bool isOf(const Read &read) const { return read.array == base.array && read.level == base.level; }
  /// Elements of one plane along an axis.
  int width(const TileShape &shape, unsigned axis) const {
    return shape.points[axis] + margin[axis][Low] + margin[axis][High];
  }
  /// Of the tile, along each axis that it has, with room for so many planes.
  std::vector<int> sizes(const TileShape &shape, int slots) const;
  /// True if some read goes beyond the block at exactly these ends (none: along that axis it does
  /// not), some block's thread standing close enough.
  bool reachesBeyond(llvm::ArrayRef<std::optional<Side>> ends) const;
};

/// What threads keep in registers of a layer: its reads at the point's own place.
struct Column {
  Read base;
  int lowest, highest;
  unsigned queue = 0; ///< number in the kernel

  Read read(int plane) const;
  bool holds(const Read &read) const { return this->read(read.offset[0]) == read; }
  unsigned slot(int plane) const { return plane - lowest; }
};

struct TileLayers {
  TileLayers(const Stencil &stencil, llvm::ArrayRef<Read> reads, const TileShape &shape);

  const TileLayer *holding(const Read &read) const;
  const Column *columnOf(const Read &read) const;
  /// The planes of a chunk that a schedule wants outside of the loop, of a stage with this area.
  PeeledPlanes peeledBy(const Schedule &schedule, const Stencil &stencil, const Area &area,
                        llvm::ArrayRef<Read> reads) const;

  const TileShape shape;
  std::vector<TileLayer> tiles;
  std::vector<Column> columns;

private:
  /// Offsets are along axes of the tile, and of the march, alone.
  bool mayBeHeld(const Stencil &stencil, const Read &read) const;
  bool isOwn(const Read &read) const;
};

} // namespace stencilc
