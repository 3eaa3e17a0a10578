// Instructions of a few kernels, counted by hand with the rules of costmodel/compiled and the
// table for compute capability 9.0.
#include "costmodel/compiled/Instructions.h"
#include "costmodel/compiled/AddressReuse.h"

#include "codegen/lower/Lower.h"
#include "test/Examples.h"
#include "test/ir/KernelPrograms.h"

#include <gtest/gtest.h>

using namespace stencilc;

TEST(AddressReuse, PointersServeArraysOfTheirLayout) {
  Kernel kernel;
  kernel.axes = {"y", "x"};
  kernel.arrays = {
      {.name = "u", .type = ScalarType::F64, .axes = {0, 1}},
      {.name = "temp", .type = ScalarType::F64, .axes = {0, 1}, .layout = Layout::Rows}};
  const Index y = local(0), x = local(1);
  AddressScope scope(kernel);
  scope.add(LetPointer{0, {y, x}});
  EXPECT_TRUE(scope.address(0, {y, add(x, 1)}).isNear);
  EXPECT_FALSE(scope.address(1, {y, add(x, 1)}).isNear);
  scope.add(LetPointer{1, {y, x}, /*isCarried=*/false, Layout::Rows});
  EXPECT_TRUE(scope.address(1, {y, add(x, 1)}).isNear);
}

namespace instructions {
namespace {

/// The kernel of a step.
struct Step {
  VerifiedProgram program;

  Step(const std::string &name, const std::string &schedule, ScalarType real = ScalarType::F32)
      : Step(example(name, real), schedule) {}
  Step(const Stencil &stencil, const std::string &schedule)
      : program(llvm::cantFail(
            lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank()))))) {}

  const Kernel &kernel() const { return program->kernels[firstLaunch(*program).kernel]; }
};

Stencil stencilOf(const std::string &formula, ScalarType real = ScalarType::F32,
                  const std::string &boundary = "halo") {
  const std::string text =
      "stencil s(y, x) {\n  field real u;\n  const real g;\n  boundary: " + boundary +
      ";\n  u' = " + formula + ";\n}\n";
  DiagnosticEngine diagnostics(llvm::MemoryBuffer::getMemBufferCopy(text, "s.stn"), llvm::nulls());
  return *analyse(diagnostics, {real, {}});
}

void addBody(const Body &body, const InstructionEstimate &estimate, InstructionMix &sum) {
  for (const Statement &statement : body)
    sum.add(estimate.once(statement));
}

/// Everything that a warp executes, of a kernel without loops.
InstructionMix straight(const Step &step) {
  const InstructionEstimate estimate(step.kernel(), usualCodeTable());
  InstructionMix sum = estimate.entry();
  addBody(step.kernel().body, estimate, sum);
  return sum;
}

/// One turn of the only loop.
InstructionMix turn(const Step &step, const CodeTable &table = usualCodeTable()) {
  const InstructionEstimate estimate(step.kernel(), table);
  for (const Statement &statement : step.kernel().body)
    if (const auto *loop = std::get_if<For>(&statement.node)) {
      InstructionMix sum = estimate.turn(statement);
      addBody(loop->body, estimate, sum);
      return sum;
    }
  return {};
}

InstructionMix ofFormula(const std::string &formula, ScalarType real = ScalarType::F32) {
  return straight(Step(stencilOf(formula, real), "baseline/32x8"));
}

} // namespace

TEST(Instructions, AProductBesideASumIsFused) {
  // alpha*u + beta*(five sums): five FADD, one FMUL, one FFMA.
  const InstructionMix mix = straight(Step("7pt1.stn", "baseline/32x4x2"));
  EXPECT_EQ(mix[Pipe::Fp32], 7);
  EXPECT_EQ(mix[Pipe::Fp64], 0);
  EXPECT_EQ(mix[Pipe::LoadStore], 8);
  EXPECT_EQ(mix[Pipe::Control], 2); // two exits
  EXPECT_EQ(straight(Step("7pt1.stn", "baseline/32x4x2", ScalarType::F64))[Pipe::Fp64], 7);
  EXPECT_EQ(ofFormula("u*g + g*g")[Pipe::Fp32], 2);
  EXPECT_EQ(ofFormula("u*g - (g + u)")[Pipe::Fp32], 2);
  EXPECT_EQ(ofFormula("(u + g)*g")[Pipe::Fp32], 2);
}

