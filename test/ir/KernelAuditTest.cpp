// The audit: right Programs pass on every size, and each dynamic fault is seen.
#include "ir/verify/KernelAudit.h"

#include "test/ir/KernelPrograms.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace kernel_audit {
namespace {

const Index x = local(0), t = thread(0);

/// The first fault, without the place where it was seen.
std::string faultOf(const Program &program, std::vector<int64_t> extents, int phase = 0) {
  const std::string text = toString(audit(program, extents, phase));
  return text.substr(0, std::min(text.find(" (launch"), text.find(", in ")));
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
  std::get<When>(stepOf(program).actions[1].node).then.pop_back();
  EXPECT_EQ(faultOf(program, {5, 5}), "no launch writes u[1, 4] of the newest level");
}

TEST(KernelAudit, SeesAMissingStore) {
  Program program = fivePoint();
  std::get<ReturnUnless>(program.kernels[0].body[2].node).box[0].lower = constant(2);
  EXPECT_EQ(faultOf(program, {5, 5}), "no launch writes u[1, 1], which a pass owes");
}

TEST(KernelAudit, SeesAMissingGhostPoint) {
  Program program = onePoint(
      {{ReturnUnless{{{x, nullptr, extent(0)}}}}, {StoreGlobal{1, {x}, load(0, {add(x, 1)})}}});
  program.signature.arrays[0].ghost[0] = {0, 1};
  for (ArrayArgument &array : program.kernels[0].arrays)
    array.ghost[0] = {0, 1};
  declareBuffers(program);
  EXPECT_EQ(faultOf(program, {5}), "no launch writes u[5] of the newest level");
}

TEST(KernelAudit, SeesTheFrameOfAThirdBuffer) {
  // The previous level becomes the target of the second pass, and its frame was never copied.
  Program program = fivePoint();
  program.signature.arrays[0].hasPrevious = true;
  declareBuffers(program);
  EXPECT_EQ(faultOf(program, {3, 3}), "no launch writes u[0, 0] of the newest level");
  std::get<FirstPasses>(std::get<When>(stepOf(program).actions[1].node).condition).count = 2;
  EXPECT_EQ(faultOf(program, {3, 3}), "");
}

TEST(KernelAudit, SeesAPointStoredTwice) {
  Program program = fivePoint();
  launchAt(program, 1).cover.end[0] = constant(2);
  EXPECT_EQ(faultOf(program, {5, 5}), "copy_frame: writes u_next[1, 1] a second time");
}

TEST(KernelAudit, SeesBlocksThatOverlap) {
  Program program = fivePoint();
  program.kernels[0].body[1] = {LetIndex{1, add(add(argument(0), block(1)), thread(1))}};
  EXPECT_EQ(faultOf(program, {5, 5}), "step: writes u_next[2, 1] a second time");
}

TEST(KernelAudit, SeesRowsThatAllStoreToOne) {
  Program program = fivePoint();
  std::get<StoreGlobal>(program.kernels[0].body.back().node).index[0] = constant(1);
  EXPECT_EQ(faultOf(program, {5, 5}), "step: writes u_next[1, 1] a second time");
}

TEST(KernelAudit, SeesADroppedStageOfAFieldInPlace) {
  // v' = v in place, in a launch of its own: its points are there from the start.
  Program program = fivePoint();
  program.signature.arrays.push_back({.name = "v", .type = ScalarType::F64, .axes = {0, 1}});
  declareBuffers(program);
  const unsigned v = bufferOf(program.signature, 1);
  Kernel stage = program.kernels[1];
  stage.name = "stage";
  stage.arrays = {{"v", ScalarType::F64, {0, 1}, {}, Access::ReadWrite}};
  std::get<StoreGlobal>(stage.body.back().node).array = 0;
  program.kernels.push_back(stage);
  Launch launch = launchAt(program, 1);
  launch.kernel = 2;
  launch.buffers = {v};
  launch.cover.begin = {constant(0), constant(0)};
  launch.cover.end = {extent(0), extent(1)};
  stepOf(program).owed.push_back({v, {{launch.cover.begin, launch.cover.end}}});
  EXPECT_EQ(faultOf(program, {5, 5}), "no launch writes v[0, 0], which a pass owes");
  stepOf(program).actions.push_back({launch});
  EXPECT_EQ(faultOf(program, {5, 5}), "");
}

TEST(KernelAudit, ChoosesAGridOfItsOwn) {
  EXPECT_EQ(toString(audit(fivePoint())), "");
  Program program = fivePoint();
  // Blocks after the first are not asked for by a launch of four points.
  launchAt(program, 0).cover.end[1] = minimum(constant(5), add(extent(1), -1));
  EXPECT_EQ(toString(audit(program)),
            "no launch writes u[1, 8], which a pass owes, in 2 steps on 7 x 11 points");
}

TEST(KernelAudit, TellsWhereItSawAFault) {
  Program program = fivePoint();
  launchAt(program, 1).cover.end[0] = constant(2);
  EXPECT_EQ(toString(audit(program, {5, 5})),
            "copy_frame: writes u_next[1, 1] a second time (launch 2 of the run; "
            "store u_next[y, x] = u[y, x]), in 2 steps on 5 x 5 points");
}

TEST(KernelAudit, SeesReadsOfWhatNothingWrote) {
  Program program =
      onePoint({{ReturnUnless{{{x, nullptr, extent(0)}}}}, {StoreGlobal{1, {x}, load(0, {x})}}});
  launchAt(program, 0).buffers = {1, 0};
  EXPECT_EQ(faultOf(program, {5}), "one: reads u_next[0], which nothing wrote");
}

/// u' = value, in place.
Program inPlaceProgram(Value value) {
  Program program = onePoint({{ReturnUnless{{{x, nullptr, add(extent(0), -1)}}}},
                              {StoreGlobal{0, {x}, std::move(value)}}});
  program.signature.arrays[0].hasNext = false;
  program.kernels[0].arrays.resize(1);
  program.kernels[0].arrays[0].access = Access::ReadWrite;
  launchAt(program, 0).buffers.resize(1);
  stepOf(program).owed[0].boxes[0].end[0] = add(extent(0), -1);
  declareBuffers(program);
  return program;
}

TEST(KernelAudit, SeesThreadsThatWriteWhatOthersRead) {
  EXPECT_EQ(faultOf(inPlaceProgram(load(0, {x})), {8}), "");
  EXPECT_EQ(faultOf(inPlaceProgram(load(0, {add(x, 1)})), {8}),
            "one: writes u[1], which another thread reads");
  Value ofBlockBefore = makeValue(
      ScalarType::F64, GuardedValue{{{x, constant(4), nullptr}}, load(0, {add(x, -4)}), number(0)});
  EXPECT_EQ(faultOf(inPlaceProgram(ofBlockBefore), {8}),
            "one: reads u[0] after it is written in the same launch");
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

TEST(KernelAudit, SeesStoresOutsideOfMemory) {
  Program program = fivePoint();
  std::get<StoreGlobal>(program.kernels[0].body.back().node).index[0] = add(x, 1000);
  EXPECT_EQ(faultOf(program, {5, 5}), "step: leaves the memory of u_next");
}

// ---- grids of its own ------------------------------------------------------------------------

std::string faultOnOwnGrids(const Program &program) {
  const std::string text = toString(audit(program));
  return text.substr(0, std::min(text.find(" (launch"), text.find(", in ")));
}

TEST(KernelAudit, CutsLaunchesIntoSlabs) {
  // The rows of a block counted from the first of the grid, not of its slab.
  Program program = fivePoint();
  program.kernels[0].body[1] = {LetIndex{1, add(add(scale(block(1), 2), 1), thread(1))}};
  EXPECT_EQ(faultOf(program, {9, 9}), "");
  EXPECT_EQ(faultOnOwnGrids(program), "step: writes u_next[1, 1] a second time");
}

TEST(KernelAudit, PutsRowsWhereConditionsAskForThem) {
  Program program = fivePoint();
  Action step = stepOf(program).actions[0];
  stepOf(program).actions[0] = {When{Aligned{16, 1, {0, 1}}, {}, {step}}};
  EXPECT_EQ(faultOf(program, {5, 5}), "");
  EXPECT_EQ(faultOnOwnGrids(program), "no launch writes u[1, 1], which a pass owes");
}

TEST(KernelAudit, GoesThroughEveryKindOfPass) {
  Program program = fivePoint();
  Pass two = stepOf(program);
  two.steps = 2;
  llvm::append_range(two.actions, Actions(stepOf(program).actions));
  program.plan.passes.insert(program.plan.passes.begin(), two);
  EXPECT_EQ(toString(audit(program, {5, 5})), "");
  stepOf(program).actions.erase(stepOf(program).actions.begin());
  EXPECT_EQ(toString(audit(program, {5, 5})),
            "no launch writes u[1, 1], which a pass owes, in 1 steps on 5 x 5 points");
}

TEST(KernelAudit, LeavesNoAxisWithoutSeveralBlocks) {
  // Blocks of the second row are as right as all others only if the grid has one.
  Program program = fivePoint();
  program.kernels[0].body.insert(program.kernels[0].body.begin() + 3,
                                 {ReturnUnless{{{block(1), nullptr, constant(1)}}}});
  EXPECT_EQ(faultOnOwnGrids(program), "no launch writes u[3, 1], which a pass owes");
}

// ---- hosts -----------------------------------------------------------------------------------

/// u = u of the right neighbour, in place, in a loop of a host.
Program hostProgram(LoopKind kind) {
  Program program = inPlaceProgram(load(0, {add(x, 1)}));
  program.target = Target::Host;
  Kernel &kernel = program.kernels[0];
  kernel.target = Target::Host;
  kernel.block = {1, 1, 1};
  const Statement store = kernel.body.back();
  kernel.body = {{For{kind, 0, constant(0), add(extent(0), -1), 1, {store}}}};
  launchAt(program, 0).cover.end[0] = add(extent(0), -1);
  return program;
}

TEST(KernelAudit, TakesTurnsOfIndependentLoopsForThreads) {
  EXPECT_EQ(faultOf(hostProgram(LoopKind::Serial), {8}), "");
  for (LoopKind kind : {LoopKind::Parallel, LoopKind::Vector, LoopKind::ParallelVector})
    EXPECT_EQ(faultOf(hostProgram(kind), {8}), "one: writes u[1], which another thread reads");
}

} // namespace
} // namespace kernel_audit
