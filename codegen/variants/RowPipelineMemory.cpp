// How a RowPipeline takes in the state and leaves what it made.
#include "codegen/lower/Outside.h"
#include "codegen/lower/TileEnds.h"
#include "codegen/lower/UpdateBox.h"
#include "codegen/variants/RowPipeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

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
  for (unsigned axis = 0; axis < point.size(); ++axis)
    point[axis] = placeInTile(stencil, schedule, field.array, axis, point[axis]);
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
  Index rowIn = add(first, scale(chunk, shape.rows));
  if (!ends.ofMarch) // moved to where it is already: what a branch parts is not interleaved
    rowIn = maximum(minimum(rowIn, add(extent(0), -shape.rows)), c(0));
  rowIn = name(body, stencil.axes[0] + "_in", rowIn);
  if (!ends.ofRows)
    builder.letPointer(body, "from", {rowIn, add(tileX, scale(thread, fields.front().lanes))});
  for (const Field &field : fields)
    builder.unroll(body, "row", 0, shape.rows, [&](Body &body, const Index &row) {
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
  body.push_back({CommitCopies{}});
}

void RowPipeline::copyPoint(Body &body, const Field &field, const std::vector<Index> &to,
                            const Point &point, Ends ends) {
  Point from = placeOf(field, point);
  from[0] = ends.ofMarch ? builder.letIndex(body, stencil.axes[0] + "_from", from[0]) : point[0];
  from[1] = builder.letIndex(body, stencil.axes[1] + "_from", from[1]);
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
  if (ends.ofRows) {
    builder.unroll(body, "row", 0, shape.rows, [&](Body &body, const Index &row) {
      If isOwn{{{add(made, row), begin, end}}, {}, {}};
      for (const Field &field : fields)
        forEachPiece(isOwn.then, 1, [&](Body &body, const Index &at) {
          const Index pointX = add(left, at);
          body.push_back({If{
              {{pointX, ownBegin, ownEnd}},
              {{StoreGlobal{arrays.argument(field.array, TimeLevel::Next),
                            {add(made, row), pointX},
                            makeValue(typeOf(field), LoadShared{field.ring, {slot, row, at}})}}},
              {}}});
        });
      body.push_back({std::move(isOwn)});
    });
    return;
  }
  // All loads, then all stores, so that the latter wait once. A thread for which the row has no
  // further piece loads the last one, and does not store it.
  for (const Field &field : fields) {
    const int pieces = shape.width / field.lanes, turns = piecesOfThread(field);
    const auto numberOf = [&](int piece) { return add(thread, piece * shape.threads()); };
    builder.unroll(body, "row", 0, shape.rows, [&](Body &body, const Index &row) {
      for (int piece = 0; piece < turns; ++piece) {
        const bool mayBeBehind = (piece + 1) * shape.threads() > pieces;
        const Index number =
            mayBeBehind ? minimum(numberOf(piece), c(pieces - 1)) : numberOf(piece);
        loadPiece(body, field, {field.leaving, {row, c(piece), c(0)}},
                  {slot, row, scale(number, field.lanes)});
      }
    });
    builder.letPointer(body, "to", {made, add(tileX, scale(thread, field.lanes))});
    builder.unroll(body, "row", 0, shape.rows, [&](Body &body, const Index &row) {
      for (int piece = 0; piece < turns; ++piece) {
        const Index at = scale(numberOf(piece), field.lanes);
        const Point to = {add(made, row), add(tileX, at)};
        body.push_back({If{
            {{add(made, row), begin, end}, {at, c(shape.margin), c(shape.width - shape.margin)}},
            {storePiece(field, to, {field.leaving, {row, c(piece), c(0)}})},
            {}}});
      }
    });
  }
}

int RowPipeline::piecesOfThread(const Field &field) const {
  return llvm::divideCeil(shape.width / field.lanes, shape.threads());
}

void RowPipeline::loadPiece(Body &body, const Field &field, PatchElement to,
                            std::vector<Index> from) const {
  if (field.lanes > 1)
    body.push_back(
        {LoadSharedVector{{to.patch, to.at, unsigned(field.lanes)}, field.ring, std::move(from)}});
  else
    body.push_back({AssignElement{
        to.patch, to.at, makeValue(typeOf(field), LoadShared{field.ring, std::move(from)})}});
}

Statement RowPipeline::storePiece(const Field &field, Point to, PatchElement from) const {
  const unsigned argument = arrays.argument(field.array, TimeLevel::Next);
  if (field.lanes > 1)
    return {StoreVector{argument, std::move(to), {from.patch, from.at, unsigned(field.lanes)}}};
  return {StoreGlobal{argument, std::move(to), makeValue(typeOf(field), std::move(from))}};
}
