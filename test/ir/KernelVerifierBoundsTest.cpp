// Faults of the rules bounds, map, tile, queue and access.
#include "test/ir/KernelVerifierCases.h"

using namespace stencilc;

namespace kernel_verifier_bounds {
namespace {

const Index x = local(0);
const Statement store = {StoreGlobal{1, {x}, load(0, {x})}};

FAULTS(Bounds,
       FaultCase{"LowGuardGone",
                 [] {
                   return fiveWith([](Program &program) {
                     statement<ReturnUnless>(program, 2).box[0].lower = nullptr;
                   });
                 },
                 "bounds: step: `x - 1` of `u` may fall below 0"},
       FaultCase{"HighGuardGone",
                 [] {
                   return fiveWith([](Program &program) {
                     statement<ReturnUnless>(program, 2).box[1].upper = nullptr;
                   });
                 },
                 "bounds: step: `y` of `u` may pass ny - 1"},
       FaultCase{"GuardOffByOne",
                 [] {
                   return fiveWith([](Program &program) {
                     statement<ReturnUnless>(program, 2).box[0].upper = extent(1);
                   });
                 },
                 "bounds: step: `x + 1` of `u` may pass nx - 1"},
       FaultCase{"PromiseGone",
                 [] {
                   return fiveWith(
                       [](Program &program) { program.kernels[0].integers[0].atLeast = nullptr; });
                 },
                 "bounds: step: `y` of `u` may fall below 0"},
       FaultCase{"IndexOffByOne",
                 [] {
                   return fiveWith([](Program &program) {
                     statement<Let>(program, 3).value = load(0, {local(1), add(local(0), -2)});
                   });
                 },
                 "bounds: step: `x - 2` of `u` may fall below 0"},
       FaultCase{"Store",
                 [] {
                   return fiveWith([](Program &program) {
                     statement<StoreGlobal>(program, 7).index[0] = add(local(1), 2);
                   });
                 },
                 "bounds: step: `y + 2` of `u_next` may pass ny - 1"},
       FaultCase{"GuardOfTheOtherBranch",
                 [] {
                   Statement branch = {If{{{x, nullptr, extent(0)}}, {}, {store}}};
                   return onePoint({branch});
                 },
                 "bounds: one: `x` of `u` may pass nx - 1"},
       FaultCase{"GuardOfAnInnerBody",
                 [] {
                   Statement branch = {If{{{x, nullptr, extent(0)}}, {}, {}}};
                   return onePoint({branch, store});
                 },
                 "bounds: one: `x` of `u` may pass nx - 1"},
       FaultCase{"GuardOfAGuardedValue",
                 [] {
                   Box inside = {{x, constant(1), nullptr}};
                   return storing(makeValue(
                       ScalarType::F64, GuardedValue{inside, number(0), load(0, {add(x, -1)})}));
                 },
                 "bounds: one: `x - 1` of `u` may fall below 0"},
       FaultCase{"Ghost",
                 [] {
                   Program program = storing(load(0, {add(x, -2)}));
                   program.signature.arrays[0].ghost[0] = {1, 1};
                   for (ArrayArgument &array : program.kernels[0].arrays)
                     array.ghost[0] = {1, 1};
                   declareBuffers(program);
                   return program;
                 },
                 "bounds: one: `x - 2` of `u` may fall below -1"});

FAULTS(Map,
       FaultCase{"EmptyAxis",
                 [] { return onePoint({{LetPointer{0, {map(BoundaryKind::Clamp, 0, x)}}}}); },
                 "map: one: nx may be 0 where an index is mapped into it"},
       FaultCase{"TwoTurns",
                 [] { return storing(load(0, {map(BoundaryKind::Periodic, 0, add(x, -2))})); },
                 "map: one: `x - 2` may need more than one turn of nx"},
       FaultCase{"TwoTurnsUp",
                 [] { return storing(load(0, {map(BoundaryKind::Periodic, 0, add(x, 2))})); },
                 "map: one: `x + 2` may need more than one turn of nx"});

FAULTS(Tile,
       FaultCase{"Low",
                 [] {
                   return withResources(
                       guarded({{StoreShared{0, {add(thread(0), -1)}, number(1)}}}));
                 },
                 "tile: one: `thread.x - 1` of tile `tile` may leave 0 .. 7"},
       FaultCase{"High",
                 [] {
                   return withResources(
                       guarded({{StoreShared{0, {add(thread(0), 5)}, number(1)}}}));
                 },
                 "tile: one: `thread.x + 5` of tile `tile` may leave 0 .. 7"},
       FaultCase{"Padding",
                 [] {
                   Program program =
                       withResources(guarded({{StoreShared{0, {add(thread(0), 4)}, number(1)}}}));
                   program.kernels[0].tiles[0].padding = 1;
                   return program;
                 },
                 "tile: one: `thread.x + 4` of tile `tile` may leave 0 .. 6"},
       FaultCase{"Shape",
                 [] {
                   Program program = withResources(guarded({}));
                   program.kernels[0].tiles[0].shape = {4, 0};
                   return program;
                 },
                 "tile: one: tile `tile` has an axis of 0 elements"});

FAULTS(Queue,
       FaultCase{
           "Read",
           [] { return withResources(storing(makeValue(ScalarType::F64, QueueSlotValue{0, 2}))); },
           "queue: one: queue `q` of length 2 has no slot 2"},
       FaultCase{"Assigned", [] { return withResources(guarded({{AssignSlot{0, 2, number(1)}}})); },
                 "queue: one: queue `q` of length 2 has no slot 2"},
       FaultCase{"Length",
                 [] {
                   Program program = withResources(guarded({}));
                   program.kernels[0].queues[0].slots.clear();
                   return program;
                 },
                 "queue: one: queue `q` has no slots"});

FAULTS(Access,
       FaultCase{"StoreToRead", [] { return guarded({{StoreGlobal{0, {x}, number(1)}}}); },
                 "access: one: `u` is stored but only read"},
       FaultCase{"LoadOfWrite", [] { return storing(load(1, {x})); },
                 "access: one: `u_next` is loaded but only written"},
       FaultCase{"ReadOnlyPath",
                 [] {
                   return fiveWith(
                       [](Program &program) { program.kernels[0].arrays[1].readOnlyPath = true; });
                 },
                 "access: step: `u_next` is written and on the read-only path"},
       FaultCase{"InPlaceElsewhere",
                 [] {
                   Box inside = {{x, constant(1), nullptr}};
                   Value west = makeValue(ScalarType::F64,
                                          GuardedValue{inside, load(0, {add(x, -1)}), number(0)});
                   return inPlace({{StoreGlobal{0, {x}, west}}});
                 },
                 "access: one: `u` is read and written, at more than one index vector"},
       FaultCase{"InPlaceReadAfterWrite",
                 [] { return inPlace({{StoreGlobal{0, {x}, number(1)}}, {Let{0, load(0, {x})}}}); },
                 "access: one: `u` is read after it is written"},
       FaultCase{"InPlaceAgain",
                 [] {
                   Body loop = {{StoreGlobal{0, {x}, load(0, {x})}}};
                   return inPlace({{For{LoopKind::Serial, 1, constant(0), constant(2), 1, loop}}});
                 },
                 "access: one: `u` is read and written, again in each turn of the loop over `i`"},
       FaultCase{"InPlaceUpToTheOuterLoop",
                 [] {
                   // Each turn of the outer loop updates all points before its own once more.
                   Body inner = {{StoreGlobal{0, {local(2)}, load(0, {local(2)})}}};
                   Body outer = {{For{LoopKind::Serial, 2, constant(0), local(1), 1, inner}}};
                   return inPlace({{For{LoopKind::Serial, 1, constant(0), extent(0), 1, outer}}});
                 },
                 "access: one: `u` is read and written, again in each turn of the loop over `i`"});

} // namespace
} // namespace kernel_verifier_bounds
