// PatchShifts: which rows of a patch have to move where its slices do.
//
// A star reads most rows around a point in one plane alone, and a march loads those anew in every
// turn. A compiler takes the patch apart into registers, element by element: minutes for a wide
// star, were all of them moved.
#pragma once

#include "ir/kernel/Kernel.h"

#include "llvm/ADT/DenseMap.h"

namespace stencilc {

class PatchShifts {
public:
  explicit PatchShifts(const Kernel &kernel);

  struct Rows {
    int first, end;
  };
  /// Of a patch with three axes, the rows outside of which no element is read that a shift has
  /// moved, if they are fewer than all.
  std::optional<Rows> rowsToMove(unsigned patch) const;

private:
  struct Range {
    int64_t first, last;
  };
  /// Of one row, in all statements: the lowest slice that is read and the highest that is set.
  struct Row {
    int64_t lowestRead, highestSet;
  };

  void visit(const Body &body);
  void visit(const Value &value);
  void enter(const For &loop);
  void access(unsigned patch, llvm::ArrayRef<Index> at, bool isRead);
  Range rangeOf(const Index &index, int size) const;

  const Kernel &kernel;
  llvm::DenseMap<unsigned, Range> locals; ///< of the unrolled loops around a statement
  std::vector<std::vector<Row>> rows;     ///< by patch; none of those with fewer axes
};

} // namespace stencilc
