// The tiles of the distance matrix that blocks of threads work on, and who holds what of them.
#pragma once

#include "Panels.h"

namespace stencilc::apsp::device {

/// The shape of a tile in words: warps of 4 x 8 threads, each with Micro x Micro words.
template <int Micro, int WarpRows, int WarpColumns, int Resident> struct TileShape {
  static constexpr int micro = Micro, warpRows = WarpRows, warpColumns = WarpColumns;
  static constexpr int rows = WarpRows * Micro * 4, columns = WarpColumns * Micro * 8;
  static constexpr int threads = WarpRows * WarpColumns * 32;
  static constexpr int residentBlocks = Resident; ///< that registers must allow on one SM
};

/// Which tiles a launch makes. While the product of some pivots is under way, the columns of the
/// next ones can be closed already, given that their rows and columns, the cross, are made first.
enum class Part { All, Cross, AllButCross };

struct Region {
  Part part;
  int tileRows, tileColumns;     ///< of the matrix
  int crossRow, crossRows;       ///< tile rows of the cross
  int crossColumn, crossColumns; ///< tile columns of the cross
  int closedBegin, closedEnd;    ///< columns of the matrix that are finished for these pivots

  STENCILC_APSP_BOTH int tiles() const {
    const int outside = (tileRows - crossRows) * (tileColumns - crossColumns);
    return part == Part::All           ? tileRows * tileColumns
           : part == Part::AllButCross ? outside
                                       : tileRows * tileColumns - outside;
  }
  /// The tile with the given number, from 0 on.
  STENCILC_APSP_BOTH void find(int number, int &row, int &column) const {
    const int width = part == Part::AllButCross ? tileColumns - crossColumns : tileColumns;
    if (part == Part::Cross && number >= width * crossRows) {
      number -= width * crossRows;
      row = number / crossColumns;
      column = crossColumn + number % crossColumns;
      row += row >= crossRow ? crossRows : 0;
      return;
    }
    row = number / width;
    column = number % width;
    if (part == Part::Cross)
      row += crossRow;
    if (part == Part::AllButCross) {
      row += row >= crossRow ? crossRows : 0;
      column += column >= crossColumn ? crossColumns : 0;
    }
  }
  STENCILC_APSP_BOTH bool isClosed(int column, int columns) const {
    return column >= closedBegin && column + columns <= closedEnd;
  }
};

/// A thread's patch as quads of four neighbouring words of a row. On the ordinary pipes: groups of
/// four rows 16 apart, and in each row groups of four words 32 apart.
template <class Shape> struct PatchLayout {
  static constexpr int groups = Shape::micro / 4, quads = Shape::micro * groups;

  STENCILC_APSP_DEVICE static int firstRow() {
    return threadIdx.x / 32 % Shape::warpRows * Shape::micro * 4 + threadIdx.x % 32 / 8 * 4;
  }
  STENCILC_APSP_DEVICE static int firstWord() {
    return threadIdx.x / 32 / Shape::warpRows * Shape::micro * 8 + threadIdx.x % 8 * 4;
  }
  /// Of a quad, relative to the first one.
  STENCILC_APSP_BOTH static constexpr int row(int quad) {
    return quad / groups + quad / groups / 4 * 12;
  }
  STENCILC_APSP_BOTH static constexpr int word(int quad) { return quad % groups * 32; }
};

/// A thread's patch of one tile of the distances.
template <class L, class Layout> class TilePatch {
public:
  using T = typename L::Value;
  static constexpr int quads = Layout::quads, perQuad = 4 * L::perWord;
  using Elements = Pack<T, perQuad>;

  /// The tile's first row and column.
  template <class Shape>
  STENCILC_APSP_DEVICE TilePatch(const Panels<L> &panels, Shape, int tileRow, int tileColumn)
      : panels(panels), firstRow(tileRow + Layout::firstRow()),
        firstColumn(tileColumn + Layout::firstWord() * L::perWord),
        isWhole(panels.aligned && tileRow + Shape::rows <= panels.n &&
                tileColumn + Shape::columns * L::perWord <= panels.n) {}

  STENCILC_APSP_DEVICE int row(int quad) const { return firstRow + Layout::row(quad); }
  STENCILC_APSP_DEVICE int column(int quad) const {
    return firstColumn + Layout::word(quad) * L::perWord;
  }

  /// Hands the distances to take(quad, elements); those outside of the matrix are zero().
  template <class Take> STENCILC_APSP_DEVICE void load(Take take) const {
    if (isWhole) {
#pragma unroll
      for (int quad = 0; quad < quads; ++quad)
        take(quad, *reinterpret_cast<const Elements *>(at(quad)));
    } else {
#pragma unroll
      for (int quad = 0; quad < quads; ++quad)
        take(quad, loadOne(quad));
    }
  }
  /// Keeps what make(quad, elements) puts into `elements`.
  template <class Make> STENCILC_APSP_DEVICE void store(Make make) const {
    Elements elements;
    if (isWhole) {
#pragma unroll
      for (int quad = 0; quad < quads; ++quad) {
        make(quad, elements);
        *reinterpret_cast<Elements *>(at(quad)) = elements;
      }
    } else {
#pragma unroll
      for (int quad = 0; quad < quads; ++quad) {
        make(quad, elements);
        storeOne(quad, elements);
      }
    }
  }
  /// Lets change(quad, elements) work on the distances; those for which it returns true are kept.
  template <class Change> STENCILC_APSP_DEVICE void exchange(Change change) const {
    constexpr int batch = 4; // read before the first of them is written
    static_assert(quads % batch == 0);
#pragma unroll
    for (int first = 0; first < quads; first += batch) {
      Elements elements[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q)
        elements[q] = loadOne(first + q);
#pragma unroll
      for (int q = 0; q < batch; ++q)
        if (change(first + q, elements[q]))
          storeOne(first + q, elements[q]);
    }
  }
  /// Begins to bring the distances into the L2.
  STENCILC_APSP_DEVICE void prefetch() const {
    if (threadIdx.x % 8 == 0)
#pragma unroll
      for (int quad = 0; quad < quads; ++quad)
        if (row(quad) < panels.n && column(quad) < panels.n)
          prefetchToL2(at(quad));
  }

private:
  STENCILC_APSP_DEVICE Elements loadOne(int quad) const {
    if (isWhole)
      return *reinterpret_cast<const Elements *>(at(quad));
    return device::load<perQuad>(at(quad), column(quad), row(quad) < panels.n ? panels.n : 0,
                                 panels.aligned, L::A::zero());
  }
  STENCILC_APSP_DEVICE void storeOne(int quad, const Elements &elements) const {
    if (isWhole)
      *reinterpret_cast<Elements *>(at(quad)) = elements;
    else if (row(quad) < panels.n)
      device::store(at(quad), column(quad), panels.n, panels.aligned, elements);
  }
  STENCILC_APSP_DEVICE T *at(int quad) const {
    return panels.distanceAt(firstRow, firstColumn) + Layout::row(quad) * panels.pitch +
           Layout::word(quad) * L::perWord;
  }

  const Panels<L> &panels;
  const int firstRow, firstColumn;
  const bool isWhole; ///< wholly within the matrix, and its quads may be moved at once
};

} // namespace stencilc::apsp::device
