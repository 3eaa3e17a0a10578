#include "test/mutation/Equivalence.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace stencilc;
using namespace stencilc::mutation;

/// True if the index is where blocks of all launches of the kernel begin along some axis, and none
/// of them ends that axis beyond the bound.
static bool isBlockBegin(const Program &program, unsigned kernel, const Body &body, Index index,
                         const Index &bound) {
  for (const Statement &statement : body)
    if (const auto *let = std::get_if<LetIndex>(&statement.node);
        let && equal(index, coordinate(CoordinateKind::Local, let->local)))
      index = let->value;
  const unsigned rank = program.signature.rank();
  return llvm::any_of(llvm::seq(rank), [&](unsigned axis) {
    bool isBegin = true;
    forEachLaunchOf(program.plan, [&](const Launch &launch) {
      if (launch.kernel != kernel)
        return;
      const auto first = llvm::find(launch.integers, IntegerBinding(FirstOf{axis}));
      const Index begin =
          add(coordinate(CoordinateKind::Argument, first - launch.integers.begin()),
              scale(coordinate(CoordinateKind::Block, rank - 1 - axis), launch.cover.points[axis]));
      isBegin &= first != launch.integers.end() && constantDifference(index, begin) == 0 &&
                 constantDifference(launch.cover.end[axis], bound).value_or(1) <= 0;
    });
    return isBegin;
  });
}

bool mutation::boundsWhereBlocksBegin(const Program &right, const Program &mutated) {
  for (auto [number, kernel] : llvm::enumerate(right.kernels)) {
    const Body &body = kernel.body, &other = mutated.kernels[number].body;
    const bool isShorter = body.size() == other.size() + 1;
    for (auto [statement, changed] : llvm::zip(body, other)) {
      const auto *guard = std::get_if<ReturnUnless>(&statement.node);
      if (guard && isShorter)
        return llvm::all_of(guard->box, [&](const Range &range) {
          return !range.lower && range.upper &&
                 isBlockBegin(right, number, body, range.index, range.upper);
        });
      const auto *let = std::get_if<LetIndex>(&statement.node);
      const auto *free = std::get_if<LetIndex>(&changed.node);
      if (!let || !free || equal(let->value, free->value))
        continue;
      const auto *least = std::get_if<IndexMin>(&let->value->node);
      return least && equal(least->left, free->value) &&
             isBlockBegin(right, number, body, free->value, add(least->right, 1));
    }
  }
  return false;
}
