// Measure: what schedules take on the GPU that is there.
//
//   schedules -> lower -> compile -> check the values -> time
//
// A schedule that does not compile, that has no room, or that computes other values than the
// reference is kept with its reason and never timed. Timed are the steps of a long run, without
// what it does at its start and end: a span of at least 10 ms between two events, after a warm-up,
// several times; then each schedule again in further rounds, so that what drifts meets all alike.
// All of them work on the same arrays, which are allocated once, in the layout that the emitted
// code recommends, and filled with random numbers.
#pragma once

#include "codegen/print/Print.h"
#include "costmodel/report/MeasuredTimes.h"
#include "ir/stencil/Stencil.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc {

struct MeasureRequest {
  const Stencil *stencil;
  std::vector<Schedule> schedules; ///< each with its residency
  std::vector<int64_t> extents;    ///< none is 0
  FloatMode mode = FloatMode::Contract;
};

/// Who is told how it goes.
struct MeasureListener {
  /// "compiling 2 of 5: zblock/32x8x1/c32/r4"
  llvm::function_ref<void(const std::string &)> progress;
  llvm::function_ref<void(const std::string &)> warn;
  /// Asked between two pieces of work; then what was measured so far counts.
  llvm::function_ref<bool()> isInterrupted;
};

/// Fails without a GPU or NVRTC, where the arrays have no room, and where nothing was measured.
llvm::Expected<MeasuredTimes> measure(const MeasureRequest &request,
                                      const MeasureListener &listener);

} // namespace stencilc
