// Mistakes planted in a march whose threads share a tile: what guards it against each. Those that
// the verifier refuses are seen by the audit and when the Program runs, too.
#include "codegen/lower/Lower.h"
#include "ir/kernel/ValueTypes.h"
#include "ir/run/KernelInterpreter.h"
#include "ir/stencil/StencilInterpreter.h"
#include "ir/verify/KernelVerifier.h"
#include "test/ir/StencilSource.h"
#include "test/ir/UncheckedProgramFactory.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

const char *const kStencil = "stencil s(z, y, x) { field f32 u; boundary u: clamp;"
                             "  init u = x*x - 3*y*z + y;"
                             "  u' = u + u[x-2] - u[y+2] + 2*u[z-1] + u[z+1] - u[y-1]; }";

template <class Node> size_t find(const Body &body) {
  return llvm::find_if(body,
                       [](const Statement &statement) {
                         return std::holds_alternative<Node>(statement.node);
                       }) -
         body.begin();
}

class WindowTileFault : public ::testing::Test {
protected:
  explicit WindowTileFault(const char *schedule = "zblock/4x2x1/c4/v4x2/r1/flat/tile") {
    program = *llvm::cantFail(
        lower(stencilOf(kStencil), llvm::cantFail(parseSchedule(schedule, /*rank=*/3))));
    for (Kernel &kernel : program.kernels)
      if (!kernel.tiles.empty())
        for (Statement &statement : kernel.body)
          if (auto *loop = std::get_if<For>(&statement.node);
              loop && find<Barrier>(loop->body) < loop->body.size())
            turn = &loop->body;
  }

  /// The copies of the next plane, among others that a turn makes under a condition.
  If &next() const {
    for (Statement &statement : *turn)
      if (auto *branch = std::get_if<If>(&statement.node);
          branch && find<CommitCopies>(branch->then) < branch->then.size())
        return *branch;
    llvm_unreachable("the next plane is on its way");
  }

  std::string verified() const { return toString(KernelVerifier::verify(program).takeError()); }
  std::string audited() const {
    return toString(auditLowered(UncheckedProgramFactory::make(program)));
  }
  std::string run() const {
    const Stencil stencil = stencilOf(kStencil);
    State expected = llvm::cantFail(initialState(stencil, {8, 8, 32}, {}, 1)), seen = expected;
    llvm::cantFail(interpret(stencil, expected, 1));
    if (llvm::Error error = interpret(UncheckedProgramFactory::make(program), seen, 1))
      return toString(std::move(error));
    return firstDifference(expected.current[0], seen.current[0]) ? "other values" : "";
  }

  Program program;
  Body *turn = nullptr;
};

/// Moves the planes of whatever the visited statements do in a tile by so many.
void movePlanes(Body &body, int planes, bool isRead) {
  for (Statement &statement : body) {
    const auto move = [&](std::vector<Index> &at) {
      const auto &plane = std::get<IndexRemainder>(at.front()->node);
      at.front() = remainder(add(plane.index, planes), plane.divisor);
    };
    if (auto *load = std::get_if<LoadSharedVector>(&statement.node); load && isRead)
      move(load->index);
    if (auto *store = std::get_if<StoreSharedVector>(&statement.node); store && !isRead)
      move(store->index);
    if (auto *copy = std::get_if<CopyAsync>(&statement.node); copy && !isRead)
      move(copy->to);
    forEachBody(statement, [&](Body &inner) { movePlanes(inner, planes, isRead); });
  }
}

TEST_F(WindowTileFault, None) {
  ASSERT_NE(turn, nullptr);
  EXPECT_EQ(program.kernels[0].tiles[0].shape.front(), 2);
  EXPECT_EQ(verified(), "");
  EXPECT_EQ(audited(), "");
  EXPECT_EQ(run(), "");
}

TEST_F(WindowTileFault, NoBarrier) {
  turn->erase(turn->begin() + find<Barrier>(*turn));
  EXPECT_EQ(verified(), "");
  EXPECT_NE(audited().find("two threads touch element"), std::string::npos) << audited();
}

TEST_F(WindowTileFault, NoWait) {
  turn->erase(turn->begin() + find<WaitCopies>(*turn));
  EXPECT_EQ(verified(), "copy: s_zblock_whole: tile `u_tile` is read with no wait for the copies "
                        "to it");
  EXPECT_NE(audited().find("is read before its copy has arrived"), std::string::npos) << audited();
  EXPECT_NE(run().find("is read before its copy has arrived"), std::string::npos) << run();
}

