// Two levels back in time, damped so that three buffers take turns; walls come to each of them.
#include "test/ir/StencilBuilder.h"
#include "test/programs/Programs.h"

using namespace stencilc;

Stencil stencilc::dampedWaves() {
  Stencil stencil = emptyStencil({"y", "x"});
  stencil.name = "waves";
  stencil.params = {{"k", ScalarType::F64, 0.25, {}}, {"d", ScalarType::F64, 0.0625, {}}};
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Fixed);
  // 2*here - before + k*(west + east - 2*here) + d*(beforeSouth - before)
  addUpdate(stencil, 0, u, [=](FormulaBuilder &f) {
    const ExprId twice = f.times(f.number(2), f.now(u));
    const ExprId sides = f.plus(f.now(u, {0, -1}), f.now(u, {0, 1}));
    const ExprId pull = f.times(f.param(0), f.minus(sides, twice));
    const ExprId drag = f.times(f.param(1), f.minus(f.before(u, {-1, 0}), f.before(u)));
    return f.plus(f.plus(f.minus(twice, f.before(u)), pull), drag);
  });
  return stencil;
}
