// Buffers, covers and passes: what launchers, interpreter and counts follow.
#include "ir/kernel/Plan.h"

#include "ir/stencil/StencilVerifier.h"
#include "test/ir/KernelPrograms.h"
#include "test/ir/StencilBuilder.h"
#include "test/ir/StencilSource.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

using Pairs = std::vector<std::pair<unsigned, unsigned>>;

Signature fieldWith(bool hasPrevious, bool hasNext) {
  Signature signature;
  signature.name = "f";
  signature.axes = {"x"};
  signature.arrays = {{.name = "c", .type = ScalarType::F64, .axes = {0}, .kind = ArrayKind::Const},
                      {.name = "u",
                       .type = ScalarType::F64,
                       .axes = {0},
                       .hasPrevious = hasPrevious,
                       .hasNext = hasNext}};
  return signature;
}

std::vector<std::string> namesOf(const Signature &signature) {
  std::vector<std::string> names;
  for (const Buffer &buffer : callerBuffers(signature))
    names.push_back(buffer.name);
  return names;
}

PlacedCover placed(const Cover &cover, std::vector<int64_t> extents, int64_t past = 0) {
  return placeCover(cover, Target::Device, {extents},
                    [&](llvm::ArrayRef<int64_t>) { return past; });
}

} // namespace

TEST(Buffers, AreThoseOfTheCallerInTheirOrder) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(namesOf(fieldWith(false, false)), (Names{"c", "u"}));
  EXPECT_EQ(namesOf(fieldWith(true, true)), (Names{"c", "u", "u_prev", "u_next"}));
  EXPECT_EQ(bufferOf(fieldWith(true, true), 1), 1u);
  EXPECT_EQ(bufferOf(fieldWith(true, true), 1, TimeLevel::Next), 3u);
}

TEST(Rotation, BringsTheTargetToTheFront) {
  EXPECT_EQ(rotation(fieldWith(false, false)).pairs, Pairs());
  EXPECT_EQ(rotation(fieldWith(false, true)).pairs, (Pairs{{1, 2}, {2, 1}}));
  EXPECT_EQ(rotation(fieldWith(true, false)).pairs, (Pairs{{1, 2}, {2, 1}}));
  // current <- next, previous <- current, next <- previous.
  EXPECT_EQ(rotation(fieldWith(true, true)).pairs, (Pairs{{1, 3}, {2, 1}, {3, 2}}));
}

TEST(Rotation, MeetsAsManyNewTargetsAsThereAreOtherBuffers) {
  EXPECT_EQ(newTargets(fieldWith(false, false).arrays[1]), 0);
  EXPECT_EQ(newTargets(fieldWith(false, true).arrays[1]), 1);
  EXPECT_EQ(newTargets(fieldWith(true, false).arrays[1]), 1);
  EXPECT_EQ(newTargets(fieldWith(true, true).arrays[1]), 2);
  EXPECT_EQ(targetLevel(fieldWith(true, false).arrays[1]), TimeLevel::Previous);
}

TEST(Passes, ShareARunFromTheLongestOn) {
  Plan plan;
  for (int steps : {4, 3, 1})
    plan.passes.push_back({.steps = steps});
  using Counts = std::vector<int64_t>;
  EXPECT_EQ(passCounts(plan, {9, 9}, 1), (Counts{0, 0, 1}));
  EXPECT_EQ(passCounts(plan, {9, 9}, 7), (Counts{1, 1, 0}));
  EXPECT_EQ(passCounts(plan, {9, 9}, 14), (Counts{3, 0, 2}));
}

TEST(Passes, AreLeftOutOnGridsThatAreTooSmall) {
  Plan plan;
  for (int steps : {4, 3, 1})
    plan.passes.push_back({.steps = steps});
  plan.passes[0].minimumExtent = {0, 8};
  plan.passes[1].minimumExtent = {5, 0};
  using Counts = std::vector<int64_t>;
  EXPECT_EQ(passCounts(plan, {5, 8}, 14), (Counts{3, 0, 2}));
  EXPECT_EQ(passCounts(plan, {5, 7}, 14), (Counts{0, 4, 2}));
  EXPECT_EQ(passCounts(plan, {4, 7}, 14), (Counts{0, 0, 14}));
  EXPECT_EQ(steadyPass(plan, {4, 8}).steps, 4);
  EXPECT_EQ(steadyPass(plan, {5, 7}).steps, 3);
  EXPECT_EQ(steadyPass(plan, {4, 7}).steps, 1);
}

TEST(Cover, CountsBlocksFromTheFirstLine) {
  Cover cover{.begin = {constant(1)}, .end = {add(extent(0), -1)}, .points = {8, 1, 1}};
  EXPECT_EQ(placed(cover, {18}).blocks[0], 2);
  EXPECT_EQ(placed(cover, {19}).blocks[0], 3);
  EXPECT_TRUE(placed(cover, {2}).isEmpty());
  cover.alignTo = 0;
  const PlacedCover aligned = placed(cover, {18}, /*past=*/3);
  EXPECT_EQ(aligned.first[0], -2);
  EXPECT_EQ(aligned.begin[0], 1);
  EXPECT_EQ(aligned.blocks[0], 3);
}

