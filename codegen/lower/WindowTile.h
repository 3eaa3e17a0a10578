// WindowTile: what the threads of a block read around their points in the plane that is made, in
// shared memory.
//
// A thread has its own columns of several planes in registers. Before a plane is made, each puts
// those of it into the tile; what lies around the block is copied there from memory, boundaries
// applied. The tile has room for two planes: while one is read, the next one arrives where the one
// before was, which all warps have left at the barrier between, the only one of a plane. Where
// threads load their own columns planes ahead, the copies are as far ahead, in as many planes more.
#pragma once

#include "codegen/lower/StageKernel.h"
#include "codegen/lower/TileCells.h"
#include "codegen/lower/Window.h"

namespace stencilc {

/// A block's points: those of all its threads, by axis.
using BlockPoints = std::array<int, kMaxRank>;
BlockPoints pointsOfBlock(const Schedule &schedule, unsigned rank);

/// Refuses a schedule with tiles for which none has anything to hold, or whose tiles have no room.
llvm::Error checkTiles(const Stencil &stencil, const Schedule &schedule);

class WindowTile {
public:
  /// Bytes of shared memory.
  static int64_t bytes(const Window::Around &around, const BlockPoints &points,
                       const PatchShape &shape, ScalarType type);

  /// Of the window of `read`, kept in `patch`, which outlives this; its memory is the kernel's
  /// array `argument`. The march begins at the plane `begin`. What all planes have in common is
  /// named in `outer`.
  WindowTile(StageKernel &stage, const PatchShape &shape, const BlockPoints &points,
             const Window &window, unsigned patch, const Read &read, unsigned argument, Index begin,
             Body &outer);

  /// Sends what lies around the block in a plane on its way.
  void appendAround(Body &body, const Index &plane);
  /// Stores the thread's own columns, which registers have as those of the plane `distance` above
  /// the one that is made.
  void appendOwn(Body &body, const Index &plane, int distance);
  /// Takes cells of the plane that is made from the tile.
  void appendLoads(Body &body, const Index &plane, const Cells &cells);

private:
  /// A vector of cells that a thread brings in: where it lies in the tile and on the grid. Of the
  /// block's threads, the first `threads` have one.
  struct Piece {
    int threads = 0;
    Index row, column, y, x;
    Spot spotY;
    bool isAtOwnColumns = false; ///< at those of the block's points, which are on the grid
  };

  void nameRows(Body &outer);    ///< pieces above and below the block
  void nameColumns(Body &outer); ///< and beside it
  /// So many pieces, dealt to the block's threads; at rows, or columns, of its points, which are on
  /// the grid.
  void namePieces(Body &outer, int count, llvm::function_ref<Index(const Index &piece)> rowOf,
                  llvm::function_ref<Index(const Index &piece)> columnOf, bool isAtOwnRows,
                  bool isAtOwnColumns);
  void appendPiece(Body &body, const Index &plane, size_t number);
  /// Brings in a piece that is not on the grid as a whole, element by element.
  void appendOutside(Body &body, const Index &plane, const Piece &piece, std::vector<Spot> spots);
  /// What stands beyond all ends of rows and columns, if that is one number.
  std::optional<ExprId> outsideAll() const;
  Index slotOf(const Index &plane) const;
  Index threadIn(unsigned axis) const;

  StageKernel &stage;
  KernelBuilder &kernel;
  const PatchShape shape;
  const BlockPoints points;
  const Window &window;
  const Window::Around around;
  const unsigned patch;
  const Read read;
  const unsigned argument;
  const Index begin;
  unsigned tile;
  TileCells cells;
  Index thread;            ///< its number in the block
  Index ownRow, ownColumn; ///< of its first point, in the tile
  std::vector<Piece> pieces;
};

} // namespace stencilc
