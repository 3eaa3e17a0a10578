// Two levels back in time, damped so that three buffers take turns; walls come to each of them.
#include "codegen/lower/FrameCopy.h"
#include "test/ir/StencilBuilder.h"
#include "test/programs/PointKernel.h"
#include "test/programs/Programs.h"

using namespace stencilc;

namespace {

/// 2*here - before + k*(west + east - 2*here) + d*(beforeSouth - before).
template <class Maker, class Part>
Part wave(Maker &make, Part k, Part d, Part here, Part before, Part west, Part east,
          Part beforeSouth) {
  const Part twice = make.times(make.number(2), here);
  const Part pull = make.times(k, make.minus(make.plus(west, east), twice));
  const Part drag = make.times(d, make.minus(beforeSouth, before));
  return make.plus(make.plus(make.minus(twice, before), pull), drag);
}

} // namespace

Stencil stencilc::dampedWaves() {
  Stencil stencil = emptyStencil({"y", "x"});
  stencil.name = "waves";
  stencil.params = {{"k", ScalarType::F64, 0.25, {}}, {"d", ScalarType::F64, 0.0625, {}}};
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Fixed);
  addUpdate(stencil, 0, u, [=](FormulaBuilder &f) {
    return wave(f, f.param(0), f.param(1), f.now(u), f.before(u), f.now(u, {0, -1}),
                f.now(u, {0, 1}), f.before(u, {-1, 0}));
  });
  return stencil;
}

Program stencilc::leapfrog(const Stencil &stencil) {
  Program program = pointProgram(stencil);
  const auto bufferAt = [&](TimeLevel level) { return bufferOf(program.signature, 0, level); };
  const unsigned u = bufferAt(TimeLevel::Current), before = bufferAt(TimeLevel::Previous);
  PointKernel kernel(program, "waves_leap", madeOf(stencil, program, u), {8, 4, 1});
  const Value made =
      wave(kernel, kernel.uniform(0), kernel.uniform(1), kernel.read(u), kernel.read(before),
           kernel.read(u, {0, -1}), kernel.read(u, {0, 1}), kernel.read(before, {-1, 0}));
  const Launch step = kernel.store(program, bufferAt(TimeLevel::Next), made);
  Pass pass{.steps = 1, .actions = {{step}}, .owed = owedBy(stencil, program.buffers)};
  for (When &copies : FrameCopies(program, stencil).after(stencil.stages.front()))
    pass.actions.push_back({std::move(copies)});
  pass.actions.push_back({rotation(program.signature)});
  program.plan.passes.push_back(std::move(pass));
  return program;
}
