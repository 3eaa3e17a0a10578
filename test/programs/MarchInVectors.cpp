#include "test/programs/HeatStep.h"

using namespace stencilc;

namespace {

Index block(unsigned dimension) { return coordinate(CoordinateKind::Block, dimension); }
Index thread(unsigned dimension) { return coordinate(CoordinateKind::Thread, dimension); }
Index c(int64_t value) { return constant(value); }
const Index lane = coordinate(CoordinateKind::Lane, 0);

class March {
public:
  March(const Stencil &stencil, int rows, int ahead, int chunk)
      : step(stencil, "heat_march_in_vectors", {32, rows, 1}), rows(rows), ahead(ahead),
        chunk(chunk), lanes(16 / sizeInBytes(step.type)) {}

  Program build();

private:
  /// Fills a row of a patch with the piece at (z, y, x), zeros beyond the end of the row.
  void loadPiece(Body &body, unsigned patch, Index slice, Index z, Index y);
  /// The value beside the piece: the neighbour's in the warp, or for the last lane a load.
  Value beside(Body &body, llvm::StringRef name, ShuffleFrom from, int64_t element, Range lastLane,
               Index x, Range inRow);
  void storePiece(Body &body);
  Value element(unsigned patch, std::vector<Index> at) {
    return step.value(PatchElement{patch, std::move(at)});
  }

  HeatStep step;
  const int rows, ahead, chunk, lanes;
  unsigned planes = 0, sides = 0, result = 0; ///< patches
  Index x, y, z;
};

void March::loadPiece(Body &body, unsigned patch, Index slice, Index z, Index y) {
  Body whole = {{LoadVector{{patch, {slice, c(0)}, unsigned(lanes)}, step.u, {z, y, x}}}}, part;
  for (int point = 0; point < lanes; ++point)
    part.push_back({AssignElement{patch,
                                  {slice, c(point)},
                                  step.value(GuardedValue{{{add(x, point), nullptr, step.nx}},
                                                          step.load({z, y, add(x, point)}),
                                                          step.value(LiteralValue{0})})}});
  body.push_back({If{{{x, nullptr, add(step.nx, 1 - lanes)}}, std::move(whole), std::move(part)}});
}

Value March::beside(Body &body, llvm::StringRef name, ShuffleFrom from, int64_t element,
                    Range lastLane, Index place, Range inRow) {
  const Value ofWarp = step.builder.let(
      body, name, step.value(ShuffleValue{from, 1, this->element(planes, {c(1), c(element)})}));
  return step.builder.let(body, name,
                          step.value(GuardedValue{{std::move(lastLane), std::move(inRow)},
                                                  step.load({z, y, std::move(place)}),
                                                  ofWarp}));
}

void March::storePiece(Body &body) {
  Body part;
  for (int point = 0; point < lanes; ++point)
    part.push_back(
        {If{{{add(x, point), c(1), add(step.nx, -1)}},
            {{StoreGlobal{step.next, {z, y, add(x, point)}, element(result, {c(point)})}}},
            {}}});
  Body whole = {{StoreVector{step.next, {z, y, x}, {result, {c(0)}, unsigned(lanes)}}}};
  body.push_back({If{{{x, c(1), add(step.nx, -lanes)}}, std::move(whole), std::move(part)}});
}

Program March::build() {
  KernelBuilder &builder = step.builder;
  for (ArrayArgument &array : builder.kernel.arrays)
    array.alignment = Alignment{unsigned(lanes), step.firstX};
  Body body;
  x = builder.letIndex(body, "x",
                       add(add(step.firstX, scale(block(0), 32 * lanes)), scale(thread(0), lanes)));
  y = builder.letIndex(body, "y", add(add(step.firstY, scale(block(1), rows)), thread(1)));
  // A row belongs to one warp, which leaves whole.
  body.push_back({ReturnUnless{{{y, nullptr, add(step.ny, -1)}}}});
  const Index begin = builder.letIndex(body, "z_begin", add(step.firstZ, scale(block(2), chunk)));
  const Index end = builder.letIndex(body, "z_end", minimum(add(begin, chunk), add(step.nz, -1)));

  planes = builder.patch("planes", step.type, {ahead + 2, lanes});
  sides = builder.patch("rows", step.type, {2, lanes});
  result = builder.patch("result", step.type, {lanes});
  auto planeAt = [&](Index plane) { return minimum(std::move(plane), add(step.nz, -1)); };
  const unsigned slice = builder.local("slice");
  const Index p = coordinate(CoordinateKind::Local, slice);
  Body fill;
  loadPiece(fill, planes, p, planeAt(add(add(begin, p), -1)), y);
  body.push_back({For{LoopKind::Unroll, slice, c(0), c(ahead + 1), 1, std::move(fill)}});

  const unsigned plane = builder.local("z");
  z = coordinate(CoordinateKind::Local, plane);
  Body turn;
  loadPiece(turn, planes, c(ahead + 1), planeAt(add(z, ahead)), y);
  loadPiece(turn, sides, c(0), z, add(y, -1));
  loadPiece(turn, sides, c(1), z, add(y, 1));
  const Value west = beside(turn, "west", ShuffleFrom::LowerLane, lanes - 1, {lane, nullptr, c(1)},
                            add(x, -1), {x, c(1), step.nx});
  const Value east = beside(turn, "east", ShuffleFrom::HigherLane, 0, {lane, c(31), nullptr},
                            add(x, lanes), {add(x, lanes), nullptr, step.nx});
  for (int point = 0; point < lanes; ++point)
    turn.push_back({AssignElement{
        result,
        {c(point)},
        step.update(element(planes, {c(1), c(point)}),
                    point == 0 ? west : element(planes, {c(1), c(point - 1)}),
                    point == lanes - 1 ? east : element(planes, {c(1), c(point + 1)}),
                    element(sides, {c(0), c(point)}), element(sides, {c(1), c(point)}),
                    element(planes, {c(0), c(point)}), element(planes, {c(2), c(point)}))}});
  storePiece(turn);
  turn.push_back({ShiftPatch{planes}});
  For march{LoopKind::Serial, plane, begin, end, 1, std::move(turn)};
  march.steady = SteadyLoop{ahead - 1};
  body.push_back({std::move(march)});
  return step.finish(std::move(body), c(0), step.nx, {chunk, rows, 32 * lanes});
}

} // namespace

Program stencilc::marchInVectors(const Stencil &stencil, int rows, int ahead, int chunk) {
  return March(stencil, rows, ahead, chunk).build();
}
