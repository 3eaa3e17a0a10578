// A field that the caller keeps in one buffer, two steps at a time: a buffer of the workspace takes
// the new values, and where they end there they are copied back.
#include "test/ir/StencilBuilder.h"
#include "test/programs/PointKernel.h"
#include "test/programs/Programs.h"

using namespace stencilc;

Stencil stencilc::spreading() {
  Stencil stencil = emptyStencil({"y", "x"});
  stencil.name = "spread";
  stencil.params.push_back({"k", ScalarType::F64, 0.125, {}});
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Fixed),
                 across = addArray(stencil, ArrayKind::Temp, "across"),
                 along = addArray(stencil, ArrayKind::Temp, "along");
  const auto difference = [=](Offset offset) {
    return [=](FormulaBuilder &f) { return f.minus(f.now(u, offset), f.now(u)); };
  };
  addUpdate(stencil, 0, across, difference({1, 0}));
  addUpdate(stencil, 0, along, difference({0, 1}));
  addUpdate(stencil, 1, u, [=](FormulaBuilder &f) {
    const ExprId gain = f.plus(f.minus(f.next(across), f.next(across, {-1, 0})),
                               f.minus(f.next(along), f.next(along, {0, -1})));
    return f.plus(f.now(u), f.times(f.param(0), gain));
  });
  return stencil;
}

namespace {

constexpr unsigned kField = 0, kAway = 1; ///< buffers

/// The points that a step updates.
PointBox inner() { return {{constant(1), constant(1)}, {add(extent(0), -1), add(extent(1), -1)}}; }
PointBox wholeGrid() { return {{constant(0), constant(0)}, {extent(0), extent(1)}}; }

/// The field at a point after so many steps, made in a register.
Value after(int steps, PointKernel &kernel, Body &body, int y, int x) {
  const Value before = steps == 1 ? kernel.variable(body, "u_here", kernel.read(kField, {y, x}))
                                  : after(steps - 1, kernel, body, y, x);
  // The kernel's guard lets only threads pass whose own point is updated.
  Box updated;
  for (auto [axis, offset] : llvm::enumerate(std::array{y, x}))
    if (offset != 0)
      updated.push_back({kernel.at({y, x})[axis], offset < 0 ? inner().begin[axis] : nullptr,
                         offset > 0 ? inner().end[axis] : nullptr});
  Body step;
  const auto beside = [&](int dy, int dx) {
    return steps == 1 ? kernel.read(kField, {y + dy, x + dx})
                      : after(steps - 1, kernel, step, y + dy, x + dx);
  };
  const auto gain = [&](int dy, int dx) {
    const Value ahead = kernel.minus(beside(dy, dx), before);
    return kernel.minus(ahead, kernel.minus(before, beside(-dy, -dx)));
  };
  const Value across = gain(1, 0), along = gain(0, 1);
  const Value sum = kernel.times(kernel.uniform(0), kernel.plus(across, along));
  kernel.assign(step, before, kernel.plus(before, sum));
  if (updated.empty())
    llvm::move(step, std::back_inserter(body));
  else
    body.push_back({If{updated, std::move(step), {}}});
  return before;
}

/// The field's new level after so many steps, in the other buffer.
Launch makeSteps(Program &program, llvm::StringRef name, int steps) {
  PointKernel kernel(program, name, inner(), {8, 4, 1});
  const Value made = after(steps, kernel, kernel.values, 0, 0);
  return kernel.store(program, kAway, made);
}

} // namespace

Program stencilc::inPlace(const Stencil &stencil) {
  Program program = pointProgram(stencil);
  program.buffers.push_back(twinOf(program.buffers[kField], "u_away"));
  const Rename exchange = {{{kField, kAway}, {kAway, kField}}};
  const auto pass = [&](int steps, llvm::StringRef name) {
    const Launch launch = makeSteps(program, name, steps);
    return Pass{steps, {{launch}, {exchange}}, owedBy(stencil, program.buffers)};
  };
  program.plan.passes = {pass(2, "spread_twice"), pass(1, "spread_once")};

  PointKernel kernel(program, "spread_copy", wholeGrid(), {8, 4, 1});
  Launch copy = kernel.store(program, kAway, kernel.read(kField), "Copies a box of points.");
  copy.comment = "The other buffer takes the walls, which no step makes.";
  program.plan.prologue = {{copy}};
  copy.comment = "The newest level returns to the caller's memory.";
  program.plan.epilogue = {{When{Away{kField}, {{copy}, {exchange}}, {}}}};
  return program;
}
