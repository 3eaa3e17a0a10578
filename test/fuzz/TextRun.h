// Runs one loaded program on arrays between guard pages and compares what it leaves.
#pragma once

#include "test/fuzz/Call.h"
#include "test/fuzz/TextForms.h"

namespace stencilc::fuzz {

/// What every form of a case must do.
struct Reference {
  State start, expected;
  bool isRefused;              ///< extents, params, or steps that arrays over time do not have
  std::vector<double> numbers; ///< of reductions
};
Reference referenceOf(const Case &tested, const Stencil &stencil, State start);

/// A run that needs more time of the processor is taken for endless: other work ends none.
constexpr unsigned kSecondsOfARun = 120;

/// Calls the form once for each order of threads, in a process of its own, so that a crash is one
/// more finding, and so are more than `seconds`. Says what is wrong, if anything.
std::optional<Failure> runForm(const Case &tested, const Stencil &stencil,
                               const Reference &reference, const TextForm &form,
                               CallFunction *function, unsigned seconds = kSecondsOfARun);

} // namespace stencilc::fuzz
