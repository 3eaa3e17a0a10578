// ProgramRun: performs the plan of a Program on the CPU, as ir/kernel/Plan.h says.
#pragma once

#include "ir/kernel/PlanRun.h"
#include "ir/run/BlockExecutor.h"
#include "ir/run/KernelInterpreter.h"

namespace stencilc {

class ProgramRun final : public PlanRun {
public:
  /// Makes the memory that the caller does not bring (what it passes as the next level is undefined
  /// anyway) and evaluates the uniforms. `observer` may be null; the others are only referred to.
  /// The extents of `state` are at least the program's minimum, or one of them is 0. After an error
  /// the state is undefined.
  ProgramRun(const Program &program, State &state, const InterpretOptions &options,
             AccessObserver *observer = nullptr);

private:
  ArrayLayout layoutOf(unsigned buffer) const;
  Grid takeGrid(const Buffer &buffer);
  void giveBack();

  llvm::Error perform(const Launch &launch) override;
  bool isAligned(unsigned buffer, const Aligned &aligned) const override;
  llvm::Error beginPass(const Pass &pass) override;
  llvm::Error endPass(const Pass &pass) override;
  llvm::Error endRun() override;
  bool wantsResults() const override { return options.takesResults; }
  bool hasPoints() const override { return !llvm::is_contained(state.extents, 0); }
  /// What the observer found between launches.
  llvm::Error complaint() const;

  int64_t pastLine(const Launch &launch, llvm::ArrayRef<int64_t> point) const;
  llvm::Error launchSlab(const Launch &launch, const PlacedCover &slab);

  State &state;
  InterpretOptions options;
  AccessObserver *observer;
  std::vector<Grid> memories;       ///< one per buffer
  std::vector<ArrayLayout> layouts; ///< of each, as launches see them
  std::vector<ScalarValue> uniforms;
  RunNumbers numbers; ///< of the pass under way
};

} // namespace stencilc