TEST_F(WindowTileFault, AWaitThatLeavesABatch) {
  std::get<WaitCopies>((*turn)[find<WaitCopies>(*turn)].node).pending = 1;
  EXPECT_EQ(verified(), "copy: s_zblock_whole: tile `u_tile` is read with no wait for the copies "
                        "to it");
  EXPECT_NE(audited().find("is read before its copy has arrived"), std::string::npos) << audited();
}

TEST_F(WindowTileFault, AWaitBehindTheBarrier) {
  std::swap((*turn)[find<WaitCopies>(*turn)], (*turn)[find<Barrier>(*turn)]);
  EXPECT_EQ(verified(), "");
  EXPECT_NE(audited().find("two threads touch element"), std::string::npos) << audited();
}

TEST_F(WindowTileFault, ReadsOfTheNextPlane) {
  movePlanes(*turn, 1, /*isRead=*/true);
  EXPECT_EQ(verified(), "copy: s_zblock_whole: tile `u_tile` is read with no wait for the copies "
                        "to it");
  EXPECT_NE(audited(), "");
  EXPECT_NE(run(), "");
}

TEST_F(WindowTileFault, CopiesToThePlaneThatIsRead) {
  movePlanes(next().then, 1, /*isRead=*/false);
  EXPECT_EQ(verified(), "copy: s_zblock_whole: tile `u_tile` is read with no wait for the copies "
                        "to it");
  EXPECT_NE(audited(), "");
  EXPECT_NE(run(), "");
}

/// Copies before the barrier go where some warps still read the plane before: a third one would
/// have to be there.
TEST_F(WindowTileFault, CopiesBeforeTheBarrier) {
  const size_t wait = find<WaitCopies>(*turn), barrier = find<Barrier>(*turn);
  ASSERT_EQ(wait + 1, barrier);
  std::rotate(turn->begin() + wait, turn->begin() + barrier + 1, turn->begin() + barrier + 2);
  ASSERT_TRUE(std::holds_alternative<If>((*turn)[wait].node));
  EXPECT_EQ(verified(), "");
  EXPECT_NE(audited().find("two threads touch element"), std::string::npos) << audited();
}

// ---- with copies on their way for a plane more
// ---------------------------------------------------

class WindowTileAheadFault : public WindowTileFault {
protected:
  WindowTileAheadFault() : WindowTileFault("zblock/4x2x1/c4/v4x2/p1/r1/flat/tile") {}
};

TEST_F(WindowTileAheadFault, None) {
  ASSERT_NE(turn, nullptr);
  EXPECT_EQ(program.kernels[0].tiles[0].shape.front(), 3);
  EXPECT_EQ(std::get<WaitCopies>((*turn)[find<WaitCopies>(*turn)].node).pending, 1u);
  EXPECT_EQ(verified(), "");
  EXPECT_EQ(audited(), "");
  EXPECT_EQ(run(), "");
}

TEST_F(WindowTileAheadFault, NoBarrier) {
  turn->erase(turn->begin() + find<Barrier>(*turn));
  EXPECT_NE(audited().find("two threads touch element"), std::string::npos) << audited();
}

TEST_F(WindowTileAheadFault, AWaitThatLeavesABatchMore) {
  std::get<WaitCopies>((*turn)[find<WaitCopies>(*turn)].node).pending = 2;
  EXPECT_EQ(verified(), "copy: s_zblock_whole: tile `u_tile` is read with no wait for the copies "
                        "to it");
  EXPECT_NE(audited().find("is read before its copy has arrived"), std::string::npos) << audited();
}

/// Where batches go uncounted once a chunk has no more planes, the last are not waited for.
TEST_F(WindowTileAheadFault, NoBatchWithoutCopies) {
  const size_t copies = find<CommitCopies>(*turn);
  auto &branch = std::get<If>((*turn)[copies - 1].node);
  branch.then.push_back((*turn)[copies]);
  turn->erase(turn->begin() + copies);
  EXPECT_NE(verified(), "");
  EXPECT_NE(run().find("is read before its copy has arrived"), std::string::npos) << run();
}

TEST_F(WindowTileAheadFault, CopiesToThePlaneThatIsRead) {
  const size_t copies = find<CommitCopies>(*turn);
  movePlanes(std::get<If>((*turn)[copies - 1].node).then, 1, /*isRead=*/false);
  EXPECT_NE(verified(), "");
  EXPECT_NE(audited(), "");
  EXPECT_NE(run(), "");
}

} // namespace
