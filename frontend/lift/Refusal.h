// Refusals: why a function is no stencil, said at the place in the C source.
//
// The first one ends the lift. It says what was seen and why that is no stencil; `way out` says
// what to do instead.
#pragma once

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/Twine.h"

#include <optional>

namespace stencilc::lift {

class Refusals {
public:
  explicit Refusals(clang::DiagnosticsEngine &engine) : engine(engine) {}

  /// Reports the first refusal, none after it. Returns none, for the caller to hand on.
  std::nullopt_t refuse(clang::SourceLocation where, const llvm::Twine &seen,
                        const llvm::Twine &wayOut = "");
  bool any() const { return hasRefused; }

  /// While one lives, nothing is reported: something is tried that need not succeed. What it has
  /// refused is forgotten then.
  class Trial {
  public:
    explicit Trial(Refusals &refusals) : refusals(refusals), hadRefused(refusals.hasRefused) {
      ++refusals.trials;
    }
    Trial(const Trial &) = delete;
    ~Trial() {
      --refusals.trials;
      refusals.hasRefused = hadRefused;
    }

  private:
    Refusals &refusals;
    const bool hadRefused;
  };

private:
  clang::DiagnosticsEngine &engine;
  bool hasRefused = false;
  unsigned trials = 0;
};

} // namespace stencilc::lift
