// UnrolledLoops: what a compiler makes of indices in loops that are unrolled as written.
//
// The local of such a loop is a constant in each of its turns: added to an index of an address it
// stands in the instruction, and what does not depend on it is computed once for all turns. Not so
// in a march that is written out: its turns are a stride apart, which no instruction holds.
#pragma once

#include "ir/kernel/Kernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc {

class UnrolledLoops {
public:
  explicit UnrolledLoops(const Kernel &kernel);

  bool any() const { return hasAny; }
  /// What the named index depends on is known from here on.
  void add(const LetIndex &named);
  /// The index in one turn: with constants in place of the locals of such loops.
  Index inTurn(const Index &index) const;
  std::vector<Index> inTurn(llvm::ArrayRef<Index> indices) const;
  /// Calls `visit` for the locals that the index is another for; with `asDistance`, not for those
  /// that only move it by a constant.
  void forEachLocal(const Index &index, bool asDistance,
                    llvm::function_ref<void(unsigned local)> visit) const;

private:
  bool isOne(const Coordinate &coordinate) const {
    return coordinate.kind == CoordinateKind::Local && isUnrolled[coordinate.number];
  }
  void find(const Body &body);

  std::vector<bool> isUnrolled;                       ///< by local
  std::vector<llvm::SmallVector<unsigned, 2>> behind; ///< by local: those that a named one has
  bool hasAny = false;
};

} // namespace stencilc
