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

/// What bends each of several indices along an axis, so far from one another, as it is bent, if
/// there is such a thing. What is not bent lies between the ends, or among ghost points at an end
/// that bends nothing; of a map that is taken for index 0 alone, that of a point itself.
std::optional<Bend> commonBend(llvm::ArrayRef<BentIndex> indices);

} // namespace stencilc
