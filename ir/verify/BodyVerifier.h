// The verifier's walk of one kernel's statements and values, in the order of execution.
//
// A loop's body is walked until what holds at its start also holds at its end, so that facts about
// registers, queue slots, stores and returns cover every iteration; indices are proved the first
// time, for none of those matters to them. Where patches are used, a loop that is unrolled between
// constants is walked turn by turn, for their indices are known then.
//
// Warps that play different roles are walked apart: each walk follows warps of one kind only.
#pragma once

#include "ir/kernel/Program.h"
#include "ir/verify/IndexVerifier.h"

#include <set>

namespace stencilc {

class BodyVerifier {
public:
  /// Follows `warps`, all of which play the same roles and are in the same groups. The kernel's
  /// declarations must have been checked.
  BodyVerifier(const Kernel &kernel, const std::vector<Uniform> &uniforms, const Multiples &whole,
               WarpRange warps, VerifierFault &fault);

  void verify();

private:
  void walk(const Body &body);
  void visit(const LetIndex &node);
  void visit(const LetPointer &node);
  void visit(const Let &node);
  void visit(const LetMutable &node);
  void visit(const Assign &node);
  void visit(const AssignSlot &node);
  void visit(const Rotate &node);
  void visit(const StoreGlobal &node);
  void visit(const StoreShared &node);
  void visit(const If &node);
  void visit(const ReturnUnless &node);
  void visit(const For &node);
  void visit(const Phase &) {}
  // BodyPatches.cpp
  void visit(const AssignElement &node);
  void visit(const ShiftPatch &node);
  void visit(const LoadVector &node);
  void visit(const StoreVector &node);
  void visit(const LoadSharedVector &node);
  void visit(const StoreSharedVector &node);
  // BodyWarps.cpp
  void visit(const CopyAsync &node);
  void visit(const CommitCopies &node);
  void visit(const WaitCopies &node);
  void visit(const SendVector &node);
  void visit(const AwaitMessage &node);
  void visit(const Barrier &node);
  void visit(const Roles &node);

  void walkTurns(const For &node, int64_t begin, int64_t end);
  void checkCarried(const For &loop, const CarriedPointer &carried);
  void makeRegister(unsigned reg, const Value &value);

  void check(const Value &value);
  void checkLeaf(const ValueNode &value, const UniformValue &node);
  void checkLeaf(const ValueNode &value, const RegisterValue &node);
  void checkLeaf(const ValueNode &value, const QueueSlotValue &node);
  void checkLeaf(const ValueNode &value, const LoadGlobal &node);
  void checkLeaf(const ValueNode &value, const LoadShared &node);
  void checkLeaf(const ValueNode &value, const PatchElement &node);
  void checkGuarded(const GuardedValue &node);
  void checkShuffle(const ShuffleValue &node);
  void checkType(llvm::StringRef name, ScalarType declared, ScalarType used);

  /// Number of the first of `count` elements along the last axis of a patch; none after a fault.
  std::optional<unsigned> elementOf(unsigned patch, llvm::ArrayRef<Index> at, unsigned count = 1);
  /// Checks a row that a vector access fills or stores, of elements of this type.
  std::optional<unsigned> rowOf(const PatchRow &row, llvm::StringRef other, ScalarType type);
  void define(const PatchRow &row, std::optional<unsigned> first);
  void checkDefined(unsigned patch, std::optional<unsigned> first, unsigned count = 1);
  void checkGlobalVector(unsigned array, llvm::ArrayRef<Index> index, unsigned lanes,
                         llvm::StringRef rule);
  void checkSharedVector(unsigned tile, llvm::ArrayRef<Index> index, unsigned lanes,
                         llvm::StringRef rule);
  /// Where an access to a tile is in the ring that the tile is taken for.
  Index placeOf(unsigned tile, llvm::ArrayRef<Index> index) const;
  /// The partner must come to where messages are sent and awaited as often, and all of a warp.
  void checkMessage(const Index &number);
  /// The partner may find something else.
  bool dependsOnPartner(const Index &index) const;
  void checkArrived(unsigned tile, llvm::ArrayRef<Index> index);
  // The places of copies under way where a loop begins, in its next turn and behind it.
  void beginTurns(const For &loop);
  void moveTurn(const For &loop);
  void endTurns(const For &loop);
  bool onDevice(llvm::StringRef what);
  std::string nameOf(WarpRange warps) const;

  bool slotExists(unsigned queue, unsigned slot);
  bool tileExists(unsigned tile);
  bool arrayExists(unsigned array);
  /// The rules for an array that is both read and written.
  void checkInPlace(unsigned array, llvm::ArrayRef<Index> index, bool isStore, unsigned lanes = 1);
  void checkPieces(unsigned array);

  const Kernel &kernel;
  const std::vector<Uniform> &uniforms;
  const WarpRange warps;
  VerifierFault &fault;
  VerifierFlow flow;
  IndexVerifier indices;
  llvm::BitVector made;      ///< registers that some statement makes, wherever it stands
  llvm::BitVector isMutable; ///< of those, the ones made by LetMutable
  /// Per array that is both read and written: where its first access is, and how far from there
  /// others are.
  struct InPlaceAccess {
    std::vector<Index> first;
    std::vector<unsigned> loops; ///< around it
    std::set<std::vector<int64_t>> loaded = {}, stored = {};
  };
  std::vector<std::optional<InPlaceAccess>> inPlace;
  std::vector<const LetPointer *> pointers; ///< of this body, for a loop to carry
  std::vector<unsigned> loops;              ///< locals of the loops around this place
  // How many conditions around this place depend on the thread, and on the lane; how many roles.
  unsigned divergence = 0, laneDivergence = 0, roles = 0;
  unsigned ownLoops = 0;     ///< loops around this place whose turns may be others in the partner
  bool returnsAlone = false; ///< a return before this place that the partner may not make
};

} // namespace stencilc
