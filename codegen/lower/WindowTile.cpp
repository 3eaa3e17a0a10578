#include "codegen/lower/WindowTile.h"

#include "ir/kernel/CudaLimits.h"

#include <cinttypes>
#include <fmt/format.h>
#include <map>

using namespace stencilc;

BlockPoints stencilc::pointsOfBlock(const Schedule &schedule, unsigned rank) {
  BlockPoints points = {1, 1, 1};
  for (unsigned axis = 0; axis < rank; ++axis) {
    const unsigned dimension = dimensionOf(axis, rank);
    points[axis] =
        schedule.block[dimension] *
        (dimension < schedule.pointsPerThread.size() ? schedule.pointsPerThread[dimension] : 1);
  }
  return points;
}

/// Rows and columns of the tile.
static std::array<int, 2> sizes(const Window::Around &around, const BlockPoints &points,
                                const PatchShape &shape) {
  return {around.rows[Low] + points[*shape.rowAxis] + around.rows[High],
          around.columns[Low] + points[shape.columnAxis] + around.columns[High]};
}

/// Planes that the tile has room for: the one that is read, and those on their way.
static int planes(const PatchShape &shape) { return 2 + shape.ahead; }

int64_t WindowTile::bytes(const Window::Around &around, const BlockPoints &points,
                          const PatchShape &shape, ScalarType type) {
  const auto [rows, columns] = sizes(around, points, shape);
  return int64_t(planes(shape)) * rows * columns * sizeInBytes(type);
}

/// The bytes of tiles that a stage's kernel has; 0: it has none.
static int64_t bytesOfTiles(const Stencil &stencil, const Stage &stage, const Schedule &schedule) {
  std::map<std::pair<unsigned, TimeLevel>, std::vector<Read>> byArray;
  for (const Update &update : stage.updates)
    forEachRead(update.formula,
                [&](const Read &read) { byArray[{read.array, read.level}].push_back(read); });
  const PatchShape shape =
      patchShape(stencil.rank(), schedule.pointsPerThread, /*marches=*/true, schedule.prefetch);
  int64_t bytes = 0;
  for (const auto &[place, reads] : byArray) {
    const Array &array = stencil.arrays[place.first];
    if (array.axes.size() != stencil.rank() || !TileCells::canHold(stencil, place.first))
      continue;
    const Window window(array, reads, shape, lanesFor(array.type, shape.columns),
                        /*isLoadedAhead=*/true);
    if (const std::optional<Window::Around> around = window.around())
      bytes +=
          WindowTile::bytes(*around, pointsOfBlock(schedule, stencil.rank()), shape, array.type);
  }
  return bytes;
}

llvm::Error stencilc::checkTiles(const Stencil &stencil, const Schedule &schedule) {
  int64_t most = 0;
  for (const Stage &stage : stencil.stages)
    most = std::max(most, bytesOfTiles(stencil, stage, schedule));
  if (most == 0)
    return llvm::createStringError("no array is read around a thread's points in the plane that it "
                                   "makes alone, and at the points in the next one: nothing is "
                                   "there for a `tile` to hold");
  if (most > cuda::kMaxSharedBytesPerBlock)
    return llvm::createStringError("the tiles take %" PRId64 " bytes of shared memory, a block has "
                                   "at most %d",
                                   most, int(cuda::kMaxSharedBytesPerBlock));
  return llvm::Error::success();
}

WindowTile::WindowTile(StageKernel &stage, const PatchShape &shape, const BlockPoints &points,
                       const Window &window, unsigned patch, const Read &read, unsigned argument,
                       Index begin, Body &outer)
    : stage(stage), kernel(stage.builder), shape(shape), points(points), window(window),
      around(*window.around()), patch(patch), read(read), argument(argument),
      begin(std::move(begin)), cells(stage) {
  const auto [rows, columns] = sizes(around, points, shape);
  const ArrayArgument &array = kernel.kernel.arrays[argument];
  tile = kernel.tile(array.name + "_tile", array.type, {planes(shape), rows, columns});
  thread = kernel.letIndexOnce(
      outer, "thread",
      add(scale(threadIn(*shape.rowAxis), kernel.kernel.block[0]), threadIn(shape.columnAxis)));
  const auto own = [&](unsigned axis, int perThread, int before) {
    return kernel.letIndexOnce(outer, "my_" + stage.stencil.axes[axis],
                               add(scale(threadIn(axis), perThread), before));
  };
  ownRow = own(*shape.rowAxis, shape.rows, around.rows[Low]);
  ownColumn = own(shape.columnAxis, shape.columns, around.columns[Low]);
  nameRows(outer);
  nameColumns(outer);
}

Index WindowTile::slotOf(const Index &plane) const {
  if (const std::optional<int64_t> after = constantDifference(plane, begin))
    return constant(*after % planes(shape));
  return remainder(add(plane, scale(begin, -1)), planes(shape));
}

Index WindowTile::threadIn(unsigned axis) const {
  const unsigned dimension = dimensionOf(axis, stage.stencil.rank());
  return kernel.kernel.block[dimension] > 1 ? coordinate(CoordinateKind::Thread, dimension)
                                            : constant(0);
}

