// MeasureCache: times that were measured, kept for later runs.
//
// They are files in STENCILC_CACHE, or in `stencilc` among the user's caches, named after a digest
// of all that a time depends on: the emitted text, the grid, stencilc, the GPU, driver and NVRTC.
// A folder that cannot be written is a warning, once.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace stencilc {

class MeasureCache {
public:
  /// `warn` takes a line for the user; it outlives this.
  explicit MeasureCache(llvm::function_ref<void(const std::string &)> warn);

  /// Seconds of a step, in the order they were timed; empty if there are none.
  std::vector<double> find(llvm::ArrayRef<std::string> key) const;
  void keep(llvm::ArrayRef<std::string> key, llvm::ArrayRef<double> seconds);

private:
  std::string pathOf(llvm::ArrayRef<std::string> key) const;

  std::string folder;
  llvm::function_ref<void(const std::string &)> warn;
  bool hasWarned = false;
};

} // namespace stencilc
