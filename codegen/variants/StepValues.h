// StepValues: what formulas of fused steps ask for beside reads of fields: positions, the step's
// number, and values over time, which each level of a pass has its own of.
#pragma once

#include "codegen/lower/StepFormula.h"

namespace stencilc {

class StepValues {
public:
  /// Of all updates; a thread makes so many steps of a pass.
  StepValues(KernelBuilder &builder, const Stencil &stencil, const StepFormula &formula, int steps);

  bool asksPosition(unsigned axis) const { return positions[axis]; }
  bool asksPosition() const { return positions != std::array<bool, kMaxRank>{}; }
  bool hasLists() const { return !lists.empty(); }
  bool asksStep() const { return isStepAsked; }

  /// Loads values over time to registers, of the thread's steps from `first` on.
  void load(Body &body, int first) const;
  /// What is known of them in one of the thread's steps.
  KnownValues at(const Index &step) const;

private:
  /// The values of an array for the steps of a thread, and for those before and after them that are
  /// read in them.
  struct List {
    unsigned array;
    int first, last; ///< of a step's reads, counted from the step
    unsigned patch;
  };

  KernelBuilder &builder;
  const StepFormula &formula;
  const int steps;
  std::array<bool, kMaxRank> positions = {};
  bool isStepAsked = false;
  std::vector<List> lists;
  std::vector<ExprId> reads; ///< of arrays over time
};

} // namespace stencilc
