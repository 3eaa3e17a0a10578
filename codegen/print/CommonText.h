// CommonText: one text for branches that say nearly the same.
#pragma once

#include "codegen/print/SameText.h"

#include <climits>
#include <optional>

namespace stencilc {

/// The branches of an if, each else with another if included: what they say as one text, which
/// knows by a compile-time number which of them is meant.
struct CommonText {
  std::vector<const Box *> conditions; ///< of each branch, of the last none
  std::vector<std::string> comments;   ///< that open them, if any
  /// Where branches differ stands an If on the local `branch`, which counts them from 0.
  Body body;
  SameText names;
};

/// Nothing where the branches are short, or have little in common: less than half of the shortest.
/// Loops whose locals are `firstRolled` and after count as the statements that they stand for.
std::optional<CommonText> commonText(const If &first, unsigned branch,
                                     unsigned firstRolled = UINT_MAX);

} // namespace stencilc
