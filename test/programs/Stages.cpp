// Two stages, a launch each: what the first makes for the second lies in the workspace.
#include "test/ir/StencilBuilder.h"
#include "test/programs/PointKernel.h"
#include "test/programs/Programs.h"

using namespace stencilc;

namespace {

/// 4*here - (west + east + south + north).
template <class Maker, class ValueAt> auto curvature(Maker &make, ValueAt at) {
  const auto around = make.plus(make.plus(make.plus(at(0, -1), at(0, 1)), at(-1, 0)), at(1, 0));
  return make.minus(make.times(make.number(4), at(0, 0)), around);
}

} // namespace

Stencil stencilc::smoothing() {
  Stencil stencil = emptyStencil({"y", "x"});
  stencil.name = "smooth";
  stencil.params.push_back({"k", ScalarType::F64, 0.0625, {}});
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Fixed),
                 bend = addArray(stencil, ArrayKind::Temp, "bend");
  addUpdate(stencil, 0, bend, [=](FormulaBuilder &f) {
    return curvature(f, [&](int y, int x) { return f.now(u, {y, x}); });
  });
  addUpdate(stencil, 1, u, [=](FormulaBuilder &f) {
    const ExprId bent = curvature(f, [&](int y, int x) { return f.next(bend, {y, x}); });
    return f.minus(f.now(u), f.times(f.param(0), bent));
  });
  return stencil;
}

Program stencilc::inStages(const Stencil &stencil, Target target) {
  Program program = pointProgram(stencil, target);
  const unsigned u = 0, bend = 1;
  program.buffers.push_back(tempBuffer(program.signature, 1));

  PointKernel first(program, "smooth_bend", madeOf(stencil, program, bend), {8, 4, 1});
  const Launch bends = first.store(
      program, bend, curvature(first, [&](int y, int x) { return first.read(u, {y, x}); }));
  PointKernel second(program, "smooth_u", madeOf(stencil, program, u), {4, 2, 1});
  const Value bent = curvature(second, [&](int y, int x) { return second.read(bend, {y, x}); });
  const Launch steps =
      second.store(program, u, second.minus(second.read(u), second.times(second.uniform(0), bent)));
  program.plan.passes = {
      {.steps = 1, .actions = {{bends}, {steps}}, .owed = owedBy(stencil, program.buffers)}};
  return program;
}

Stencil stencilc::flowing() {
  Stencil stencil = emptyStencil({"z", "y", "x"});
  stencil.name = "flow";
  stencil.params.push_back({"k", ScalarType::F64, 0.125, {}});
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Halo),
                 across = addArray(stencil, ArrayKind::Temp, "across", BoundaryKind::Halo),
                 along = addArray(stencil, ArrayKind::Temp, "along", BoundaryKind::Halo);
  const auto difference = [=](Offset offset) {
    return [=](FormulaBuilder &f) { return f.minus(f.now(u, offset), f.now(u)); };
  };
  addUpdate(stencil, 0, across, difference({1, 0, 0}));
  addUpdate(stencil, 0, along, difference({0, 0, 1}));
  addUpdate(stencil, 1, u, [=](FormulaBuilder &f) {
    const auto gain = [&](unsigned flux, Offset before) {
      return f.minus(f.next(flux), f.next(flux, before));
    };
    return f.plus(f.now(u),
                  f.times(f.param(0), f.plus(gain(across, {-1, 0, 0}), gain(along, {0, 0, -2}))));
  });
  return stencil;
}

Program stencilc::inStagesWithGhosts(const Stencil &stencil) {
  Program program = pointProgram(stencil);
  const unsigned u = 0, across = 1, along = 2;
  for (unsigned temp : {1, 2})
    program.buffers.push_back(tempBuffer(program.signature, temp));

  const auto difference = [&](llvm::StringRef name, unsigned flux,
                              std::array<int, kMaxRank> offset) {
    PointKernel kernel(program, name, madeOf(stencil, program, flux), {8, 2, 2});
    return kernel.store(program, flux, kernel.minus(kernel.read(u, offset), kernel.read(u)));
  };
  const Launch first = difference("flow_across", across, {1, 0, 0}),
               second = difference("flow_along", along, {0, 0, 1});
  PointKernel kernel(program, "flow_u", madeOf(stencil, program, u), {8, 4, 1});
  const auto gain = [&](unsigned flux, std::array<int, kMaxRank> before) {
    return kernel.minus(kernel.read(flux), kernel.read(flux, before));
  };
  const Value sum = kernel.plus(gain(across, {-1, 0, 0}), gain(along, {0, 0, -2}));
  const Launch third =
      kernel.store(program, u, kernel.plus(kernel.read(u), kernel.times(kernel.uniform(0), sum)));
  program.plan.passes = {{.steps = 1,
                          .actions = {{first}, {second}, {third}},
                          .owed = owedBy(stencil, program.buffers)}};
  return program;
}
