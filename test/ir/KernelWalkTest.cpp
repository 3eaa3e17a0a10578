// The walker on kernels built by hand: closed forms, bends, rows and warps.
#include "ir/walk/KernelWalk.h"

#include "test/ir/WalkComparison.h"
#include "test/ir/WarpPrograms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace stencilc;

namespace kernel_walk {
namespace {

const Index x = local(0);

/// What one warp asks for, as text: "load 0+1*32" for lanes 0 to 31 at elements 0, 1, ...
std::string text(const WarpRequest &request) {
  std::string result = fmt::format("{} {}", request.warp, request.isStore ? "store" : "load");
  for (const LaneRun &run : request.runs)
    result += run.count == 1
                  ? fmt::format(" {}@{}", run.element, run.lane)
                  : fmt::format(" {}{:+}*{}@{}", run.element, run.stride, run.count, run.lane);
  return result;
}

/// The requests of one block of the program's only launch, on arrays whose point 0 is element 0.
std::vector<std::string> requestsOf(const Program &program, int64_t extent, int64_t block = 0) {
  ArrayLayout dense;
  dense.stride[0] = 1;
  const PlacedLaunch placed = place(program, firstLaunch(program), extent, {dense, dense});
  std::vector<std::string> texts;
  KernelWalk(placed).walk({block, 0, 0},
                          [&](const WarpRequest &request) { texts.push_back(text(request)); });
  return texts;
}

/// One axis, `threads` a block, thread x at first + block * threads + thread.
Program inBlocksOf(int threads, Body body) {
  Program program = onePoint(std::move(body));
  Kernel &kernel = program.kernels[0];
  kernel.block[0] = launchAt(program, 0).cover.points[0] = threads;
  kernel.body[0] = {LetIndex{0, add(add(argument(0), scale(block(0), threads)), thread(0))}};
  return program;
}

Statement copyOf(Index from) { return {StoreGlobal{1, {x}, load(0, {std::move(from)})}}; }
Statement insideGrid() { return {ReturnUnless{{{x, nullptr, extent(0)}}}}; }

using Texts = std::vector<std::string>;

} // namespace

TEST(KernelWalk, AWarpIsOneRunOfLanes) {
  EXPECT_EQ(
      requestsOf(inBlocksOf(64, {copyOf(x)}), 128, 1),
      (Texts{"0 load 64+1*32@0", "1 load 96+1*32@0", "0 store 64+1*32@0", "1 store 96+1*32@0"}));
}

TEST(KernelWalk, AGuardCutsTheRun) {
  EXPECT_EQ(requestsOf(inBlocksOf(64, {insideGrid(), copyOf(x)}), 39),
            (Texts{"0 load 0+1*32@0", "1 load 32+1*7@0", "0 store 0+1*32@0", "1 store 32+1*7@0"}));
  EXPECT_EQ(
      requestsOf(inBlocksOf(32, {{If{{{x, constant(3), constant(9)}}, {copyOf(x)}, {}}}}), 64),
      (Texts{"0 load 3+1*6@3", "0 store 3+1*6@3"}));
}

TEST(KernelWalk, ABoundaryBendsTheRunOnlyWhereItIsReached) {
  const Body clamped = {copyOf(maximum(add(x, -2), constant(0)))};
  EXPECT_EQ(requestsOf(inBlocksOf(32, clamped), 64, 1)[0], "0 load 30+1*32@0");
  EXPECT_EQ(requestsOf(inBlocksOf(32, clamped), 64, 0)[0], "0 load 0+0*3@0 1+1*29@3");
  const Body wrapped = {copyOf(map(BoundaryKind::Periodic, 0, add(x, 1)))};
  EXPECT_EQ(requestsOf(inBlocksOf(32, wrapped), 64, 0)[0], "0 load 1+1*32@0");
  EXPECT_EQ(requestsOf(inBlocksOf(32, wrapped), 64, 1)[0], "0 load 33+1*31@0 0@31");
}

TEST(KernelWalk, BothBranchesOfAGuardedValueAreRequests) {
  const Value guarded =
      makeValue(ScalarType::F64,
                GuardedValue{{{x, constant(4), nullptr}}, load(0, {x}), load(0, {add(x, 1)})});
  EXPECT_EQ(requestsOf(inBlocksOf(8, {{StoreGlobal{1, {x}, guarded}}}), 64),
            (Texts{"0 load 4+1*4@4", "0 load 1+1*4@0", "0 store 0+1*8@0"}));
}

TEST(KernelWalk, EachThreadLeavesALoopAtItsOwnEnd) {
  Program program =
      inBlocksOf(4, {{For{LoopKind::Serial, 1, x, constant(3), 2, {copyOf(local(1))}}}});
  program.kernels[0].locals.push_back("i");
  EXPECT_EQ(requestsOf(program, 64),
            (Texts{"0 load 0+1*3@0", "0 store 0+1*3@0", "0 load 2@0", "0 store 0@0"}));
}

TEST(KernelWalk, SectorsAndLinesAreCountedFromRuns) {
  auto pieces = [](LaneRun run, unsigned elementBytes, unsigned pieceBytes) {
    llvm::SmallVector<PieceRange, 4> touched;
    appendPieces({0, false, 0, run}, elementBytes, pieceBytes, touched);
    mergePieces(touched);
    return countPieces(touched);
  };
  EXPECT_EQ(pieces({0, 32, 0, 1}, 8, kSectorBytes), 8u);  // 256 bytes
  EXPECT_EQ(pieces({0, 32, -1, 1}, 8, kSectorBytes), 9u); // one more on either side
  EXPECT_EQ(pieces({0, 32, 3, 1}, 8, kLineBytes), 3u);
  EXPECT_EQ(pieces({0, 32, 0, 1}, 4, kLineBytes), 1u);
  EXPECT_EQ(pieces({0, 32, 31, -1}, 8, kSectorBytes), 8u); // backwards
  EXPECT_EQ(pieces({0, 32, 0, 4}, 8, kSectorBytes), 32u);  // each in its own
  EXPECT_EQ(pieces({0, 32, 0, 5}, 8, kSectorBytes), 32u);
  EXPECT_EQ(pieces({0, 32, 0, 5}, 8, kLineBytes), 10u); // 0 to 155, 16 in a line
  EXPECT_EQ(pieces({0, 32, 7, 0}, 8, kLineBytes), 1u);
}

TEST(KernelWalk, FollowsTheInterpreter) {
  for (int phase : {0, 5})
    for (const std::vector<int64_t> &extents :
         std::vector<std::vector<int64_t>>{{1, 1}, {3, 3}, {5, 17}, {9, 40}}) {
      const WalkedStep step = compareWalk(fivePoint(), extents, phase);
      EXPECT_EQ(step.difference, "");
      EXPECT_GE(step.requests, 1u);
    }
}

TEST(KernelWalk, FollowsTheInterpreterThroughQuotientsAndRemainders) {
  const Index third = scale(quotient(x, 3), 3), rest = remainder(x, 3);
  for (int threads : {4, 12, 96})
    for (Index from : {third, add(third, rest), add(scale(rest, 33), quotient(x, 3)),
                       remainder(scale(x, 6), 12), quotient(add(scale(x, -4), 396), 4)}) {
      const WalkedStep step =
          compareWalk(inBlocksOf(threads, {insideGrid(), copyOf(from)}), {100}, 3);
      EXPECT_EQ(step.difference, "") << threads;
      EXPECT_EQ(step.accesses, 200u);
    }
}

TEST(KernelWalk, FollowsTheInterpreterThroughWarpsAndLanes) {
  // Rows of threads that are warps, parts of warps, and cut by them.
  for (std::array<int, 3> shape :
       {std::array{64, 1, 1}, {32, 2, 1}, {8, 4, 1}, {16, 2, 2}, {24, 3, 1}}) {
    Program program = twoWarps({});
    Kernel &kernel = program.kernels[0];
    kernel.block = shape;
    const Index mirrored = add(scale(warp, 32), add(constant(31), scale(lane, -1)));
    kernel.body = {{LetIndex{0, add(scale(warp, 32), lane)}},
                   {StoreGlobal{1, {x}, load(0, {quotient(mirrored, 3)})}}};
    const WalkedStep step = compareWalk(program, {96}, 2);
    EXPECT_EQ(step.difference, "");
    EXPECT_GE(step.accesses, 2 * 32u);
  }
}

TEST(KernelWalk, FollowsTheInterpreterThroughRoles) {
  const PatchRow row{0, {constant(0), constant(0)}, 2};
  const Index pair = scale(lane, 2);
  const Body front = {{LoadVector{row, 0, {pair}}}, {StoreVector{1, {pair}, row}}},
             back = {{CopyAsync{0, {constant(0), pair}, 0, {pair}, 2}}};
  const WalkedStep step = compareWalk(twoWarps({{roles(front, back)}}), {64}, 2);
  EXPECT_EQ(step.difference, "");
  EXPECT_EQ(step.requests, 3u);
  EXPECT_EQ(step.accesses, 3 * 64u);
}

} // namespace kernel_walk
