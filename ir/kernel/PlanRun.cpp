#include "ir/kernel/PlanRun.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace stencilc;

PlanRun::PlanRun(const Program &program) : program(program), standsFor(program.buffers.size()) {
  std::iota(standsFor.begin(), standsFor.end(), 0);
}

llvm::Error PlanRun::run(llvm::ArrayRef<int64_t> grid, int64_t steps) {
  extents = grid.vec();
  if (llvm::Error error = follow(program.plan.prologue))
    return error;
  for (auto [pass, count] :
       llvm::zip_equal(program.plan.passes, passCounts(program.plan, extents, steps)))
    for (int64_t done = 0; done < count; ++done)
      if (llvm::Error error = follow(pass))
        return error;
  if (llvm::Error error = follow(program.plan.epilogue))
    return error;
  return endRun();
}

llvm::Error PlanRun::follow(const Pass &pass) {
  if (llvm::Error error = beginPass(pass))
    return error;
  if (llvm::Error error = follow(pass.actions))
    return error;
  ++passesMade;
  return endPass(pass);
}

llvm::Error PlanRun::follow(const Actions &actions) {
  for (const Action &action : actions) {
    llvm::Error error = std::visit(
        llvm::makeVisitor([&](const Launch &node) { return perform(node); },
                          [&](const Rename &node) -> llvm::Error {
                            follow(node);
                            return llvm::Error::success();
                          },
                          [&](const When &node) {
                            return follow(holds(node.condition) ? node.then : node.otherwise);
                          }),
        action.node);
    if (error)
      return error;
  }
  return llvm::Error::success();
}

void PlanRun::follow(const Rename &rename) {
  const std::vector<unsigned> before = standsFor;
  for (auto [first, second] : rename.pairs)
    standsFor[first] = before[second];
}

bool PlanRun::holds(const Condition &condition) const {
  return std::visit(
      llvm::makeVisitor([&](const FirstPasses &node) { return passesMade < node.count; },
                        [&](const Aligned &node) {
                          return llvm::all_of(node.buffers, [&](unsigned buffer) {
                            return isAligned(buffer, node);
                          });
                        },
                        [&](const Wanted &) { return wantsResults(); },
                        [&](const HasPoints &) { return hasPoints(); },
                        [&](const WholePieces &node) { return areWhole(node, extents); },
                        [&](const ShortAddresses &) {
                          return areShort(program.buffers, extents, program.mostShort);
                        },
                        [&](const Away &node) {
                          const Buffer &owner = program.buffers[standsFor[node.buffer]];
                          return std::holds_alternative<WorkspaceMemory>(owner.owner);
                        }),
      condition);
}
