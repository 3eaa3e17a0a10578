// How the fuzzer calls an emitted program whose argument struct it cannot know: through one
// function per program, written for it, that fills in the struct by name.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace stencilc::fuzz {

enum class Outcome {
  Ok,
  TooSmall,
  NoRegion, ///< a param puts a region beyond the grid or upon another
  NoSteps,  ///< an array over time is too short
  LaunchFailed,
  Other
};

struct Call {
  const int64_t *extents; ///< per axis
  const int64_t *strides; ///< per axis but the last
  const int64_t *values;  ///< that each array over time has, in their order
  double *const *results; ///< where reductions leave their numbers; null for those left out
  int64_t step;           ///< completed so far, where that matters; as the run left it on return
  /// Newest level, previous level, next level of every array, as far as they exist; pointers as the
  /// run left them on return.
  void **buffers;
  const double *params;
  const bool *isGiven; ///< per param; others keep their defaults
  int64_t steps;
  void *(*allocate)(size_t bytes); ///< for the workspace
  const char *message;             ///< of the status, on return
};

using CallFunction = Outcome(Call &call);

} // namespace stencilc::fuzz