TEST(Instructions, AddressesAndGuardsOutnumberArithmetic) {
  // Coordinates: one addition each. Guards: four comparisons. The address: two strides at 2.5, 3,
  // and 1.4 of two additions. Seven in ten of: six pointers of 2, and 1 for each of four
  // neighbouring rows.
  const InstructionMix mix = straight(Step("7pt1.stn", "baseline/32x4x2"));
  EXPECT_NEAR(mix[Pipe::Integer], 3 + 4 + 9.4 + 0.7 * 16, 1e-9);
  // Entry 2, two arrays, two params 1.4; of each coordinate a first at 0.7, a block's and a
  // thread's S2R; three extents.
  EXPECT_NEAR(mix[Pipe::Uniform], 2 + 2 + 1.4 + 8.1 + 2.1, 1e-9);
  // Three coordinates' IMAD, two 64-bit products of three each, three in ten of 18 additions.
  EXPECT_NEAR(mix[Pipe::MultiplyAdd], 3 + 6 + 0.3 * 18, 1e-9);
}

TEST(Instructions, FourTurnsShareTheirRows) {
  // Rows of u in four turns: z to z+4, and four each one step along y: 5 + 4 + 4; u_next: 4. Each
  // is an addition of 64 bits.
  const InstructionMix mix = turn(Step("7pt1.stn", "zblock/32x8x1/c64"));
  EXPECT_EQ(mix[Pipe::LoadStore], 6);
  EXPECT_EQ(mix[Pipe::Fp32], 7);
  EXPECT_EQ(mix[Pipe::Control], 0.25);
  const double additions = 2 * 17 / 4.0;
  EXPECT_NEAR(mix[Pipe::Integer], 0.7 * additions + 2 / 4.0, 1e-9);
  EXPECT_NEAR(mix[Pipe::MultiplyAdd], 0.3 * additions, 1e-9);
}

TEST(Instructions, ALongLoopIsNotUnrolledAndMovesItsQueue) {
  // star5: eleven slots, of which nine outlive the load of the next; f64 moves two words each.
  const InstructionMix single = turn(Step("star5.stn", "zblock/32x8x1/c64"));
  const InstructionMix twice = turn(Step("star5.stn", "zblock/32x8x1/c64", ScalarType::F64));
  EXPECT_EQ(single[Pipe::Control], 1);
  EXPECT_NEAR(twice[Pipe::MultiplyAdd] - single[Pipe::MultiplyAdd], 0.5 * 9, 1e-9);
}

// The cells of a tile: row and column of each stand in its place in memory and in the tile.
TEST(Instructions, AQuotientAndItsRemainderAreOneDivision) {
  const Step step("7pt1.stn", "shm/16x4x1");
  CodeTable dearer = usualCodeTable();
  dearer.mixes[unsigned(CodeMix::IndexDivision)].value[Pipe::Integer] += 100;
  EXPECT_NEAR(turn(step, dearer)[Pipe::Integer], turn(step)[Pipe::Integer] + 100, 1e-9);
}

// Where the block begins is computed ahead of the loop over cells.
TEST(Instructions, WhatNoTurnChangesIsComputedAhead) {
  const Step step("7pt1.stn", "shm/16x4x1");
  CodeTable dearer = usualCodeTable();
  dearer.mixes[unsigned(CodeMix::ThreadNumber)].value[Pipe::Integer] += 100;
  EXPECT_EQ(turn(step, dearer)[Pipe::Integer], turn(step)[Pipe::Integer]);
}

TEST(Instructions, ALongLiteralOfADoubleIsMoved) {
  EXPECT_EQ(ofFormula("u*0.1", ScalarType::F64)[Pipe::Integer],
            ofFormula("u*0.5", ScalarType::F64)[Pipe::Integer] + 2);
  EXPECT_EQ(ofFormula("u*0.1 + g*0.1", ScalarType::F64)[Pipe::Integer],
            ofFormula("u*0.5 + g*0.5", ScalarType::F64)[Pipe::Integer] + 2);
  EXPECT_EQ(ofFormula("u*0.1")[Pipe::Integer], ofFormula("u*0.5")[Pipe::Integer]);
}