TEST(Cover, IsCutIntoSlabsAlongTheSlowerAxes) {
  const Cover cover{
      .begin = {constant(0), constant(0)}, .end = {extent(0), extent(1)}, .points = {2, 4, 1}};
  const std::vector<PlacedCover> slabs = slabsOf(placed(cover, {10, 40}), cover, 2, /*most=*/2);
  ASSERT_EQ(slabs.size(), 3u);
  for (int64_t number : {0, 1, 2}) {
    EXPECT_EQ(slabs[number].first[0], 4 * number);
    EXPECT_EQ(slabs[number].blocks[0], number < 2 ? 2 : 1);
    EXPECT_EQ(slabs[number].blocks[1], 10);
    EXPECT_EQ(slabs[number].end[0], 10);
  }
}

/// lap' = u[y-1] + u[x+1] in f32, at ghost points of x too; then u' = u + lap'[x+2], v' = v + lap'.
static Stencil twoStages() {
  Stencil stencil = emptyStencil({"y", "x"});
  const unsigned u = addArray(stencil, ArrayKind::Field, "u", BoundaryKind::Halo),
                 lap = addArray(stencil, ArrayKind::Temp, "lap", BoundaryKind::Halo),
                 v = addArray(stencil, ArrayKind::Field, "v");
  for (unsigned side : {Low, High}) {
    stencil.arrays[u].boundary[0][side].kind = BoundaryKind::Fixed;
    stencil.arrays[lap].boundary[0][side].kind = BoundaryKind::None;
  }
  stencil.arrays[lap].type = ScalarType::F32;
  addUpdate(stencil, 0, lap, [=](FormulaBuilder &f) {
    return f.cast(ScalarType::F32, f.plus(f.now(u, {-1, 0}), f.now(u, {0, 1})));
  });
  const auto made = [=](FormulaBuilder &f, Offset offset) {
    return f.cast(ScalarType::F64, f.next(lap, offset, ScalarType::F32));
  };
  addUpdate(stencil, 1, u, [=](FormulaBuilder &f) { return f.plus(f.now(u), made(f, {0, 2})); });
  addUpdate(stencil, 1, v, [=](FormulaBuilder &f) { return f.plus(f.now(v), made(f, {})); });
  llvm::cantFail(verify(stencil));
  return stencil;
}

TEST(Signature, LeavesTempsToTheWorkspace) {
  const Stencil stencil = twoStages();
  const Signature signature = signatureOf(stencil);
  ASSERT_EQ(signature.arrays.size(), 3u);
  EXPECT_EQ(signature.arrays[1].ghost[1], (std::array{0, 2}));
  EXPECT_EQ(namesOf(signature), (std::vector<std::string>{"u", "v"}));
  EXPECT_EQ(bufferOf(signature, 2), 1u);
  // The caller's rows have room for u's ghost points: it is read one further than lap is made.
  EXPECT_EQ(widestGhosts(signature)[1], (std::array{0, 3}));
  EXPECT_EQ(recommendedRows(signature).line, 16);
  EXPECT_EQ(signature.firstUpdated, 0);

  const Buffer lap = tempBuffer(signature, 1);
  EXPECT_EQ(lap.name, "lap");
  EXPECT_EQ(lap.type, ScalarType::F32);
  EXPECT_EQ(lap.ghost[1], (std::array{0, 2}));
  EXPECT_EQ(lap.layout, Layout::Rows);
}

TEST(Owed, IsOfTempsWhereTheyHaveMemory) {
  const Stencil stencil = twoStages();
  const Signature signature = signatureOf(stencil);
  std::vector<Buffer> buffers = callerBuffers(signature);
  EXPECT_EQ(owedBy(stencil, buffers).size(), 2u);
  buffers.push_back(twinOf(buffers[0], "twin"));
  buffers.push_back(tempBuffer(signature, 1));
  const std::vector<Owed> owed = owedBy(stencil, buffers);
  ASSERT_EQ(owed.size(), 3u);
  EXPECT_EQ(owed[2].buffer, 3u);
  const PointBox &made = owed[2].boxes.at(0);
  EXPECT_EQ(toString(made.begin[0], signature), "1");
  EXPECT_EQ(toString(made.end[1], signature), "nx + 2");
  // u' is made where lap is.
  EXPECT_EQ(toString(owed[0].boxes.at(0).begin[0], signature), "1");
}

TEST(Owed, IsWhatEachUpdateMakes) {
  const Stencil stencil =
      stencilOf("stencil two(y, x) { field f64 u, v; boundary: y fixed, x clamp;"
                "u' = u[y-1] + u[x+1]; v' = v; }");
  const Signature names = signatureOf(stencil);
  const std::vector<Owed> owed = owedBy(stencil, callerBuffers(names));
  ASSERT_EQ(owed.size(), 2u);
  EXPECT_EQ(toString(owed[0].boxes[0].begin[0], names), "1");
  EXPECT_EQ(toString(owed[0].boxes[0].end[0], names), "ny");
  EXPECT_EQ(toString(owed[0].boxes[0].begin[1], names), "0");
  EXPECT_EQ(owed[1].buffer, 2u); // after u and u_next; v is updated in place
  EXPECT_EQ(toString(owed[1].boxes[0].begin[0], names), "0");
}
