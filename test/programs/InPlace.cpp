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

/// Makes steps in registers, on the whole grid, since the target takes walls too.
class Steps {
public:
  Steps(Program &program, llvm::StringRef name, unsigned from, std::array<int, 3> block)
      : kernel(program, name, wholeGrid(), block), from(from) {}

  Launch store(Program &program, unsigned to, int steps) {
    return kernel.store(program, to, after(kernel.values, steps, 0, 0));
  }

private:
  static OwedBox wholeGrid() { return {{constant(0), constant(0)}, {extent(0), extent(1)}}; }

  /// The field at a point after so many steps.
  Value after(Body &body, int steps, int y, int x);

  PointKernel kernel;
  const unsigned from;
};

Value Steps::after(Body &body, int steps, int y, int x) {
  if (steps == 0)
    return kernel.read(from, {y, x});
  Box updated;
  for (auto [axis, index] : llvm::enumerate(kernel.at({y, x})))
    updated.push_back({index, constant(1), add(extent(axis), -1)});
  return kernel.changed(
      body, "u_here", after(body, steps - 1, y, x), updated, [&](Body &inner, Value here) {
        const auto beside = [&](int dy, int dx) { return after(inner, steps - 1, y + dy, x + dx); };
        const auto gain = [&](int dy, int dx) {
          const Value ahead = kernel.minus(beside(dy, dx), here);
          return kernel.minus(ahead, kernel.minus(here, beside(-dy, -dx)));
        };
        const Value across = gain(1, 0), along = gain(0, 1);
        return kernel.plus(here, kernel.times(kernel.uniform(0), kernel.plus(across, along)));
      });
}

} // namespace

Program stencilc::inPlace(const Stencil &stencil) {
  Program program = pointProgram(stencil);
  const unsigned u = 0, away = 1;
  program.buffers.push_back(twinOf(program.buffers[u], "u_away"));
  const Rename exchange = {{{u, away}, {away, u}}};
  const auto pass = [&](int steps, llvm::StringRef name) {
    const Launch launch = Steps(program, name, u, {32, 4, 1}).store(program, away, steps);
    return Pass{steps, {{launch}, {exchange}}, owedBy(stencil, program.buffers)};
  };
  program.plan.passes = {pass(2, "spread_twice"), pass(1, "spread_once")};
  const Launch back = Steps(program, "spread_back", u, {64, 2, 1}).store(program, away, 0);
  program.plan.epilogue = {{When{Away{u}, {{back}, {exchange}}, {}}}};
  return program;
}
