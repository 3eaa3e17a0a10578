#include "codegen/lower/WindowLoads.h"

#include "codegen/lower/TileCells.h"

#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace stencilc;

/// Windows of more reads are large: rows and planes before, in and behind the points, each with
/// what an end makes of them, are no more than one loop then. It costs a few integer instructions.
static constexpr size_t kMostAsTheyAre = 48;

WindowLoads::WindowLoads(StageKernel &stage, const PatchShape &shape, Point point, int leastX,
                         Body &outer, std::optional<BlockPoints> shared)
    : stage(stage), kernel(stage.builder), shape(shape), point(std::move(point)), leastX(leastX),
      outer(outer) {
  std::vector<std::pair<Read, std::vector<Read>>> byArray;
  for (const Read &read : stage.reads) {
    auto known = llvm::find_if(byArray, [&](const auto &entry) {
      return entry.first.array == read.array && entry.first.level == read.level;
    });
    if (known == byArray.end())
      byArray.push_back({{read.array, read.level, {}}, {read}});
    else
      known->second.push_back(read);
  }
  for (auto &[read, reads] : byArray) {
    const unsigned number = stage.arrays.argument(read.array, read.level);
    const ArrayArgument &argument = kernel.kernel.arrays[number];
    const bool isOfPieces = hasStrides(argument.layout);
    Window window(stage.stencil.arrays[read.array], reads, shape,
                  isOfPieces ? lanesFor(argument.type, shape.columns) : 1,
                  argument.access == Access::Read);
    const unsigned patch = kernel.patch(argument.name + "_near", argument.type, window.shape());
    windows.push_back({read, number, std::move(window), patch});
    const bool isLong = reads.size() > kMostAsTheyAre ||
                        (!shape.isWhole && hasFactors(windows.back()) && readsDiagonally(reads));
    windows.back().isLarge = isLong && !hasTwoOutsides(windows.back());
  }
  if (!shared)
    return;
  int64_t left = cuda::kMaxSharedBytesPerBlock;
  for (ArrayWindow &each : windows) {
    const std::optional<Window::Around> around = each.window.around();
    if (!around || argumentOf(each).access != Access::Read ||
        !TileCells::canHold(stage.stencil, each.read.array))
      continue;
    left -= WindowTile::bytes(*around, *shared, shape, argumentOf(each).type);
    if (left >= 0)
      each.tile.emplace(stage, shape, *shared, each.window, each.patch, each.read, each.argument,
                        this->point[*shape.planeAxis], outer);
  }
}

const Array &WindowLoads::arrayOf(const ArrayWindow &window) const {
  return stage.stencil.arrays[window.read.array];
}

const ArrayArgument &WindowLoads::argumentOf(const ArrayWindow &window) const {
  return kernel.kernel.arrays[window.argument];
}

// ---- cells --------------------------------------------------------------------------------------

void WindowLoads::eachPlane(Body &names, Body &loads, const ArrayWindow &window, const Cells &cells,
                            LoadCell load) {
  Cell cell;
  const unsigned x = shape.columnAxis;
  cell.places[x] = {{point[x]}, point[x]};
  cell.plane = constant(cells.plane);
  if (cells.planes == 1) {
    if (shape.planeAxis)
      cell.places[*shape.planeAxis] = named(names, window, *shape.planeAxis, cells.plane);
    return eachRow(loads, window, cells, cell, load);
  }
  const unsigned axis = *shape.planeAxis;
  kernel.unroll(loads, "plane", cells.plane, cells.plane + cells.planes,
                [&](Body &turn, const Index &plane) {
                  cell.plane = plane;
                  cell.places[axis] =
                      inLoop(turn, window, axis, plane,
                             treatmentOfAll(window, axis, cells.plane, cells.planes), "plane");
                  eachRow(turn, window, cells, cell, load);
                });
}

