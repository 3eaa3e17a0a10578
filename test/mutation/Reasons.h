// Reasons: why some mutations change nothing that a run could show.
//
// A mutation that survives needs one of these. Each reason says exactly where it applies and is
// itself tested: one that no mutation of the whole set needs is an error.
#pragma once

#include "test/mutation/Results.h"

namespace stencilc::mutation {

/// A mutation that no check past the verifier saw, at one level or at both.
struct Survivor {
  const Subject &subject;
  const Program *mutated; ///< null: made in the text
  const Result &result;
};

struct Reason {
  char letter; ///< in tables
  llvm::StringLiteral text;
  bool (*explains)(const Survivor &survivor);
};

llvm::ArrayRef<Reason> reasons();

} // namespace stencilc::mutation
