// Of the facts in Equivalence.h the one on copies of what no update writes.
#include "test/mutation/Equivalence.h"
#include "test/mutation/LaunchBoxes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace stencilc;
using namespace stencilc::mutation;

/// True if all that the kernel does at the points of its box is to copy them.
static bool copiesPoints(const Kernel &kernel) {
  return llvm::all_of(kernel.body, [](const Statement &statement) {
    const auto *store = std::get_if<StoreGlobal>(&statement.node);
    const auto *load = store ? std::get_if<LoadGlobal>(&store->value->node) : nullptr;
    return load ? llvm::equal(load->index, store->index, equal)
                : std::holds_alternative<LetIndex>(statement.node) ||
                      std::holds_alternative<LetPointer>(statement.node) ||
                      std::holds_alternative<ReturnUnless>(statement.node);
  });
}

/// True if another launch among the actions copies all points that lie behind the launch's box
/// along the axis, one deep, between the same buffers.
static bool isCopiedBehind(const Program &program, const Launch &launch, unsigned axis,
                           const Actions &actions) {
  return forAllRuns(program.signature, [&](const RunNumbers &numbers) {
    LaunchBox behind = launchBoxOf(launch, numbers);
    if (behind.isEmpty)
      return true;
    behind.begin[axis] = behind.end[axis]++;
    return llvm::any_of(actions, [&](const Action &action) {
      const auto *other = std::get_if<Launch>(&action.node);
      if (!other || other->buffers != launch.buffers ||
          !copiesPoints(program.kernels[other->kernel]))
        return false;
      const LaunchBox box = launchBoxOf(*other, numbers);
      return llvm::all_of(llvm::seq(program.signature.rank()), [&](unsigned along) {
        return box.begin[along] <= behind.begin[along] && behind.end[along] <= box.end[along];
      });
    });
  });
}

static bool areCopiedBehind(const Program &program, unsigned kernel, unsigned axis,
                            const Actions &actions) {
  return llvm::all_of(actions, [&](const Action &action) {
    if (const auto *when = std::get_if<When>(&action.node))
      return areCopiedBehind(program, kernel, axis, when->then) &&
             areCopiedBehind(program, kernel, axis, when->otherwise);
    const auto *launch = std::get_if<Launch>(&action.node);
    return !launch || launch->kernel != kernel || isCopiedBehind(program, *launch, axis, actions);
  });
}

bool mutation::mayCopyBehind(const Program &program, unsigned kernel, unsigned axis) {
  const Plan &plan = program.plan;
  return copiesPoints(program.kernels[kernel]) &&
         areCopiedBehind(program, kernel, axis, plan.prologue) &&
         areCopiedBehind(program, kernel, axis, plan.epilogue) &&
         llvm::all_of(plan.passes, [&](const Pass &pass) {
           return areCopiedBehind(program, kernel, axis, pass.actions);
         });
}