// ---- what a plane brings ------------------------------------------------------------------------

void WindowTile::appendAround(Body &body, const Index &plane) {
  for (size_t number = 0; number < pieces.size(); ++number)
    appendPiece(body, plane, number);
}

void WindowTile::appendOwn(Body &body, const Index &plane, int distance) {
  const int lanes = window.vectorLanes();
  kernel.unroll(body, "row", 0, shape.rows, [&](Body &turn, const Index &row) {
    for (int column = 0; column < shape.columns; column += lanes)
      turn.push_back({StoreSharedVector{
          tile,
          {slotOf(plane), add(ownRow, row), add(ownColumn, column)},
          {patch, window.at(constant(distance), row, constant(column)), unsigned(lanes)}}});
  });
}

/// The number of a row, or column, among those at both sides, as that in the tile.
static Index besideBlock(const Index &number, const std::array<int, 2> &widths, int points) {
  if (widths[Low] == 0)
    return add(number, points);
  if (widths[High] == 0)
    return number;
  // As many at both sides: the second half lies beyond the points.
  return add(number, scale(quotient(number, widths[Low]), points));
}

/// As one group where both sides are alike, or one is empty; else each for itself.
static void eachGroup(const std::array<int, 2> &widths,
                      llvm::function_ref<void(const std::array<int, 2> &)> append) {
  if (widths[Low] == widths[High] || widths[Low] == 0 || widths[High] == 0)
    return append(widths);
  append({widths[Low], 0});
  append({0, widths[High]});
}

void WindowTile::nameRows(Body &outer) {
  const int lanes = window.vectorLanes();
  const int from = around.hasCorners ? 0 : around.columns[Low];
  const int width = points[shape.columnAxis] +
                    (around.hasCorners ? around.columns[Low] + around.columns[High] : 0);
  eachGroup(around.rows, [&](const std::array<int, 2> &rows) {
    const int above = rows[Low] == 0 ? around.rows[Low] : 0;
    const int inRow = width / lanes;
    namePieces(
        outer, (rows[Low] + rows[High]) * inRow,
        [&](const Index &piece) {
          return add(besideBlock(quotient(piece, inRow), rows, points[*shape.rowAxis]), above);
        },
        [&](const Index &piece) { return add(scale(remainder(piece, inRow), lanes), from); },
        /*isAtOwnRows=*/false, /*isAtOwnColumns=*/!around.hasCorners);
  });
}

void WindowTile::nameColumns(Body &outer) {
  const int lanes = window.vectorLanes();
  const std::array<int, 2> vectors = {around.columns[Low] / lanes, around.columns[High] / lanes};
  eachGroup(vectors, [&](const std::array<int, 2> &sides) {
    const int beside = sides[Low] == 0 ? vectors[Low] : 0;
    const int inRow = sides[Low] + sides[High];
    namePieces(
        outer, inRow * points[*shape.rowAxis],
        [&](const Index &piece) { return add(quotient(piece, inRow), around.rows[Low]); },
        [&](const Index &piece) {
          const Index number = inRow == 1 ? constant(0) : remainder(piece, inRow);
          return scale(add(besideBlock(number, sides, points[shape.columnAxis] / lanes), beside),
                       lanes);
        },
        /*isAtOwnRows=*/true, /*isAtOwnColumns=*/false);
  });
}

void WindowTile::namePieces(Body &outer, int count,
                            llvm::function_ref<Index(const Index &piece)> rowOf,
                            llvm::function_ref<Index(const Index &piece)> columnOf,
                            bool isAtOwnRows, bool isAtOwnColumns) {
  const unsigned x = shape.columnAxis, y = *shape.rowAxis;
  const std::vector<std::string> &axes = stage.stencil.axes;
  const int threads = kernel.kernel.block[0] * kernel.kernel.block[1];
  for (int first = 0; first < count; first += threads) {
    Index number = add(thread, first);
    if (first + threads > count) // threads without a piece have a place as well
      number = minimum(number, constant(count - 1));
    Piece piece;
    piece.threads = std::min(count - first, threads);
    // Tiles of the same sides have these in common.
    piece.row = kernel.letIndexOnce(outer, "tile_" + axes[y], rowOf(number));
    piece.column = kernel.letIndexOnce(outer, "tile_" + axes[x], columnOf(number));
    piece.y =
        kernel.letIndexOnce(outer, axes[y] + "_rim",
                            add(add(stage.blockBegin(y, points[y]), piece.row), -around.rows[Low]));
    piece.x = kernel.letIndexOnce(
        outer, axes[x] + "_rim",
        add(add(stage.blockBegin(x, points[x]), piece.column), -around.columns[Low]));
    piece.isAtOwnColumns = isAtOwnColumns;
    if (isAtOwnRows) {
      piece.spotY = {piece.y, axes[y], 0, 0};
    } else {
      piece.spotY = {piece.y, fmt::format("{}_at_{}", axes[y], pieces.size()), std::nullopt,
                     std::nullopt};
      cells.placeOf(outer, read.array, y, piece.spotY);
    }
    pieces.push_back(std::move(piece));
  }
}

