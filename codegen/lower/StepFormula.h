// StepFormula: all values of a step in one formula, those of every stage, of what stands outside
// arrays and of reductions, so that what is one number per run is computed once, by the launcher,
// for all kernels.
//
// A value of params and literals is one number per run. Params are passed to kernels as they are; a
// `let` gives its name to the argument; an unnamed value becomes an argument only if it is used
// twice, holds a division or a function call, which every thread would otherwise repeat, or stands
// outside an array, where few threads need it. Literals and cheap sums of params stay in the
// kernel, where they read better; so do whole numbers, which boxes can be made of there.
//
// No tree of values nests more than kDeepest operations: what goes deeper is cut into parts that
// get names, so that whoever walks a tree may recurse.
#pragma once

#include "codegen/lower/Here.h"

#include <map>

namespace stencilc {

/// Values at hand where a statement stands: by the Expr that each is of.
using KnownValues = std::map<ExprId, Value>;

class StepFormula {
public:
  static constexpr unsigned kDeepest = 200;

  /// Merges all updates, reductions and the values of all boundaries; fills Program::uniforms.
  StepFormula(const Stencil &stencil, Program &program);

  const Expr &operator[](ExprId id) const { return formula[id]; }
  unsigned size() const { return formula.exprs.size(); }
  /// The value of an update, both by number.
  ExprId result(unsigned stage, unsigned update) const { return results[stage][update]; }
  /// The number of a reduction at a point.
  ExprId reduction(unsigned number) const { return reductions[number]; }
  /// The value outside `array` at this end of an axis; only for boundary `value`.
  ExprId outside(unsigned array, unsigned axis, Side side) const;

  /// The uniform that holds this value, if one does.
  std::optional<unsigned> uniform(ExprId id) const;
  /// True if this value ends a part of kDeepest nested operations: it gets a name.
  bool endsPart(ExprId id) const { return nested[id] == kDeepest; }

  /// The tree of a value over those that are known and, below them, uniforms, literals and what
  /// the kernel knows of the place. Every read in it is known.
  Value tree(KernelBuilder &kernel, ExprId id, const Here &here,
             const KnownValues &known = {}) const;

private:
  Value leaf(KernelBuilder &kernel, const Expr &expr, const Here &here) const;
  void classify();
  std::vector<unsigned> countUses() const;
  void addUniforms(Program &program);

  const Stencil &stencil;
  Formula formula;
  std::vector<std::vector<ExprId>> results; ///< by stage and update
  std::vector<ExprId> reductions;
  std::map<std::array<unsigned, 3>, ExprId> outsides;
  std::vector<bool> perRun, costly;
  std::vector<unsigned> nested; ///< operations, from here down to leaves and the ends of parts
  std::map<ExprId, unsigned> uniforms;
};

} // namespace stencilc
