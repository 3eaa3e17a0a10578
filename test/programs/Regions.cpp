// Stencils that are made region by region.
#include "test/ir/StencilBuilder.h"
#include "test/programs/Programs.h"

using namespace stencilc;

/// The sum of what lies on both sides along an axis.
static ExprId sides(FormulaBuilder &f, unsigned array, unsigned axis) {
  Offset low = {}, high = {};
  low[axis] = -1;
  high[axis] = 1;
  return f.plus(f.now(array, low), f.now(array, high));
}

Stencil stencilc::shelf() {
  Stencil stencil = emptyStencil({"y", "x"});
  stencil.name = "shelf";
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Clamp),
                 v = addArray(stencil, ArrayKind::Field, "v", BoundaryKind::Fixed);
  Region inside, first, last, row;
  inside[0] = {fromStart(1), fromEnd(-2)};
  inside[1] = {fromStart(2), fromEnd(0)};
  first[0] = {fromStart(0), fromStart(1)};
  last[0] = {fromEnd(-1), fromEnd(0)};
  row[0] = {fromStart(0), fromEnd(-1)};
  row[1] = {fromStart(1), fromStart(2)};
  addUpdate(
      stencil, 0, u,
      [&](FormulaBuilder &f) {
        return f.times(f.number(0.25), f.plus(sides(f, u, 0), sides(f, u, 1)));
      },
      inside);
  addUpdate(
      stencil, 0, u, [&](FormulaBuilder &f) { return f.minus(f.now(v), f.now(u, {0, 1})); }, first);
  addUpdate(
      stencil, 1, u, [&](FormulaBuilder &f) { return f.minus(f.next(u, {-1, 0}), f.now(v)); },
      last);
  addUpdate(
      stencil, 1, v, [&](FormulaBuilder &f) { return f.plus(f.now(v), f.next(u, {0, -1})); }, row);
  return stencil;
}

Stencil stencilc::window() {
  Stencil stencil = emptyStencil({"z", "y", "x"});
  stencil.name = "window";
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Halo),
                 w = addArray(stencil, ArrayKind::Temp, "w"), top = addParamInt(stencil, "top", 1),
                 far = addParamInt(stencil, "far", 2);
  Region layer, column, rest;
  layer[0] = {fromParam(top, 0), fromParam(top, 2)};
  column[0] = {fromParam(top, 2), fromEnd(0)};
  column[2] = {fromParam(far, 0), fromParam(far, 1)};
  rest[0] = {fromParam(top, 2), fromEnd(0)};
  rest[2] = {fromParam(far, 1), fromEnd(-1)};
  addUpdate(stencil, 0, w, [&](FormulaBuilder &f) { return sides(f, u, 2); }, layer);
  addUpdate(
      stencil, 1, u,
      [&](FormulaBuilder &f) {
        return f.plus(f.minus(f.next(w, {1, 0, 0}), f.next(w)), sides(f, u, 1));
      },
      layer);
  addUpdate(stencil, 1, u, [&](FormulaBuilder &f) { return sides(f, u, 0); }, column);
  addUpdate(stencil, 1, u, [&](FormulaBuilder &f) { return sides(f, u, 2); }, rest);
  return stencil;
}
