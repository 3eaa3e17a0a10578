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

void RowPipeline::forEachPiece(Body &body, int lanes,
                               llvm::function_ref<void(Body &, const Index &)> append) {
  const int pieces = shape.width / lanes, whole = pieces / shape.threads(),
            rest = pieces % shape.threads();
  builder.unroll(body, "piece", 0, whole, [&](Body &body, const Index &piece) {
    append(body, scale(add(thread, scale(piece, shape.threads())), lanes));
  });
  if (rest == 0)
    return;
  If some{{{thread, nullptr, c(rest)}}, {}, {}};
  append(some.then, scale(add(thread, whole * shape.threads()), lanes));
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
      forEachPiece(body, ends.ofRows ? 1 : field.lanes, [&](Body &body, const Index &at) {
        const std::vector<Index> to = {slot, row, at};
        if (ends.ofRows)
          copyPoint(body, field, to, {add(rowIn, row), add(left, at)}, ends);
        else
          body.push_back({CopyAsync{field.ring,
                                    to,
                                    arrays.argument(field.array, TimeLevel::Current),
                                    {add(rowIn, row), add(tileX, at)},
                                    unsigned(field.lanes)}});
      });
    });
  if (!ends.ofMarch)
    body.push_back({std::move(isOnGrid)});
  body.push_back({CommitCopies{}});
}

void RowPipeline::copyPoint(Body &body, const Field &field, const std::vector<Index> &to,
                            const Point &point, Ends ends) {
  Point from = placeOf(field, point);
  from[0] = ends.ofMarch ? name(body, stencil.axes[0] + "_from", from[0]) : point[0];
  from[1] = name(body, stencil.axes[1] + "_from", from[1]);
  If isOnGrid{{}, {}, {}}; // along the axes that have a number outside
  for (unsigned axis = ends.ofMarch ? 0 : 1; axis < 2; ++axis)
    for (const Side side : {Low, High})
      if (stencil.arrays[field.array].boundary[axis][side].kind == BoundaryKind::Value)
        isOnGrid.box.push_back(stencilc::isOnGrid(axis, {point[axis], side}));
  isOnGrid.then.push_back({CopyAsync{
      field.ring, to, arrays.argument(field.array, TimeLevel::Current), std::move(from), 1}});
  if (isOnGrid.box.empty()) {
    llvm::move(isOnGrid.then, std::back_inserter(body));
    return;
  }
  isOnGrid.otherwise.push_back({StoreShared{field.ring, to, outside(field, point)}});
  body.push_back({std::move(isOnGrid)});
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
      forEachPiece(isOwn.then, ends.ofRows ? 1 : field.lanes, [&](Body &body, const Index &at) {
        const Index pieceX = add(ends.ofRows ? left : tileX, at);
        If isRight{{ends.ofRows ? Range{pieceX, ownBegin, ownEnd}
                                : Range{at, c(shape.margin), c(shape.width - shape.margin)}},
                   {},
                   {}};
        const unsigned argument = arrays.argument(field.array, TimeLevel::Next);
        const Point to = {add(made, row), pieceX};
        if (ends.ofRows || field.lanes == 1) {
          isRight.then.push_back({StoreGlobal{
              argument, to, makeValue(typeOf(field), LoadShared{field.ring, {slot, row, at}})}});
        } else {
          const PatchRow piece = {field.leaving, {c(0)}, unsigned(field.lanes)};
          isRight.then.push_back({LoadSharedVector{piece, field.ring, {slot, row, at}}});
          isRight.then.push_back({StoreVector{argument, to, piece}});
        }
        body.push_back({std::move(isRight)});
      });
    body.push_back({std::move(isOwn)});
  });
}
