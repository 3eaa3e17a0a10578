// Stencils built by hand, for what no text can say (yet) and for faulty ones.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// Builds one formula, value by value. Operations take the type of their first operand.
class FormulaBuilder {
public:
  ExprId number(double value, ScalarType type = ScalarType::F64) {
    return formula.add(type, Literal{value});
  }
  ExprId whole(double value) { return number(value, ScalarType::Int); }
  ExprId param(unsigned number, ScalarType type = ScalarType::F64) {
    return formula.add(type, ParamValue{number});
  }
  ExprId position(unsigned axis, ScalarType type = ScalarType::Int) {
    return formula.add(type, AxisValue{axis});
  }
  ExprId step() { return formula.add(ScalarType::Int, StepValue{}); }
  ExprId now(unsigned array, Offset offset = {}, ScalarType type = ScalarType::F64) {
    return formula.add(type, Read{array, TimeLevel::Current, offset});
  }
  ExprId next(unsigned array, Offset offset = {}, ScalarType type = ScalarType::F64) {
    return formula.add(type, Read{array, TimeLevel::Next, offset});
  }
  ExprId before(unsigned array, Offset offset = {}, ScalarType type = ScalarType::F64) {
    return formula.add(type, Read{array, TimeLevel::Previous, offset});
  }
  ExprId overTime(unsigned array, int offset = 0) {
    return formula.add(ScalarType::F64, TimeRead{array, offset});
  }
  ExprId binary(BinaryOp op, ExprId left, ExprId right) {
    return formula.add(formula[left].type, BinaryExpr{op, left, right});
  }
  ExprId plus(ExprId left, ExprId right) { return binary(BinaryOp::Add, left, right); }
  ExprId minus(ExprId left, ExprId right) { return binary(BinaryOp::Subtract, left, right); }
  ExprId times(ExprId left, ExprId right) { return binary(BinaryOp::Multiply, left, right); }
  ExprId compare(CompareOp op, ExprId left, ExprId right) {
    return formula.add(ScalarType::Bool, CompareExpr{op, left, right});
  }
  ExprId where(ExprId condition, ExprId then, ExprId otherwise) {
    return formula.add(formula[then].type, SelectExpr{condition, then, otherwise});
  }
  ExprId call(Builtin function, llvm::SmallVector<ExprId, 2> operands) {
    return formula.add(formula[operands.front()].type, CallExpr{function, operands});
  }
  ExprId cast(ScalarType type, ExprId operand) { return formula.add(type, CastExpr{operand}); }
  /// Gives a value the name of a let that was moved by `shift`.
  ExprId named(ExprId id, std::string name, Offset shift = {}) {
    formula.exprs[id].name = std::move(name);
    formula.exprs[id].shift = shift;
    return id;
  }

  Formula formula;
};

/// The formula whose result `build` gives.
template <class Build> Formula formulaOf(const Build &build) {
  FormulaBuilder builder;
  builder.formula.result = build(builder);
  return std::move(builder.formula);
}

/// A stencil without arrays or stages.
inline Stencil emptyStencil(std::vector<std::string> axes) {
  Stencil stencil;
  stencil.name = "test";
  stencil.axes = std::move(axes);
  return stencil;
}

/// Adds an f64 array with all axes and one boundary on all sides; returns its number.
inline unsigned addArray(Stencil &stencil, ArrayKind kind, std::string name,
                         BoundaryKind boundary = BoundaryKind::None) {
  Array array;
  array.name = std::move(name);
  array.kind = kind;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
    array.axes.push_back(axis);
    for (Boundary &side : array.boundary[axis])
      side.kind = boundary;
  }
  stencil.arrays.push_back(std::move(array));
  return stencil.arrays.size() - 1;
}

/// Adds a const f64 array with a value a step; returns its number.
inline unsigned addOverTime(Stencil &stencil, std::string name) {
  Array array;
  array.name = std::move(name);
  array.kind = ArrayKind::Const;
  array.isOverTime = true;
  stencil.arrays.push_back(std::move(array));
  return stencil.arrays.size() - 1;
}

inline unsigned addParamInt(Stencil &stencil, std::string name, double value) {
  stencil.params.push_back({std::move(name), ScalarType::Int, value, {}});
  return stencil.params.size() - 1;
}

/// Adds an update to the stage of this number, which is made if it is not there yet.
template <class Build>
Update &addUpdate(Stencil &stencil, unsigned stage, unsigned array, const Build &build,
                  Region region = {}) {
  if (stencil.stages.size() <= stage)
    stencil.stages.resize(stage + 1);
  Update update;
  update.array = array;
  update.formula = formulaOf(build);
  update.region = region;
  stencil.stages[stage].updates.push_back(std::move(update));
  return stencil.stages[stage].updates.back();
}

template <class Build>
void addReduction(Stencil &stencil, Reduction::Op op, std::string name, const Build &build,
                  Region region = {}) {
  Reduction reduction;
  reduction.name = std::move(name);
  reduction.op = op;
  reduction.formula = formulaOf(build);
  reduction.region = region;
  stencil.reductions.push_back(std::move(reduction));
}

} // namespace stencilc
