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

static bool isIn(llvm::ArrayRef<unsigned> loops, unsigned time) {
  return !loops.empty() && loops[0] == time;
}

/// Leaves out what is done outside of the loop over time, and says so.
static void keepOnly(LoopTree &tree, unsigned time, const std::string &note) {
  if (!llvm::is_contained(tree.assumptions, note))
    tree.assumptions.push_back(note);
  tree.keepAssignments([&](unsigned number) { return isIn(tree.assignments[number].loops, time); });
  llvm::erase_if(tree.reductions,
                 [&](const Gathered &gathered) { return !isIn(gathered.loops, time); });
}

void keepSteps(LoopTree &tree) {
  if (!tree.isProgram)
    return;
  // The program's own memory is what others hand to a function.
  for (Buffer &buffer : tree.buffers)
    buffer.isLocal = buffer.saysNeighbours || buffer.holdsRows;
  const auto time = timeLoopOf(tree);
  if (!time || llvm::all_of(tree.assignments, [&](const Assignment &assignment) {
        return isIn(assignment.loops, *time);
      }))
    return;
  keepOnly(
      tree, *time,
      "what the program sets outside of its loop over time is left to whoever runs the stencil");
}

bool leaveSettings(LoopTree &tree) {
  const auto time = tree.isProgram ? std::nullopt : timeLoopOf(tree);
  if (!time)
    return false;
  std::vector<unsigned> set;
  for (const Assignment &assignment : tree.assignments)
    if (!isIn(assignment.loops, *time)) {
      if (!tree.buffers[assignment.target.buffer].isLocal)
        return false;
      set.push_back(assignment.target.buffer);
    }
  if (set.empty())
    return false;
  // Arrays that change places with them are theirs, too.
  const std::map<unsigned, unsigned> &becomes = tree.loops[*time].becomes;
  for (size_t number = 0; number < set.size(); ++number) {
    tree.buffers[set[number]].isLocal = false;
    const auto other = becomes.find(set[number]);
    if (other != becomes.end() && !llvm::is_contained(set, other->second))
      set.push_back(other->second);
  }
  tree.setOutside = tree.buffers[set[0]].name;
  keepOnly(tree, *time,
           "what the function sets outside of its loop over time, in arrays of its own, is left to "
           "whoever runs the stencil");
  return true;
}

void repeatFirst(LoopTree &tree) {
  const auto time = timeLoopOf(tree);
  for (size_t number = 0; time && number < tree.assignments.size(); ++number) {
    Assignment &first = tree.assignments[number];
    const unsigned buffer = first.target.buffer;
    if (!first.isFirst || !first.loops.empty() || tree.loops[*time].becomes.contains(buffer))
      continue;
    unsigned last = number;
    bool isSetInSteps = true;
    for (const auto &[other, assignment] : llvm::enumerate(tree.assignments))
      if (other != number && assignment.target.buffer == buffer) {
        last = other;
        isSetInSteps &= isIn(assignment.loops, *time) && other > number;
      }
    const bool isReadBehind = llvm::all_of(tree.accesses, [&](const Access &access) {
      return access.buffer != buffer || access.time > last;
    });
    if (isSetInSteps && isReadBehind)
      first.loops = {*time};
  }
}

} // namespace stencilc::lift
