// ExpectedError: how wrong forecasts of kernels like a report's turned out to be.
#pragma once

#include "costmodel/report/Report.h"

namespace stencilc {

/// What of a kernel's structure the model's errors differ by.
enum class KernelKind { OnePoint, March, Patches, Tiles, FusedSteps };
/// Of the launch that updates most points.
KernelKind kindOf(const ProgramCounts &counts);

/// Of predicted times over measured ones, less one; shares.
struct Errors {
  int64_t runs = 0; ///< that they were found from
  double mean = 0;  ///< of the absolute values
  double most = 0;  ///< of nine in ten of them
};
struct ExpectedError : Errors {
  bool wereSeen = false; ///< the runs, when the form of the model was looked for
  /// Of programs that others wrote, and that nobody had looked at when they were predicted.
  std::optional<Errors> ofPrograms;
};

/// From the errors that ship with a device, `devices/NAME-errors.csv`: of the geometric model, for
/// arrays of several times the L2, from runs that no constant was fitted to. Nothing if there are
/// no such runs.
std::optional<ExpectedError> expectedError(const Report &report);

/// "marches of one point a thread were predicted 9 % wrong on average, nine of ten within 16 %, in
/// 380 runs on it; of programs that nobody had looked at 18 %, nine of ten within 50 %, in
/// 67 runs".
std::string expectedErrorText(const Report &report);

} // namespace stencilc
