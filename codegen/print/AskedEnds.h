// AskedEnds: what neighbouring reads see beyond ends, as one rule for a loop over them.
#pragma once

#include "ir/kernel/Kernel.h"

#include <array>
#include <optional>

namespace stencilc {

/// What a read sees beyond an end: a number, or what a mirror shows there times a factor.
struct AskedEnd {
  Value number;
  bool isFactor;
};
/// By axis and side, of the ends that are asked for.
using AskedEnds = std::array<std::array<std::optional<AskedEnd>, 2>, kMaxRank>;

/// A load, and the conditions that stand around it.
struct AskedLoad {
  struct Ask {
    Range range;
    AskedEnd end;
  };
  Value load;
  std::vector<Ask> asks = {};
};
AskedLoad askedLoad(const Value &value);

/// The ends that a load asks for, whose indices are these; none if it asks for something else.
std::optional<AskedEnds> endsOf(const AskedLoad &load, llvm::ArrayRef<Index> index);
/// True if one rule stands for both along an axis, which `ends` is then. Asked of a read that asks
/// nothing it changes nothing: behind such an end are no ghost points, so whoever reads there
/// unasked reads inside.
bool joinEnds(AskedEnds &ends, const AskedEnds &others, unsigned axis);
bool sameEnds(const AskedEnds &some, const AskedEnds &others, unsigned axis);
/// True if one number, at most, stands beyond all ends that have numbers.
bool haveOneNumber(const AskedEnds &ends);

/// What a read at these indices sees, if memory holds `load` for it.
Value withEnds(Value load, const AskedEnds &ends, llvm::ArrayRef<Index> index);

} // namespace stencilc
