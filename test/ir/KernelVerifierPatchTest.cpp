// Faults of the rules patch, vector and copy, and what these rules let pass.
#include "test/ir/KernelVerifierCases.h"
#include "test/ir/WarpPrograms.h"

using namespace stencilc;

namespace kernel_verifier_patch {
namespace {

const Index x = local(0), i = local(1), j = local(2);
const Index pair = add(add(argument(0), scale(block(0), 64)), scale(lane, 2));

AssignElement assign(std::vector<Index> at) { return {0, std::move(at), number(1)}; }
PatchRow row(int64_t slice, int64_t first, unsigned lanes = 2) {
  return {0, {c(slice), c(first)}, lanes};
}
/// Runs the body where all of warp 0's pairs lie in the array.
Program pairs(Body body) {
  return twoWarps(
      {{If{{{pair, nullptr, add(extent(0), -1)}, {warp, nullptr, c(1)}}, std::move(body), {}}}});
}
Program withPatch(Patch patch) {
  Program program = twoWarps({});
  program.kernels[0].patches = {std::move(patch)};
  return program;
}
Program withAlignment(Alignment alignment) {
  Program program = twoWarps({});
  program.kernels[0].arrays[0].alignment = std::move(alignment);
  return program;
}

TEST(KernelVerifier, PassesPatchesThatLoopsUnrolledFill) {
  const Body inner = {{AssignElement{0, {i, j}, makeValue(ScalarType::F64, IndexValue{x})}}};
  const Body fill = {{loop(LoopKind::Unroll, 2, c(0), c(4), inner)}};
  EXPECT_EQ(faultOf(twoWarps({{loop(LoopKind::Unroll, 1, c(0), c(3), fill)},
                              {ShiftPatch{0}},
                              {Let{0, sum(element({c(2), c(3)}), element({c(1), c(0)}))}}})),
            "");
}

TEST(KernelVerifier, PassesPatchesThatALoopShifts) {
  const Body turn = {
      {assign({c(2), c(0)})}, {LetMutable{0, element({c(1), c(0)})}}, {ShiftPatch{0}}};
  EXPECT_EQ(faultOf(twoWarps(
                {{assign({c(1), c(0)})}, {loop(LoopKind::Serial, 1, c(0), extent(0), turn)}})),
            "");
}

TEST(KernelVerifier, PassesVectors) {
  EXPECT_EQ(faultOf(pairs({{LoadVector{row(0, 1), 0, {pair}}},
                           {StoreSharedVector{0, {c(1), scale(lane, 2)}, row(0, 1)}},
                           {LoadSharedVector{row(2, 0), 0, {c(0), scale(lane, 2)}}},
                           {StoreVector{1, {pair}, row(2, 0)}}})),
            "");
}

TEST(KernelVerifier, PassesVectorsOfNamedAndCountedIndices) {
  Program program = twoWarps(
      {{LetIndex{1, add(argument(0), scale(block(0), 64))}},
       {For{LoopKind::Serial, 2, i, add(extent(0), -1), 4, {{LoadVector{row(0, 0), 0, {j}}}}}}});
  EXPECT_EQ(faultOf(std::move(program)), "");
}

/// One launch, on rows of whole pieces if `each` is 2, of a kernel that loads the image of a piece.
Program loadingImages(int64_t each, BoundaryKind boundary = BoundaryKind::Periodic) {
  const Index last = add(extent(0), -2),
              image = map(boundary, 0, maximum(minimum(pair, last), c(-2)));
  Program program = twoWarps({{LoadVector{row(0, 0), 0, {minimum(image, last)}}}});
  Kernel &kernel = program.kernels[0];
  kernel.minimumExtent[0] = 2;
  kernel.integers[0].atMost = kernel.integers[0].atLeast;
  Actions &actions = program.plan.passes[0].actions;
  const When onWhole{WholePieces{{{0, extent(0), each, 4}}}, {actions[0]}, {}};
  actions[0] = onWhole;
  return program;
}

TEST(KernelVerifier, PassesImagesOfPiecesInRowsOfWholeOnes) {
  EXPECT_EQ(faultOf(loadingImages(2)), "");
  EXPECT_EQ(faultOf(loadingImages(4)), "");
}

TEST(KernelVerifier, PassesCopiesThatAreAwaited) {
  const Body turn = {{WaitCopies{0}},
                     {Barrier{}},
                     {LetMutable{0, loadShared(0, {c(0), thread(0)})}},
                     {Barrier{}},
                     {CopyAsync{0, {c(0), thread(0)}, 0, {i}, 1}},
                     {CommitCopies{}}};
  EXPECT_EQ(faultOf(twoWarps({{loop(LoopKind::Serial, 1, c(0), extent(0), turn)}})), "");
}

Statement copyTo(Index place) { return {CopyAsync{0, {std::move(place), thread(0)}, 0, {i}, 1}}; }
Statement readAt(Index place) {
  return {LetMutable{0, loadShared(0, {std::move(place), thread(0)})}};
}

/// Of a grid that has a point.
Program onPoints(Body body) {
  return twoWarps({{If{{{extent(0), c(1), nullptr}}, std::move(body), {}}}});
}

/// A march that reads place `i + distance` of a ring and has `ahead` batches under way, of which
/// it waits for all but `pending` before it starts the next.
Program marchOfRing(int length, int ahead, unsigned pending, Index distance) {
  Body body, turn = {{WaitCopies{pending}}, {Barrier{}}};
  for (int place = 0; place < ahead; ++place)
    llvm::append_range(body,
                       Body{{CopyAsync{0, {c(place), thread(0)}, 0, {c(0)}, 1}}, {CommitCopies{}}});
  llvm::append_range(turn, Body{{LetIndex{2, remainder(add(i, ahead), length)}},
                                copyTo(j),
                                {CommitCopies{}},
                                readAt(remainder(add(i, std::move(distance)), length))});
  body.push_back({loop(LoopKind::Serial, 1, c(0), extent(0), std::move(turn))});
  Program program = onPoints(std::move(body));
  program.kernels[0].tiles[0].shape = {length, 64};
  return program;
}

TEST(KernelVerifier, PassesCopiesToOtherPlacesOfARing) {
  EXPECT_EQ(faultOf(marchOfRing(2, 1, 0, c(0))), "");
  EXPECT_EQ(faultOf(marchOfRing(4, 2, 1, c(0))), "");
  EXPECT_EQ(faultOf(marchOfRing(4, 2, 1, c(-1))), "");
  EXPECT_EQ(faultOf(marchOfRing(4, 2, 0, c(1))), "");
}

TEST(KernelVerifier, PassesPlacesThatWarpsReadEachForItself) {
  EXPECT_EQ(faultOf(marchOfRing(4, 2, 1, scale(warp, -1))), "");
  EXPECT_NE(faultOf(marchOfRing(4, 2, 1, warp)), "");
  EXPECT_NE(faultOf(marchOfRing(4, 2, 1, scale(warp, -2))), "");
}

TEST(KernelVerifier, KnowsCopiesOfALoopBehindIt) {
  const auto readAfter = [](Index place) {
    const Body turn = {{WaitCopies{0}}, copyTo(remainder(add(i, 1), 2)), {CommitCopies{}}};
    return faultOf(twoWarps({{loop(LoopKind::Serial, 1, c(0), extent(0), turn)},
                             readAt(remainder(std::move(place), 2))}));
  };
  EXPECT_EQ(readAfter(add(extent(0), 1)), "");
  EXPECT_NE(readAfter(extent(0)), "");
}

FAULTS(Patch,
       FaultCase{"IndexOfAThread", [] { return twoWarps({{assign({c(0), thread(0)})}}); },
                 "patch: one: `thread.x` of patch `p` is not known when it is compiled"},
       FaultCase{"IndexOfALoop",
                 [] {
                   return twoWarps(
                       {{loop(LoopKind::Serial, 1, c(0), c(3), {{assign({i, c(0)})}})}});
                 },
                 "patch: one: `i` of patch `p` is not known when it is compiled"},
       FaultCase{"IndexOfALoopOfUnknownLength",
                 [] {
                   return twoWarps(
                       {{loop(LoopKind::Unroll, 1, c(0), extent(0), {{assign({i, c(0)})}})}});
                 },
                 "patch: one: `i` of patch `p` is not known when it is compiled"},
       FaultCase{"Outside", [] { return twoWarps({{assign({c(3), c(0)})}}); },
                 "patch: one: 3 of patch `p` leaves 0 .. 2"},
       FaultCase{"OutsideInTheLastTurn",
                 [] {
                   return twoWarps(
                       {{loop(LoopKind::Unroll, 1, c(0), c(4), {{assign({i, c(0)})}})}});
                 },
                 "patch: one: 3 of patch `p` leaves 0 .. 2"},
       FaultCase{"EndOfARow", [] { return pairs({{LoadVector{row(0, 3), 0, {pair}}}}); },
                 "patch: one: 3 of patch `p` leaves 0 .. 2"},
       FaultCase{"NoElements", [] { return withPatch({"p", ScalarType::F64, {2, 0}}); },
                 "patch: one: patch `p` has no elements"},
       FaultCase{"NoAxes", [] { return withPatch({"p", ScalarType::F64, {}}); },
                 "patch: one: patch `p` has no elements"});

FAULTS(PatchType,
       FaultCase{"Truths", [] { return withPatch({"p", ScalarType::Bool, {2}}); },
                 "type: one: patch `p` holds truth values"},
       FaultCase{"IndexCount", [] { return twoWarps({{assign({c(0)})}}); },
                 "type: one: patch `p` has 2 axes and is accessed by 1 indices"},
       FaultCase{"Element",
                 [] {
                   return twoWarps({{AssignElement{
                       0, {c(0), c(0)}, makeValue(ScalarType::F32, LiteralValue{1})}}});
                 },
                 "type: one: `p` is f64 and used as f32"},
       FaultCase{"ElementRead",
                 [] {
                   return twoWarps(
                       {{assign({c(0), c(0)})},
                        {Let{0, makeValue(ScalarType::F32, PatchElement{0, {c(0), c(0)}})}}});
                 },
                 "type: one: `p` is f64 and used as f32"},
       FaultCase{"Row",
                 [] {
                   Program program = pairs({{LoadVector{row(0, 0), 0, {pair}}}});
                   program.kernels[0].patches[0].type = ScalarType::F32;
                   return program;
                 },
                 "type: one: `u` is f64 and used as f32"},
       FaultCase{"Position",
                 [] { return twoWarps({{Let{0, makeValue(ScalarType::Bool, IndexValue{x})}}}); },
                 "type: one: an index gives no truth value"});

FAULTS(PatchDefinition,
       FaultCase{"NoPatch", [] { return twoWarps({{ShiftPatch{1}}}); },
                 "definition: one: there is no patch 1"},
       FaultCase{"BeforeUse", [] { return twoWarps({{Let{0, element({c(1), c(2)})}}}); },
                 "definition: one: element 6 of patch `p` has no value here"},
       FaultCase{"OfATurnThatIsNot",
                 [] {
                   return twoWarps({{loop(LoopKind::Unroll, 1, c(0), c(2), {{assign({i, c(0)})}})},
                                    {Let{0, element({c(2), c(0)})}}});
                 },
                 "definition: one: element 8 of patch `p` has no value here"},
       FaultCase{"ShiftedAway",
                 [] {
                   return twoWarps(
                       {{assign({c(0), c(0)})}, {ShiftPatch{0}}, {Let{0, element({c(0), c(0)})}}});
                 },
                 "definition: one: element 0 of patch `p` has no value here"},
       FaultCase{"ShiftedAwayByALoop",
                 [] {
                   const Body turn = {{LetMutable{0, element({c(0), c(0)})}}, {ShiftPatch{0}}};
                   return twoWarps({{assign({c(0), c(0)})},
                                    {assign({c(1), c(0)})},
                                    {loop(LoopKind::Serial, 1, c(0), extent(0), turn)}});
                 },
                 "definition: one: element 0 of patch `p` has no value here"},
       FaultCase{"RowStored", [] { return pairs({{StoreVector{1, {pair}, row(0, 0)}}}); },
                 "definition: one: element 0 of patch `p` has no value here"},
       FaultCase{"RegisterOfATurn",
                 [] {
                   return twoWarps({{loop(LoopKind::Unroll, 1, c(0), c(2), {{Let{0, number(1)}}})},
                                    {Let{1, reg(0)}}});
                 },
                 "definition: one: register `r` has no value here"},
       FaultCase{"LocalOfTurns",
                 [] {
                   return twoWarps({{loop(LoopKind::Unroll, 1, c(0), c(2), {})},
                                    {Let{0, makeValue(ScalarType::F64, IndexValue{i})}}});
                 },
                 "definition: one: local `i` has no value here"});

/// What holds where the only kernel of twoWarps() is launched.
When &whenLaunched(Program &program) {
  return std::get<When>(stepOf(program).actions.front().node);
}
Program launchedUnder(Aligned condition) {
  Program program = twoWarps({});
  whenLaunched(program).condition = std::move(condition);
  return program;
}
Program launchedAfter(Rename rename) {
  Program program = twoWarps({});
  Actions &then = whenLaunched(program).then;
  then.insert(then.begin(), {std::move(rename)});
  return program;
}

TEST(KernelVerifier, PassesLaunchesOnRowsThatAreAlignedElsewhere) {
  EXPECT_EQ(faultOf(launchedUnder({32, 2, {1, 0}})), "");
  EXPECT_EQ(faultOf(launchedAfter({{{0, 1}, {1, 0}}})), "");
  Program odd = twoWarps({});
  for (ArrayArgument &array : odd.kernels[0].arrays)
    array.alignment = Alignment{2, add(argument(0), 1)};
  whenLaunched(odd).condition = Aligned{16, 3, {0, 1}};
  EXPECT_EQ(faultOf(odd), "");
  Program inSteps = twoWarps({});
  whenLaunched(inSteps).then = {{When{FirstPasses{1}, whenLaunched(inSteps).then, {}}}};
  EXPECT_EQ(faultOf(inSteps), "");
}

FAULTS(RowsOfALaunch,
       FaultCase{"Unasked",
                 [] {
                   Program program = twoWarps({});
                   Actions &actions = stepOf(program).actions;
                   const Action launch = whenLaunched(program).then.front();
                   actions.front() = launch;
                   return program;
                 },
                 "launch: one: rows of `u` may not be aligned in 2s at first_x"},
       FaultCase{"Otherwise",
                 [] {
                   Program program = twoWarps({});
                   When &when = whenLaunched(program);
                   std::swap(when.then, when.otherwise);
                   return program;
                 },
                 "launch: one: rows of `u` may not be aligned in 2s at first_x"},
       FaultCase{"OfAnotherBuffer", [] { return launchedUnder({16, 0, {1}}); },
                 "launch: one: rows of `u` may not be aligned in 2s at first_x"},
       FaultCase{"TooNarrow", [] { return launchedUnder({8, 0, {0, 1}}); },
                 "launch: one: rows of `u` may not be aligned in 2s at first_x"},
       FaultCase{"ElsewhereInAPiece", [] { return launchedUnder({16, 1, {0, 1}}); },
                 "launch: one: rows of `u` may not be aligned in 2s at first_x"},
       FaultCase{"OfANameSinceRenamed",
                 [] {
                   Program program = launchedAfter({{{0, 1}, {1, 0}}});
                   whenLaunched(program).condition = Aligned{16, 0, {0}};
                   return program;
                 },
                 "launch: one: rows of `u` may not be aligned in 2s at first_x"},
       FaultCase{"BlocksMoveToALine",
                 [] {
                   Program program = twoWarps({});
                   program.kernels[0].integers[0].atLeast = nullptr;
                   launchAt(program, 0).cover.alignTo = 0;
                   return program;
                 },
                 "launch: one: rows of `u` may not be aligned in 2s at first_x"},
       FaultCase{"BoxBeginsInAPiece",
                 [] {
                   Program program = twoWarps({});
                   launchAt(program, 0).cover.begin[0] = add(extent(0), -1);
                   return program;
                 },
                 "launch: one: rows of `u` may not be aligned in 2s at first_x"});

FAULTS(Vector,
       FaultCase{"Three", [] { return pairs({{LoadVector{row(0, 0, 3), 0, {pair}}}}); },
                 "vector: one: no access moves 3 elements of f64"},
       FaultCase{"TooWide", [] { return pairs({{LoadVector{row(0, 0, 4), 0, {pair}}}}); },
                 "vector: one: no access moves 4 elements of f64"},
       FaultCase{"NoPromise",
                 [] {
                   Program program = pairs({{LoadVector{row(0, 0), 0, {pair}}}});
                   program.kernels[0].arrays[0].alignment.reset();
                   return program;
                 },
                 "vector: one: `u` is not promised to be aligned in 2s"},
       FaultCase{"BetweenPieces",
                 [] { return pairs({{LoadVector{row(0, 0), 0, {add(pair, -1)}}}}); },
                 "bounds: one: `first_x + block.x * 64 + lane * 2 - 1` of `u` may fall below 0"},
       FaultCase{
           "BetweenPiecesInside",
           [] {
             return twoWarps(
                 {{If{{{x, nullptr, add(extent(0), -1)}}, {{LoadVector{row(0, 0), 0, {x}}}}, {}}}});
           },
           "vector: one: `x` of `u` may lie between pieces of 2"},
       FaultCase{
           "ImagesInRowsOfOtherPieces", [] { return loadingImages(3); },
           "vector: one: `min(wrap(max(min(first_x + block.x * 64 + lane * 2, nx - 2), -2), nx), "
           "nx - 2)` of `u` may lie between pieces of 2"},
       FaultCase{
           "MirrorsOfPieces", [] { return loadingImages(2, BoundaryKind::Symmetric); },
           "vector: one: `min(symmetric(max(min(first_x + block.x * 64 + lane * 2, nx - 2), -2), "
           "nx), nx - 2)` of `u` may lie between pieces of 2"},
       FaultCase{"ImagesInShortRows",
                 [] {
                   Program program = loadingImages(2);
                   auto &whole = std::get<When>(program.plan.passes[0].actions[0].node);
                   std::get<WholePieces>(whole.condition).axes[0].least = 1;
                   return program;
                 },
                 "launch: one: nx may be below 2, the kernel's least"},
       FaultCase{"LastLanePasses",
                 [] {
                   return twoWarps({{If{
                       {{pair, nullptr, extent(0)}}, {{LoadVector{row(0, 0), 0, {pair}}}}, {}}}});
                 },
                 "bounds: one: `first_x + block.x * 64 + lane * 2` of `u` may pass nx - 2"},
       FaultCase{"CountedByOnes",
                 [] {
                   return twoWarps({{loop(LoopKind::Serial, 1, argument(0), add(extent(0), -1),
                                          {{LoadVector{row(0, 0), 0, {i}}}})}});
                 },
                 "vector: one: `i` of `u` may lie between pieces of 2"},
       FaultCase{"OddRows",
                 [] {
                   Program program = pairs({{LoadSharedVector{row(0, 0), 0, {c(0), c(0)}}}});
                   program.kernels[0].tiles[0].shape = {2, 63};
                   return program;
                 },
                 "vector: one: rows of tile `tile` are not whole pieces of 2"},
       FaultCase{"BetweenPiecesOfATile",
                 [] { return pairs({{LoadSharedVector{row(0, 0), 0, {c(0), lane}}}}); },
                 "vector: one: `lane` of tile `tile` may lie between pieces of 2"},
       FaultCase{"LastLaneLeavesTheTile",
                 [] { return pairs({{LoadSharedVector{row(0, 0), 0, {c(0), c(63)}}}}); },
                 "tile: one: `63` of tile `tile` may leave 0 .. 62"},
       FaultCase{"Promise", [] { return withAlignment({3, argument(0)}); },
                 "vector: one: `u` is aligned in 3s, which no access needs"},
       FaultCase{"PromiseTooWide", [] { return withAlignment({4, argument(0)}); },
                 "vector: one: `u` is aligned in 4s, which no access needs"},
       FaultCase{"PromiseOfAThread", [] { return withAlignment({2, thread(0)}); },
                 "vector: one: the alignment of `u` is not over constants and integer arguments"},
       FaultCase{"Stored",
                 [] {
                   return pairs({{assign({c(0), c(0)})},
                                 {assign({c(0), c(1)})},
                                 {StoreVector{0, {pair}, row(0, 0)}}});
                 },
                 "access: one: `u` is stored but only read"},
       FaultCase{"Loaded", [] { return pairs({{LoadVector{row(0, 0), 1, {pair}}}}); },
                 "access: one: `u_next` is loaded but only written"});

/// Copies to the tile, then `then`, then reads it.
Program copying(Body then) {
  Body body = {{CopyAsync{0, {c(0), scale(lane, 2)}, 0, {pair}, 2}}};
  body.insert(body.end(), then.begin(), then.end());
  body.push_back({Let{0, loadShared(0, {c(0), c(0)})}});
  return pairs(body);
}

FAULTS(Copy,
       FaultCase{"TooWide",
                 [] { return pairs({{CopyAsync{0, {c(0), scale(lane, 4)}, 0, {pair}, 4}}}); },
                 "copy: one: no copy moves 4 elements of f64"},
       FaultCase{"FromBetweenPieces",
                 [] {
                   return twoWarps({{If{{{x, nullptr, add(extent(0), -1)}},
                                        {{CopyAsync{0, {c(0), scale(lane, 2)}, 0, {x}, 2}}},
                                        {}}}});
                 },
                 "copy: one: `x` of `u` may lie between pieces of 2"},
       FaultCase{"ToBetweenPieces",
                 [] { return pairs({{CopyAsync{0, {c(0), lane}, 0, {pair}, 2}}}); },
                 "copy: one: `lane` of tile `tile` may lie between pieces of 2"},
       FaultCase{"OfAWrittenArray",
                 [] { return pairs({{CopyAsync{0, {c(0), lane}, 1, {pair}, 1}}}); },
                 "access: one: `u_next` is copied but not only read"},
       FaultCase{"NoWait", [] { return copying({{CommitCopies{}}}); },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"NoCommit", [] { return copying({{WaitCopies{0}}}); },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"CommitAfterTheWait", [] { return copying({{WaitCopies{0}}, {CommitCopies{}}}); },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"WaitOfABranch",
                 [] {
                   return copying({{CommitCopies{}},
                                   {If{{{block(0), nullptr, c(1)}}, {{WaitCopies{0}}}, {}}}});
                 },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"VectorWithNoWait",
                 [] {
                   return pairs({{CopyAsync{0, {c(0), scale(lane, 2)}, 0, {pair}, 2}},
                                 {CommitCopies{}},
                                 {LoadSharedVector{row(0, 0), 0, {c(0), c(0)}}}});
                 },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"OfTheTurnBefore",
                 [] {
                   const Body turn = {{LetMutable{0, loadShared(0, {c(0), thread(0)})}},
                                      {CopyAsync{0, {c(0), thread(0)}, 0, {i}, 1}},
                                      {CommitCopies{}}};
                   return twoWarps({{loop(LoopKind::Serial, 1, c(0), extent(0), turn)}});
                 },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"AtAPlaceOneOff", [] { return marchOfRing(2, 1, 0, c(1)); },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"AtAPlaceARingOff", [] { return marchOfRing(4, 2, 1, c(-3)); },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"OfABatchThatMayBePending", [] { return marchOfRing(2, 1, 1, c(0)); },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"OfTwoBatchesThatMayBePending", [] { return marchOfRing(4, 2, 2, c(0)); },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"ThatOtherThreadsMade",
                 [] {
                   return onPoints({{CopyAsync{0, {remainder(warp, 2), lane}, 0, {c(0)}, 1}},
                                    {CommitCopies{}},
                                    readAt(remainder(add(warp, 1), 2))});
                 },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"OfTurnsThatDoNotWait",
                 [] {
                   const Body turn = {
                       copyTo(remainder(i, 2)), {CommitCopies{}}, readAt(remainder(add(i, 1), 2))};
                   return twoWarps({{loop(LoopKind::Serial, 1, c(0), extent(0), turn)}});
                 },
                 "copy: one: tile `tile` is read with no wait for the copies to it"},
       FaultCase{"OfWhichABranchClosesABatchMore",
                 [] {
                   return onPoints({{CopyAsync{0, {c(0), thread(0)}, 0, {c(0)}, 1}},
                                    {CommitCopies{}},
                                    {If{{{block(0), nullptr, c(1)}}, {{CommitCopies{}}}, {}}},
                                    {WaitCopies{1}},
                                    readAt(c(0))});
                 },
                 "copy: one: tile `tile` is read with no wait for the copies to it"});

} // namespace
} // namespace kernel_verifier_patch
