// Warps that hold successive steps, on grids wide enough for their tiles.
#include "test/Seed.h"
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace {

/// Of fused and single passes.
constexpr int64_t kSteps = 9;

/// Terms by row, one and two rows away; the newest row first; values that are used twice; reads
/// behind the point only, and ahead of it only; truth values, which no patch keeps.
const char *const kFormulas[] = {
    "0.25*u[y-1] + 0.125*u[x-1] + 0.5*u - 0.125*u[x+1] + 0.25*u[y+1]",
    "0.25*u[y-1, x-1] - 0.5*u[y-1, x+1] + 0.125*u[x+1] + 0.25*u[y+1, x-1] + 0.5*u[y+1]",
    "0.125*u[y-2] + 0.25*u[y-1] + 0.5*u[x-2] - 0.25*u[x+1] + 0.25*u[y+1] - 0.5*u[y+2]",
    "0.25*u[y+1] + 0.125*u[y-1] - 0.5*u[x-1]",
    "0.5*(u[y+1] - u[y-1])*(u[y+1] + 0.25*u) + 0.125*u[x+1]",
    "0.5*u[y-1] + 0.25*u[y-2, x+1]",
    "0.5*u[y+1, x-1] - 0.25*u[y+2]",
    "where(u[y-1] > 0 && u[x-1] < 9, 0.5*u, 0.25*u[y+1])",
};

void expectReferencesSteps(const std::string &ends, llvm::ArrayRef<const char *> formulas) {
  const std::pair<const char *, std::vector<int64_t>> runs[] = {
      {"temporal/32x2/c16/t4/v5x2/p1", {45, 321}},
      {"temporal/32x2/c16/t4/v5x2/p1/share3x2", {45, 321}},
      {"temporal/32x4/c64/t4/v6x1/p3", {70, 250}},
      {"temporal/32x2/c32/t4/v5x4/p1", {39, 330}},
      {"temporal/32x2/c24/t2/v4x3/p2", {7, 389}}};
  for (const char *formula : drawn(formulas, 3, ends.size()))
    for (const auto &[schedule, extents] : runs) {
      const std::string text = "stencil ends(y, x) { field f64 u; boundary u: " + ends +
                               "; init u = x*x - 3*y + x*y; u' = " + formula + "; }";
      SCOPED_TRACE(text + " " + schedule + ::testing::PrintToString(extents));
      expectReference(text, schedule, extents, kSteps);
    }
}

class RowPipelineConstants
    : public ::testing::TestWithParam<std::pair<const char *, const char *>> {};

class RowPipelineEnds : public ::testing::TestWithParam<const char *> {};

TEST_P(RowPipelineEnds, MakesTheReferencesSteps) { expectReferencesSteps(GetParam(), kFormulas); }

INSTANTIATE_TEST_SUITE_P(
    Kinds, RowPipelineEnds,
    ::testing::Values("fixed", "halo", "value(3)", "periodic", "y- fixed, y+ value(2), x periodic",
                      "y periodic, x- value(1), x+ halo", "x clamp, y periodic",
                      "x reflect, y fixed", "x- symmetric(-1), x+ symmetric(0.5), y periodic",
                      "x- fixed, x+ symmetric, y halo", "x- symmetric(-1), halo",
                      "x- halo, x+ reflect, y fixed", "x- reflect, x+ symmetric(-1), y halo",
                      "x- symmetric(-1), value(3)", "x reflect(-1), y- value(2), y+ halo"));

/// Rows are clamped where both those behind and those ahead are read.
class RowPipelineClamped : public ::testing::TestWithParam<const char *> {};

TEST_P(RowPipelineClamped, MakesTheReferencesSteps) {
  std::vector<const char *> formulas;
  for (const char *formula : kFormulas)
    if (llvm::StringRef(formula).contains("y-") && llvm::StringRef(formula).contains("y+"))
      formulas.push_back(formula);
  EXPECT_EQ(formulas.size(), 6u);
  expectReferencesSteps(GetParam(), formulas);
}

INSTANTIATE_TEST_SUITE_P(Kinds, RowPipelineClamped,
                         ::testing::Values("clamp", "y clamp, x periodic", "y clamp, x value(2)",
                                           "y- value(3), clamp", "y+ halo, clamp",
                                           "x- clamp, x+ fixed, y- clamp, y+ value(1)",
                                           "x- halo, clamp", "x- reflect, x+ value(2), y clamp",
                                           "x symmetric(0.25), y- clamp, y+ fixed"));

/// Const arrays of both axes or one, read at the point, beside it and in rows around it, alone and
/// as factors of what waits for later rows.
TEST_P(RowPipelineConstants, AreReadInEachStep) {
  for (const char *formula : {"k*(0.25*u[y-1] + 0.5*u[x-1] + 0.125*u[y+1]) + u",
                              "k[y-1]*u[y-2] + 0.25*k[x+1]*u + b*u[y+1, x-1] - k[y+2, x-1]",
                              "where(k[y+1] > a*u[y-1], b[x+1]*k, 0.5*u[x+1]) + a[y-1]*u[y+1]"})
    for (const auto &[schedule, extents] :
         std::initializer_list<std::pair<const char *, std::vector<int64_t>>>{
             {"temporal/32x2/c16/t4/v5x2/p1", {45, 321}},
             {"temporal/32x2/c24/t2/v4x3/p2", {7, 389}}}) {
      const std::string text =
          std::string("stencil read(y, x) { field f64 u; const f64 k, a(y), b(x);"
                      " boundary u: ") +
          GetParam().first + "; boundary k, a, b: " + GetParam().second +
          "; init u = x*x - 3*y + x*y; init k = 0.1*x - 0.3*y;"
          " init a = 0.01*y; init b = 0.02*x; u' = " +
          formula + "; }";
      SCOPED_TRACE(text + " " + schedule);
      expectReference(text, schedule, extents, kSteps);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, RowPipelineConstants,
    ::testing::Values(std::pair{"fixed", "fixed"}, std::pair{"clamp", "clamp"},
                      std::pair{"clamp", "fixed"}, std::pair{"value(1)", "fixed"},
                      std::pair{"y- halo, clamp", "fixed"}, std::pair{"value(2)", "reflect"},
                      std::pair{"x reflect(-1), y clamp", "fixed"}, std::pair{"halo", "halo"},
                      std::pair{"periodic", "periodic"}, std::pair{"y clamp, x periodic", "clamp"},
                      std::pair{"y- value(1), clamp", "symmetric"}));

TEST(RowPipeline, KeepsRowsThatAnotherFieldLeavesOutBehindTheLast) {
  expectReference("stencil two(y, x) { field f64 u; field f64 v; boundary u: clamp;"
                  " boundary v: y- clamp, y+ fixed, x clamp; init u = x*x - 3*y; init v = x*y - 7;"
                  " u' = 0.25*u[y-1] + 0.5*v[y+1] - 0.125*u[y+1] + v;"
                  " v' = 0.5*v[y+1] - 0.25*u[y-1, x-1] + 0.125*v; }",
                  "temporal/32x2/c16/t4/v5x2/p1", {45, 321}, kSteps);
}

TEST(RowPipeline, ReadsOfPeriodicRowsNoPointButItsOwn) {
  for (const std::vector<int64_t> &extents : {std::vector<int64_t>{9, 1}, {17, 97}})
    expectReference("stencil rows(y, x) { field f64 u; boundary u: x periodic, clamp;"
                    " init u = x*x - 3*y; u' = 0.5*u[y-1] - 0.25*u[y+1]; }",
                    "temporal/32x2/c16/t2/v2x1/p1", extents, kSteps);
}

TEST(RowPipeline, SharesRowsOfTilesWhereverOneEnds) {
  for (const char *share : {"share7x3", "share64x2", "share9x3x2"})
    expectReference("stencil five(y, x) { field f64 u; boundary u: fixed; init u = x*x - 3*y;"
                    " u' = 0.25*u[y-1] + 0.5*u[x-1] - 0.125*u + 0.25*u[x+1] + 0.125*u[y+1]; }",
                    std::string("temporal/32x4/c40/t16/v10x2/p3/r2/") + share, {57, 611}, 16);
}

TEST(RowPipeline, MovesLanesOfThreePointsSingly) {
  expectReference("stencil three(y, x) { field f32 u; boundary u: fixed; init u = x*x - 3*y;"
                  " u' = 0.25*u[y-1] + 0.5*u[x-1] - 0.125*u[y+1]; }",
                  "temporal/32x2/c16/t4/v3x2/p1", {45, 211}, kSteps);
}

TEST(RowPipeline, ClampsSomeFieldsBehindTheLastRow) {
  expectReference("stencil two(y, x) { field f64 u; field f64 v; boundary u: clamp;"
                  " boundary v: y- clamp, y+ value(0.25), x- value(2), x+ clamp;"
                  " init u = x*x - 3*y; init v = x*y - 7;"
                  " u' = 0.25*u[y-1] + 0.5*v[y+1] - 0.125*v[x+2];"
                  " v' = 0.5*v[y-2] - 0.25*u[y+1, x-1] + 0.125*v; }",
                  "temporal/32x2/c16/t4/v5x2/p1", {45, 321}, kSteps);
}

} // namespace
