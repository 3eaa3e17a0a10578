// The verifier passes right Programs, soon enough to run on every compile; the tables of faults are
// in the files next to this one.
#include "test/ir/KernelVerifierCases.h"

#include <chrono>

using namespace stencilc;

namespace kernel_verifier {
namespace {

const Index x = local(0);
const Statement store = {StoreGlobal{1, {x}, load(0, {x})}};

TEST(KernelVerifier, PassesRightPrograms) {
  EXPECT_EQ(faultOf(fivePoint()), "");
  EXPECT_EQ(faultOf(guarded({store})), "");
  EXPECT_EQ(faultOf(hostProgram({store})), "");
  EXPECT_EQ(faultOf(inPlace({{StoreGlobal{0, {x}, sum(load(0, {x}), number(1))}}})), "");
}

TEST(KernelVerifier, PassesQueuesThatALoopRotates) {
  Body march = {
      {AssignSlot{0, 0, number(0)}},
      {For{LoopKind::Serial,
           1,
           constant(0),
           extent(0),
           1,
           {{AssignSlot{0, 1, load(0, {local(1)})}},
            {StoreGlobal{1, {local(1)}, makeValue(ScalarType::F64, QueueSlotValue{0, 0})}},
            {Rotate{0}}}}}};
  EXPECT_EQ(faultOf(withResources(onePoint(march))), "");
}

TEST(KernelVerifier, RefusesSidesThatNoConstantNames) {
  Program program = withResources(onePoint({}));
  program.kernels[0].constants = {{"kBlockX", 1, ""}};
  program.kernels[0].sides[0] = 0;
  EXPECT_EQ(faultOf(program), faultOf(withResources(onePoint({}))));
  program.kernels[0].sides[2] = 1;
  EXPECT_EQ(faultOf(program), "definition: one: there is no constant 1");
}

TEST(KernelVerifier, PassesAddressesThatALoopCarries) {
  Body march = {{LetPointer{0, {argument(0)}, true}},
                {For{LoopKind::Serial, 1, argument(0), extent(0), 1, {}, {{0, 0}}}}};
  EXPECT_EQ(faultOf(withResources(onePoint(march))), "");
  // Each turn of an outer loop names the address anew.
  Body around = {{For{LoopKind::Serial, 2, constant(0), constant(2), 1, march}}};
  EXPECT_EQ(faultOf(withResources(onePoint(around))), "");
}

TEST(KernelVerifier, PassesBarriersInUniformLoops) {
  Body loop = {{StoreShared{0, {thread(0)}, number(1)}}, {Barrier{}}};
  Index begin = add(argument(0), scale(block(0), 4));
  Body body = {{For{LoopKind::Serial, 1, begin, extent(0), 1, loop}}};
  EXPECT_EQ(faultOf(withResources(onePoint(body))), "");
}

TEST(KernelVerifier, PassesChunksThatALoopMarches) {
  // begin = first + 8 * block, end = min(begin + 8, nx): the loop stays on the axis.
  Body loop = {{StoreGlobal{1, {local(2)}, load(0, {local(2)})}}};
  Body body = {{LetIndex{1, add(argument(0), scale(block(0), 8))}},
               {For{LoopKind::Serial, 2, local(1), minimum(add(local(1), 8), extent(0)), 1, loop}}};
  Program program = withResources(onePoint(body));
  program.kernels[0].body.erase(program.kernels[0].body.begin());
  launchAt(program, 0).cover.points[0] = 8;
  EXPECT_EQ(faultOf(program), "");
}

TEST(KernelVerifier, PrintsItsTime) {
  Program program = fivePoint();
  constexpr int runs = 2000;
  auto start = std::chrono::steady_clock::now();
  for (int run = 0; run < runs; ++run)
    ASSERT_EQ(faultOf(program), "");
  std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  RecordProperty("microseconds", std::to_string(time.count() / runs));
  llvm::outs() << "5-point update and frame copy: " << time.count() / runs << " us\n";
}

TEST_P(KernelVerifierFault, IsSeen) { EXPECT_EQ(faultOf(GetParam().make()), GetParam().fault); }

TEST(KernelVerifier, TakesMinimumExtentsFromTheBox) {
  // The inner box holds a point only where both extents are at least 3.
  EXPECT_EQ(faultOf(fiveWith([](Program &program) { program.kernels[0].minimumExtent = {3, 3}; })),
            "");
}

TEST(KernelVerifier, TakesMinimumExtentsFromTheSignature) {
  Program program = storing(load(0, {map(BoundaryKind::Periodic, 0, add(x, -2))}));
  program.kernels[0].minimumExtent = {2};
  EXPECT_EQ(faultOf(program), "launch: one: nx may be below 2, the kernel's least");
  program.signature.minimumExtent = {2};
  EXPECT_EQ(faultOf(program), "");
}

} // namespace
} // namespace kernel_verifier
