// The audit: right Programs pass on every size, and each dynamic fault is seen.
#include "ir/verify/KernelAudit.h"

#include "test/ir/KernelPrograms.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

const Index x = local(0), t = thread(0);

std::string faultOf(const Program &program, std::vector<int64_t> extents, int phase = 0) {
  return toString(audit(program, extents, phase));
}

/// u' = u of the left neighbour in the block (the last thread for the first), through a tile.
Program tileProgram() {
  Program program = onePoint({
      {StoreShared{0, {t}, load(0, {minimum(x, add(extent(0), -1))})}},
      {Barrier{}},
      {If{{{x, nullptr, extent(0)}},
          {{StoreGlobal{1, {x}, loadShared(0, {remainder(add(t, 3), 4)})}}},
          {}}},
  });
  program.kernels[0].tiles = {{"tile", ScalarType::F64, {4}}};
  return program;
}

TEST(KernelAudit, PassesRightPrograms) {
  for (auto [ny, nx] : {std::pair{1, 1}, {2, 2}, {3, 3}, {4, 9}, {7, 5}, {9, 33}})
    for (int phase : {0, 1, 15})
      EXPECT_EQ(faultOf(fivePoint(), {ny, nx}, phase), "") << ny << " x " << nx << ", " << phase;
  for (int64_t n : {1, 4, 7})
    EXPECT_EQ(faultOf(tileProgram(), {n}), "") << n;
}

TEST(KernelAudit, HasNothingToDoWithoutPoints) { EXPECT_EQ(faultOf(fivePoint(), {0, 4}), ""); }

TEST(KernelAudit, SeesAMissingFrameCopy) {
  Program program = fivePoint();
  program.launches.pop_back();
  EXPECT_EQ(faultOf(program, {5, 5}), "no launch writes u.source[1, 4] of the newest level");
}

TEST(KernelAudit, SeesAMissingStore) {
  Program program = fivePoint();
  std::get<ReturnUnless>(program.kernels[0].body[2].node).box[0].lower = constant(2);
  EXPECT_EQ(faultOf(program, {5, 5}), "no launch writes u.source[1, 1] of the newest level");
}

TEST(KernelAudit, SeesAMissingGhostPoint) {
  Program program = onePoint(
      {{ReturnUnless{{{x, nullptr, extent(0)}}}}, {StoreGlobal{1, {x}, load(0, {add(x, 1)})}}});
  program.signature.arrays[0].ghost[0] = {0, 1};
  for (ArrayArgument &array : program.kernels[0].arrays)
    array.ghost[0] = {0, 1};
  EXPECT_EQ(faultOf(program, {5}), "no launch writes u.source[5] of the newest level");
}

TEST(KernelAudit, SeesTheFrameOfAThirdBuffer) {
  // The previous level becomes the target of the second step, and its frame was never copied.
  Program program = fivePoint();
  program.signature.arrays[0].hasPrevious = true;
  EXPECT_EQ(faultOf(program, {3, 3}), "no launch writes u.source[0, 0] of the newest level");
}

TEST(KernelAudit, SeesAPointStoredTwice) {
  Program program = fivePoint();
  program.launches[1].end[0] = constant(2);
  EXPECT_EQ(faultOf(program, {5, 5}), "copy_frame: writes u.target[1, 1] a second time");
}

TEST(KernelAudit, SeesBlocksThatOverlap) {
  Program program = fivePoint();
  program.kernels[0].body[1] = {LetIndex{1, add(add(argument(0), block(1)), thread(1))}};
  EXPECT_EQ(faultOf(program, {5, 5}), "step: writes u.target[2, 1] a second time");
}

TEST(KernelAudit, SeesReadsOfWhatNothingWrote) {
  Program program =
      onePoint({{ReturnUnless{{{x, nullptr, extent(0)}}}}, {StoreGlobal{1, {x}, load(0, {x})}}});
  program.launches[0].arrays[0].role = BufferRole::Target;
  program.launches[0].arrays[1].role = BufferRole::Source;
  EXPECT_EQ(faultOf(program, {5}), "one: reads u.target[0], which nothing wrote");
}

/// u' = value, in place.
Program inPlaceProgram(Value value) {
  Program program = onePoint({{ReturnUnless{{{x, nullptr, add(extent(0), -1)}}}},
                              {StoreGlobal{0, {x}, std::move(value)}}});
  program.signature.arrays[0].hasNext = false;
  program.kernels[0].arrays.resize(1);
  program.kernels[0].arrays[0].access = Access::ReadWrite;
  program.launches[0].arrays.resize(1);
  return program;
}

TEST(KernelAudit, SeesThreadsThatWriteWhatOthersRead) {
  EXPECT_EQ(faultOf(inPlaceProgram(load(0, {x})), {8}), "");
  EXPECT_EQ(faultOf(inPlaceProgram(load(0, {add(x, 1)})), {8}),
            "one: writes u.source[1], which another thread reads");
  Value ofBlockBefore = makeValue(
      ScalarType::F64, GuardedValue{{{x, constant(4), nullptr}}, load(0, {add(x, -4)}), number(0)});
  EXPECT_EQ(faultOf(inPlaceProgram(ofBlockBefore), {8}),
            "one: reads u.source[0] after it is written in the same launch");
}

TEST(KernelAudit, SeesRaces) {
  Program program = tileProgram();
  program.kernels[0].body.erase(program.kernels[0].body.begin() + 2);
  EXPECT_EQ(faultOf(program, {8}),
            "one: two threads touch element 3 of tile `tile` with no barrier between");
}

TEST(KernelAudit, SeesTilesStoredWhileOthersRead) {
  Program program = tileProgram();
  program.kernels[0].body.push_back({StoreShared{0, {t}, number(0)}});
  EXPECT_EQ(faultOf(program, {8}),
            "one: two threads touch element 0 of tile `tile` with no barrier between");
}

TEST(KernelAudit, SeesTilesReadBeforeTheyAreStored) {
  Program program = tileProgram();
  program.kernels[0].body.erase(program.kernels[0].body.begin() + 1);
  EXPECT_EQ(faultOf(program, {8}), "one: element 3 of tile `tile` is read before it is stored");
}

TEST(KernelAudit, SeesAccessesOutOfBounds) {
  Program program = fivePoint();
  std::get<ReturnUnless>(program.kernels[0].body[2].node).box[1].upper = extent(0);
  EXPECT_EQ(faultOf(program, {5, 5}), "step: `u` is accessed at [5, 1], outside its box");
}

} // namespace
