#include "test/programs/HandKernel.h"
#include "test/programs/Programs.h"

using namespace stencilc;

namespace {

// A turn of the march takes in plane z of level 0, the state that the pass begins with, and makes
// plane z - t of each level t from the three planes around it one level below. The middle one of
// these was made a turn before: its rows at the rims of the warps are what the warps show each
// other, all levels at once.
class FusedPlanes {
public:
  FusedPlanes(const Program &program, bool isAligned, int steps, int warps, int rows, int chunk)
      : kernel(program, isAligned ? "heat_fused_in_vectors" : "heat_fused", {32, warps, 1}),
        steps(steps), warps(warps), rows(rows), chunk(chunk), lanes(lanesOf(kernel.type)) {
    if (isAligned)
      kernel.relyOnAlignment();
  }

  Launch addTo(Program &program);

private:
  /// Points of a plane in a block, and how many at each end along x are not right any more at the
  /// last level, in whole pieces; `steps` are that along y.
  int width() const { return 32 * lanes; }
  int height() const { return warps * rows; }
  int margin() const { return (steps + lanes - 1) / lanes * lanes; }

  PatchRow row(unsigned patch, std::vector<Index> at) const {
    at.push_back(c(0));
    return {patch, std::move(at), unsigned(lanes)};
  }
  /// Where a row of a warp's rim is shown.
  std::vector<Index> rim(const Index &level, Index number) const {
    return {remainder(turn, 2), level, std::move(number), scale(lane(), lanes)};
  }
  void start(Body &body);
  void take(Body &turn);
  void show(Body &turn);
  void advance(Body &turn);
  Body make(const Index &level, const Index &j);
  void leave(Body &turn);

