// Faults of the rules type, definition, loop and uniform.
#include "test/ir/KernelVerifierCases.h"

using namespace stencilc;

namespace kernel_verifier_type {
namespace {

const Index x = local(0);

Value truth() {
  return makeValue(ScalarType::Bool, CompareValue{CompareOp::Less, number(1), number(2)});
}
Value single(double value) { return makeValue(ScalarType::F32, LiteralValue{value}); }

For carryingLoop(Index begin) { return {LoopKind::Serial, 1, begin, constant(2), 1, {}, {{0, 0}}}; }
/// `body`, then a loop that carries the pointer `here` along from `begin`.
Program carrying(Body body, Index begin) {
  body.push_back({carryingLoop(begin)});
  return withResources(onePoint(body));
}
Program carryingOnHost(LoopKind kind) {
  For loop = carryingLoop(constant(0));
  loop.kind = kind;
  Program program = hostProgram({{LetPointer{0, {constant(0)}, true}}, {loop}});
  program.kernels[0].locals = {"x", "i"};
  return program;
}

FAULTS(
    Type,
    FaultCase{"Operand", [] { return storing(sum(number(1), single(1))); },
              "type: one: `+` of f64 takes an operand of f32"},
    FaultCase{"TruthInArithmetic", [] { return storing(sum(truth(), number(1))); },
              "type: one: `+` of f64 takes an operand of bool"},
    FaultCase{"NumberInLogic",
              [] {
                return storing(
                    makeValue(ScalarType::Bool, BinaryValue{BinaryOp::And, truth(), number(1)}));
              },
              "type: one: `&&` of bool takes an operand of f64"},
    FaultCase{
        "NegatedTruth",
        [] { return storing(makeValue(ScalarType::Bool, UnaryValue{UnaryOp::Negate, truth()})); },
        "type: one: `-` gives no bool"},
    FaultCase{"ComparedTruth",
              [] {
                return storing(
                    makeValue(ScalarType::Bool, CompareValue{CompareOp::Equal, truth(), truth()}));
              },
              "type: one: `==` compares truth values"},
    FaultCase{"ComparedTypes",
              [] {
                return storing(makeValue(ScalarType::Bool,
                                         CompareValue{CompareOp::Equal, number(1), single(1)}));
              },
              "type: one: `==` of f64 takes an operand of f32"},
    FaultCase{"ComparisonAsNumber",
              [] {
                return storing(makeValue(ScalarType::F64,
                                         CompareValue{CompareOp::Less, number(1), number(2)}));
              },
              "type: one: `<` gives a truth value, no f64"},
    FaultCase{"Condition",
              [] {
                return storing(
                    makeValue(ScalarType::F64, SelectValue{number(1), number(1), number(2)}));
              },
              "type: one: `where` takes a number for its condition"},
    FaultCase{"Choice",
              [] {
                return storing(
                    makeValue(ScalarType::F64, SelectValue{truth(), number(1), single(2)}));
              },
              "type: one: `where` of f64 takes an operand of f32"},
    FaultCase{
        "Arity",
        [] { return storing(makeValue(ScalarType::F64, CallValue{Builtin::Max, {number(1)}})); },
        "type: one: `max` takes 2 operands, not 1"},
    FaultCase{"CastOfTruth", [] { return storing(makeValue(ScalarType::F64, CastValue{truth()})); },
              "type: one: a cast takes or makes a truth value"},
    FaultCase{"Literal", [] { return storing(makeValue(ScalarType::F32, LiteralValue{0.1})); },
              "type: one: literal 0.1 is no f32"},
    FaultCase{
        "Guarded",
        [] { return storing(makeValue(ScalarType::F64, GuardedValue{{}, number(1), single(2)})); },
        "type: one: a guarded value of f64 takes an operand of f32"},
    FaultCase{"Store", [] { return storing(single(1)); },
              "type: one: `u_next` is f64 and used as f32"},
    FaultCase{"Register", [] { return withResources(guarded({{Let{0, single(1)}}})); },
              "type: one: `r` is f64 and used as f32"},
    FaultCase{"Load", [] { return storing(makeValue(ScalarType::F32, LoadGlobal{0, {x}})); },
              "type: one: `u` is f64 and used as f32"},
    FaultCase{"Slot", [] { return withResources(guarded({{AssignSlot{0, 0, single(1)}}})); },
              "type: one: `q` is f64 and used as f32"},
    FaultCase{"Tile",
              [] { return withResources(guarded({{StoreShared{0, {thread(0)}, single(1)}}})); },
              "type: one: `tile` is f64 and used as f32"},
    FaultCase{"ScalarArgument",
              [] {
                return fiveWith([](Program &program) {
                  program.uniforms[0].type = ScalarType::F32;
                  program.uniforms[0].value = single(1);
                });
              },
              "type: step: `k` is f32 and used as f64"},
    FaultCase{
        "Uniform",
        [] { return fiveWith([](Program &program) { program.uniforms[0].value = single(1); }); },
        "type: k: it is f64 and takes a value of f32"},
    FaultCase{"Param",
              [] {
                return fiveWith(
                    [](Program &program) { program.signature.params[0].type = ScalarType::F32; });
              },
              "type: k: param `k` is used as f64"},
    FaultCase{"IndexCount", [] { return storing(load(0, {x, x})); },
              "type: one: `u` has 1 axes and is accessed by 2 indices"},
    FaultCase{"AddressCount", [] { return guarded({{LetPointer{0, {x, x}}}}); },
              "type: one: pointer `here` has 2 indices for 1 axes"},
    FaultCase{"AddressWithoutStrides",
              [] { return guarded({{LetPointer{0, {x}, false, Layout::Dense}}}); },
              "type: one: pointer `here` is to arrays that share no strides"},
    FaultCase{"ArrayOfTruths",
              [] {
                return fiveWith(
                    [](Program &program) { program.kernels[0].arrays[0].type = ScalarType::Bool; });
              },
              "type: step: `u` holds truth values"});

FAULTS(
    Definition,
    FaultCase{"RegisterBeforeUse", [] { return withResources(storing(reg(0))); },
              "definition: one: register `r` has no value here"},
    FaultCase{"RegisterTwice",
              [] { return withResources(guarded({{Let{0, number(1)}}, {Let{0, number(1)}}})); },
              "definition: one: register `r` is made twice"},
    FaultCase{"RegisterOfABranch",
              [] {
                Statement branch = {If{{{x, constant(2), nullptr}}, {{Let{0, number(1)}}}, {}}};
                return withResources(guarded({branch, {StoreGlobal{1, {x}, reg(0)}}}));
              },
              "definition: one: register `r` has no value here"},
    FaultCase{"AssignedButNotMutable",
              [] { return withResources(guarded({{Let{0, number(1)}}, {Assign{0, number(2)}}})); },
              "definition: one: register `r` is assigned but not mutable here"},
    FaultCase{"NoRegister", [] { return withResources(storing(reg(2))); },
              "definition: one: there is no register 2"},
    FaultCase{"LocalBeforeUse", [] { return withResources(storing(load(0, {local(1)}))); },
              "definition: one: local `i` has no value here"},
    FaultCase{"LocalAfterItsLoop",
              [] {
                Statement loop = {For{LoopKind::Serial, 1, constant(0), extent(0), 1, {}}};
                return withResources(guarded({loop, {StoreGlobal{1, {local(1)}, number(0)}}}));
              },
              "definition: one: local `i` has no value here"},
    FaultCase{"LocalTwice", [] { return guarded({{LetIndex{0, constant(1)}}}); },
              "definition: one: local `x` is made twice"},
    FaultCase{"NoLocal", [] { return storing(load(0, {local(7)})); },
              "definition: one: there is no local 7"},
    FaultCase{"NoAxis", [] { return storing(load(0, {add(extent(1), -1)})); },
              "definition: one: there is no axis 1"},
    FaultCase{"NoMappedAxis", [] { return storing(load(0, {map(BoundaryKind::Clamp, 1, x)})); },
              "definition: one: there is no axis 1"},
    FaultCase{"NoInteger", [] { return storing(load(0, {argument(3)})); },
              "definition: one: there is no integer argument 3"},
    FaultCase{"NoConstant", [] { return storing(load(0, {namedConstant(0, 2)})); },
              "definition: one: there is no constant 2"},
    FaultCase{"ConstantOfAnotherValue",
              [] {
                Program program = storing(load(0, {namedConstant(0, 0)}));
                program.kernels[0].constants = {{"kBlockX", 4, ""}};
                return program;
              },
              "definition: one: kBlockX is not 0"},
    FaultCase{"NoDimension", [] { return storing(load(0, {thread(3)})); },
              "definition: one: a block has no dimension 3"},
    FaultCase{"NoArray", [] { return storing(load(2, {x})); },
              "definition: one: there is no array 2"},
    FaultCase{"NoTile", [] { return storing(loadShared(0, {x})); },
              "definition: one: there is no tile 0"},
    FaultCase{"NoQueue", [] { return storing(makeValue(ScalarType::F64, QueueSlotValue{0, 0})); },
              "definition: one: there is no queue 0"},
    FaultCase{"NoScalarArgument",
              [] { return storing(makeValue(ScalarType::F64, UniformValue{0})); },
              "definition: one: there is no scalar argument 0"},
    FaultCase{"NoUniform",
              [] { return fiveWith([](Program &program) { program.kernels[0].uniforms = {1}; }); },
              "definition: step: there is no uniform 1"},
    FaultCase{"NoParam",
              [] { return fiveWith([](Program &program) { program.signature.params.clear(); }); },
              "definition: k: there is no param 0"},
    FaultCase{
        "SlotBeforeUse",
        [] { return withResources(storing(makeValue(ScalarType::F64, QueueSlotValue{0, 1}))); },
        "definition: one: slot 1 of queue `q` has no value here"},
    FaultCase{"SlotThatALoopRotatedAway",
              [] {
                Statement use = {
                    StoreGlobal{1, {x}, makeValue(ScalarType::F64, QueueSlotValue{0, 0})}};
                Body loop = {use, {Rotate{0}}};
                return withResources(
                    guarded({{AssignSlot{0, 0, number(1)}},
                             {For{LoopKind::Serial, 1, constant(0), constant(2), 1, loop}}}));
              },
              "definition: one: slot 0 of queue `q` has no value here"},
    FaultCase{
        "Axes",
        [] { return fiveWith([](Program &program) { program.kernels[0].axes = {"y", "z"}; }); },
        "definition: step: its axes are not the program's"},
    FaultCase{"AxesOfAnArray",
              [] {
                return fiveWith(
                    [](Program &program) { program.kernels[0].arrays[0].axes = {1, 0}; });
              },
              "definition: step: the axes of `u` are not axes in order"});

FAULTS(Loop,
       FaultCase{"Step",
                 [] {
                   return withResources(
                       onePoint({{For{LoopKind::Serial, 1, constant(0), constant(2), 0, {}}}}));
                 },
                 "loop: one: a loop counts by 0"},
       FaultCase{
           "LocalTaken",
           [] { return onePoint({{For{LoopKind::Serial, 0, constant(0), constant(2), 1, {}}}}); },
           "loop: one: local `x` is made twice"},
       FaultCase{"NoAddress", [] { return carrying({}, constant(0)); },
                 "loop: one: no pointer `here` is there to be carried"},
       FaultCase{"AddressNotMadeForIt",
                 [] { return carrying({{LetPointer{0, {constant(0)}}}}, constant(0)); },
                 "loop: one: no pointer `here` is there to be carried"},
       FaultCase{"AddressOfAnOuterBody",
                 [] {
                   Body inner = {{carryingLoop(constant(0))}};
                   return withResources(
                       onePoint({{LetPointer{0, {constant(0)}, true}},
                                 {For{LoopKind::Serial, 2, constant(0), constant(2), 1, inner}}}));
                 },
                 "loop: one: no pointer `here` is there to be carried"},
       FaultCase{"AddressCarriedTwice",
                 [] {
                   return carrying(
                       {{LetPointer{0, {constant(0)}, true}}, {carryingLoop(constant(0))}},
                       constant(0));
                 },
                 "loop: one: no pointer `here` is there to be carried"},
       FaultCase{"AddressThatStartsElsewhere",
                 [] { return carrying({{LetPointer{0, {constant(0)}, true}}}, constant(1)); },
                 "loop: one: pointer `here` does not start where its loop does"},
       FaultCase{"AddressOfAParallelLoop", [] { return carryingOnHost(LoopKind::Parallel); },
                 "loop: one: a parallel loop carries pointer `here`"},
       FaultCase{"AddressOfAVectorLoop", [] { return carryingOnHost(LoopKind::Vector); },
                 "loop: one: a parallel loop carries pointer `here`"});

FAULTS(Uniform,
       FaultCase{
           "OfAThread",
           [] { return fiveWith([](Program &program) { program.uniforms[0].value = reg(0); }); },
           "uniform: k: it is made from what belongs to a thread"},
       FaultCase{"OfALoad",
                 [] {
                   return fiveWith([](Program &program) {
                     program.uniforms[0].value =
                         sum(number(1), load(0, {constant(0), constant(0)}));
                   });
                 },
                 "uniform: k: it is made from what belongs to a thread"},
       FaultCase{"OfItself",
                 [] {
                   return fiveWith([](Program &program) {
                     program.uniforms[0].value = makeValue(ScalarType::F64, UniformValue{0});
                   });
                 },
                 "uniform: k: it is made from a uniform that does not precede it"},
       FaultCase{"ParamInAKernel", [] { return storing(makeValue(ScalarType::F64, ParamLeaf{0})); },
                 "uniform: one: a param is read outside the uniforms"});

} // namespace
} // namespace kernel_verifier_type
