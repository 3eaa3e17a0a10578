// Confidence: how far the numbers of a report can be believed.
#pragma once

#include "costmodel/report/Report.h"

namespace stencilc {

/// How many values of the device's profile the prediction depends on, and the keys of those that
/// nobody measured on it. Every value that the model reads counts, of its own sections, of the SM's
/// limits, of caches and clock, unless no term of this prediction reads it, and
/// every value of the table of compiled code that an estimate of the step's kernels reads.
struct Calibration {
  unsigned constants = 0;
  std::vector<std::string> missing;
  bool bytesMiss = false; ///< some of the missing decide how many bytes are moved
};
Calibration calibrationOf(const Report &report);

/// Significant digits that predicted bytes hold: 3, or 2 if a constant that they follow from is
/// uncalibrated.
int digitsOf(const Report &report);
/// And predicted times and rates: the models err by some percent.
inline constexpr int kTimeDigits = 2;

/// Where the prediction is out of its model's range: a grid that the L2 holds, too few blocks,
/// a stencil that the paper's equations do not fit.
std::vector<std::string> cautions(const Report &report);

} // namespace stencilc
