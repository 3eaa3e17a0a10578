#include "codegen/lower/Window.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace stencilc;

int stencilc::lanesFor(ScalarType type, int columns) {
  constexpr int widest = 16; // bytes
  int lanes = std::min(int(llvm::bit_floor(unsigned(columns))), widest / int(sizeInBytes(type)));
  while (columns % lanes != 0)
    lanes /= 2;
  return lanes * int(sizeInBytes(type)) >= 8 ? lanes : 1;
}

PatchShape stencilc::patchShape(unsigned rank, std::array<int, 2> pointsPerThread, bool marches,
                                int ahead) {
  PatchShape shape{
      pointsPerThread[0], pointsPerThread[1], marches, ahead, /*isWhole=*/false, {}, {}, rank - 1};
  if (rank == kMaxRank || marches)
    shape.planeAxis = 0;
  if (rank > 1 && shape.planeAxis != rank - 2)
    shape.rowAxis = rank - 2;
  return shape;
}

Window::Window(const Array &array, llvm::ArrayRef<Read> reads, const PatchShape &shape, int lanes,
               bool isLoadedAhead)
    : patch(shape), lanes(lanes) {
  const auto has = [&](std::optional<unsigned> axis) { return axis && array.hasAxis(*axis); };
  isMarched = shape.marches && has(shape.planeAxis);
  const bool hasRows = has(shape.rowAxis);
  const bool hasColumns = array.hasAxis(shape.columnAxis);

  const auto need = [&](Segment segment, int row, int column, int plane) {
    auto [entry, isNew] = needs.try_emplace({segment, row}, Need{plane, plane, {}, column, column});
    Need &cell = entry->second;
    cell.lowest = std::min(cell.lowest, plane);
    cell.highest = std::max(cell.highest, plane);
    cell.planes.insert(plane);
    cell.from = std::min(cell.from, column);
    cell.to = std::max(cell.to, column);
  };
  for (const Read &read : reads) {
    for (unsigned axis : array.axes)
      for (unsigned side : {Low, High})
        reaches[axis][side] = std::max(reaches[axis][side], distance(read.offset[axis], side));
    const int plane = has(shape.planeAxis) ? read.offset[*shape.planeAxis] : 0;
    for (int j = 0; j < (hasRows ? shape.rows : 1); ++j)
      for (int i = 0; i < (hasColumns ? shape.columns : 1); ++i) {
        const int row = hasRows ? j + read.offset[*shape.rowAxis] : 0;
        const int column = hasColumns ? i + read.offset[shape.columnAxis] : 0;
        need(column < 0                ? Segment::West
             : column >= shape.columns ? Segment::East
                                       : Segment::Centre,
             row, column, plane);
      }
  }

  const auto &[anyPlace, any] = *needs.begin();
  lowestSlice = highestSlice = any.lowest;
  firstRow = lastRow = anyPlace.second;
  firstColumn = lastColumn = any.from;
  for (auto &[place, cell] : needs) {
    const auto [segment, row] = place;
    if (isLoadedAhead && isMarched && hasColumns && isOwn(segment, row))
      cell.ahead = shape.ahead;
    lowestSlice = std::min(lowestSlice, cell.lowest);
    highestSlice = std::max(highestSlice, cell.highest + cell.ahead);
    firstRow = std::min(firstRow, row);
    lastRow = std::max(lastRow, row);
    firstColumn = std::min(firstColumn, cell.from);
    lastColumn = std::max(lastColumn, cell.to);
    if (const std::optional<Pieces> pieces = piecesOf(segment, cell.from, cell.to)) {
      firstColumn = std::min(firstColumn, pieces->from);
      lastColumn = std::max(lastColumn, pieces->from + pieces->lanes * pieces->count - 1);
    }
  }
}

std::vector<int> Window::shape() const {
  std::vector<int> shape;
  for (int count : {slices(), lastRow - firstRow + 1, lastColumn - firstColumn + 1})
    if (count > 1)
      shape.push_back(count);
  return shape.empty() ? std::vector{1} : shape;
}

std::vector<Index> Window::at(const Index &plane, const Index &row, const Index &column) const {
  std::vector<Index> at;
  const auto append = [&](const Index &index, int first, int last) {
    if (first != last)
      at.push_back(add(index, -first));
  };
  append(plane, lowestSlice, highestSlice);
  append(row, firstRow, lastRow);
  append(column, firstColumn, lastColumn);
  return at.empty() ? std::vector{constant(0)} : at;
}

// ---- vectors ------------------------------------------------------------------------------------

std::optional<Window::Pieces> Window::piecesOf(const Cells &cells) const {
  return piecesOf(cells.segment, cells.from, cells.to);
}

std::optional<Window::Pieces> Window::piecesOf(Segment segment, int from, int to) const {
  if (lanes == 1)
    return std::nullopt;
  if (segment == Segment::Centre)
    return Pieces{0, lanes, patch.columns / lanes};
  // Beside the points one column needs no vector, and two of them a half.
  const int columns = segment == Segment::West ? -from : to + 1 - patch.columns;
  if (columns == 1)
    return std::nullopt;
  const int wide = columns == 2 ? 2 : lanes;
  const int count = (columns + wide - 1) / wide;
  return Pieces{segment == Segment::West ? -wide * count : patch.columns, wide, count};
}

