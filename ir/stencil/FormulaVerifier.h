// The rules of StencilVerifier.h that are about one formula.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// Where a formula stands.
struct FormulaPlace {
  enum Kind { Update, Reduction, BoundaryValue, Init, InitOverTime };
  Kind kind;
  ScalarType type;    ///< that it must have
  unsigned stage = 0; ///< of an update
};

/// The first fault, "rule: what is wrong"; empty if there is none.
std::string faultOf(const Stencil &stencil, const Formula &formula, const FormulaPlace &place);

} // namespace stencilc
