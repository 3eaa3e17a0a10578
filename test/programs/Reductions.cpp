#include "test/programs/Reductions.h"

#include "test/ir/StencilBuilder.h"

using namespace stencilc;

Stencil stencilc::bars() {
  Stencil stencil = emptyStencil({"y", "x"});
  stencil.name = "bars";
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Fixed);
  addUpdate(stencil, 0, u, [&](FormulaBuilder &f) {
    const ExprId sides = f.plus(
        f.plus(f.plus(f.now(u, {-1, 0}), f.now(u, {1, 0})), f.now(u, {0, -1})), f.now(u, {0, 1}));
    return f.times(f.number(0.25), sides);
  });
  Region below;
  below[0] = {fromStart(1), fromEnd(0)};
  addReduction(
      stencil, Reduction::Op::Sum, "energy",
      [&](FormulaBuilder &f) { return f.times(f.now(u), f.now(u)); }, below);
  addReduction(stencil, Reduction::Op::Max, "slope", [&](FormulaBuilder &f) {
    return f.call(Builtin::Abs, {f.minus(f.now(u, {0, 1}), f.now(u))});
  });
  return stencil;
}

Stencil stencilc::barsOfAWarp() {
  Stencil stencil = bars();
  stencil.reductions.pop_back();
  stencil.reductionTree = {.lanes = 32, .turns = 1};
  return stencil;
}