void WindowLoads::eachRow(Body &loads, const ArrayWindow &window, const Cells &cells, Cell cell,
                          LoadCell load) {
  cell.row = constant(cells.row);
  if (cells.rows == 1) {
    if (shape.rowAxis)
      cell.places[*shape.rowAxis] = named(outer, window, *shape.rowAxis, cells.row);
    return load(loads, cell);
  }
  const unsigned axis = *shape.rowAxis;
  kernel.unroll(loads, "row", cells.row, cells.row + cells.rows, [&](Body &turn, const Index &row) {
    cell.row = row;
    cell.places[axis] =
        inLoop(turn, window, axis, row, treatmentOfAll(window, axis, cells.row, cells.rows), "row");
    load(turn, cell);
  });
}

/// True if what is seen beyond the end is not what memory has somewhere.
bool WindowLoads::hasOwnOutside(const ArrayWindow &window, unsigned axis,
                                const Reach &reach) const {
  if (!reach.beyond)
    return false;
  if (endsReads(window, axis, *reach.beyond))
    return true;
  const Boundary &boundary = boundaryAt(arrayOf(window), axis, reach);
  return boundary.kind == BoundaryKind::Value ||
         (isBent(arrayOf(window), axis, reach) && boundary.factor != 1);
}

/// True if numbers stand beyond some ends, and none are read beyond others: values have a condition
/// for each, and addresses should be short.
bool WindowLoads::hasTwoOutsides(const ArrayWindow &window) const {
  std::set<bool> outsides;
  for (unsigned axis : arrayOf(window).axes)
    for (Side side : {Low, High})
      if (const bool ends = endsReads(window, axis, side);
          ends || hasOwnOutside(window, axis, {point[axis], side}))
        outsides.insert(ends);
  return outsides.size() == 2;
}

/// True if mirrors change what they show, at all ends that rows and planes may lie beyond: each at
/// an end has its own text for that.
bool WindowLoads::hasFactors(const ArrayWindow &window) const {
  return llvm::all_of(std::array{shape.planeAxis, shape.rowAxis}, [&](auto axis) {
    return axis && llvm::all_of(arrayOf(window).boundary[*axis], [](const Boundary &boundary) {
             return isMirror(boundary.kind) && boundary.factor != 1;
           });
  });
}

/// True if other planes are read in other rows: pieces of a star are a few, those of a box many.
bool WindowLoads::readsDiagonally(llvm::ArrayRef<Read> reads) const {
  return llvm::any_of(reads, [&](const Read &read) {
    return read.offset[*shape.planeAxis] != 0 && read.offset[*shape.rowAxis] != 0;
  });
}

Box WindowLoads::whole(const ArrayWindow &window, llvm::ArrayRef<Window::Pieces> pieces) const {
  const unsigned x = shape.columnAxis;
  const auto &ghost = argumentOf(window).ghost[x];
  const auto endOf = [](const Window::Pieces &each) { return each.from + each.lanes * each.count; };
  int first = pieces.front().from, last = endOf(pieces.front()) - 1;
  for (const Window::Pieces &each : pieces) {
    first = std::min(first, each.from);
    last = std::max(last, endOf(each) - 1);
  }
  Range range{point[x], nullptr, nullptr};
  if (leastX + first < -ghost[Low])
    range.lower = constant(-ghost[Low] - first);
  if (last - ownBeside(x) > leftOut(stage.area[x], High) + ghost[High])
    range.upper = add(extent(x), ghost[High] - last);
  return range.lower || range.upper ? Box{range} : Box{};
}

void WindowLoads::append(Body &names, Body &loads, const ArrayWindow &window, const Cells &cells) {
  const std::optional<Window::Pieces> pieces = window.window.piecesOf(cells);
  append(names, loads, window, cells,
         pieces ? llvm::ArrayRef(*pieces) : llvm::ArrayRef<Window::Pieces>());
}

