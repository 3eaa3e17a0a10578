// LoadedBox: loads, one after the other, of a box of points.
#pragma once

#include "codegen/print/AskedEnds.h"
#include "codegen/print/BentIndices.h"

namespace stencilc {

/// What a statement loads, from memory or from a tile, into a register or the slot of a queue.
struct PointRead {
  bool isSlot = false, isShared = false;
  unsigned target = 0, slot = 0; ///< the register; the queue and its slot
  unsigned source = 0;           ///< the array; the tile
  ScalarType type = {};
  std::vector<Index> index = {};
  std::vector<BentIndex> straight = {};      ///< the same, and what boundaries make of it
  AskedEnds ends = {};                       ///< what stands beyond others
  std::vector<IndexKey> place = {};          ///< of the latter, without the constants
  llvm::SmallVector<int64_t, 3> offset = {}; ///< those constants
};

/// An axis along which a box has several points.
struct Edge {
  unsigned axis, length;
  size_t stride; ///< reads from one point to the next
  Bend bend = {};

  unsigned along(size_t read) const { return read / stride % length; }
};

/// Statements, one after the other, that load a box of points, and name indices for that.
struct LoadedBox {
  const Statement *first;
  size_t count = 0; ///< of statements
  std::vector<PointRead> reads = {};
  std::vector<Edge> edges = {};          ///< innermost first
  std::optional<unsigned> slotEdge = {}; ///< along which the slots of queues lie
  AskedEnds ends = {};                   ///< of all reads
  unsigned patch = 0;
  std::optional<unsigned> layer = {}; ///< of a patch that several pieces fill

  /// True if it stands right behind the other one and fills as large a layer from the same source.
  bool isBehind(const LoadedBox &other) const;
  /// True if conditions stand around its loads.
  bool asks() const;
  /// The edges in the order of their axes, but for that of slots.
  std::vector<Edge> across() const;
};

/// The largest box that begins with these statements, none of few points. Locals are named as said.
std::optional<LoadedBox> loadedBoxAt(const Kernel &kernel, const NamedIndices &named,
                                     llvm::ArrayRef<Statement> statements);

} // namespace stencilc
