#include "test/programs/HandKernel.h"
#include "test/programs/Programs.h"

#include <fmt/format.h>

using namespace stencilc;

namespace {

// Warp w makes level w + 1 from level w. In a turn it takes row y - w of level w, from memory or
// from the warp before it, and makes the row before that one; so row y of level 0 reaches all warps
// in one turn, but each waits for its neighbours alone.
class FusedRows {
public:
  FusedRows(const Program &program, bool isAligned, int steps, int chunk)
      : kernel(program, isAligned ? "plate_fused_in_vectors" : "plate_fused", {32, steps, 1}),
        steps(steps), chunk(chunk), lanes(lanesOf(kernel.type)) {
    if (isAligned)
      kernel.relyOnAlignment();
  }

  Launch addTo(Program &program);

private:
  int width() const { return 32 * lanes; }
  int margin() const { return (steps + lanes - 1) / lanes * lanes; }

  PatchRow row(unsigned patch, std::vector<Index> at) const {
    at.push_back(c(0));
    return {patch, std::move(at), unsigned(lanes)};
  }
  /// Where warp `number` leaves its row for the next one.
  std::vector<Index> handed(int number) const {
    return {remainder(turn, 2), c(number), scale(lane(), lanes)};
  }
  Body role(int number);
  void make(Body &body, const Index &y, bool isLast);

  HandKernel kernel;
  const int steps, chunk, lanes;
  unsigned rows = 0;   ///< patch: three rows of a level
  unsigned coming = 0; ///< patch: the next row of level 0
  unsigned made = 0;   ///< patch: a row of the level above
  unsigned hand = 0;   ///< tile, for two turns: a row of each warp but the last
  unsigned counter = 0;
  Index x, begin, end, turn;
};

/// Row y of the level above. What the last one makes of walls is stored nowhere.
void FusedRows::make(Body &body, const Index &y, bool isLast) {
  const auto at = [&](int row, int point) { return kernel.element(rows, {c(row), c(point)}); };
  const auto beside = [&](llvm::StringRef name, ShuffleFrom from, int point) {
    return kernel.builder.let(body, name, kernel.value(ShuffleValue{from, 1, at(1, point)}));
  };
  const auto times = [&](double factor, Value value) {
    return kernel.binary(BinaryOp::Multiply, kernel.value(LiteralValue{factor}), std::move(value));
  };
  const Value west = beside("west", ShuffleFrom::LowerLane, lanes - 1),
              east = beside("east", ShuffleFrom::HigherLane, 0);
  for (int point = 0; point < lanes; ++point) {
    const Value along =
        kernel.binary(BinaryOp::Subtract, times(3, point == 0 ? west : at(1, point - 1)),
                      point == lanes - 1 ? east : at(1, point + 1));
    const Value across = kernel.binary(BinaryOp::Subtract, at(0, point), times(2, at(2, point)));
    const Value flux = kernel.binary(BinaryOp::Multiply, kernel.builder.uniform(0),
                                     kernel.binary(BinaryOp::Add, along, across));
    Value value = kernel.binary(BinaryOp::Add, at(1, point), flux);
    if (!isLast) {
      value = kernel.builder.let(body, "value", value);
      value = kernel.value(GuardedValue{kernel.inside({y, x}, point), value, at(1, point)});
    }
    body.push_back({AssignElement{made, {c(point)}, value}});
  }
}

Body FusedRows::role(int number) {
  const Index newest = add(add(begin, turn), -steps - number);
  Body body, march;
  if (number == 0) {
    kernel.loadPiece(body, row(coming, {}), {add(begin, -steps), x});
    for (int point = 0; point < lanes; ++point)
      march.push_back({AssignElement{rows, {c(2), c(point)}, kernel.element(coming, {c(point)})}});
    kernel.loadPiece(march, row(coming, {}), {add(newest, 1), x});
  } else {
    march.push_back({Barrier{unsigned(number) - 1}});
    march.push_back({LoadSharedVector{row(rows, {c(2)}), hand, handed(number - 1)}});
  }
  make(march, add(newest, -1), number + 1 == steps);
  if (number + 1 < steps) {
    march.push_back({StoreSharedVector{hand, handed(number), row(made, {})}});
    march.push_back({Barrier{unsigned(number)}});
  } else {
    Body store;
    kernel.storePiece(store, {add(newest, -1), x}, row(made, {}));
    march.push_back({If{{{add(newest, -1), begin, nullptr},
                         {lane(), c(margin() / lanes), c(32 - margin() / lanes)}},
                        std::move(store),
                        {}}});
  }
  march.push_back({ShiftPatch{rows}});
  For loop{LoopKind::Serial, counter, c(0), add(add(end, scale(begin, -1)), 2 * steps), 1,
           std::move(march)};
  if (number == 0)
    loop.steady = SteadyLoop{1};
  body.push_back({std::move(loop)});
  return body;
}

Launch FusedRows::addTo(Program &program) {
  KernelBuilder &builder = kernel.builder;
  const std::vector<int> points = {chunk, width() - 2 * margin()};
  Body body;
  x = builder.letIndex(
      body, "x",
      add(add(add(kernel.first[1], scale(block(0), points[1])), -margin()), scale(lane(), lanes)));
  begin = builder.letIndex(body, "y_begin", add(kernel.first[0], scale(block(1), chunk)));
  end = builder.letIndex(body, "y_end", minimum(add(begin, chunk), add(extent(0), -1)));
  rows = builder.patch("rows", kernel.type, {3, lanes});
  coming = builder.patch("coming", kernel.type, {lanes});
  made = builder.patch("made", kernel.type, {lanes});
  hand = builder.tile("hand", kernel.type, {2, steps - 1, width()});
  counter = builder.local("turn");
  turn = coordinate(CoordinateKind::Local, counter);
  for (int number = 0; number + 1 < steps; ++number)
    builder.group(fmt::format("step {} and {}", number + 1, number + 2), number, 2);

  kernel.clear(body, rows);
  Roles roles;
  for (int number = 0; number < steps; ++number)
    roles.roles.push_back(
        {fmt::format("make step {}", number + 1), unsigned(number), 1, role(number)});
  body.push_back({std::move(roles)});
  return kernel.finish(program, std::move(body), points, /*coversWalls=*/true);
}

} // namespace

Program stencilc::fusedRows(const Stencil &stencil, int steps, int chunk) {
  Program program = simpleProgram(stencil);
  const auto launch = [&](bool isAligned) {
    return FusedRows(program, isAligned, steps, chunk).addTo(program);
  };
  const Launch aligned = launch(true), other = launch(false);
  addFusedPass(program, steps, whereAligned(program, aligned, {{other}}));
  return program;
}
