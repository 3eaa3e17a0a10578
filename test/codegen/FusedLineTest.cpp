// Fused steps on one axis.
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace fused_line {
namespace {

/// Of fused and single passes.
constexpr int64_t kSteps = 7;
/// Grids below a lane's points, below a tile, and of several blocks.
constexpr int64_t kGrids[] = {5, 8, 61, 250, 517};
const char *const kSchedules[] = {"temporal/32/t2/v2x1", "temporal/64/t3/v4x1",
                                  "temporal/128/t6/v8x1/r2", "temporal/32/t4/v10x1"};

/// Steps of the text are fused as the schedules say, on grids of `least` points and more.
void expectFused(const std::string &text, int64_t least = 1) {
  for (const char *schedule : kSchedules)
    for (int64_t points : kGrids) {
      SCOPED_TRACE(text + " " + schedule + " " + std::to_string(points));
      if (points >= least)
        expectReference(text, schedule, {points}, kSteps);
    }
}

class FusedLineEnds : public ::testing::TestWithParam<const char *> {
protected:
  /// The least that a periodic axis allows of six steps.
  static constexpr int64_t kLeast = 24;
  const std::string ends = std::string(" boundary u: ") + GetParam() + ";";
};

TEST_P(FusedLineEnds, AreThoseOfEachStep) {
  for (const char *formula :
       {"0.5*u + 0.25*u[x-1] - 0.125*u[x+1]", "u[x-1] - 0.25*u", "0.5*u[x+2] - 0.25*u[x-1]"})
    expectFused("stencil line(x) { field f64 u;" + ends + " init u = x*x - 3*x; u' = " + formula +
                    "; }",
                kLeast);
}

TEST_P(FusedLineEnds, OfFieldsBesideEachOther) {
  expectFused("stencil two(x) { field f64 u; field f32 v; const f64 f; boundary f: clamp;"
              "  boundary u, v: " +
                  std::string(GetParam()) +
                  ";"
                  "  init u = x - 3; init v = x*x; init f = 1 + 0.25*x;"
                  "  u' = 0.5*u[x-1] + f[x+1]*v; v' = 0.25*v[x+2] + f32(f)*0.5f; }",
              kLeast);
}

TEST_P(FusedLineEnds, OfTheLevelBefore) {
  expectFused("stencil wave(x) { field f64 u;" + ends +
                  " init u = x*x - 3*x;"
                  "  u' = 1.5*u - u[t-1] + 0.25*(u[x-1] + u[x+1] - u[x+1, t-1]); }",
              kLeast);
}

TEST_P(FusedLineEnds, OfStages) {
  expectFused("stencil stages(x) { field f64 u, v; boundary u, v: " + std::string(GetParam()) +
                  ";"
                  " init u = x*x - 3*x; init v = x;"
                  "  stage { u' = u + 0.5*(v - v[x-1]); }"
                  "  stage { v' = v - 0.25*(u'[x+1] - u') + 0.125*u[x-1]; } }",
              kLeast);
}

TEST_P(FusedLineEnds, OfTheLevelBeforeInStages) {
  expectFused("stencil both(x) { field f64 u, v; boundary u, v: " + std::string(GetParam()) +
                  "; init u = x*x - 3*x; init v = x; init u[t-1] = 1 - x;"
                  "  stage { u' = 1.5*u - u[t-1] + 0.125*(v[x-1] - v[x+1]); }"
                  "  stage { v' = 0.5*v - 0.25*v[t-1] + u'[x+1] - u[t-1, x+1] + u[x+1]; } }",
              kLeast);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FusedLineEnds,
                         ::testing::Values("fixed", "halo", "clamp", "reflect", "symmetric(-0.5)",
                                           "x- value(2), x+ clamp", "x- fixed, x+ reflect(0.5)",
                                           "x- symmetric(-1), x+ halo", "x- halo, x+ reflect",
                                           "x- symmetric(-1), x+ value(2)",
                                           "x- reflect, x+ symmetric(-1)", "periodic"));

TEST(FusedLine, KeepsTempsWithinAStep) {
  for (const char *ends : {"boundary u: clamp; boundary d: x- value(0.5), x+ clamp;",
                           "boundary u: fixed;", "boundary u: halo; boundary d: halo;"})
    expectFused(std::string("stencil temps(x) { field f64 u; temp f64 d; ") + ends +
                    " init u = x*x - 3*x; stage { d' = 0.5*u[x-1] - 0.25*u; }"
                    " stage { u' = u + 0.25*(d'[x+1] - d'[x-1]); } }",
                7);
}

/// What one update leaves out at an end, another reads there; and a mirror is seen from one side.
TEST(FusedLine, KeepsWhatOneOfItsUpdatesLeavesOut) {
  expectFused("stencil out(x) { field f64 u, v; const f64 f; boundary f: x+ reflect(-1), fixed;"
              "  init u = x - 3; init f = 1 + x; stage { u' = f[x-1]; } stage { v' = u'; } }");
  expectFused(
      "stencil seen(x) { field f64 u, v; temp f64 d; boundary v: clamp; boundary d: reflect;"
      "  init v = x*x; stage { d' = v[x-2]; } stage { u' = d'[x+1]; v' = 0.5*u; } }",
      7);
}

TEST(FusedLine, KnowsPositionsAndTheStep) {
  for (const char *ends : {"fixed", "periodic"})
    expectFused(std::string("stencil places(x) { field f64 u; const f64 w(t); boundary u: ") +
                    ends + "; init u = x; u' = 0.5*u[x-1] + 0.125*x - t + w[t+1]; }",
                24);
}

TEST(FusedLine, RefusesTilesOfWhichNothingIsRight) {
  const Stencil stencil =
      stencilOf("stencil s(x) { field f64 u; boundary u: fixed; u' = u[x-2]; }");
  llvm::Expected<VerifiedProgram> program =
      lower(stencil, llvm::cantFail(parseSchedule("temporal/32/t16/v2x1", 1)));
  ASSERT_FALSE(program);
  EXPECT_EQ(llvm::toString(program.takeError()),
            "in a tile of `temporal` no point along `x` is right after 16 steps, since each spoils "
            "as many at both ends as it reads beyond them: blocks of more threads along `x`, or "
            "fewer steps, leave some");
}

} // namespace
} // namespace fused_line
