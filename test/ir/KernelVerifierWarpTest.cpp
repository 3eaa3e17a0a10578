// Faults of the rules on what warps do together, and what these rules let pass.
#include "test/ir/KernelVerifierCases.h"
#include "test/ir/WarpPrograms.h"

using namespace stencilc;

namespace kernel_verifier_warp {
namespace {

constexpr unsigned kFront = 0, kBack = 1, kBoth = 2;
const Index x = local(0), i = local(1), j = local(2);

Statement at(unsigned group) { return {Barrier{group}}; }
Value west(Value operand) { return shuffle(ShuffleFrom::LowerLane, 1, std::move(operand)); }

/// Four warps, each alone in a role, with groups of warps 0 1, 1 2, 2 0 and 2 3.
Program fourWarps(std::array<Body, 4> bodies) {
  Roles all;
  for (unsigned number = 0; number < 4; ++number)
    all.roles.push_back({"", number, 1, std::move(bodies[number])});
  Program program = twoWarps({{all}});
  program.kernels[0].block = {128, 1, 1};
  program.kernels[0].body[0] = {
      LetIndex{0, add(add(argument(0), scale(block(0), 128)), thread(0))}};
  launchAt(program, 0).cover.points[0] = 128;
  program.kernels[0].groups = {{"a", 0, 2}, {"b", 1, 2}, {"c", 0, 3}, {"d", 2, 2}};
  return program;
}

TEST(KernelVerifier, PassesRolesThatMeet) {
  const Body front = {{StoreShared{0, {c(0), lane}, number(1)}}, at(kBoth), at(kFront), at(kBoth)};
  const Body back = {at(kBoth), {LetMutable{0, loadShared(0, {c(0), lane})}}, at(kBack), at(kBoth)};
  EXPECT_EQ(faultOf(twoWarps({{roles(front, back)}, {Barrier{}}})), "");
}

TEST(KernelVerifier, PassesRolesThatMeetInLoops) {
  // Each role names its bounds and counts its turns in a local of its own.
  EXPECT_EQ(faultOf(twoWarps({{roles(
                {{loop(LoopKind::Serial, 1, c(0), extent(0), {at(kBoth), at(kFront), at(kBoth)})}},
                {{loop(LoopKind::Serial, 2, c(0), extent(0), {at(kBoth), at(kBoth)})}})}})),
            "");
}

TEST(KernelVerifier, PassesRegistersThatRolesMakeForThemselves) {
  const Body own = {{Let{0, number(1)}}};
  EXPECT_EQ(faultOf(twoWarps({{roles(own, own)}})), "");
}

TEST(KernelVerifier, KnowsWhichRowsOfABlockARoleHas) {
  // Two warps are a row of 64 threads: the second role has row 1 to itself.
  const auto storesTo = [](Index row) {
    Program program = twoWarps({{Roles{
        {{"front", 0, 2, {}}, {"back", 2, 2, {{StoreShared{0, {row, lane}, number(1)}}}}}}}});
    program.kernels[0].block = {64, 2, 1};
    program.kernels[0].groups.clear();
    return faultOf(program);
  };
  EXPECT_EQ(storesTo(add(thread(1), -1)), "");
  EXPECT_EQ(storesTo(add(thread(1), 1)),
            "tile: one: `thread.y + 1` of tile `tile` may leave 0 .. 1");
}

TEST(KernelVerifier, PassesShufflesOfWholeWarps) {
  const Body shuffles = {{Let{0, number(2)}}, {Let{1, west(sum(reg(0), number(1)))}}};
  EXPECT_EQ(faultOf(twoWarps(shuffles)), "");
  EXPECT_EQ(faultOf(twoWarps({{roles(shuffles, {})}})), "");
  EXPECT_EQ(faultOf(twoWarps({{If{{{warp, c(1), nullptr}}, shuffles, {}}}})), "");
}

TEST(KernelVerifier, PassesShufflesOfRowsThatAreWarps) {
  Program program = twoWarps({{If{{{thread(1), c(1), nullptr}}, {{Let{0, west(number(1))}}}, {}}}});
  program.kernels[0].block = {32, 2, 1};
  EXPECT_EQ(faultOf(program), "");
  program.kernels[0].block = {16, 4, 1};
  EXPECT_EQ(faultOf(program), "shuffle: one: a shuffle stands where lanes of a warp may diverge");
}

FAULTS(
    WarpBarrier,
    FaultCase{"OfTheBlockInARole", [] { return twoWarps({{roles({{Barrier{}}}, {})}}); },
              "barrier: one: a barrier of the block stands in a role"},
    FaultCase{"OfAnotherGroup", [] { return twoWarps({{roles({at(kBack)}, {})}}); },
              "barrier: one: warp 0 reach a barrier of group `back`, without being in it"},
    FaultCase{"OfAGroupInTheOpen", [] { return twoWarps({at(kFront)}); },
              "barrier: one: warp 1 reach a barrier of group `front`, without being in it"},
    FaultCase{"WhereAWarpDiverges",
              [] { return twoWarps({{If{{{warp, nullptr, c(1)}}, {at(kFront)}, {}}}}); },
              "barrier: one: a barrier stands where threads may diverge"},
    FaultCase{
        "WhereLanesDiverge",
        [] { return twoWarps({{roles({{If{{{lane, nullptr, c(1)}}, {at(kFront)}, {}}}}, {})}}); },
        "barrier: one: a barrier stands where threads may diverge"},
    FaultCase{"AfterTheReturnOfARole",
              [] {
                return twoWarps(
                    {{roles({{ReturnUnless{{{block(0), c(1), nullptr}}}}}, {})}, {Barrier{}}});
              },
              "barrier: one: a barrier follows a return of some threads"},
    FaultCase{"ThatOneRoleMisses", [] { return twoWarps({{roles({at(kBoth)}, {})}}); },
              "barrier: one: its warps may wait for each other for ever"},
    FaultCase{"InLoopsOfOtherLengths",
              [] {
                return twoWarps(
                    {{roles({{loop(LoopKind::Serial, 1, c(0), extent(0), {at(kBoth)})}},
                            {{loop(LoopKind::Serial, 2, c(1), extent(0), {at(kBoth)})}})}});
              },
              "barrier: one: its warps may wait for each other for ever"},
    FaultCase{"InLoopsOfOtherSteps",
              [] {
                For twos = loop(LoopKind::Serial, 2, c(0), extent(0), {at(kBoth)});
                twos.step = 2;
                return twoWarps({{roles({{loop(LoopKind::Serial, 1, c(0), extent(0), {at(kBoth)})}},
                                        {{twos}})}});
              },
              "barrier: one: its warps may wait for each other for ever"},
    FaultCase{"UnderOtherConditions",
              [] {
                return twoWarps({{roles({{If{{{block(0), c(1), nullptr}}, {at(kBoth)}, {}}}},
                                        {{If{{{block(0), c(2), nullptr}}, {at(kBoth)}, {}}}})}});
              },
              "barrier: one: its warps may wait for each other for ever"},
    FaultCase{"InAnotherOrder",
              [] { return fourWarps({Body{at(2), at(0)}, {at(0), at(2)}, {at(2)}, {}}); },
              "barrier: one: its warps may wait for each other for ever"},
    FaultCase{"InACircle",
              [] {
                Program program =
                    fourWarps({Body{at(0), at(2)}, {at(1), at(0), at(2)}, {at(2), at(1)}, {}});
                return program;
              },
              "barrier: one: its warps may wait for each other for ever"},
    FaultCase{"NoGroup", [] { return twoWarps({at(3)}); }, "definition: one: there is no group 3"});

Program withRoles(Roles roles) { return twoWarps({{std::move(roles)}}); }
Program withGroup(WarpGroup group) {
  Program program = twoWarps({});
  program.kernels[0].groups = {std::move(group)};
  return program;
}
/// The body in a block of 48 threads.
Program oneAndAHalf(Body body) {
  Program program = twoWarps(std::move(body));
  program.kernels[0].block = {48, 1, 1};
  program.kernels[0].groups.clear();
  return program;
}

FAULTS(Roles,
       FaultCase{"Overlap", [] { return withRoles({{{"a", 0, 2, {}}, {"b", 1, 1, {}}}}); },
                 "roles: one: role `b` takes warps that are not there or not free"},
       FaultCase{"OutOfOrder", [] { return withRoles({{{"a", 1, 1, {}}, {"b", 0, 1, {}}}}); },
                 "roles: one: role `b` takes warps that are not there or not free"},
       FaultCase{"TooMany", [] { return withRoles({{{"a", 1, 2, {}}}}); },
                 "roles: one: role `a` takes warps that are not there or not free"},
       FaultCase{"NoWarps", [] { return withRoles({{{"a", 1, 0, {}}}}); },
                 "roles: one: role `a` takes warps that are not there or not free"},
       FaultCase{"HalfAWarp", [] { return oneAndAHalf({{roles({}, {})}}); },
                 "roles: one: a block of 48 threads is not of whole warps"},
       FaultCase{"GroupTooLarge", [] { return withGroup({"g", 1, 2}); },
                 "roles: one: group `g` holds warps that are not there"},
       FaultCase{"EmptyGroup", [] { return withGroup({"g", 1, 0}); },
                 "roles: one: group `g` holds warps that are not there"},
       FaultCase{"GroupOfHalfAWarp",
                 [] {
                   Program program = oneAndAHalf({});
                   program.kernels[0].groups = {{"g", 0, 1}};
                   return program;
                 },
                 "roles: one: a block of 48 threads is not of whole warps"},
       FaultCase{"RegisterOfARole",
                 [] {
                   return twoWarps(
                       {{roles({{Let{0, number(1)}}}, {{Let{0, number(1)}}})}, {Let{1, reg(0)}}});
                 },
                 "definition: one: register `r` has no value here"},
       FaultCase{"PatchOfAnotherRole",
                 [] {
                   const Body fill = {{AssignElement{0, {c(0), c(0)}, number(1)}}};
                   return twoWarps({{roles(fill, {})}, {Let{0, element({c(0), c(0)})}}});
                 },
                 "definition: one: element 0 of patch `p` has no value here"});

FAULTS(
    Shuffle,
    FaultCase{"NoDistance",
              [] { return twoWarps({{Let{0, shuffle(ShuffleFrom::LowerLane, 0, number(1))}}}); },
              "shuffle: one: no lane is 0 lanes away"},
    FaultCase{"TooFar",
              [] { return twoWarps({{Let{0, shuffle(ShuffleFrom::HigherLane, 32, number(1))}}}); },
              "shuffle: one: no lane is 32 lanes away"},
    FaultCase{"InABranchOfLanes",
              [] {
                return twoWarps(
                    {{If{{{thread(0), nullptr, c(40)}}, {{Let{0, west(number(1))}}}, {}}}});
              },
              "shuffle: one: a shuffle stands where lanes of a warp may diverge"},
    FaultCase{"InALoopOfLanes",
              [] {
                return twoWarps(
                    {{loop(LoopKind::Serial, 1, c(0), lane, {{Let{0, west(number(1))}}})}});
              },
              "shuffle: one: a shuffle stands where lanes of a warp may diverge"},
    FaultCase{
        "InAGuard",
        [] {
          return twoWarps({{Let{
              0, makeValue(ScalarType::F64,
                           GuardedValue{{{x, c(1), nullptr}}, west(number(1)), number(0)})}}});
        },
        "shuffle: one: a shuffle stands where lanes of a warp may diverge"},
    FaultCase{"AfterAReturn",
              [] {
                return twoWarps(
                    {{ReturnUnless{{{x, nullptr, extent(0)}}}}, {Let{0, west(number(1))}}});
              },
              "shuffle: one: a shuffle follows a return of some lanes of a warp"},
    FaultCase{"OfALoad", [] { return twoWarps({{Let{0, west(sum(number(1), load(0, {c(0)})))}}}); },
              "shuffle: one: a shuffle hands on more than registers"},
    FaultCase{"OfAShuffle", [] { return twoWarps({{Let{0, west(west(number(1)))}}}); },
              "shuffle: one: a shuffle hands on more than registers"},
    FaultCase{"HalfAWarp", [] { return oneAndAHalf({{Let{0, west(number(1))}}}); },
              "shuffle: one: a block of 48 threads is not of whole warps"},
    FaultCase{
        "OfAnotherType",
        [] { return twoWarps({{Let{0, west(makeValue(ScalarType::F32, LiteralValue{1}))}}}); },
        "type: one: a shuffle of f64 takes an operand of f32"},
    FaultCase{"OfATruth",
              [] {
                return twoWarps(
                    {{Let{0, makeValue(ScalarType::Bool,
                                       ShuffleValue{ShuffleFrom::LowerLane, 1, number(1)})}}});
              },
              "type: one: a shuffle hands on a truth value"},
    FaultCase{"OfAnUndefinedRegister", [] { return twoWarps({{Let{0, west(reg(1))}}}); },
              "definition: one: register `s` has no value here"});

Program onHost(Body body) {
  Program program = hostProgram(std::move(body));
  program.kernels[0].registers = {{"r", ScalarType::F64}};
  return program;
}

FAULTS(WarpTarget,
       FaultCase{"RolesOnTheHost", [] { return onHost({{roles({}, {})}}); },
                 "target: one: a host kernel has no roles"},
       FaultCase{"ShufflesOnTheHost", [] { return onHost({{Let{0, west(number(1))}}}); },
                 "target: one: a host kernel has no shuffles"},
       FaultCase{"CopiesOnTheHost", [] { return onHost({{CopyAsync{0, {x}, 0, {x}, 1}}}); },
                 "target: one: a host kernel has no asynchronous copies"},
       FaultCase{"CommitsOnTheHost", [] { return onHost({{CommitCopies{}}}); },
                 "target: one: a host kernel has no asynchronous copies"},
       FaultCase{"WaitsOnTheHost", [] { return onHost({{WaitCopies{0}}}); },
                 "target: one: a host kernel has no asynchronous copies"},
       FaultCase{"WarpsOnTheHost",
                 [] { return onHost({{Let{0, makeValue(ScalarType::F64, IndexValue{warp})}}}); },
                 "target: one: a host kernel has neither warps nor lanes"},
       FaultCase{"GroupsOnTheHost",
                 [] {
                   Program program = onHost({});
                   program.kernels[0].groups = {{"g", 0, 1}};
                   return program;
                 },
                 "target: one: a host kernel has no groups of warps"},
       FaultCase{"Groups",
                 [] {
                   Program program = twoWarps({});
                   program.kernels[0].groups.assign(16, {"g", 0, 1});
                   return program;
                 },
                 "target: one: a block has no more than 15 groups of warps"},
       FaultCase{"SecondWarpOfAThread",
                 [] {
                   const Index other = coordinate(CoordinateKind::Warp, 1);
                   return twoWarps({{Let{0, makeValue(ScalarType::F64, IndexValue{other})}}});
                 },
                 "definition: one: a thread has one warp and one lane"});

FAULTS(WarpUniform,
       FaultCase{"OfAPatch",
                 [] {
                   return fiveWith(
                       [](Program &program) { program.uniforms[0].value = element({c(0)}); });
                 },
                 "uniform: k: it is made from what belongs to a thread"},
       FaultCase{"OfAShuffle",
                 [] {
                   return fiveWith(
                       [](Program &program) { program.uniforms[0].value = west(number(1)); });
                 },
                 "uniform: k: it is made from what belongs to a thread"},
       FaultCase{"OfAPosition",
                 [] {
                   return fiveWith([](Program &program) {
                     program.uniforms[0].value = makeValue(ScalarType::F64, IndexValue{c(0)});
                   });
                 },
                 "uniform: k: it is made from what belongs to a thread"});

} // namespace
} // namespace kernel_verifier_warp