TEST(Instructions, DivisionIsLongUnlessByAPowerOfTwo) {
  EXPECT_EQ(ofFormula("(u + g)/4")[Pipe::Fp32], 2);
  EXPECT_EQ(ofFormula("(u + g)/4")[Pipe::Special], 0);
  EXPECT_EQ(ofFormula("(u + g)/3")[Pipe::Fp32], 1 + 6);
  EXPECT_EQ(ofFormula("(u + g)/3")[Pipe::Special], 1);
  EXPECT_EQ(ofFormula("u/g", ScalarType::F64)[Pipe::Fp64], 8);
}

TEST(Instructions, FunctionsGoWhereTheyRun) {
  EXPECT_EQ(ofFormula("sqrt(u)")[Pipe::Special], 1);
  EXPECT_EQ(ofFormula("exp(u)", ScalarType::F64)[Pipe::Fp64], 15);
  EXPECT_EQ(ofFormula("abs(u) + g")[Pipe::Fp32], 1);
  // FSETP and FSEL run beside integers; DSETP does not.
  const double plain = ofFormula("u + g")[Pipe::Integer];
  EXPECT_EQ(ofFormula("where(u < g, u, 1)")[Pipe::Integer], plain + 2);
  EXPECT_EQ(ofFormula("where(u < g, u, 1)", ScalarType::F64)[Pipe::Fp64], 1);
}

TEST(Instructions, WhatBranchesAroundItsExactWayIsAChain) {
  EXPECT_EQ(ofFormula("(u + g)/3").chains, 1);
  EXPECT_EQ(ofFormula("sqrt(u) + 1/g", ScalarType::F64).chains, 2);
  EXPECT_EQ(ofFormula("(u + g)/4").chains, 0);
  EXPECT_EQ(ofFormula("floor(u)").chains, 0); // by the special pipe as well
  EXPECT_EQ(ofFormula("exp(u)").chains, 0);
}

TEST(Instructions, ArraysShareTheirIndexVectors) {
  // Another row of u: an addition for the row and a pointer. The same row of g: its pointer only,
  // beside the load and the base of an array that is there anyway.
  const double plain = ofFormula("u + g + u[x-1]").all();
  const double row = ofFormula("u + g + u[x-1] + u[y-1]").all();
  const double both = ofFormula("u + g + u[x-1] + u[y-1] + g[y-1]").all();
  EXPECT_NEAR(row - plain, 1 + 2 + 2, 1e-9);
  EXPECT_NEAR(both - row, 2 + 2, 1e-9);
  // Along x the pointer is there.
  EXPECT_NEAR(ofFormula("u + g + u[x-1] + u[x+1]").all() - plain, 2, 1e-9);
}

TEST(Instructions, NeighboursAcrossAnEndCountFromTheRow) {
  const auto all = [](const std::string &formula, const std::string &boundary) {
    return straight(Step(stencilOf(formula, ScalarType::F32, boundary), "baseline/32x8")).all();
  };
  // u is read elsewhere, so that it is not made in its own memory.
  const double plain = all("u + g + u[x+2]", "clamp");
  // x - 1, how far that is from x, a multiplication that adds to the row's pointer; and the load
  // and its addition.
  const double west = all("u + g + u[x+2] + u[x-1]", "clamp");
  EXPECT_NEAR(west - plain, 1 + 1 + 1 + 2, 1e-9);
  // Of another array the multiplication alone.
  EXPECT_NEAR(all("u + g + u[x+2] + u[x-1] + g[x-1]", "clamp") - west, 1 + 2, 1e-9);
  // y - 1, the difference, five instructions of its product with the stride, a pointer of two.
  const double south = all("u + g + u[x+2] + u[x-1] + u[y-1]", "clamp");
  EXPECT_NEAR(south - west, 1 + 1 + 5 + 2 + 2, 1e-9);
  // In that row the same difference serves again.
  EXPECT_NEAR(all("u + g + u[x+2] + u[x-1] + u[y-1] + u[y-1, x-1]", "clamp") - south, 1 + 2, 1e-9);
}

