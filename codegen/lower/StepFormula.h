// StepFormula: all values of a stage in one formula, so that what several updates share is computed
// once, and what is one number per run is known.
//
// A value that reads no array is one number per run. Params are passed to kernels as they are; a
// `let` gives its name to the argument; an unnamed value becomes an argument only if it is used
// twice or holds a division or a function call, which every thread would otherwise repeat. Literals
// and cheap sums of params stay in the kernel, where they read better.
//
// No tree of values nests more than kDeepest operations: what goes deeper is cut into parts that
// get names, so that whoever walks a tree may recurse.
#pragma once

#include "ir/kernel/KernelBuilder.h"

#include <map>

namespace stencilc {

class StepFormula {
public:
  static constexpr unsigned kDeepest = 200;

  /// Merges the stage's updates and the values of all boundaries; fills Program::uniforms.
  StepFormula(const Stencil &stencil, const Stage &stage, Program &program);

  const Expr &operator[](ExprId id) const { return formula[id]; }
  unsigned size() const { return formula.exprs.size(); }
  /// The value of update number `update` of the stage.
  ExprId result(unsigned update) const { return results[update]; }
  /// The value outside `array` at this end of an axis; only for boundary `value`.
  ExprId outside(unsigned array, unsigned axis, Side side) const;

  bool isPerRun(ExprId id) const { return perRun[id]; }
  /// The uniform that holds this value, if one does.
  std::optional<unsigned> uniform(ExprId id) const;
  /// True if this value ends a part of kDeepest nested operations: it gets a name.
  bool endsPart(ExprId id) const { return nested[id] == kDeepest; }
  /// How often other values, updates and boundaries use this value.
  unsigned useCount(ExprId id) const { return uses[id]; }

private:
  void classify();
  std::vector<unsigned> countUses() const;
  bool becomesUniform(ExprId id) const;
  void addUniforms(Program &program);

  const Stencil &stencil;
  Formula formula;
  std::vector<ExprId> results;
  std::map<std::array<unsigned, 3>, ExprId> outsides;
  std::vector<bool> perRun, costly;
  std::vector<unsigned> nested; ///< operations, from here down to leaves and the ends of parts
  std::vector<unsigned> uses;
  std::map<ExprId, unsigned> uniforms;
};

} // namespace stencilc
