// Stencils of two stages: what the first makes for the second lies in the workspace.
#include "test/ir/StencilBuilder.h"
#include "test/programs/Programs.h"

using namespace stencilc;

namespace {

/// 4*here - (west + east + south + north).
template <class ValueAt> ExprId curvature(FormulaBuilder &f, ValueAt at) {
  const ExprId around = f.plus(f.plus(f.plus(at(0, -1), at(0, 1)), at(-1, 0)), at(1, 0));
  return f.minus(f.times(f.number(4), at(0, 0)), around);
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
