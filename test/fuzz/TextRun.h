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

/// Calls the form once for each order of threads, in a process of its own, so that a crash is one
/// more finding. Says what is wrong, if anything.
std::optional<Failure> runForm(const Case &tested, const Stencil &stencil,
                               const Reference &reference, const TextForm &form,
                               CallFunction *function);

} // namespace stencilc::fuzz
