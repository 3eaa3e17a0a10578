#include "test/programs/HandKernel.h"
#include "test/programs/Programs.h"

using namespace stencilc;

namespace {

class March {
public:
  March(const Stencil &stencil, int rows, int ahead, int chunk)
      : program(simpleProgram(stencil)), step(program, "heat_march_in_vectors", {32, rows, 1}),
        rows(rows), ahead(ahead), chunk(chunk), lanes(lanesOf(step.type)) {}

  Program build();

private:
  /// Fills a row of a patch with the piece at (z, y, x), zeros beyond the end of the row.
  void loadPiece(Body &body, unsigned patch, Index slice, Index z, Index y);
  /// The value beside the piece: the neighbour's in the warp, or for the last lane a load.
  Value beside(Body &body, llvm::StringRef name, ShuffleFrom from, int64_t element, Range lastLane,
               Index x, Range inRow);
  void storePiece(Body &body);

  Program program;
  HandKernel step;
  const Index nz = extent(0), ny = extent(1), nx = extent(2);
  const int rows, ahead, chunk, lanes;
  unsigned planes = 0, sides = 0, result = 0; ///< patches
  Index x, y, z;
};

void March::loadPiece(Body &body, unsigned patch, Index slice, Index z, Index y) {
  Body whole = {{LoadVector{{patch, {slice, c(0)}, unsigned(lanes)}, step.u, {z, y, x}}}}, part;
  // Of a piece that is not whole, the last point lies beyond the row.
  const Value beyond = step.value(LiteralValue{0});
  for (int point = 0; point < lanes; ++point) {
    const Value inRow = step.value(
        GuardedValue{{{add(x, point), nullptr, nx}}, step.load({z, y, add(x, point)}), beyond});
    part.push_back({AssignElement{patch, {slice, c(point)}, point + 1 < lanes ? inRow : beyond}});
  }
  body.push_back({If{{{x, nullptr, add(nx, 1 - lanes)}}, std::move(whole), std::move(part)}});
}

Value March::beside(Body &body, llvm::StringRef name, ShuffleFrom from, int64_t element,
                    Range lastLane, Index place, Range inRow) {
  const Value ofWarp = step.builder.let(
      body, name, step.value(ShuffleValue{from, 1, step.element(planes, {c(1), c(element)})}));
  return step.builder.let(body, name,
                          step.value(GuardedValue{{std::move(lastLane), std::move(inRow)},
                                                  step.load({z, y, std::move(place)}),
                                                  ofWarp}));
}

void March::storePiece(Body &body) {
  Body part;
  for (int point = 0; point < lanes; ++point)
    part.push_back(
        {If{{{add(x, point), c(1), add(nx, -1)}},
            {{StoreGlobal{step.next, {z, y, add(x, point)}, step.element(result, {c(point)})}}},
            {}}});
  Body whole = {{StoreVector{step.next, {z, y, x}, {result, {c(0)}, unsigned(lanes)}}}};
  body.push_back({If{{{x, c(1), add(nx, -lanes)}}, std::move(whole), std::move(part)}});
}

Program March::build() {
  KernelBuilder &builder = step.builder;
  step.relyOnAlignment();
  Body body;
  x = builder.letIndex(
      body, "x", add(add(step.first[2], scale(block(0), 32 * lanes)), scale(thread(0), lanes)));
  y = builder.letIndex(body, "y", add(add(step.first[1], scale(block(1), rows)), thread(1)));
  // A row belongs to one warp, which leaves whole.
  body.push_back({ReturnUnless{{{y, nullptr, add(ny, -1)}}}});
  const Index begin = builder.letIndex(body, "z_begin", add(step.first[0], scale(block(2), chunk)));
  const Index end = builder.letIndex(body, "z_end", minimum(add(begin, chunk), add(nz, -1)));

  planes = builder.patch("planes", step.type, {ahead + 2, lanes});
  sides = builder.patch("rows", step.type, {2, lanes});
  result = builder.patch("result", step.type, {lanes});
  auto planeAt = [&](Index plane) { return minimum(std::move(plane), add(nz, -1)); };
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
  const Value west = beside(turn, "west", ShuffleFrom::LowerLane, lanes - 1,
                            {lane(), nullptr, c(1)}, add(x, -1), {x, c(1), nx});
  const Value east = beside(turn, "east", ShuffleFrom::HigherLane, 0, {lane(), c(31), nullptr},
                            add(x, lanes), {add(x, lanes), nullptr, nx});
  for (int point = 0; point < lanes; ++point)
    turn.push_back({AssignElement{
        result,
        {c(point)},
        step.heat(step.element(planes, {c(1), c(point)}),
                  point == 0 ? west : step.element(planes, {c(1), c(point - 1)}),
                  point == lanes - 1 ? east : step.element(planes, {c(1), c(point + 1)}),
                  step.element(sides, {c(0), c(point)}), step.element(sides, {c(1), c(point)}),
                  step.element(planes, {c(0), c(point)}),
                  step.element(planes, {c(2), c(point)}))}});
  storePiece(turn);
  turn.push_back({ShiftPatch{planes}});
  For loop{LoopKind::Serial, plane, begin, end, 1, std::move(turn)};
  loop.steady = SteadyLoop{ahead - 1};
  body.push_back({std::move(loop)});
  const Launch simple = simpleStep(program);
  Launch march = step.finish(program, std::move(body), {chunk, rows, 32 * lanes});
  replaceStep(program, whereAligned(program, std::move(march), {{simple}}));
  return std::move(program);
}

} // namespace

Program stencilc::marchInVectors(const Stencil &stencil, int rows, int ahead, int chunk) {
  return March(stencil, rows, ahead, chunk).build();
}
