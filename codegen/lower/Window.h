// Window: the elements of one array, at one time level, that the points of a thread read, as a
// patch of registers: which they are, and when a march loads them.
//
// A thread has a patch of points to itself, `columns` along the contiguous axis and `rows` along
// the next one, and may march along the slowest axis, plane by plane. What it reads of an array
// lies in planes, rows and columns around its first point; planes are counted from the one that is
// being made. A cell is a row of a plane, cut into what lies west of the points' columns, in them
// and east of them. A cell that is read at several planes is loaded at the highest, and waits in
// the registers of that slice, then of the one below, until the lowest is done with it.
#pragma once

#include "ir/kernel/Index.h"
#include "ir/stencil/StencilFacts.h"

#include <map>
#include <set>

namespace stencilc {

/// Elements of this type that a thread with so many columns moves at once: 8 or 16 bytes, or 1.
int lanesFor(ScalarType type, int columns);

/// How the points of a thread lie.
struct PatchShape {
  int columns = 1, rows = 1;
  bool marches = false;
  int ahead = 0;        ///< planes that the thread's own columns are loaded before they are needed
  bool isWhole = false; ///< all columns and rows of a thread are points that are made

  // The axes that planes, rows and columns are counted along, where the stencil has them.
  std::optional<unsigned> planeAxis, rowAxis;
  unsigned columnAxis = 0;
};
PatchShape patchShape(unsigned rank, std::array<int, 2> pointsPerThread, bool marches, int ahead);

enum class Segment { West, Centre, East };

/// Cells that are alike: some planes and rows, and the columns of them that are read.
struct Cells {
  int plane, planes; ///< the first, and how many
  int row, rows;
  Segment segment;
  int from, to; ///< the first column and the last
};

class Window {
public:
  /// Of the reads of `array` at `level`. Vectors move `lanes` elements at once, if more than 1.
  Window(const Array &array, llvm::ArrayRef<Read> reads, const PatchShape &shape, int lanes,
         bool isLoadedAhead);

  /// The shape of the patch, axes of one element left out.
  std::vector<int> shape() const;
  /// The indices of an element, counted from the thread's first point.
  std::vector<Index> at(const Index &plane, const Index &row, const Index &column) const;

  // What to load before the march, but for what every turn loads, and everything where nothing
  // marches; and what in a turn. Only cells are joined that `kindOf` says the same of, by axis and
  // offset.
  using KindOf = llvm::function_ref<int(unsigned axis, int offset)>;
  std::vector<Cells> ofStart(KindOf kindOf) const;
  std::vector<Cells> ofTurn(KindOf kindOf) const;
  /// Of those of a turn, what a tile may hold (Around), and the others.
  std::vector<Cells> aroundOfTurn(KindOf kindOf) const;
  std::vector<Cells> restOfTurn(KindOf kindOf) const;
  bool isShifted() const { return isMarched && slices() > 1; }

  /// The vectors that load these columns, whole pieces from `from` on; none: one by one.
  struct Pieces {
    int from, lanes, count;
  };
  std::optional<Pieces> piecesOf(const Cells &cells) const;

  /// What a thread reads around its own points in the plane that is made alone: so many rows and
  /// columns beyond them. Columns are rounded up to whole vectors.
  struct Around {
    std::array<int, 2> rows = {}, columns = {}; ///< by side
    bool hasCorners = false;
  };
  /// None if there is nothing, or the thread's own columns of the next plane are not in registers
  /// when this one is made.
  std::optional<Around> around() const;
  int vectorLanes() const { return lanes; }

  /// True if the thread's own columns of a row of this plane are in registers once those that are
  /// loaded with it are: before a march, or in a turn.
  bool holdsColumns(int plane, int row, bool isTurn) const;
  /// The furthest that a read reaches along an axis.
  int reach(unsigned axis, Side side) const { return reaches[axis][side]; }

private:
  struct Need {
    int lowest, highest; ///< planes
    std::set<int> planes;
    int from, to; ///< columns
    int ahead = 0;
  };
  using Planes = std::vector<int>;

  bool isOwn(Segment segment, int row) const {
    return segment == Segment::Centre && row >= 0 && row < patch.rows;
  }
  bool isAround(Segment segment, int row, const Need &cell) const {
    return !isOwn(segment, row) && cell.lowest == 0 && cell.highest == 0;
  }
  int slices() const { return highestSlice - lowestSlice + 1; }
  std::optional<Pieces> piecesOf(Segment segment, int from, int to) const;
  /// Only those around the points as a tile may hold them, or only the others, if that is said.
  std::vector<Cells> join(llvm::function_ref<Planes(const Need &)> planesOf, KindOf kindOf,
                          std::optional<bool> ofAround = {}) const;
  Planes planesOfTurn(const Need &cell) const {
    return isMarched ? Planes{cell.highest + cell.ahead} : Planes();
  }

  const PatchShape patch;
  const int lanes;
  bool isMarched = false;
  std::map<std::pair<Segment, int>, Need> needs; ///< by segment and row
  int lowestSlice = 0, highestSlice = 0, firstRow = 0, lastRow = 0, firstColumn = 0, lastColumn = 0;
  Widths reaches = {};
};

} // namespace stencilc
