// Pointers that change places, where a step writes to both of what they point to: time levels are
// no such arrays. They stay where they are, and what the step leaves in each goes to the other:
//   now[s] += pulse; last = f(now, last); swap(now, last)
//   made = now; made[s] += pulse; now = last; now = f(made, last); last = made
#include "frontend/lift/LoopPasses.h"
#include "frontend/lift/Numbers.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
class SwapWriter {
public:
  SwapWriter(LoopTree &tree, unsigned time) : tree(tree), time(time) {}

  bool writeOut() {
    std::map<unsigned, unsigned> &becomes = tree.loops[time].becomes;
    const auto pair = llvm::find_if(becomes, [&](const auto &change) {
      const auto back = becomes.find(change.second);
      return change.first != change.second && back != becomes.end() &&
             back->second == change.first && firstWriteTo(change.first) &&
             firstWriteTo(change.second);
    });
    if (pair == becomes.end() || !llvm::all_of(tree.assignments, [&](const Assignment &made) {
          return !made.loops.empty() && made.loops[0] == time && !made.target.isByTurn;
        }))
      return false;
    const unsigned one = pair->first, other = pair->second;
    const bool isFirst = *firstWriteTo(one) < *firstWriteTo(other);
    const unsigned first = isFirst ? one : other, second = isFirst ? other : one;
    becomes.erase(one);
    becomes.erase(other);
    tree.exchanged.push_back({one, other});
    rewrite(first, second);
    return true;
  }

private:
  std::optional<unsigned> firstWriteTo(unsigned buffer) const {
    for (auto [number, assignment] : llvm::enumerate(tree.assignments))
      if (assignment.target.buffer == buffer)
        return number;
    return std::nullopt;
  }

  void rewrite(unsigned first, unsigned second) {
    const unsigned firstTime = *firstWriteTo(first), secondTime = *firstWriteTo(second);
    const unsigned made = addBuffer(first);
    for (Access &access : tree.accesses)
      if (access.buffer == first && access.time > firstTime)
        access.buffer = made;
      else if (access.buffer == second && access.time > secondTime)
        access.buffer = first;
    const auto move = [&](unsigned &number) {
      number += (number >= firstTime) + (number >= secondTime);
    };
    for (Access &access : tree.accesses)
      move(access.time);
    for (Gathered &gathered : tree.reductions)
      move(gathered.time);
    const std::vector<Assignment> before = std::exchange(tree.assignments, {});
    for (auto [number, assignment] : llvm::enumerate(before)) {
      if (number == firstTime)
        copy(first, made, assignment.where);
      if (number == secondTime)
        copy(second, first, assignment.where);
      Assignment next = assignment;
      next.target.time = tree.assignments.size();
      if (next.target.buffer == first)
        next.target.buffer = made;
      else if (next.target.buffer == second)
        next.target.buffer = first;
      tree.assignments.push_back(std::move(next));
    }
    copy(made, second, before.back().where);
  }

  unsigned addBuffer(unsigned buffer) {
    Buffer copy = tree.buffers[buffer];
    copy.name += "_made";
    copy.isLocal = copy.isRestrict = copy.isMadeAnew = true;
    copy.isPointer = copy.isObject = copy.isReturned = false;
    tree.buffers.push_back(std::move(copy));
    return tree.buffers.size() - 1;
  }

  void copy(unsigned from, unsigned to, clang::SourceLocation where) {
    const unsigned now = tree.assignments.size();
    tree.accesses.push_back({from, {}, now, where});
    Assignment made;
    made.loops = {time};
    made.target = {to, {}, now, where};
    made.value = leaf(tree.buffers[from].type,
                      Read{unsigned(tree.accesses.size() - 1), TimeLevel::Current, {}});
    made.where = where;
    made.isWhole = true;
    tree.assignments.push_back(std::move(made));
  }

  LoopTree &tree;
  const unsigned time; ///< the loop
};
} // namespace

bool writeSwapsOut(LoopTree &tree) {
  bool isWritten = false;
  for (unsigned loop = 0; loop < tree.loops.size(); ++loop)
    while (SwapWriter(tree, loop).writeOut())
      isWritten = true;
  return isWritten;
}

} // namespace stencilc::lift