/// By these pieces; by elements, if there are none, or where they do not lie in the row.
void WindowLoads::append(Body &names, Body &loads, const ArrayWindow &window, const Cells &cells,
                         llvm::ArrayRef<Window::Pieces> pieces) {
  const auto byElements = [&](Body &into, const Cell &cell) {
    appendElements(into, window, cells, cell);
  };
  if (pieces.empty())
    return eachPlane(names, loads, window, cells, byElements);
  const auto byVectors = [&](Body &into, const Cell &cell) {
    for (const Window::Pieces &each : pieces)
      appendVectors(into, window, each, cell);
  };
  const Box inRow = whole(window, pieces);
  const auto isOfMemory = [&](std::optional<unsigned> axis, int first, int count) {
    return !axis || !hasOwnOutside(window, *axis,
                                   placeOf(window, *axis, constant(first),
                                           treatmentOfAll(window, *axis, first, count))
                                       .reach);
  };
  if (isOfMemory(shape.planeAxis, cells.plane, cells.planes) &&
      isOfMemory(shape.rowAxis, cells.row, cells.rows)) {
    if (inRow.empty())
      return eachPlane(names, loads, window, cells, byVectors);
    If &branch = branchOn(loads, inRow);
    eachPlane(names, branch.then, window, cells, byVectors);
    const std::optional<int> clamped = clampedTo(window, cells);
    if (clamped)
      eachPlane(names, branch.otherwise, window, cells, [&](Body &into, const Cell &cell) {
        appendCopies(into, window, cells, cell, *clamped);
      });
    else
      eachPlane(names, branch.otherwise, window, cells, byElements);
    return;
  }
  eachPlane(names, loads, window, cells, [&](Body &into, const Cell &cell) {
    Box box = inRow;
    for (std::optional<unsigned> axis : {shape.rowAxis, shape.planeAxis})
      if (axis && hasOwnOutside(window, *axis, cell.places[*axis].reach))
        box.push_back(isOnGrid(*axis, cell.places[*axis].reach));
    If &branch = branchOn(into, box);
    byVectors(branch.then, cell);
    byElements(branch.otherwise, cell);
  });
}

void WindowLoads::appendVectors(Body &body, const ArrayWindow &window, const Window::Pieces &pieces,
                                const Cell &cell) const {
  for (int piece = 0; piece < pieces.count; ++piece) {
    const int column = pieces.from + piece * pieces.lanes;
    std::vector<Index> where;
    for (unsigned axis : arrayOf(window).axes)
      where.push_back(axis == shape.columnAxis ? add(point[axis], column) : cell.places[axis].at);
    body.push_back(
        {LoadVector{{window.patch, window.window.at(cell.plane, cell.row, constant(column)),
                     unsigned(pieces.lanes)},
                    window.argument,
                    std::move(where)}});
  }
}

/// The column that all beside the thread's own have where no whole piece lies there: the last
/// before an end that clamps, of a thread that no point of sticks out.
std::optional<int> WindowLoads::clampedTo(const ArrayWindow &window, const Cells &cells) const {
  if (!shape.isWhole || cells.segment == Segment::Centre)
    return std::nullopt;
  const unsigned x = shape.columnAxis;
  const Side side = cells.segment == Segment::West ? Low : High;
  const int beside = side == Low ? -cells.from : cells.to + 1 - shape.columns;
  for (int plane = cells.plane; plane < cells.plane + cells.planes; ++plane)
    for (int row = cells.row; row < cells.row + cells.rows; ++row)
      if (!window.window.holdsColumns(plane, row, isTurn))
        return std::nullopt;
  if (endsReads(window, x, side) || leftOut(stage.area[x], side) != 0 || beside > shape.columns ||
      arrayOf(window).boundary[x][side].kind != BoundaryKind::Clamp)
    return std::nullopt;
  return side == Low ? 0 : shape.columns - 1;
}

void WindowLoads::appendCopies(Body &body, const ArrayWindow &window, const Cells &cells,
                               const Cell &cell, int from) {
  const auto element = [&](const Index &column) {
    return window.window.at(cell.plane, cell.row, column);
  };
  kernel.unroll(body, "column", cells.from, cells.to + 1, [&](Body &turn, const Index &column) {
    turn.push_back({AssignElement{
        window.patch, element(column),
        makeValue(argumentOf(window).type, PatchElement{window.patch, element(constant(from))})}});
  });
}