TEST(Instructions, DifferencesStayFromTurnToTurn) {
  const auto ofTurn = [](const std::string &formula) {
    const Stencil stencil = stencilOf(formula, ScalarType::F32, "x clamp, halo");
    return turn(Step(stencil, "zblock/64x1/c64")).all();
  };
  // Along x: one addition of 64 bits, the load, the sum. Up and down nothing is mapped.
  const double column = ofTurn("u + u[y-1] + u[y+1]");
  EXPECT_NEAR(ofTurn("u + u[y-1] + u[y+1] + u[x-1]") - column, 2 + 2, 1e-9);
}

TEST(Instructions, WhatIsMappedAlongTheMarchIsComputedInEachTurn) {
  const auto ofTurn = [](const std::string &boundary) {
    const Stencil stencil = stencilOf("u + u[y-1] + u[y+1]", ScalarType::F32, boundary);
    return turn(Step(stencil, "zblock/64x1/c64")).all();
  };
  // Carried: four turns touch a row each, an addition of 64 bits. Mapped: the index (y + 1 and
  // ny - 1, an argument), the difference, the product of five, a pointer of two, and two for the
  // name that runs along.
  EXPECT_NEAR(ofTurn("clamp") - ofTurn("halo"), 1 + 1.7 + 1 + 5 + 2 + 2 - 2, 1e-9);
}

/// The loop that carries pointers; null without.
const For *marchOf(const Kernel &kernel) {
  const auto marches = [](const Statement &statement) {
    const For *loop = std::get_if<For>(&statement.node);
    return loop && !loop->carries.empty();
  };
  const auto march = llvm::find_if(kernel.body, marches);
  return march == kernel.body.end() ? nullptr : &std::get<For>(march->node);
}

TEST(Instructions, AMarchThatIsWrittenOutMovesNothing) {
  const Step step("7pt1.stn", "zblock/32x4x1/c8/v4x2/r4/flat");
  const InstructionEstimate estimate(step.kernel(), usualCodeTable());
  const For *march = marchOf(step.kernel());
  ASSERT_TRUE(march);
  const Body &turn = march->body;
  ASSERT_TRUE(std::holds_alternative<ShiftPatch>(turn.back().node));
  EXPECT_EQ(estimate.once(turn.back()).all(), 0);
  // Two rows of the newest plane, one after the other: the first is an addition of 64 bits and the
  // load; no product with a stride, though the plane is not where the name stands.
  const For &rows = std::get<For>(turn[1].node);
  EXPECT_NEAR(estimate.once(rows.body.front()).all(), 2 + 1, 1e-9);
}

// Which of three tiles a turn takes, and whether another plane follows, nothing asks; whether a
// thread has an element to copy, was asked ahead.
TEST(Instructions, ATurnThatIsWrittenOutKnowsItsNumber) {
  const Step step("star4.stn", "zblock/32x4x1/c8/v2x4/p1/r2/flat/tile");
  const InstructionEstimate estimate(step.kernel(), usualCodeTable());
  const For *march = marchOf(step.kernel());
  ASSERT_TRUE(march);
  const Body &turn = march->body;
  const auto follows = llvm::find_if(
      turn, [](const Statement &statement) { return std::holds_alternative<If>(statement.node); });
  ASSERT_NE(follows, turn.end());
  EXPECT_EQ(estimate.once(*follows).all(), 0);
  const Statement &copies = std::get<If>(follows->node).then.front();
  EXPECT_NEAR(estimate.once(copies).all(), 3, 1e-9); // a branch
  // A pointer that moves on by 64 bits, and the copy.
  EXPECT_NEAR(estimate.once(std::get<If>(copies.node).then.front()).all(), 2 + 1, 1e-9);
}

TEST(Instructions, NothingIsKnownOfAForeignStatement) {
  const Step step("7pt1.stn", "baseline/32x4x2");
  const InstructionEstimate estimate(step.kernel(), usualCodeTable());
  const Statement foreign{Barrier{}};
  EXPECT_EQ(estimate.once(foreign).all(), 0);
  EXPECT_EQ(estimate.turn(foreign).all(), 0);
}

} // namespace instructions
