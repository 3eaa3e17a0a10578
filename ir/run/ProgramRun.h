// ProgramRun: performs the plan of a Program on the CPU, as ir/kernel/Plan.h says.
#pragma once

#include "ir/run/BlockExecutor.h"
#include "ir/run/KernelInterpreter.h"

namespace stencilc {

class ProgramRun {
public:
  /// Makes the memory that the caller does not bring (what it passes as the next level is undefined
  /// anyway) and evaluates the uniforms. `observer` may be null; the others are only referred to.
  /// The extents of `state` are at least the program's minimum, or one of them is 0.
  ProgramRun(const Program &program, State &state, const InterpretOptions &options,
             AccessObserver *observer = nullptr);

  /// All of a run; of no steps if an extent is 0. After an error the state is undefined.
  llvm::Error run(int64_t steps);

  /// The number of the memory that a buffer's name stands for now. At first each buffer has its own
  /// number.
  unsigned memoryOf(unsigned buffer) const { return standsFor[buffer]; }
  const Grid &memory(unsigned number) const { return memories[number]; }

private:
  double evaluateUniform(const Value &value) const;
  ArrayLayout layoutOf(unsigned buffer) const;
  Grid takeGrid(const Buffer &buffer);
  void giveBack();

  llvm::Error complaint() const;
  llvm::Error perform(const Actions &actions);
  llvm::Error perform(const Launch &launch);
  void perform(const Rename &rename);
  bool holds(const Condition &condition) const;
  bool isAligned(unsigned buffer, const Aligned &aligned) const;

  int64_t pastLine(const Launch &launch, llvm::ArrayRef<int64_t> point) const;
  llvm::Error launchSlab(const Launch &launch, const PlacedCover &slab);

  const Program &program;
  State &state;
  InterpretOptions options;
  AccessObserver *observer;
  std::vector<Grid> memories;       ///< one per buffer
  std::vector<ArrayLayout> layouts; ///< of each, as launches see them
  std::vector<unsigned> standsFor;  ///< per buffer: number in `memories`
  std::vector<double> uniforms;
  int64_t passesMade = 0;
  RunNumbers numbers; ///< of the pass under way
};

} // namespace stencilc
