// WindowLoads: what fills the windows of a thread's patch from memory, boundaries applied: whole
// pieces of rows by vectors, what lies partly beyond the end of a row element by element.
#pragma once

#include "codegen/lower/ReadSource.h"
#include "codegen/lower/StageKernel.h"
#include "codegen/lower/Window.h"
#include "codegen/lower/WindowTile.h"

namespace stencilc {

class WindowLoads {
public:
  /// Of the reads of `stage`, around `point`, the first of a thread, which is at least `leastX`
  /// along the contiguous axis. What is named once for all planes goes to `outer`.
  /// Windows that a tile may hold what lies around in share one by all threads of the block, if
  /// its points are given.
  WindowLoads(StageKernel &stage, const PatchShape &shape, Point point, int leastX, Body &outer,
              std::optional<BlockPoints> shared = {});

  /// Before a march: all that its first turn does not load. Without one: everything.
  /// `end` is that of the march.
  void appendStart(Body &body, const Index &end = nullptr);
  /// At the begin of a turn that makes the plane with this index; the last one is before `end`.
  void appendTurn(Body &body, Index plane, const Index &end);
  /// At its end: all planes move one down.
  void appendShifts(Body &body) const;
  bool movesPlanes() const;

  /// What the reads see around the point in row j and column i of the patch.
  ReadSource readsAt(Index j, Index i) const;

private:
  struct ArrayWindow {
    Read read; ///< of the array at its level, at no offset
    unsigned argument;
    Window window;
    unsigned patch;
    bool isLarge = false; ///< its loads are loops over all rows and planes that there are
    std::optional<WindowTile> tile = {};
  };
  /// How coordinates at an offset are treated: those treated alike are loaded by one loop.
  enum class Treatment { Plain, Low, High, HighCapped, Both, BothCapped };
  /// A coordinate that is looked at, and where memory is read for it.
  struct Place {
    Reach reach;
    Index at;
  };
  /// Where a cell lies on the grid, by axis, and in the window.
  struct Cell {
    std::array<Place, kMaxRank> places;
    Index plane, row;
  };
  using LoadCell = llvm::function_ref<void(Body &, const Cell &)>;

  const Array &arrayOf(const ArrayWindow &window) const;
  const ArrayArgument &argumentOf(const ArrayWindow &window) const;
  /// True if no point reads beyond this end: the elements there belong to points that are not made.
  bool endsReads(const ArrayWindow &window, unsigned axis, Side side) const;
  /// Points of a thread beside its first that are on the grid wherever that is.
  int ownBeside(unsigned axis) const;
  Treatment treatmentOf(const ArrayWindow &window, unsigned axis, int offset) const;
  bool joinsOwn(const ArrayWindow &window, unsigned axis, int above) const;
  /// What cells with equal numbers have in common: one loop loads them.
  int kindOf(const ArrayWindow &window, unsigned axis, int offset) const;
  /// True if both ends are alike, and all of a large window's offsets are treated so, too.
  bool joinsEnds(const ArrayWindow &window, unsigned axis) const;
  /// Of all that a loop over offsets loads.
  Treatment treatmentOfAll(const ArrayWindow &window, unsigned axis, int first, int count) const;
  Place placeOf(const ArrayWindow &window, unsigned axis, const Index &offset, Treatment) const;
  Place named(Body &names, const ArrayWindow &window, unsigned axis, int offset);
  Place inLoop(Body &turn, const ArrayWindow &window, unsigned axis, const Index &offset,
               Treatment treatment, const char *what);

  /// Appends to `loads`, and what it names beside loops to `names`.
  void append(Body &names, Body &loads, const ArrayWindow &window, const Cells &cells);
  void appendAll(Body &body, llvm::function_ref<std::vector<Cells>(const ArrayWindow &)> cellsOf);
  bool hasTiles() const;
  void eachTile(llvm::function_ref<void(WindowTile &)> visit);
  void appendAround(Body &body, const Index &plane, const Index &end);
  /// What the block's threads share: waits for this plane, brings in a later one and takes this.
  void appendTiles(Body &body, const Index &end);
  void append(Body &names, Body &loads, const ArrayWindow &window, const Cells &cells,
              llvm::ArrayRef<Window::Pieces> pieces);
  /// All segments of the rows of a large window at once.
  void appendRows(Body &names, Body &loads, const ArrayWindow &window, std::vector<Cells> &cells);
  void eachPlane(Body &names, Body &loads, const ArrayWindow &window, const Cells &cells,
                 LoadCell load);
  void eachRow(Body &loads, const ArrayWindow &window, const Cells &cells, Cell cell,
               LoadCell load);
  bool hasTwoOutsides(const ArrayWindow &window) const;
  bool hasFactors(const ArrayWindow &window) const;
  bool readsDiagonally(llvm::ArrayRef<Read> reads) const;
  bool hasOwnOutside(const ArrayWindow &window, unsigned axis, const Reach &reach) const;
  Box whole(const ArrayWindow &window, llvm::ArrayRef<Window::Pieces> pieces) const;
  void appendVectors(Body &body, const ArrayWindow &window, const Window::Pieces &pieces,
                     const Cell &cell) const;
  std::optional<int> clampedTo(const ArrayWindow &window, const Cells &cells) const;
  /// All columns take the value of one.
  void appendCopies(Body &body, const ArrayWindow &window, const Cells &cells, const Cell &cell,
                    int from);
  void appendElements(Body &body, const ArrayWindow &window, const Cells &cells, const Cell &cell);
  Value elementAt(const ArrayWindow &window, const Cell &cell);

  StageKernel &stage;
  KernelBuilder &kernel;
  const PatchShape shape;
  Point point;
  const int leastX;
  bool isTurn = false; ///< that loads are appended to
  Body &outer;
  std::vector<ArrayWindow> windows;
  /// Named coordinates: by axis, offset, boundary, treatment and the last point beyond the end.
  std::map<std::tuple<unsigned, int, BoundaryKind, Treatment, int>, Index> known;
};

} // namespace stencilc