void WindowTile::appendPiece(Body &body, const Index &plane, size_t number) {
  const Piece &piece = pieces[number];
  const unsigned x = shape.columnAxis, y = *shape.rowAxis, z = *shape.planeAxis;
  const int threads = kernel.kernel.block[0] * kernel.kernel.block[1];
  const int lanes = window.vectorLanes();
  Body copy;
  std::vector<Spot> spots(stage.stencil.rank());
  spots[z] = {plane, stage.stencil.axes[z], 0, 0};
  spots[y] = piece.spotY;
  spots[x] = {piece.x, stage.stencil.axes[x], 0, 0}; // where all of the piece is there
  TileCells::Element first = cells.element(copy, read, spots);
  If whole{first.isWhole, {}, {}};
  if (const auto &ghost = kernel.kernel.arrays[argument].ghost[x]; !piece.isAtOwnColumns)
    whole.box.insert(whole.box.begin(),
                     {piece.x, constant(-ghost[Low]), add(extent(x), ghost[High] + 1 - lanes)});
  whole.then.push_back({CopyAsync{tile,
                                  {slotOf(plane), piece.row, piece.column},
                                  argument,
                                  std::move(first.where),
                                  unsigned(lanes)}});
  if (whole.box.empty()) {
    llvm::move(whole.then, std::back_inserter(copy));
  } else {
    appendOutside(whole.otherwise, plane, piece, std::move(spots));
    copy.push_back({std::move(whole)});
  }
  if (piece.threads == threads) {
    llvm::move(copy, std::back_inserter(body));
    return;
  }
  // Pieces of the same threads are in one branch.
  if (number > 0 && pieces[number - 1].threads == piece.threads)
    llvm::move(copy, std::back_inserter(std::get<If>(body.back().node).then));
  else
    body.push_back({If{{{thread, nullptr, constant(piece.threads)}}, std::move(copy), {}}});
}

void WindowTile::appendOutside(Body &body, const Index &plane, const Piece &piece,
                               std::vector<Spot> spots) {
  const unsigned x = shape.columnAxis;
  const std::optional<ExprId> outside = outsideAll();
  kernel.unroll(body, "lane", 0, window.vectorLanes(), [&](Body &turn, const Index &lane) {
    const std::vector<Index> to = {slotOf(plane), piece.row, add(piece.column, lane)};
    if (outside) {
      turn.push_back({StoreShared{tile, to, stage.step.formula.tree(kernel, *outside, Here{})}});
      return;
    }
    TileCells within = cells;
    spots[x] = {add(piece.x, lane), stage.stencil.axes[x] + "_at", std::nullopt, std::nullopt};
    TileCells::Element from = within.element(turn, read, spots);
    const Statement copy{CopyAsync{tile, to, argument, std::move(from.where), 1}};
    if (from.isWhole.empty()) {
      turn.push_back(copy);
      return;
    }
    If isWhole{std::move(from.isWhole), {copy}, {}};
    Value value = within.value(isWhole.otherwise, read, spots);
    isWhole.otherwise.push_back({StoreShared{tile, to, std::move(value)}});
    turn.push_back({std::move(isWhole)});
  });
}

std::optional<ExprId> WindowTile::outsideAll() const {
  std::vector<ExprId> all;
  for (unsigned axis : {*shape.rowAxis, shape.columnAxis})
    for (Side side : {Low, High}) {
      if (stage.stencil.arrays[read.array].boundary[axis][side].kind != BoundaryKind::Value)
        return std::nullopt;
      all.push_back(stage.step.formula.outside(read.array, axis, side));
    }
  const bool hasFrame = leftOut(stage.area[shape.columnAxis], Low) != 0 ||
                        leftOut(stage.area[shape.columnAxis], High) != 0;
  return !hasFrame && llvm::all_equal(all) ? std::optional(all.front()) : std::nullopt;
}

// ---- what a thread takes ------------------------------------------------------------------------

void WindowTile::appendLoads(Body &body, const Index &plane, const Cells &cells) {
  const std::optional<Window::Pieces> pieces = window.piecesOf(cells);
  const ScalarType type = kernel.kernel.arrays[argument].type;
  kernel.unroll(body, "row", cells.row, cells.row + cells.rows, [&](Body &turn, const Index &row) {
    const auto inTile = [&](const Index &column) {
      return std::vector<Index>{slotOf(plane), add(ownRow, row), add(ownColumn, column)};
    };
    const auto element = [&](const Index &column) { return window.at(constant(0), row, column); };
    if (pieces) {
      for (int piece = 0; piece < pieces->count; ++piece) {
        const Index column = constant(pieces->from + piece * pieces->lanes);
        turn.push_back({LoadSharedVector{
            {patch, element(column), unsigned(pieces->lanes)}, tile, inTile(column)}});
      }
      return;
    }
    kernel.unroll(turn, "column", cells.from, cells.to + 1, [&](Body &each, const Index &column) {
      each.push_back({AssignElement{patch, element(column),
                                    makeValue(type, LoadShared{tile, inTile(column)})}});
    });
  });
}
