// CopiesUnderway: which of a thread's asynchronous copies may not have arrived, and where they go.
//
// Batches arrive in the order in which they were closed, so a wait leaves the newest ones. A tile
// is taken for a ring: a copy's *place* is the first index of what it writes, and places that
// differ by a multiple of the tile's length are one. A place is told from others only if all
// threads of the block copy to the same one; it stands for all of them then.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

class CopiesUnderway {
public:
  struct Copy {
    unsigned tile;
    Index place;      ///< null: it may be any
    unsigned batches; ///< closed since it was started, at least: 0 while its own is open
  };

  /// Knows how long the kernel's tiles are.
  explicit CopiesUnderway(const Kernel &kernel);

  void start(unsigned tile, Index place) { add({tile, std::move(place), 0}); }
  void commit();
  void wait(unsigned pending);
  /// What may be under way where this and `other` meet.
  void meet(const CopiesUnderway &other);
  /// Gives every place that is known another, or none.
  void move(llvm::function_ref<Index(const Index &place)> moved);

  llvm::ArrayRef<Copy> to(unsigned tile) const { return copies[tile]; }
  bool operator==(const CopiesUnderway &other) const;

private:
  void add(const Copy &copy);

  std::vector<int64_t> lengths;
  std::vector<std::vector<Copy>> copies; ///< per tile, each place once
};

} // namespace stencilc
