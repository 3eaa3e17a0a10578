// ProgramMutator: makes each change in place, keeps a copy of the whole Program, and takes the
// change back.
#pragma once

#include "test/mutation/Mutation.h"
#include "test/mutation/TreeMutations.h"

#include <fmt/format.h>

namespace stencilc::mutation {

class ProgramMutator {
public:
  explicit ProgramMutator(const Program &original) : program(original) {}
  std::vector<Mutation> run();

private:
  // BodyMutations.cpp
  void walk(Body &body);
  void visit(LetIndex &node, Body &body, size_t position);
  void visit(LetPointer &node, Body &body, size_t position);
  void visit(Let &node, Body &body, size_t position);
  void visit(LetMutable &node, Body &body, size_t position);
  void visit(Assign &node, Body &body, size_t position);
  void visit(AssignSlot &node, Body &body, size_t position);
  void visit(Rotate &node, Body &body, size_t position);
  void visit(StoreGlobal &node, Body &body, size_t position);
  void visit(StoreShared &node, Body &body, size_t position);
  void visit(Barrier &node, Body &body, size_t position);
  void visit(If &node, Body &body, size_t position);
  void visit(ReturnUnless &node, Body &body, size_t position);
  void visit(For &node, Body &body, size_t position);
  void visit(Phase &, Body &, size_t) {}
  // WarpMutations.cpp
  void visit(AssignElement &node, Body &body, size_t position);
  void visit(ShiftPatch &node, Body &body, size_t position);
  void visit(LoadVector &node, Body &body, size_t position);
  void visit(StoreVector &node, Body &body, size_t position);
  void visit(LoadSharedVector &node, Body &body, size_t position);
  void visit(StoreSharedVector &node, Body &body, size_t position);
  void visit(CopyAsync &node, Body &body, size_t position);
  void visit(CommitCopies &node, Body &body, size_t position);
  void visit(WaitCopies &node, Body &body, size_t position);
  void visit(SendVector &node, Body &body, size_t position);
  void visit(AwaitMessage &node, Body &body, size_t position);
  void visit(Roles &node, Body &body, size_t position);
  void mutateRow(PatchRow &row, const std::string &suffix);
  void drop(llvm::StringRef kind, std::string what, Body &body, size_t position);
  void repeat(llvm::StringRef kind, std::string what, Body &body, size_t position);
  void mutateIndex(Index &place, bool shifts, const std::string &suffix);
  void mutateIndices(std::vector<Index> &place, const std::string &suffix);
  void mutateValue(Value &place, const std::string &suffix);
  void mutateBox(Box &place, const std::string &suffix);

  // LaunchMutations.cpp
  void mutateDeclarations();
  void mutateActions(Actions &actions);
  void mutateAction(Launch &launch, Actions &actions, size_t position);
  void mutateAction(Rename &rename, Actions &actions, size_t position);
  void mutateAction(When &when, Actions &, size_t);
  void mutateCondition(const FirstPasses &node, When &when);
  void mutateCondition(const Aligned &node, When &when);
  void mutateCondition(const Away &node, When &when);
  void mutateCondition(const Wanted &node, When &when);
  void mutateCondition(const HasPoints &node, When &when);
  void mutateCondition(const WholePieces &node, When &when);
  void mutateCondition(const ShortAddresses &node, When &when);
  void turnBranches(When &when);
  void mutateLaunchBox(Launch &launch);
  void mutateArguments(Launch &launch);
  void mutateSignature();

  /// Keeps the program with `changed` in the place of `place`.
  template <class Place>
  void change(llvm::StringRef kind, const std::string &what, Place &place, Place changed) {
    std::swap(place, changed);
    found.push_back({kind, fmt::format("{}: {}", where, what), program});
    std::swap(place, changed);
  }

  Program program;
  Kernel *kernel = nullptr; ///< the one being walked
  unsigned launchNumber = 0;
  std::string where; ///< what the names of mutations open with
  std::vector<Mutation> found;
};

} // namespace stencilc::mutation
