#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc::lift {

/// The outermost loop that is around assignments and moves none of their targets; none if there is
/// none, or several.
static std::optional<unsigned> timeLoopOf(const LoopTree &tree) {
  std::optional<unsigned> result;
  for (const Assignment &assignment : tree.assignments) {
    if (assignment.loops.empty())
      continue;
    const unsigned outermost = assignment.loops[0];
    const bool moves = llvm::any_of(tree.assignments, [&](const Assignment &other) {
      return llvm::is_contained(other.loops, outermost) &&
             llvm::any_of(other.target.subscripts, [&](const Polynomial &subscript) {
               return subscript.names(tree.loops[outermost].variable);
             });
    });
    if (moves)
      continue;
    if (result && *result != outermost)
      return std::nullopt;
    result = outermost;
  }
  return result;
}

void dropStartingCopies(LoopTree &tree) {
  const auto time = timeLoopOf(tree);
  if (!time)
    return;
  const std::map<unsigned, unsigned> &becomes = tree.loops[*time].becomes;
  bool isBefore = true;
  std::vector<unsigned> dropped;
  for (const auto &[number, assignment] : llvm::enumerate(tree.assignments)) {
    isBefore &= assignment.loops.empty();
    const auto *read = std::get_if<Read>(&assignment.value[assignment.value.result].node);
    if (isBefore && assignment.isWhole && !assignment.elements && read &&
        becomes.count(assignment.target.buffer) && becomes.count(tree.accesses[read->array].buffer))
      dropped.push_back(number);
  }
  if (!dropped.empty())
    tree.keepAssignments([&](unsigned number) { return !llvm::is_contained(dropped, number); });
}

void keepSteps(LoopTree &tree) {
  if (!tree.isProgram)
    return;
  // The program's own memory is what others hand to a function.
  for (Buffer &buffer : tree.buffers)
    buffer.isLocal = buffer.saysNeighbours || buffer.holdsRows;
  const auto time = timeLoopOf(tree);
  if (!time)
    return;
  const auto isStep = [&](llvm::ArrayRef<unsigned> loops) {
    return !loops.empty() && loops[0] == *time;
  };
  if (llvm::all_of(tree.assignments,
                   [&](const Assignment &assignment) { return isStep(assignment.loops); }))
    return;
  const std::string note = "what the program sets outside of its loop over time is left to whoever "
                           "runs the stencil";
  if (!llvm::is_contained(tree.assumptions, note))
    tree.assumptions.push_back(note);
  tree.keepAssignments([&](unsigned number) { return isStep(tree.assignments[number].loops); });
  llvm::erase_if(tree.reductions,
                 [&](const Gathered &gathered) { return !isStep(gathered.loops); });
}

} // namespace stencilc::lift