  HandKernel kernel;
  const int steps, warps, rows, chunk, lanes;
  unsigned planes = 0; ///< patch: z - 2 - t, z - 1 - t and z - t of each level
  unsigned coming = 0; ///< patch: plane z + 1 of level 0
  unsigned around = 0; ///< patch: plane z - 1 - t of a level, with a row on either side
  unsigned rims = 0;   ///< tile, for two turns: per level the first and last row of each warp
  Index x, y, begin, end, turn, z;
};

/// Loads the first plane; the others that the first turns see lie outside what they make.
void FusedPlanes::start(Body &body) {
  kernel.clear(body, planes);
  kernel.unroll(body, "row", rows, [&](const Index &j) {
    Body load;
    kernel.loadPiece(load, row(coming, {j}), {add(begin, -steps), add(y, j), x});
    return load;
  });
}

void FusedPlanes::take(Body &body) {
  kernel.unroll(body, "row", rows, [&](const Index &j) {
    Body each;
    for (int i = 0; i < lanes; ++i)
      each.push_back(
          {AssignElement{planes, {c(2), c(0), j, c(i)}, kernel.element(coming, {j, c(i)})}});
    kernel.loadPiece(each, row(coming, {j}), {add(z, 1), add(y, j), x});
    return each;
  });
}

void FusedPlanes::show(Body &body) {
  kernel.unroll(body, "level", steps, [&](const Index &level) {
    Body each;
    for (int last : {0, 1})
      each.push_back({StoreSharedVector{rims, rim(level, add(scale(warp(), 2), last)),
                                        row(planes, {c(1), level, c(last * (rows - 1))})}});
    return each;
  });
  body.push_back({Barrier{}});
}

void FusedPlanes::advance(Body &body) {
  kernel.unroll(body, "level", steps, [&](const Index &level) {
    const Index before = maximum(add(scale(warp(), 2), -1), c(0)),
                after = minimum(add(scale(warp(), 2), 2), c(2 * warps - 1));
    Body plane = {{LoadSharedVector{row(around, {c(0)}), rims, rim(level, before)}},
                  {LoadSharedVector{row(around, {c(rows + 1)}), rims, rim(level, after)}}};
    kernel.unroll(plane, "row", rows, [&](const Index &j) {
      Body own;
      for (int i = 0; i < lanes; ++i)
        own.push_back({AssignElement{
            around, {add(j, 1), c(i)}, kernel.element(planes, {c(1), level, j, c(i)})}});
      return own;
    });
    kernel.unroll(plane, "row", rows, [&](const Index &j) { return make(level, j); });
    return plane;
  });
}

/// Row j of a plane of the level above.
Body FusedPlanes::make(const Index &level, const Index &j) {
  Body body;
  const auto middle = [&](int rowsOn, int i) {
    return kernel.element(around, {add(j, rowsOn), c(i)});
  };
  const auto other = [&](int plane, int i) {
    return kernel.element(planes, {c(plane), level, j, c(i)});
  };
  const auto beside = [&](llvm::StringRef name, ShuffleFrom from, int i) {
    return kernel.builder.let(body, name, kernel.value(ShuffleValue{from, 1, middle(1, i)}));
  };
  const Value west = beside("west", ShuffleFrom::LowerLane, lanes - 1),
              east = beside("east", ShuffleFrom::HigherLane, 0);
  for (int i = 0; i < lanes; ++i) {
    const Value made =
        kernel.builder.let(body, "made",
                           kernel.heat(middle(1, i), i == 0 ? west : middle(1, i - 1),
                                       i == lanes - 1 ? east : middle(1, i + 1), middle(0, i),
                                       middle(2, i), other(0, i), other(2, i)));
    const Box here = kernel.inside({add(add(z, -1), scale(level, -1)), add(y, j), x}, i);
    body.push_back({AssignElement{planes,
                                  {c(2), add(level, 1), j, c(i)},
                                  kernel.value(GuardedValue{here, made, middle(1, i)})}});
  }
  return body;
}

void FusedPlanes::leave(Body &body) {
  const Index made = add(z, -steps);
  Body pieces;
  kernel.unroll(pieces, "row", rows, [&](const Index &j) {
    Body piece;
    kernel.storePiece(piece, {made, add(y, j), x}, row(planes, {c(2), c(steps), j}));
    const Box ofBlock = {{add(scale(warp(), rows), j), c(steps), c(height() - steps)},
                         {add(y, j), nullptr, add(extent(1), -1)}};
    return Body{{If{ofBlock, std::move(piece), {}}}};
  });
  body.push_back(
      {If{{{made, begin, nullptr}, {lane(), c(margin() / lanes), c(32 - margin() / lanes)}},
          std::move(pieces),
          {}}});
}

Launch FusedPlanes::addTo(Program &program) {
  KernelBuilder &builder = kernel.builder;
  const std::vector<int> points = {chunk, height() - 2 * steps, width() - 2 * margin()};
  Body body;
  x = builder.letIndex(
      body, "x",
      add(add(add(kernel.first[2], scale(block(0), points[2])), -margin()), scale(lane(), lanes)));
  y = builder.letIndex(
      body, "y",
      add(add(add(kernel.first[1], scale(block(1), points[1])), -steps), scale(warp(), rows)));
  begin = builder.letIndex(body, "z_begin", add(kernel.first[0], scale(block(2), chunk)));
  end = builder.letIndex(body, "z_end", minimum(add(begin, chunk), add(extent(0), -1)));
  planes = builder.patch("planes", kernel.type, {3, steps + 1, rows, lanes});
  coming = builder.patch("coming", kernel.type, {rows, lanes});
  around = builder.patch("around", kernel.type, {rows + 2, lanes});
  rims = builder.tile("rims", kernel.type, {2, steps, 2 * warps, width()});
  const unsigned number = builder.local("turn");
  turn = coordinate(CoordinateKind::Local, number);
  start(body);
  Body march;
  z = builder.letIndex(march, "z", add(add(begin, turn), -steps));
  take(march);
  show(march);
  advance(march);
  leave(march);
  march.push_back({ShiftPatch{planes}});
  For loop{LoopKind::Serial, number, c(0), add(add(end, scale(begin, -1)), 2 * steps), 1,
           std::move(march)};
  loop.steady = SteadyLoop{1};
  body.push_back({std::move(loop)});
  return kernel.finish(program, std::move(body), points, /*coversWalls=*/true);
}

} // namespace

Program stencilc::fusedPlanes(const Stencil &stencil, int steps, int warps, int rows, int chunk) {
  Program program = simpleProgram(stencil);
  const auto launch = [&](bool isAligned) {
    return FusedPlanes(program, isAligned, steps, warps, rows, chunk).addTo(program);
  };
  const Launch aligned = launch(true), other = launch(false);
  addFusedPass(program, steps, whereAligned(program, aligned, {{other}}));
  return program;
}
