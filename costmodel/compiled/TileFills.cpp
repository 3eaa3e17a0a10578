#include "costmodel/compiled/TileFills.h"

#include "costmodel/compiled/Stores.h"
#include "costmodel/compiled/UnrolledRange.h"

using namespace stencilc;

static bool fills(const Statement &statement) {
  return startsCopy(statement) ||
         std::visit(llvm::makeVisitor([](const StoreShared &) { return true; },
                                      [](const auto &) { return false; }),
                    statement.node);
}

static bool divides(const Index &index) {
  bool found = std::visit(llvm::makeVisitor([](const IndexQuotient &) { return true; },
                                            [](const auto &) { return false; }),
                          index->node);
  forEachOperand(*index, [&](const Index &operand) { found |= divides(operand); });
  return found;
}

/// What the statement names, or the cell that it fills.
static llvm::ArrayRef<Index> placesIn(const Statement &statement) {
  using Places = llvm::ArrayRef<Index>;
  return std::visit(llvm::makeVisitor([](const LetIndex &node) { return Places(node.value); },
                                      [](const StoreShared &node) { return Places(node.index); },
                                      [](const auto &) { return Places(); }),
                    statement.node);
}

static void walk(const Body &body, const InstructionEstimate &instructions, bool inLoop,
                 TileFills &all) {
  for (const Statement &statement : body) {
    const For *loop = loopOf(statement);
    if (loop && llvm::any_of(loop->body, fills)) {
      double turn = 0;
      for (const Statement &inner : loop->body) {
        turn += instructions.once(inner).all();
        all.divides |= llvm::any_of(placesIn(inner), divides);
      }
      all.inMarch |= inLoop;
      if (llvm::none_of(loop->body, startsCopy))
        all.leastInstructions =
            all.leastInstructions > 0 ? std::min(all.leastInstructions, turn) : turn;
    }
    const bool inside = inLoop || (loop && !leavesNoLoop(*loop));
    forEachBody(statement, [&](const Body &inner) { walk(inner, instructions, inside, all); });
  }
}

TileFills stencilc::tileFills(const Kernel &kernel, const InstructionEstimate &instructions) {
  TileFills all;
  walk(kernel.body, instructions, /*inLoop=*/false, all);
  return all;
}
