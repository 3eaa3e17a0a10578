// Values that depend on where and when they are made.
#include "test/ir/StencilBuilder.h"
#include "test/programs/Programs.h"

using namespace stencilc;

Stencil stencilc::places() {
  Stencil stencil = emptyStencil({"y", "x"});
  stencil.name = "places";
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Value),
                 v = addArray(stencil, ArrayKind::Field, "v", BoundaryKind::Clamp),
                 pulse = addOverTime(stencil, "pulse"), sx = addParamInt(stencil, "sx", 2),
                 far = addParamInt(stencil, "far", 5'000'000'000);
  // far + t and pulse, each on two sides.
  for (unsigned axis : {0, 1})
    for (unsigned side : {Low, High})
      stencil.arrays[u].boundary[axis][side].value = formulaOf([&](FormulaBuilder &f) {
        if (side == High)
          return f.overTime(pulse);
        return f.cast(ScalarType::F64, f.plus(f.param(far, ScalarType::Int), f.step()));
      });
  const auto number = [](FormulaBuilder &f, ExprId whole) {
    return f.cast(ScalarType::F64, whole);
  };
  // where(x == sx && y <= 1, pulse, u[x-1]) + r2 + (r2 < far), r2 = (x - sx)*(x - sx) + y*far
  addUpdate(stencil, 0, u, [&](FormulaBuilder &f) {
    const ExprId x = f.position(1), y = f.position(0), at = f.param(sx, ScalarType::Int),
                 big = f.param(far, ScalarType::Int);
    const ExprId isThere = f.binary(BinaryOp::And, f.compare(CompareOp::Equal, x, at),
                                    f.compare(CompareOp::LessEqual, y, f.whole(1)));
    const ExprId source = f.where(isThere, f.overTime(pulse), f.now(u, {0, -1}));
    const ExprId across = f.minus(x, at);
    const ExprId square = f.named(f.plus(f.times(across, across), f.times(y, big)), "r2");
    const ExprId isNear = f.compare(CompareOp::Less, square, big);
    return f.plus(f.plus(source, number(f, square)), f.where(isNear, f.number(1), f.number(0)));
  });
  // where(x + 1 > t || x != 4 - y, v[y-1] + u[y+1], pulse[t+1]) * f64(t*x + 3)
  addUpdate(stencil, 0, v, [&](FormulaBuilder &f) {
    const ExprId x = f.position(1), y = f.position(0);
    const ExprId isLate = f.compare(CompareOp::Greater, f.plus(x, f.whole(1)), f.step());
    const ExprId isOff = f.compare(CompareOp::NotEqual, x, f.minus(f.whole(4), y));
    const ExprId sum = f.plus(f.now(v, {-1, 0}), f.now(u, {1, 0}));
    const ExprId either = f.where(f.binary(BinaryOp::Or, isLate, isOff), sum, f.overTime(pulse, 1));
    return f.times(either, number(f, f.plus(f.times(f.step(), x), f.whole(3))));
  });
  return stencil;
}