std::optional<Window::Around> Window::around() const {
  if (!isMarched || lanes == 1)
    return std::nullopt;
  Around around;
  int ownRows = 0, ownHighest = 0, othersHighest = 0;
  for (const auto &[place, cell] : needs) {
    const auto [segment, row] = place;
    if (isOwn(segment, row)) {
      if (cell.lowest > 0 || cell.highest + cell.ahead < 1)
        return std::nullopt;
      ++ownRows;
      ownHighest = std::max(ownHighest, cell.highest);
      continue;
    }
    if (!isAround(segment, row, cell)) {
      othersHighest = std::max(othersHighest, cell.highest);
      continue;
    }
    around.rows[Low] = std::max(around.rows[Low], -row);
    around.rows[High] = std::max(around.rows[High], row + 1 - patch.rows);
    const auto widen = [&](Side side, int columns) {
      around.columns[side] = std::max(around.columns[side], (columns + lanes - 1) / lanes * lanes);
    };
    if (segment == Segment::West)
      widen(Low, -cell.from);
    if (segment == Segment::East)
      widen(High, cell.to + 1 - patch.columns);
    around.hasCorners |= segment != Segment::Centre && (row < 0 || row >= patch.rows);
  }
  const bool hasAny =
      around.rows[Low] + around.rows[High] + around.columns[Low] + around.columns[High] > 0;
  // What lies around the points in a plane above comes with the points in it.
  const bool isTogether = othersHighest <= ownHighest;
  return ownRows == patch.rows && hasAny && isTogether ? std::optional(around) : std::nullopt;
}

bool Window::holdsColumns(int plane, int row, bool isTurn) const {
  const auto cell = needs.find({Segment::Centre, row});
  if (lanes == 1 || cell == needs.end())
    return false;
  const Need &need = cell->second;
  return isMarched ? plane >= need.lowest && plane < need.highest + need.ahead + isTurn
                   : need.planes.count(plane) != 0;
}

// ---- what is loaded when ------------------------------------------------------------------------

static std::vector<int> consecutive(int first, int last) {
  std::vector<int> planes;
  for (int plane = first; plane <= last; ++plane)
    planes.push_back(plane);
  return planes;
}

std::vector<Cells> Window::ofStart(KindOf kindOf) const {
  return join(
      [&](const Need &cell) {
        return isMarched ? consecutive(cell.lowest, cell.highest + cell.ahead - 1)
                         : Planes(cell.planes.begin(), cell.planes.end());
      },
      kindOf);
}

std::vector<Cells> Window::ofTurn(KindOf kindOf) const {
  return join([&](const Need &cell) { return planesOfTurn(cell); }, kindOf);
}

std::vector<Cells> Window::aroundOfTurn(KindOf kindOf) const {
  return join([&](const Need &cell) { return planesOfTurn(cell); }, kindOf, true);
}

std::vector<Cells> Window::restOfTurn(KindOf kindOf) const {
  return join([&](const Need &cell) { return planesOfTurn(cell); }, kindOf, false);
}

std::vector<Cells> Window::join(llvm::function_ref<Planes(const Need &)> planesOf, KindOf kindOf,
                                std::optional<bool> ofAround) const {
  const auto kind = [&](std::optional<unsigned> axis, int offset) {
    return axis ? kindOf(*axis, offset) : 0;
  };
  std::map<std::tuple<int, Segment, int>, const Need *> cells; // by plane, segment and row
  for (const auto &[place, cell] : needs)
    if (!ofAround || *ofAround == isAround(place.first, place.second, cell))
      for (int plane : planesOf(cell))
        cells[{plane, place.first, place.second}] = &cell;

  // Rows of a plane first, then planes whose rows are alike; the newest planes come first.
  std::vector<Cells> joined;
  for (const auto &[place, cell] : llvm::reverse(cells)) {
    const auto [plane, segment, row] = place;
    const auto extends = [&, plane = plane, segment = segment, row = row,
                          cell = cell](const Cells &above) {
      return above.plane == plane && above.segment == segment && above.row == row + 1 &&
             above.from == cell->from && above.to == cell->to &&
             kind(patch.rowAxis, row) == kind(patch.rowAxis, above.row);
    };
    auto above = llvm::find_if(joined, extends);
    if (above == joined.end()) {
      joined.push_back({plane, 1, row, 1, segment, cell->from, cell->to});
    } else {
      --above->row;
      ++above->rows;
    }
  }
  std::vector<Cells> result;
  for (const Cells &cells : joined) {
    auto above = llvm::find_if(result, [&](const Cells &other) {
      return other.plane == cells.plane + 1 && other.segment == cells.segment &&
             other.row == cells.row && other.rows == cells.rows && other.from == cells.from &&
             other.to == cells.to &&
             kind(patch.planeAxis, cells.plane) == kind(patch.planeAxis, other.plane);
    });
    if (above == result.end()) {
      result.push_back(cells);
    } else {
      --above->plane;
      ++above->planes;
    }
  }
  return result;
}