void WindowLoads::appendElements(Body &body, const ArrayWindow &window, const Cells &cells,
                                 const Cell &cell) {
  const auto assign = [&](Body &into, const Index &column, const Place &place) {
    Cell element = cell;
    element.places[shape.columnAxis] = place;
    into.push_back({AssignElement{window.patch, window.window.at(cell.plane, cell.row, column),
                                  elementAt(window, element)}});
  };
  if (cells.from == cells.to)
    return assign(body, constant(cells.from), named(outer, window, shape.columnAxis, cells.from));
  const Treatment treatment =
      cells.from < 0 && cells.to >= shape.columns
          ? treatmentOfAll(window, shape.columnAxis, cells.from, cells.to + 1 - cells.from)
          : treatmentOf(window, shape.columnAxis,
                        cells.segment == Segment::West ? cells.from : cells.to);
  kernel.unroll(body, "column", cells.from, cells.to + 1, [&](Body &turn, const Index &column) {
    assign(turn, column, inLoop(turn, window, shape.columnAxis, column, treatment, "column"));
  });
}

Value WindowLoads::elementAt(const ArrayWindow &window, const Cell &cell) {
  const Array &array = arrayOf(window);
  Box isRead;
  Point where;
  Reaches reaches;
  for (unsigned axis : llvm::reverse(array.axes)) {
    const Reach &reach = cell.places[axis].reach;
    if (reach.beyond && endsReads(window, axis, *reach.beyond))
      isRead.push_back(isOnGrid(axis, reach));
    else
      reaches[axis] = reach;
  }
  for (unsigned axis : array.axes)
    where.push_back(cell.places[axis].at);
  Value value =
      withOutside(kernel, stage.stencil, stage.step.formula, /*step=*/constant(0),
                  window.read.array, reaches, kernel.load(window.argument, std::move(where)));
  if (isRead.empty())
    return value;
  return makeValue(array.type, GuardedValue{isRead, value, makeValue(array.type, LiteralValue{0})});
}

void WindowLoads::appendRows(Body &names, Body &loads, const ArrayWindow &window,
                             std::vector<Cells> &cells) {
  const auto asks = [&](std::optional<unsigned> axis) {
    return axis &&
           hasOwnOutside(
               window, *axis,
               placeOf(window, *axis, constant(0), treatmentOfAll(window, *axis, 0, 1)).reach);
  };
  if (!joinsEnds(window, shape.columnAxis) || !(asks(shape.rowAxis) || asks(shape.planeAxis)))
    return;
  std::vector<Cells> others;
  for (const Cells &each : cells) {
    Cells row = each;
    std::vector<Window::Pieces> pieces;
    for (const Cells &part : cells) {
      const std::optional<Window::Pieces> own = window.window.piecesOf(part);
      if (!own || part.plane != each.plane || part.planes != each.planes || part.row != each.row ||
          part.rows != each.rows)
        continue;
      pieces.push_back(*own);
      row.from = std::min(row.from, part.from);
      row.to = std::max(row.to, part.to);
    }
    if (pieces.size() < 3) {
      others.push_back(each);
    } else if (each.segment == Segment::Centre) {
      llvm::sort(pieces, [](const auto &a, const auto &b) { return a.from < b.from; });
      append(names, loads, window, row, pieces);
    }
  }
  cells = std::move(others);
}

// ---- when ---------------------------------------------------------------------------------------

void WindowLoads::appendAll(Body &body,
                            llvm::function_ref<std::vector<Cells>(const ArrayWindow &)> cellsOf) {
  Body loads;
  std::vector<std::vector<Cells>> all;
  for (const ArrayWindow &window : windows)
    appendRows(body, loads, window, all.emplace_back(cellsOf(window)));
  for (Segment segment : {Segment::Centre, Segment::West, Segment::East})
    for (const auto &[window, own] : llvm::zip_equal(windows, all))
      for (const Cells &cells : own)
        if (cells.segment == segment)
          append(body, loads, window, cells);
  llvm::move(loads, std::back_inserter(body));
}

void WindowLoads::appendStart(Body &body, const Index &end) {
  appendAll(body, [&](const ArrayWindow &window) {
    return window.window.ofStart(
        [&](unsigned axis, int offset) { return kindOf(window, axis, offset); });
  });
  std::erase_if(
      known, [&](const auto &named) { return std::get<unsigned>(named.first) == shape.planeAxis; });
  if (!hasTiles())
    return;
  body.push_back({Phase{"The tile of the first plane: what lies around the block is on its way."}});
  const Index first = point[*shape.planeAxis];
  eachTile([&](WindowTile &tile) { tile.appendAround(body, first); });
  eachTile([&](WindowTile &tile) { tile.appendOwn(body, first, /*distance=*/0); });
  body.push_back({CommitCopies{}});
  for (int ahead = 1; ahead <= shape.ahead; ++ahead)
    appendAround(body, add(first, ahead), end);
}

