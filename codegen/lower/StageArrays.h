// StageArrays: the arrays of a stage as arguments of a kernel.
#pragma once

#include "ir/kernel/KernelBuilder.h"

#include <map>

namespace stencilc {

class StageArrays {
public:
  /// Adds an argument for every buffer that the stage reads or stores. What is read and stored is
  /// one ReadWrite argument: in place, or where new values are read that earlier stages made, at
  /// points other than those that are stored. Loads of what is only read go through the read-only
  /// path if asked for.
  StageArrays(KernelBuilder &kernel, const Program &program, const Stage &stage, bool readOnlyPath);
  /// Adds an argument for every buffer that a pass over all stages reads or stores: of fields the
  /// current level and the next one, and const arrays.
  StageArrays(KernelBuilder &kernel, const Program &program, const Stencil &stencil);

  /// The argument that holds the array at this level; `Next`: that takes its new values.
  unsigned argument(unsigned array, TimeLevel level) const;
  /// True if the stage stores new values where this reads old ones.
  bool isOverwritten(const Read &read) const;

private:
  void addArguments(KernelBuilder &kernel, llvm::ArrayRef<Read> reads,
                    llvm::ArrayRef<unsigned> made, bool readOnlyPath);
  unsigned buffer(unsigned array, TimeLevel level) const;

  const Program &program;
  std::vector<unsigned> numbers; ///< of buffers, per argument
  std::vector<bool> isMade;      ///< by buffer
};

} // namespace stencilc
