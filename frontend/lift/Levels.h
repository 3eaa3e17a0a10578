// Levels: the loop over time, and how memory is chosen by its turns.
//
// It is the loop around all assignments whose variable moves no point. A first subscript
// `(t + c) % m`, or pointers that change places at the end of a turn, choose the level.
#pragma once

#include "frontend/lift/Sweeps.h"

namespace stencilc::lift {

class Levels {
public:
  Levels(const LoopTree &tree, Refusals &refusals) : tree(tree), refusals(refusals) {}

  /// Finds the loop over time, if there is one, and arrays of arrays. False after a refusal.
  bool find();
  /// Its number in LoopTree::loops.
  std::optional<unsigned> loop() const { return timeLoop; }
  std::optional<Symbol> variable() const;

  /// `(t + c) % m` as c and m.
  std::optional<std::pair<int64_t, int64_t>> slotOf(const Polynomial &subscript) const;
  int64_t modulusOf(unsigned buffer) const;
  Storage storageOf(const Access &access) const;
  /// The dimensions that are axes.
  std::vector<unsigned> dimensionsOf(const Access &access) const;
  /// The subscripts along the axes.
  std::vector<Polynomial> pointOf(const Access &access) const;
  /// The storage that holds, in the next step, what `storage` holds at the end of this one.
  std::optional<Storage> seenNextAs(const Storage &storage) const;
  /// What the storage changes places with in memory, where the swap is written as copies.
  std::optional<Storage> partnerOf(Storage storage) const;
  /// True if the buffer is one of those that change places.
  bool changesPlaces(unsigned buffer) const;

private:
  bool findTime();
  void findParts();
  bool check();
  std::nullopt_t refuse(clang::SourceLocation where, const llvm::Twine &seen,
                        const llvm::Twine &wayOut = "") {
    return refusals.refuse(where, seen, wayOut);
  }

  const LoopTree &tree;
  Refusals &refusals;
  std::optional<unsigned> timeLoop;
  /// Dimensions that tell the arrays of a buffer apart, by buffer.
  std::map<unsigned, std::vector<unsigned>> parts;
};

} // namespace stencilc::lift
