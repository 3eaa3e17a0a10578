// How a RowPipeline takes in the state and leaves what it made.
#include "codegen/lower/Outside.h"
#include "codegen/lower/UpdateBox.h"
#include "codegen/variants/RowPipeline.h"
#include "codegen/variants/TileEnds.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Index c(int64_t value) { return constant(value); }

int RowPipeline::bytesOfPieces() const {
  int bytes = 0;
  for (const Field &field : fields)
    bytes = std::max(bytes, field.lanes * int(sizeInBytes(typeOf(field))));
  return bytes;
}

std::vector<unsigned> RowPipeline::movedBuffers() const {
  std::vector<unsigned> buffers;
  for (const Field &field : fields)
    for (TimeLevel level : {TimeLevel::Current, TimeLevel::Next})
      buffers.push_back(builder.buffers[arrays.argument(field.array, level)]);
  return buffers;
}

void RowPipeline::forEachPiece(Body &body, const Field &field, int points,
                               llvm::function_ref<void(Body &, const Index &)> append) {
  const int pieces = points / field.lanes, whole = pieces / shape.threads(),
            rest = pieces % shape.threads();
  builder.unroll(body, "piece", 0, whole, [&](Body &body, const Index &piece) {
    append(body, scale(add(thread, scale(piece, shape.threads())), field.lanes));
  });
  if (rest == 0)
    return;
  If some{{{thread, nullptr, c(rest)}}, {}, {}};
  append(some.then, scale(add(thread, whole * shape.threads()), field.lanes));
  body.push_back({std::move(some)});
}

// ---- taking in ----------------------------------------------------------------------------------

Point RowPipeline::placeOf(const Field &field, Point point) const {
  for (unsigned axis = 0; axis < point.size(); ++axis) {
    const auto sideOf = [&](Side side) {
      TileEnd end = tileEnd(stencil, field.array, axis, side);
      if (end.kind == TileEnd::Mapped && end.boundary == BoundaryKind::Periodic)
        end.reach = imagesAlong(stencil, schedule, axis);
      return SideOfTile{end, /*mayBeBeyond=*/true, /*mayBeFar=*/true};
    };
    point[axis] = placeInMemory(axis, point[axis], sideOf(Low), sideOf(High));
  }
  return point;
}

Value RowPipeline::outside(const Field &field, const Point &point) {
  const Array &array = stencil.arrays[field.array];
  Value value;
  std::optional<ExprId> only; // if all ends have one number
  for (unsigned axis = 2; axis-- > 0;)
    for (const Side side : {Low, High}) {
      if (array.boundary[axis][side].kind != BoundaryKind::Value)
        continue;
      const ExprId id = formula.outside(field.array, axis, side);
      Value number = formula.tree(builder, id, Here{});
      if (only == id)
        continue;
      value = value ? makeValue(array.type,
                                GuardedValue{{isOnGrid(axis, {point[axis], side})}, value, number})
                    : number;
      only = value == number ? std::optional(id) : std::nullopt;
    }
  return value;
}

void RowPipeline::takeIn(Body &body, const Index &chunk, Ends ends) {
  const Index slot = name(body, "slot_in", remainder(add(chunk, shape.warps), shape.slots));
  const Index rowIn = name(body, stencil.axes[0] + "_in", add(first, scale(chunk, shape.rows)));
  if (!ends.ofRows)
    builder.letPointer(body, "from", {rowIn, add(tileX, scale(thread, fields.front().lanes))});
  // In the middle of a march this always holds.
  If isOnGrid{ends.ofMarch ? Box{} : Box{{rowIn, c(0), add(extent(0), 1 - shape.rows)}}, {}, {}};
  Body &copies = ends.ofMarch ? body : isOnGrid.then;
  for (const Field &field : fields)
    builder.unroll(copies, "row", 0, shape.rows, [&](Body &body, const Index &row) {
      const int points = shape.width + (ends.ofRows ? shape.spare : 0);
      forEachPiece(body, field, points, [&](Body &body, const Index &at) {
        copyPiece(body, field, {slot, row, at}, add(rowIn, row),
                  add(ends.ofRows ? copyX : tileX, at), ends);
      });
    });
  if (!ends.ofMarch)
    body.push_back({std::move(isOnGrid)});
  body.push_back({CommitCopies{}});
}

