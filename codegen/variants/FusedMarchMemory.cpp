// How a FusedMarch takes in the state and leaves what it made.
#include "codegen/lower/UpdateBox.h"
#include "codegen/variants/FusedMarch.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Index c(int64_t value) { return constant(value); }
static Index thread(unsigned dimension) { return coordinate(CoordinateKind::Thread, dimension); }

int FusedMarch::bytesOfPieces() const {
  int bytes = 0;
  for (const Field &field : fields)
    bytes = std::max(bytes, field.lanes * int(sizeInBytes(typeOf(field))));
  return bytes;
}

std::vector<unsigned> FusedMarch::movedBuffers() const {
  std::vector<unsigned> buffers;
  for (const Field &field : fields)
    for (TimeLevel level : {TimeLevel::Current, TimeLevel::Next})
      buffers.push_back(builder.buffers[arrays.argument(field.array, level)]);
  return buffers;
}

// ---- taking in ----------------------------------------------------------------------------------

void FusedMarch::loadRow(Body &body, const Field &field, unsigned patch, std::vector<Index> at,
                         Index plane, const Index &row) {
  const ScalarType type = typeOf(field);
  const unsigned argument = arrays.argument(field.array, TimeLevel::Current);
  at.push_back(nullptr);
  Point from = placeOf(field, pointOf(plane, row, x)); // of the whole row
  for (unsigned axis = 0; axis + 1 < rank; ++axis)
    from[axis] = builder.letIndex(body, stencil.axes[axis] + "_from", from[axis]);
  for (int first = 0; first < points; first += field.lanes) {
    Body single;
    for (int i = first; i < first + field.lanes; ++i) {
      const Point point = pointOf(plane, row, add(x, i));
      from.back() = placeOf(field, point).back();
      at.back() = c(i);
      single.push_back(
          {AssignElement{patch, at, orOutside(field, point, rank, builder.load(argument, from))}});
    }
    if (!isAligned) {
      llvm::move(single, std::back_inserter(body));
      continue;
    }
    const Point point = pointOf(plane, row, add(x, first));
    from.back() = point.back();
    at.back() = c(first);
    If whole{{{point.back(), c(0), add(extent(rank - 1), 1 - field.lanes)}},
             {{LoadVector{{patch, at, unsigned(field.lanes)}, argument, from}}},
             std::move(single)};
    for (int i = first; i < first + field.lanes; ++i) {
      at.back() = c(i);
      Value loaded = element(type, patch, at);
      if (Value value = orOutside(field, point, rank - 1, loaded); value != loaded)
        whole.then.push_back({AssignElement{patch, at, std::move(value)}});
    }
    body.push_back({std::move(whole)});
  }
}

// ---- leaving ------------------------------------------------------------------------------------

void FusedMarch::leave(Body &body, const Field &field) {
  const unsigned argument = arrays.argument(field.array, TimeLevel::Next);
  const Index made = add(z, -levels * reach.lag);
  const PointBox bounds = builder.boxOf(field.area);
  If planeIsRight{{{made, begin, end}}, {}, {}};
  if (field.area != around)
    planeIsRight.box.push_back({made, bounds.begin[0], bounds.end[0]});
  builder.unroll(planeIsRight.then, "row", 0, rows, [&](Body &body, const Index &row) {
    If rowIsRight{{}, {}, {}};
    if (rank == 3) {
      rowIsRight.box.push_back({add(scale(thread(1), rows), row), c(levels * reach.y),
                                c(warps * rows - levels * reach.y)});
      rowIsRight.box.push_back(
          {add(y, row), field.area == around ? nullptr : bounds.begin[1], bounds.end[1]});
    }
    for (int first = 0; first < points; first += field.lanes) {
      const auto stored = [&](int i) {
        return element(typeOf(field), field.planes, {slot(reach.lag), c(levels), row, c(i)});
      };
      Body single;
      for (int i = first; i < first + field.lanes; ++i)
        single.push_back({If{{{add(x, i), bounds.begin[rank - 1], bounds.end[rank - 1]}},
                             {{StoreGlobal{argument, pointOf(made, row, add(x, i)), stored(i)}}},
                             {}}});
      Body piece = std::move(single);
      if (isAligned) {
        If whole{
            {{add(x, first), bounds.begin[rank - 1], add(bounds.end[rank - 1], 1 - field.lanes)}},
            {{StoreVector{argument,
                          pointOf(made, row, add(x, first)),
                          {field.planes,
                           {slot(reach.lag), c(levels), row, c(first)},
                           unsigned(field.lanes)}}}},
            std::move(piece)};
        piece = {{std::move(whole)}};
      }
      rowIsRight.then.push_back(
          {If{{{add(scale(thread(0), points), first), c(rim()), c(width() - rim())}},
              std::move(piece),
              {}}});
    }
    if (rowIsRight.box.empty())
      llvm::move(rowIsRight.then, std::back_inserter(body));
    else
      body.push_back({std::move(rowIsRight)});
  });
  body.push_back({std::move(planeIsRight)});
}