void WindowLoads::appendTurn(Body &body, Index plane, const Index &end) {
  point[*shape.planeAxis] = std::move(plane);
  isTurn = true;
  appendAll(body, [&](const ArrayWindow &window) {
    const auto kind = [&](unsigned axis, int offset) { return kindOf(window, axis, offset); };
    return window.tile ? window.window.restOfTurn(kind) : window.window.ofTurn(kind);
  });
  if (hasTiles())
    appendTiles(body, end);
}

bool WindowLoads::hasTiles() const {
  return llvm::any_of(windows, [](const ArrayWindow &each) { return each.tile.has_value(); });
}

void WindowLoads::eachTile(llvm::function_ref<void(WindowTile &)> visit) {
  for (ArrayWindow &window : windows)
    if (window.tile)
      visit(*window.tile);
}

/// Sends a plane's copies on their way as one batch, which is empty past the end of the march:
/// waits count batches, so that every turn must have one.
void WindowLoads::appendAround(Body &body, const Index &plane, const Index &end) {
  If isThere{{{plane, nullptr, end}}, {}, {}};
  eachTile([&](WindowTile &tile) { tile.appendAround(isThere.then, plane); });
  if (constantDifference(end, plane).value_or(0) > 0)
    llvm::append_range(body, isThere.then);
  else
    body.push_back({std::move(isThere)});
  body.push_back({CommitCopies{}});
}

void WindowLoads::appendTiles(Body &body, const Index &end) {
  const Index plane = point[*shape.planeAxis], next = add(plane, 1);
  body.push_back({Phase{fmt::format("This plane has arrived; {} one goes where the one before was.",
                                    shape.ahead == 0 ? "the next" : "a later")}});
  llvm::append_range(body, Body{{WaitCopies{unsigned(shape.ahead)}}, {Barrier{}}});
  if (shape.ahead > 0)
    appendAround(body, add(next, shape.ahead), end);
  If hasNext{{{next, nullptr, end}}, {}, {}};
  if (shape.ahead == 0)
    eachTile([&](WindowTile &tile) { tile.appendAround(hasNext.then, next); });
  eachTile([&](WindowTile &tile) { tile.appendOwn(hasNext.then, next, /*distance=*/1); });
  if (shape.ahead == 0)
    hasNext.then.push_back({CommitCopies{}});
  body.push_back({std::move(hasNext)});
  // Vectors first: behind a load of one element of a row, nvcc makes one of it and of the vector
  // beside it, of a length that keeps the window in memory.
  for (const bool isOfVectors : {true, false})
    for (ArrayWindow &window : windows)
      if (window.tile)
        for (const Cells &cells : window.window.aroundOfTurn([](unsigned, int) { return 0; }))
          if (window.window.piecesOf(cells).has_value() == isOfVectors)
            window.tile->appendLoads(body, plane, cells);
}

bool WindowLoads::movesPlanes() const {
  return llvm::any_of(windows, [](const ArrayWindow &each) { return each.window.isShifted(); });
}

void WindowLoads::appendShifts(Body &body) const {
  for (const ArrayWindow &window : windows)
    if (window.window.isShifted())
      body.push_back({ShiftPatch{window.patch}});
}

ReadSource WindowLoads::readsAt(Index j, Index i) const {
  return [this, j = std::move(j), i = std::move(i)](Body &, const Read &read) {
    const ArrayWindow &window = *llvm::find_if(windows, [&](const ArrayWindow &each) {
      return each.read.array == read.array && each.read.level == read.level;
    });
    const auto along = [&](std::optional<unsigned> axis) { return axis ? read.offset[*axis] : 0; };
    return makeValue(argumentOf(window).type,
                     PatchElement{window.patch, window.window.at(constant(along(shape.planeAxis)),
                                                                 add(j, along(shape.rowAxis)),
                                                                 add(i, along(shape.columnAxis)))});
  };
}