void RowPipeline::copyPiece(Body &body, const Field &field, std::vector<Index> to, const Index &row,
                            const Index &pieceX, Ends ends) {
  const unsigned argument = arrays.argument(field.array, TimeLevel::Current);
  const auto copy = [&](std::vector<Index> to, Point from, int lanes) {
    return Statement{
        CopyAsync{field.ring, std::move(to), argument, std::move(from), unsigned(lanes)}};
  };
  if (!ends.ofRows) {
    body.push_back(copy(std::move(to), {row, pieceX}, field.lanes));
    return;
  }
  const Array &array = stencil.arrays[field.array];
  const Index rowFrom = ends.ofMarch ? placeOf(field, {row, pieceX})[0] : row;
  // Where an axis has a number outside, that is what comes in.
  const auto copyOr = [&](Body &body, const std::vector<Index> &to, const Point &point,
                          Statement copied) {
    Box onGrid;
    for (unsigned axis = ends.ofMarch ? 0 : 1; axis < 2; ++axis)
      for (const Side side : {Low, High})
        if (array.boundary[axis][side].kind == BoundaryKind::Value)
          onGrid.push_back(isOnGrid(axis, {point[axis], side}));
    if (onGrid.empty()) {
      body.push_back(std::move(copied));
      return;
    }
    body.push_back({If{std::move(onGrid),
                       {std::move(copied)},
                       {{StoreShared{field.ring, to, outside(field, point)}}}}});
  };
  Body single;
  for (int i = 0; i < field.lanes; ++i) {
    std::vector<Index> cell = to;
    cell.back() = add(to.back(), i);
    const Point point = {row, add(pieceX, i)};
    copyOr(single, cell, point, copy(cell, {rowFrom, placeOf(field, point)[1]}, 1));
  }
  if (field.lanes == 1) {
    llvm::move(single, std::back_inserter(body));
    return;
  }
  If isWhole{{{pieceX, c(0), add(extent(1), 1 - field.lanes)}}, {}, std::move(single)};
  isWhole.then.push_back(copy(to, {rowFrom, pieceX}, field.lanes));
  if (ends.ofMarch)
    for (const Side side : {Low, High})
      if (array.boundary[0][side].kind == BoundaryKind::Value)
        isWhole.box.push_back(isOnGrid(0, {row, side}));
  body.push_back({std::move(isWhole)});
}

// ---- leaving ------------------------------------------------------------------------------------

void RowPipeline::leave(Body &body, Ends ends) {
  const Index slot = name(body, "slot_out", remainder(turn, shape.slots));
  const Index made = name(body, stencil.axes[0] + "_out",
                          add(add(first, scale(turn, shape.rows)),
                              -shape.warps * shape.rows - shape.fused() * shape.highest));
  if (!ends.ofRows)
    builder.letPointer(body, "to", {made, add(tileX, scale(thread, fields.front().lanes))});
  builder.unroll(body, "row", 0, shape.rows, [&](Body &body, const Index &row) {
    If isOwn{{{add(made, row), begin, end}}, {}, {}};
    for (const Field &field : fields)
      forEachPiece(
          isOwn.then, field, shape.width + (ends.ofRows ? shape.spare : 0),
          [&](Body &body, const Index &at) {
            const Index pieceX = add(ends.ofRows ? copyX : tileX, at);
            const Range isRight = ends.ofRows
                                      ? Range{pieceX, add(tileX, shape.margin),
                                              add(tileX, shape.width - shape.margin)}
                                      : Range{at, c(shape.margin), c(shape.width - shape.margin)};
            If piece{{isRight}, {}, {}};
            if (field.lanes > 1)
              piece.then.push_back({LoadSharedVector{
                  {field.leaving, {c(0)}, unsigned(field.lanes)}, field.ring, {slot, row, at}}});
            else
              piece.then.push_back({AssignElement{
                  field.leaving,
                  {c(0)},
                  makeValue(typeOf(field), LoadShared{field.ring, {slot, row, at}})}});
            leavePiece(piece.then, field, add(made, row), pieceX, ends);
            body.push_back({std::move(piece)});
          });
    body.push_back({std::move(isOwn)});
  });
}

void RowPipeline::leavePiece(Body &body, const Field &field, const Index &row, const Index &pieceX,
                             Ends ends) {
  const unsigned argument = arrays.argument(field.array, TimeLevel::Next);
  Body whole = {
      {StoreVector{argument, {row, pieceX}, {field.leaving, {c(0)}, unsigned(field.lanes)}}}};
  if (!ends.ofRows && field.lanes > 1) {
    llvm::move(whole, std::back_inserter(body));
    return;
  }
  Body single;
  for (int i = 0; i < field.lanes; ++i) {
    const Index own = add(pieceX, i);
    StoreGlobal store{
        argument, {row, own}, makeValue(typeOf(field), PatchElement{field.leaving, {c(i)}})};
    if (ends.ofRows)
      single.push_back({If{{{own, bounds.begin[1], bounds.end[1]}}, {{std::move(store)}}, {}}});
    else
      single.push_back({std::move(store)});
  }
  if (field.lanes == 1) {
    llvm::move(single, std::back_inserter(body));
    return;
  }
  body.push_back({If{{{pieceX, bounds.begin[1], add(bounds.end[1], 1 - field.lanes)}},
                     std::move(whole),
                     std::move(single)}});
}
