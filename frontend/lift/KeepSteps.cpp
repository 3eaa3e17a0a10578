#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"

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

void keepSteps(LoopTree &tree) {
  if (!tree.isProgram)
    return;
  // The program's own memory is what others hand to a function.
  for (Buffer &buffer : tree.buffers)
    buffer.isLocal = false;
  const auto time = timeLoopOf(tree);
  if (!time)
    return;
  const auto isStep = [&](llvm::ArrayRef<unsigned> loops) {
    return !loops.empty() && loops[0] == *time;
  };
  if (llvm::all_of(tree.assignments,
                   [&](const Assignment &assignment) { return isStep(assignment.loops); }))
    return;
  std::vector<unsigned> kept = {0}; // assignments that stay, of the first so many
  std::vector<Assignment> steps;
  for (Assignment &assignment : tree.assignments) {
    if (isStep(assignment.loops))
      steps.push_back(std::move(assignment));
    kept.push_back(steps.size());
  }
  const std::string note = "what the program sets outside of its loop over time is left to whoever "
                           "runs the stencil";
  if (!llvm::is_contained(tree.assumptions, note))
    tree.assumptions.push_back(note);
  tree.assignments = std::move(steps);
  for (Access &access : tree.accesses)
    access.time = kept[access.time];
  for (Assignment &assignment : tree.assignments)
    assignment.target.time = kept[assignment.target.time];
  llvm::erase_if(tree.reductions,
                 [&](const Gathered &gathered) { return !isStep(gathered.loops); });
  for (Gathered &gathered : tree.reductions)
    gathered.time = kept[gathered.time];
}

} // namespace stencilc::lift
