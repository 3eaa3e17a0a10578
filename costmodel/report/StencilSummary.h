// StencilSummary: what a report says of the stencil itself.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

struct StencilSummary {
  std::string name, file;
  std::vector<std::string> axes;
  std::vector<std::string> arrays; ///< "field f64 u", "const f64 kappa"
  unsigned loads = 0, stores = 0, flops = 0, compulsoryBytes = 0; ///< per point
  std::vector<std::string> reach;                                 ///< per axis: "z -1 .. +1"
};

/// Loads, stores, flops and bytes as ir/stencil/StencilFacts.h counts them.
StencilSummary summarize(const Stencil &stencil);

/// "field f32 u v, const f32 c": those of one kind and type together.
std::string arraysText(const StencilSummary &summary);

} // namespace stencilc
