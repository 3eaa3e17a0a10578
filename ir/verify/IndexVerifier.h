// The verifier's rules on indices: coordinates exist and are defined, maps are defined, accesses
// stay in bounds. Holds what is known of the kernel's integers at the current place.
#pragma once

#include "ir/verify/DifferenceConstraints.h"
#include "ir/verify/VerifierState.h"

namespace stencilc {

/// What extents along each axis are known to be multiples of.
using Multiples = std::array<int64_t, kMaxRank>;

class IndexVerifier {
public:
  /// All three outlive this; `flow.locals` is kept up to date here. Extents are multiples of
  /// `whole`.
  IndexVerifier(const Kernel &kernel, const Multiples &whole, VerifierFlow &flow,
                VerifierFault &fault);

  /// Checks that `index` has a value here (rules definition, target, map, wide). False after a
  /// fault.
  bool check(const Index &index);
  /// The same where 64 bits have room.
  bool checkWide(const Index &index);
  /// Checks the indices of a box, then assumes it.
  void enter(const Box &box);
  /// Makes `local` stand for `value` (rule definition).
  void define(unsigned local, const Index &value);
  /// Makes the local of a loop from begin below end (rule loop).
  void defineLoop(const For &loop);
  /// Makes the local of an unrolled loop for one of its turns.
  void defineTurn(const For &loop, int64_t value);
  void endTurns(const For &loop) { turns[loop.local].reset(); }
  /// The value of an index over constants and locals of turns; none of any other.
  std::optional<int64_t> staticValue(const Index &index) const;
  /// The index with the locals of turns as numbers, where they stand in its sum.
  Index inTurn(const Index &index) const;
  /// The index with what locals were made from in their place, but for those of loops.
  Index inFull(const Index &index) const;

  /// Checks an access to `lanes` elements of a global array (rules type, bounds) or a tile (rules
  /// type, tile).
  void checkAccess(const ArrayArgument &array, llvm::ArrayRef<Index> indices, unsigned lanes = 1);
  void checkAccess(const SharedTile &tile, llvm::ArrayRef<Index> indices, unsigned lanes = 1);
  /// True if `index` is seen to be `origin` and a multiple of `factor`.
  bool isMultipleFrom(const Index &origin, const Index &index, unsigned factor) const;

  /// True if threads of a block, or lanes of a warp, may disagree about the value.
  bool dependsOnThread(const Index &index) const;
  bool dependsOnThread(const Box &box) const;
  bool dependsOnLane(const Index &index) const;
  bool dependsOnLane(const Box &box) const;
  /// True if `local` takes part in the value, directly or through other locals.
  bool dependsOn(const Index &index, unsigned local) const;

  DifferenceConstraints constraints;
  /// Locals that some statement makes, wherever it stands.
  llvm::BitVector made;
  /// Whether all that the rules ask of indices was shown before, at the same places of a loop that
  /// is walked again: what is known of integers, and which locals have a value, is as it was.
  bool isShown = false;

private:
  void checkList(const ArrayArgument &list, llvm::ArrayRef<Index> indices, unsigned lanes);
  void checkStep(const ArrayArgument &array, const Index &step, unsigned lanes);
  bool check(const IndexConstant &node);
  bool check(const Coordinate &node);
  bool check(const IndexMap &node);
  bool make(llvm::StringRef rule, unsigned local);
  /// What is left of the index, in multiples of `factor`, if that is the same everywhere.
  std::optional<int64_t> residue(const Index &index, int64_t factor) const;
  std::optional<int64_t> residueOfTerms(const LinearIndex &form, int64_t factor) const;
  void setSource(unsigned local, const Index &source);

  const Kernel &kernel;
  const Multiples whole;
  VerifierFlow &flow;
  VerifierFault &fault;
  std::vector<Index>
      sources; ///< what each local was made from: its value, or where its loop begins
  llvm::BitVector ofThread, ofLane;          ///< of each local: whether it differs between these
  std::vector<int64_t> steps;                ///< of each local: by what its loop counts, 0 without
  std::vector<std::optional<int64_t>> turns; ///< of each local: its value in this turn
  bool hasRoom = false;                      ///< for wide arguments, in the index that is checked
  std::vector<Index> extents;
  Index zero = constant(0);
};

} // namespace stencilc
