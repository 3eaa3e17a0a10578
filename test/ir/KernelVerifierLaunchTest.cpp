// Faults of the rules barrier, target and launch.
#include "test/ir/KernelVerifierCases.h"

using namespace stencilc;

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
       FaultCase{"TileOnTheHost",
                 [] {
                   Program program = hostProgram({});
                   program.kernels[0].tiles = {{"tile", ScalarType::F64, {8}}};
                   return program;
                 },
                 "target: one: a host kernel has no tiles"},
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
              [] { return fiveWith([](Program &program) { program.launches[0].kernel = 2; }); },
              "launch: five: there is no kernel 2"},
    FaultCase{
        "BufferCount",
        [] { return fiveWith([](Program &program) { program.launches[0].arrays.pop_back(); }); },
        "launch: step: 1 buffers for 2 arrays"},
    FaultCase{
        "NoArray",
        [] { return fiveWith([](Program &program) { program.launches[0].arrays[0].array = 1; }); },
        "launch: step: `u` is bound to array 1, which does not exist"},
    FaultCase{"Type",
              [] {
                return fiveWith(
                    [](Program &program) { program.signature.arrays[0].type = ScalarType::F32; });
              },
              "launch: step: `u` is f64 and bound to `u` of f32"},
    FaultCase{
        "Axes",
        [] { return fiveWith([](Program &program) { program.signature.arrays[0].axes = {1}; }); },
        "launch: step: `u` and `u` have different axes"},
    FaultCase{"Ghosts",
              [] {
                return fiveWith(
                    [](Program &program) { program.signature.arrays[0].ghost[0] = {1, 0}; });
              },
              "launch: step: `u` and `u` have different ghost widths"},
    FaultCase{"NoPrevious",
              [] {
                return fiveWith([](Program &program) {
                  program.launches[0].arrays[0].role = BufferRole::Previous;
                });
              },
              "launch: step: `u` has no previous level"},
    FaultCase{"NoTarget",
              [] {
                return fiveWith(
                    [](Program &program) { program.signature.arrays[0].hasNext = false; });
              },
              "launch: step: `u` has no target buffer"},
    FaultCase{"ConstWritten",
              [] {
                return fiveWith(
                    [](Program &program) { program.signature.arrays[0].isField = false; });
              },
              "launch: step: `u_next` writes `u`, which is const"},
    FaultCase{"WrittenBufferTwice",
              [] {
                return fiveWith([](Program &program) {
                  program.launches[0].arrays[1].role = BufferRole::Source;
                });
              },
              "launch: step: the buffer that `u_next` writes is bound twice"},
    FaultCase{"Cover",
              [] { return fiveWith([](Program &program) { program.launches[0].cover[0] = 0; }); },
              "launch: step: a block covers 0 points along y"},
    FaultCase{
        "NoBox",
        [] { return fiveWith([](Program &program) { program.launches[0].end[1] = nullptr; }); },
        "launch: step: the box along x is not given by extents and constants"},
    FaultCase{
        "BoxOfABlock",
        [] { return fiveWith([](Program &program) { program.launches[0].end[1] = block(0); }); },
        "launch: step: the box along x is not given by extents and constants"},
    FaultCase{"NoAlignedArray",
              [] { return fiveWith([](Program &program) { program.launches[0].alignTo = 2; }); },
              "launch: step: alignment names array 2, which does not exist"},
    FaultCase{"AlignedPromise",
              [] {
                return fiveWith(
                    [](Program &program) { program.kernels[0].integers[1].atLeast = constant(1); });
              },
              "launch: step: `first_x` promises a lower bound but moves down to a memory line"},
    FaultCase{
        "NoInteger",
        [] { return fiveWith([](Program &program) { program.launches[0].firstArgument[0] = 2; }); },
        "launch: step: there is no integer argument 2"},
    FaultCase{
        "IntegerTwice",
        [] { return fiveWith([](Program &program) { program.launches[0].firstArgument[0] = 1; }); },
        "launch: step: `first_x` is given two values"},
    FaultCase{"IntegerMissing",
              [] {
                return fiveWith(
                    [](Program &program) { program.launches[0].firstArgument[0] = std::nullopt; });
              },
              "launch: step: `first_y` is given no value"},
    FaultCase{"NoBoxOnTheHost",
              [] {
                Program program = hostProgram({store});
                program.kernels[0].integers = {{"first_x", nullptr, nullptr}};
                program.launches[0].firstArgument[0] = 0;
                return program;
              },
              "launch: one: the box along x is not given by extents and constants"},
    FaultCase{"HighPromiseOnTheHost",
              [] {
                Program program = hostProgram({store});
                program.kernels[0].integers = {{"end_x", nullptr, add(extent(0), -1)}};
                program.launches[0].endArgument[0] = 0;
                program.launches[0].end[0] = extent(0);
                return program;
              },
              "launch: one: `end_x` may pass nx - 1"},
    FaultCase{"LowPromise",
              [] {
                return fiveWith(
                    [](Program &program) { program.launches[0].begin[0] = constant(0); });
              },
              "launch: step: `first_y` may fall below 1"},
    FaultCase{"HighPromise",
              [] {
                return fiveWith(
                    [](Program &program) { program.launches[2].end[1] = add(extent(1), 1); });
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

} // namespace
