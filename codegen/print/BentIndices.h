// BentIndices: what boundaries make of neighbouring indices, as one rule for a loop over them.
#pragma once

#include "ir/kernel/Kernel.h"

#include <map>
#include <optional>

namespace stencilc {

/// What bends an index beyond an end: `max(x - 1, 0)`, `min(x + 1, nx - 1)`, or a map of both ends.
struct Bend {
  std::optional<Index> least, most;
  std::optional<IndexMap> both; ///< its index is what is mapped

  bool isNone() const { return !least && !most && !both; }
  Index of(Index index) const;
};

/// An index as it would be without ends, and what bends it.
struct BentIndex {
  Index straight;
  Bend bend;
};

/// Values of the locals that a body, and those in it, name.
using NamedIndices = std::map<unsigned, Index>;
void appendNamed(const Body &body, NamedIndices &named);

/// Of a local what it stands for, if a boundary made that.
BentIndex straightened(const Index &index, const NamedIndices &named);

/// One bend that may stand for the own bends of all these indices, neighbours along an axis; none
/// if they do not agree. Applied to one that is not bent it must change nothing: an end that clamps
/// has no ghost points, so whoever reads there unbent reads inside. A map bends both ends, of which
/// the other may have ghost points: there only the point itself may stand unbent.
std::optional<Bend> commonBend(llvm::ArrayRef<BentIndex> indices);

} // namespace stencilc
