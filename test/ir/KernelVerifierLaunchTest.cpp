// Faults of the rules barrier, target and launch.
#include "test/ir/KernelVerifierCases.h"

using namespace stencilc;

namespace kernel_verifier_launch {
namespace {

const Index x = local(0);
const Statement store = {StoreGlobal{1, {x}, load(0, {x})}};

const Box firstThreads = {{thread(0), nullptr, constant(2)}};

FAULTS(Barrier,
       FaultCase{"InAnIf", [] { return onePoint({{If{firstThreads, {{Barrier{}}}, {}}}}); },
                 "barrier: one: a barrier stands where threads may diverge"},
       FaultCase{"InAnElse", [] { return onePoint({{If{firstThreads, {}, {{Barrier{}}}}}}); },
                 "barrier: one: a barrier stands where threads may diverge"},
       FaultCase{"InALoopOfItsThread",
                 [] {
                   return withResources(onePoint(
                       {{For{LoopKind::Serial, 1, constant(0), thread(0), 1, {{Barrier{}}}}}}));
                 },
                 "barrier: one: a barrier stands where threads may diverge"},
       FaultCase{"InAnIfOnALocal",
                 [] { return onePoint({{If{{{x, nullptr, extent(0)}}, {{Barrier{}}}, {}}}}); },
                 "barrier: one: a barrier stands where threads may diverge"},
       FaultCase{"AfterAReturn",
                 [] { return onePoint({{ReturnUnless{firstThreads}}, {Barrier{}}}); },
                 "barrier: one: a barrier follows a return of some threads"},
       FaultCase{"AfterAReturnOfALoop",
                 [] {
                   Body loop = {{Barrier{}}, {ReturnUnless{firstThreads}}};
                   return withResources(
                       onePoint({{For{LoopKind::Serial, 1, constant(0), constant(2), 1, loop}}}));
                 },
                 "barrier: one: a barrier follows a return of some threads"});

FAULTS(Target,
       FaultCase{"ThreadOnTheHost", [] { return hostProgram({{LetPointer{0, {thread(0)}}}}); },
                 "target: one: a host kernel has neither blocks nor threads"},
       FaultCase{"BlockOnTheHost", [] { return hostProgram({{LetPointer{0, {block(0)}}}}); },
                 "target: one: a host kernel has neither blocks nor threads"},
       FaultCase{"BarrierOnTheHost", [] { return hostProgram({{Barrier{}}}); },
                 "target: one: a host kernel has no barrier"},
       FaultCase{"ParallelLoopOnTheDevice",
                 [] {
                   return withResources(
                       onePoint({{For{LoopKind::Parallel, 1, constant(0), constant(2), 1, {}}}}));
                 },
                 "target: one: a device kernel has no parallel loop"},
       FaultCase{"VectorLoopOnTheDevice",
                 [] {
                   return withResources(
                       onePoint({{For{LoopKind::Vector, 1, constant(0), constant(2), 1, {}}}}));
                 },
                 "target: one: a device kernel has no parallel loop"},
       FaultCase{"OtherTarget",
                 [] { return fiveWith([](Program &program) { program.target = Target::Host; }); },
                 "target: step: it is made for another target than its program"},
       FaultCase{
           "NoThreads",
           [] { return fiveWith([](Program &program) { program.kernels[0].block = {4, 0, 1}; }); },
           "target: step: no block is 4x0x1 threads"},
       FaultCase{"TooManyThreads",
                 [] {
                   return fiveWith(
                       [](Program &program) { program.kernels[0].block = {64, 32, 1}; });
                 },
                 "target: step: no block is 64x32x1 threads"},
       FaultCase{
           "TooDeep",
           [] { return fiveWith([](Program &program) { program.kernels[0].block = {1, 1, 65}; }); },
           "target: step: no block is 1x1x65 threads"},
       FaultCase{"SharedBytes",
                 [] {
                   Program program = withResources(guarded({}));
                   program.kernels[0].tiles[0].shape = {29057};
                   return program;
                 },
                 "target: one: tiles take 232456 bytes of 232448"});

FAULTS(
    Launch,
    FaultCase{"NoKernel",
              [] { return fiveWith([](Program &program) { launchAt(program, 0).kernel = 2; }); },
              "launch: five: there is no kernel 2"},
    FaultCase{
        "BufferCount",
        [] { return fiveWith([](Program &program) { launchAt(program, 0).buffers.pop_back(); }); },
        "launch: step: 1 buffers for 2 arrays"},
    FaultCase{
        "NoBuffer",
        [] { return fiveWith([](Program &program) { launchAt(program, 0).buffers[0] = 2; }); },
        "launch: step: `u` is bound to buffer 2, which does not exist"},
    FaultCase{"Layout",
              [] {
                return fiveWith(
                    [](Program &program) { program.kernels[0].arrays[0].layout = Layout::Rows; });
              },
              "launch: step: `u` and `u` lie differently in memory"},
    FaultCase{"Type",
              [] {
                return fiveWith([](Program &program) {
                  program.signature.arrays[0].type = ScalarType::F32;
                  declareBuffers(program);
                });
              },
              "launch: step: `u` is f64 and bound to `u` of f32"},
    FaultCase{"Axes",
              [] {
                return fiveWith([](Program &program) {
                  program.signature.arrays[0].axes = {1};
                  declareBuffers(program);
                });
              },
              "launch: step: `u` and `u` have different axes"},
    FaultCase{"Ghosts",
              [] {
                return fiveWith([](Program &program) {
                  program.signature.arrays[0].ghost[0] = {1, 0};
                  declareBuffers(program);
                });
              },
              "launch: step: `u` and `u` have different ghost widths"},
    FaultCase{"ConstWritten",
              [] {
                return fiveWith(
                    [](Program &program) { program.signature.arrays[0].kind = ArrayKind::Const; });
              },
              "launch: step: `u_next` writes `u_next`, which is const"},
    FaultCase{
        "WrittenBufferTwice",
        [] { return fiveWith([](Program &program) { launchAt(program, 0).buffers[1] = 0; }); },
        "launch: step: the buffer that `u_next` writes is bound twice"},
    FaultCase{
        "Points",
        [] { return fiveWith([](Program &program) { launchAt(program, 0).cover.points[0] = 0; }); },
        "launch: step: a block covers 0 points along y"},
    FaultCase{"NoBox",
              [] {
                return fiveWith(
                    [](Program &program) { launchAt(program, 0).cover.end[1] = nullptr; });
              },
              "launch: step: the box along x is not given by extents, constants and whole params"},
    FaultCase{"BoxOfABlock",
              [] {
                return fiveWith(
                    [](Program &program) { launchAt(program, 0).cover.end[1] = block(0); });
              },
              "launch: step: the box along x is not given by extents, constants and whole params"},
    FaultCase{
        "NoAlignedArray",
        [] { return fiveWith([](Program &program) { launchAt(program, 0).cover.alignTo = 2; }); },
        "launch: step: alignment names array 2, which does not exist"},
    FaultCase{"AlignedPromise",
              [] {
                return fiveWith(
                    [](Program &program) { program.kernels[0].integers[1].atLeast = constant(1); });
              },
              "launch: step: `first_x` promises a lower bound but moves down to a memory line"},
    FaultCase{
        "IntegerMissing",
        [] { return fiveWith([](Program &program) { launchAt(program, 0).integers.pop_back(); }); },
        "launch: step: 1 values for 2 integer arguments"},
    FaultCase{"IntegerOfNoAxis",
              [] {
                return fiveWith(
                    [](Program &program) { launchAt(program, 0).integers[0] = EndOf{2}; });
              },
              "launch: step: `first_y` takes a bound along axis 2, which does not exist"},
    FaultCase{"NoBoxOnTheHost",
              [] {
                Program program = hostProgram({store});
                launchAt(program, 0).cover.begin[0] = nullptr;
                return program;
              },
              "launch: one: the box along x is not given by extents, constants and whole params"},
    FaultCase{"HighPromiseOnTheHost",
              [] {
                Program program = hostProgram({store});
                program.kernels[0].integers = {{"end_x", nullptr, add(extent(0), -1)}};
                launchAt(program, 0).integers = {EndOf{0}};
                return program;
              },
              "launch: one: `end_x` may pass nx - 1"},
    FaultCase{"LowPromise",
              [] {
                return fiveWith(
                    [](Program &program) { launchAt(program, 0).cover.begin[0] = constant(0); });
              },
              "launch: step: `first_y` may fall below 1"},
    FaultCase{"HighPromise",
              [] {
                return fiveWith([](Program &program) {
                  launchAt(program, 2).cover.end[1] = add(extent(1), 1);
                });
              },
              "launch: copy_frame: `end_x` may pass nx"},
    FaultCase{"HighPromiseOfFirst",
              [] {
                return fiveWith(
                    [](Program &program) { program.kernels[1].integers[0].atMost = constant(0); });
              },
              "launch: copy_frame: `first_y` may pass 0"},
    FaultCase{"PromiseOfABlock",
              [] {
                return fiveWith(
                    [](Program &program) { program.kernels[0].integers[0].atLeast = block(0); });
              },
              "launch: step: the promise of `first_y` is not over extents and constants"},
    FaultCase{"MinimumExtent",
              [] {
                return fiveWith(
                    [](Program &program) { program.kernels[0].minimumExtent = {3, 4}; });
              },
              "launch: step: nx may be below 4, the kernel's least"});

/// Gives the first coordinate of the five-point step another value.
Program withX(Index value) {
  Program program = fivePoint();
  program.kernels[0].body[0] = {LetIndex{0, std::move(value)}};
  return program;
}

FAULTS(Cover,
       FaultCase{"Wider",
                 [] {
                   return fiveWith(
                       [](Program &program) { launchAt(program, 0).cover.points[1] = 8; });
                 },
                 "cover: step: a block along x advances 4 points, and the launch covers 8"},
       FaultCase{"Narrower",
                 [] {
                   return fiveWith(
                       [](Program &program) { launchAt(program, 0).cover.points[0] = 1; });
                 },
                 "cover: step: a block along y advances 2 points, and the launch covers 1"},
       FaultCase{"NoBlock", [] { return withX(add(argument(1), thread(0))); },
                 "cover: step: blocks along x all do the same"},
       FaultCase{"NoFirst", [] { return withX(add(scale(block(0), 4), thread(0))); },
                 "cover: step: a block along x is not counted from the first"},
       FaultCase{"OtherFirst",
                 [] { return withX(add(add(argument(0), scale(block(0), 4)), thread(0))); },
                 "cover: step: a block along x is not counted from the first"},
       FaultCase{"InsideAMinimum",
                 [] {
                   return withX(
                       minimum(add(add(argument(1), scale(block(0), 8)), thread(0)), extent(1)));
                 },
                 "cover: step: a block along x advances 8 points, and the launch covers 4"},
       FaultCase{"OneUseOfSeveral",
                 [] {
                   return fiveWith([](Program &program) {
                     program.kernels[0].locals.push_back("other");
                     program.kernels[0].body.insert(
                         program.kernels[0].body.begin(),
                         {LetIndex{2, add(argument(1), scale(block(0), 2))}});
                   });
                 },
                 "cover: step: a block along x advances 2 points, and the launch covers 4"});

TEST(KernelVerifier, CoverMayBeAnythingWhereOneBlockIsEnough) {
  Program program = onePoint({{ReturnUnless{{{x, nullptr, extent(0)}}}}, store});
  launchAt(program, 0).cover.points[0] = 8;
  EXPECT_EQ(faultOf(program),
            "cover: one: a block along x advances 4 points, and the launch covers 8");
  launchAt(program, 0).cover.end[0] = minimum(extent(0), constant(8));
  EXPECT_EQ(faultOf(program), "");
}

FAULTS(Buffer,
       FaultCase{"Missing", [] { return fiveWith([](Program &p) { p.buffers.pop_back(); }); },
                 "buffer: five: 1 buffers, of 2 that the caller passes"},
       FaultCase{"OtherName", [] { return fiveWith([](Program &p) { p.buffers[1].name = "v"; }); },
                 "buffer: five: `v` is not what the caller passes as `u_next`"},
       FaultCase{"OtherType",
                 [] { return fiveWith([](Program &p) { p.buffers[0].type = ScalarType::F32; }); },
                 "buffer: five: `u` is not what the caller passes as `u`"},
       FaultCase{
           "OtherLevel",
           [] { return fiveWith([](Program &p) { p.buffers[0].owner = p.buffers[1].owner; }); },
           "buffer: five: `u` is not what the caller passes as `u`"},
       FaultCase{"CallerTwice",
                 [] {
                   return fiveWith([](Program &p) {
                     p.buffers.push_back(p.buffers[0]);
                     p.buffers.back().name = "again";
                   });
                 },
                 "buffer: five: `again` is not one that the caller passes"},
       FaultCase{"NameTwice",
                 [] {
                   return fiveWith([](Program &p) {
                     p.buffers.push_back(p.buffers[0]);
                     p.buffers.back().owner = WorkspaceMemory{};
                   });
                 },
                 "buffer: five: two buffers are called `u`"},
       FaultCase{"RowsOfTheCaller",
                 [] { return fiveWith([](Program &p) { p.buffers[0].layout = Layout::Rows; }); },
                 "buffer: five: `u` is not what the caller passes as `u`"},
       FaultCase{"StridesWithoutAnAxis",
                 [] {
                   return fiveWith([](Program &p) {
                     p.buffers.push_back({"w", ScalarType::F64, {1}, {}, WorkspaceMemory{}});
                     p.buffers.back().layout = Layout::Rows;
                   });
                 },
                 "buffer: five: `w` follows strides and lacks an axis"},
       FaultCase{"TempOfAField",
                 [] {
                   return fiveWith([](Program &p) {
                     p.buffers.push_back({"w", ScalarType::F64, {0, 1}, {}, WorkspaceMemory{0}});
                   });
                 },
                 "buffer: five: `w` holds array 0, which is no temp"},
       FaultCase{"NoRoom",
                 [] {
                   return fiveWith([](Program &p) {
                     p.buffers.push_back({"w", ScalarType::F64, {0, 1}, {}, WorkspaceMemory{}});
                     p.buffers.back().ghost[1] = {0, 1};
                   });
                 },
                 "buffer: five: the caller's strides have no room for `w`"});

/// The rotation of the five-point Program.
Rename &renameOf(Program &program) { return std::get<Rename>(stepOf(program).actions.back().node); }

FAULTS(
    Plan,
    FaultCase{"NoPass", [] { return fiveWith([](Program &p) { p.plan.passes.clear(); }); },
              "plan: five: the last kind of pass does not make one step"},
    FaultCase{"NoPassOfOneStep", [] { return fiveWith([](Program &p) { stepOf(p).steps = 2; }); },
              "plan: five: the last kind of pass does not make one step"},
    FaultCase{"PassesRise",
              [] {
                return fiveWith([](Program &p) {
                  p.plan.passes.insert(p.plan.passes.begin(), 2, stepOf(p));
                  p.plan.passes[0].steps = 2;
                  p.plan.passes[1].steps = 3;
                });
              },
              "plan: five: passes are not in the order of falling steps"},
    FaultCase{"RenameNothing",
              [] { return fiveWith([](Program &p) { renameOf(p).pairs[0].first = 7; }); },
              "plan: five: there is no buffer 7"},
    FaultCase{"RenameHalf",
              [] { return fiveWith([](Program &p) { renameOf(p).pairs.pop_back(); }); },
              "plan: five: names are not exchanged one for one"},
    FaultCase{"RenameTwice",
              [] { return fiveWith([](Program &p) { renameOf(p).pairs[1] = {0, 0}; }); },
              "plan: five: names are not exchanged one for one"},
    FaultCase{"RenameOtherShape",
              [] {
                return fiveWith([](Program &p) {
                  p.buffers.push_back({"w", ScalarType::F32, {0, 1}, {}, WorkspaceMemory{}});
                  renameOf(p).pairs = {{0, 2}, {2, 0}};
                });
              },
              "plan: five: `u` cannot stand for the memory of `w`"},
    FaultCase{"NoFirstPasses",
              [] {
                return fiveWith([](Program &p) {
                  std::get<When>(stepOf(p).actions[1].node).condition = FirstPasses{0};
                });
              },
              "plan: five: the first 0 passes are none"},
    FaultCase{"AlignedToParts",
              [] {
                return fiveWith([](Program &p) {
                  std::get<When>(stepOf(p).actions[1].node).condition = Aligned{12, 0, {0}};
                });
              },
              "plan: five: 12 bytes are no whole elements of `u`"},
    FaultCase{"WholeOnNoGrid",
              [] {
                return fiveWith([](Program &p) {
                  std::get<When>(stepOf(p).actions[1].node).condition =
                      WholePieces{{{1, constant(5), 4}}};
                });
              },
              "plan: five: pieces of 4 points are of no part of axis 1 that grows with it"},
    FaultCase{"WholeAlongAnotherAxis",
              [] {
                return fiveWith([](Program &p) {
                  std::get<When>(stepOf(p).actions[1].node).condition =
                      WholePieces{{{1, extent(0), 4}}};
                });
              },
              "plan: five: pieces of 4 points are of no part of axis 1 that grows with it"},
    FaultCase{"ShortOnAnyGrid",
              [] { return fiveWith([](Program &p) { p.kernels[0].hasShortAddresses = true; }); },
              "launch: step: it has addresses of 32 bits, and stands where arrays may be larger"},
    FaultCase{"AwayOfNothing",
              [] {
                return fiveWith([](Program &p) {
                  std::get<When>(stepOf(p).actions[1].node).condition = Away{4};
                });
              },
              "plan: five: there is no buffer 4"},
    FaultCase{"OwesNothing",
              [] { return fiveWith([](Program &p) { stepOf(p).owed[0].buffer = 4; }); },
              "plan: five: there is no buffer 4"},
    FaultCase{
        "OwesABlock",
        [] { return fiveWith([](Program &p) { stepOf(p).owed[0].boxes[0].end[0] = block(0); }); },
        "plan: five: what is owed of `u` is not given by extents, constants and whole params"});

TEST(KernelVerifier, PromisesResidentBlocks) {
  Program program = fivePoint();
  program.kernels[0].promisesResidency = true;
  llvm::Expected<VerifiedProgram> verified = KernelVerifier::verify(program);
  ASSERT_TRUE(bool(verified));
  EXPECT_FALSE(KernelVerifier::promise(*verified, 32));
  EXPECT_EQ((*verified)->schedule.residency, 32);
  EXPECT_EQ(toString(KernelVerifier::promise(*verified, 33)),
            "residency: step: no SM holds 33 blocks of 8 threads");
  EXPECT_EQ((*verified)->schedule.residency, 32);
  program.schedule.residency = -1;
  EXPECT_EQ(faultOf(program), "residency: step: no SM holds -1 blocks of 8 threads");
}

} // namespace
} // namespace kernel_verifier_launch
