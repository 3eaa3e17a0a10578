// PartialRows: loops that move as much of a piece of a row as lies before an end, or between two,
// which are calls of a function.
//
// Calls say an array and a place in it, and a place along the row and its end: of a pointer, or of
// how many elements are left, nvcc makes up to a fifth more instructions than of the loops.
#pragma once

#include "ir/kernel/Kernel.h"

#include <optional>

namespace stencilc {

/// What a loop moves between a patch and memory.
struct PartialRow {
  PatchRow registers;
  unsigned array;
  std::vector<Index> index; ///< of the first element
  Index column;             ///< its place along the row, as asked
  Index begin, end;         ///< elements from begin to end - 1 are moved; begin may be null
  bool isStore;             ///< a load takes 0 for the others
};

/// Nothing if a turn does anything else.
std::optional<PartialRow> partialRow(const For &loop);

/// The body, with a loop for each row where one moves elements of several.
Body partialRowsApart(const Body &body);

} // namespace stencilc
