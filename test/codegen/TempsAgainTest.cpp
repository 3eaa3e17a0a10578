// Temps that are computed again where they are read: the bits of the reference, whatever takes the
// grid to its ends; and the reasons why others are made.
#include "test/codegen/Reference.h"

#include "test/Examples.h"

using namespace stencilc;

namespace {

using Schedules = std::vector<const char *>;
const Schedules kOnOneAxis = {"baseline/8/r1/recompute", "baseline/8/v2x1/r1/recompute",
                              "host/recompute"};
const Schedules kOnTwoAxes = {"baseline/4x2/r1/recompute", "baseline/4x2/v2x2/r1/recompute",
                              "zblock/4x1/c3/r1/recompute", "shm/4x2/r1/recompute",
                              "host/recompute"};

/// By all schedules, on grids down to the smallest, after odd and even numbers of steps.
void expectReferences(llvm::StringRef text, const Schedules &schedules, unsigned rank) {
  const Signature signature = signatureOf(stencilOf(text.str()));
  for (const char *schedule : schedules)
    for (int64_t extent : {1, 2, 3, 9, 21})
      for (int steps : {1, 2, 3}) {
        SCOPED_TRACE(text.str() + "\n" + schedule + ", " + std::to_string(extent) + " points, " +
                     std::to_string(steps) + " steps");
        std::vector<int64_t> extents(rank, extent);
        extents.front() = std::min<int64_t>(extent, 11);
        if (extent < *llvm::max_element(signature.minimumExtent))
          continue;
        expectReference(text, schedule, extents, steps);
      }
}

std::string whyStored(llvm::StringRef text) {
  llvm::Expected<StencilForm> form = withTempsAgain(stencilOf(text.str()));
  return form ? "" : llvm::toString(form.takeError());
}

TEST(TempsAgain, MoveReadsPositionsAndArraysOfFewerAxes) {
  expectReferences(
      "stencil s(y, x) { field f64 u, v; const f64 row(x); temp f64 d; param f64 k = 3;"
      "  boundary u: clamp; init u = x*x - 3*y; init row = 0.1*x;"
      "  stage { d' = k*u[x-1] + 0.5*x - y + row; }"
      "  stage { u' = v + 1; v' = d'[x+1] - d'[y-1, x-1]*d'; } }",
      kOnTwoAxes, 2);
}

TEST(TempsAgain, KeepThePointsOfUpdatesWhereTempsAreNotMade) {
  for (const char *end : {"clamp", "fixed", "periodic", "value(0.25)", "symmetric(-1)"})
    expectReferences(
        "stencil s(x) { field f64 u; temp f64 d; init u = x*x; boundary u: " + std::string(end) +
            "; stage { d' = 2*u; } stage { u' = d'[x+1] - d'[x-2] + u[x-2]*u[x+2]; } }",
        kOnOneAxis, 1);
  expectReferences("stencil s(y, x) { field f64 u; temp f64 d, e; boundary u: fixed;"
                   "  init u = x*x - y; stage { d' = u[x+1] - u[y-1]; }"
                   "  stage { e' on x[2:-1] = d'[y+1] + d'; } stage { u' = u + 0.1*e'[x-1]; } }",
                   kOnTwoAxes, 2);
}

TEST(TempsAgain, EndAsTheirFormulasDoAtThePoint) {
  for (const char *end : {"clamp", "periodic", "reflect", "symmetric"})
    expectReferences("stencil s(x) { field f64 u, v; temp f64 d; boundary d: " + std::string(end) +
                         "; init u = x*x + 1; init v = 2*x;"
                         "  stage { d' = u*v; } stage { u' = d'[x+1] - v; v' = d'[x-1]; } }",
                     {"baseline/8/r1/recompute", "host/recompute"}, 1);
}

TEST(TempsAgain, AreRoundedToTheirType) {
  expectReferences("stencil s(x) { field f64 u; temp f32 d; boundary u: clamp; init u = 1.1*x;"
                   "  stage { d' = f32(u*1.3 + u[x+1]); } stage { u' = f64(d')*0.7 - u; } }",
                   kOnOneAxis, 1);
}

TEST(TempsAgain, ReadWhatEarlierStagesMade) {
  expectReferences("stencil s(y, x) { field f64 u, v, w; temp f64 d; boundary u, v: clamp;"
                   "  init u = x - y*y; init v = y;"
                   "  stage { u' = u + v[x+1]; } stage { d' = u'[x-1]*v; }"
                   "  stage { w' = w + d'; v' = v - d'[y+1]; } }",
                   kOnTwoAxes, 2);
}

TEST(TempsAgain, OfAnExampleThatIsUpdatedInPlace) {
  const Stencil stencil = example("hdiff_stages.stn");
  for (const char *text : {"baseline/8x2x2/r1/recompute", "zblock/8x2x1/c3/v2x2/p1/r1/recompute",
                           "temporal/32x4x1/c5/t2/v2x4/p1/r1/recompute",
                           "shm/8x2x1/c3/r1/recompute", "host/recompute"})
    for (int steps : {0, 1, 2, 5}) {
      SCOPED_TRACE(std::string(text) + ", " + std::to_string(steps) + " steps");
      const VerifiedProgram program =
          llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(text, 3))));
      EXPECT_FALSE(llvm::errorToBool(auditLowered(program)));
      EXPECT_EQ(signatureOf(stencil).arrays[0].hasNext, false);
      EXPECT_EQ(program->signature.arrays[0].hasNext, false);
      State expected = llvm::cantFail(initialState(stencil, {4, 7, 9}, {}, steps)), seen = expected;
      llvm::cantFail(interpret(stencil, expected, steps));
      llvm::cantFail(interpret(program, seen, steps));
      EXPECT_EQ(firstDifference(expected.current[0], seen.current[0]), std::nullopt);
    }
}

// The verifier asks for it: a run's end comes on empty grids too.
TEST(TempsAgain, ComeBackFromTheWorkspaceOnlyWhereThereArePoints) {
  expectReference("stencil s(y, x) { field f64 u, v; temp f64 d; boundary u: halo;"
                  "  boundary v: periodic; init u = x; boundary d: halo;"
                  "  stage { d' = u; } stage { u' = 1; v' = d'[y+1] + v[x-2]; } }",
                  "baseline/8x2/r1/recompute", {4, 5}, 3);
}

TEST(TempsAgain, NeedNoLaunchNorMemoryOfTheirOwn) {
  const VerifiedProgram program =
      llvm::cantFail(lower(example("hdiff_stages.stn"),
                           llvm::cantFail(parseSchedule("baseline/8x2x2/r1/recompute", 3))));
  ASSERT_EQ(program->buffers.size(), 3u);
  EXPECT_EQ(program->buffers.back().name, "u_next");
  EXPECT_EQ(program->plan.passes.size(), 1u);
  const auto isLaunch = [](const Action &action) {
    return std::holds_alternative<Launch>(action.node);
  };
  EXPECT_EQ(llvm::count_if(program->plan.passes.front().actions, isLaunch), 1);
}

TEST(TempsAgain, StandBesideTempsThatAreStored) {
  const std::string text =
      "stencil s(y, x) { field f64 u, v; temp f64 c, d, e; boundary u, c: clamp;"
      "  init u = x*x - 3*y; init v = y;"
      "  stage { c' = u[x+1] - u[x-1]; } stage { d' = c'[y-1] + 2*u; }"
      "  stage { e' on x[:3] = d'; e' on x[3:] = u; }"
      "  stage { u' = u + d'[x-1] - c'[x+1]; v' = d'[y+1]*e'; } }";
  const StencilForm form = llvm::cantFail(withTempsAgain(stencilOf(text)));
  EXPECT_EQ(form.stencil.stages.size(), 3u) << "`c` and `e` are made, `d` is not";
  expectReferences(text, kOnTwoAxes, 2);
}

TEST(TempsAgain, AreRefusedWithTheReason) {
  EXPECT_EQ(whyStored("stencil s(x) { field f64 u; u' = 2*u; }"),
            "`s` has no temps to compute again");
  EXPECT_EQ(whyStored("stencil s(x) { field f64 u; temp f64 d; const f64 w(t);"
                      "  stage { d' = w[t-1]; } stage { u' = 2*u; } }"),
            "nothing reads `d`");
  EXPECT_EQ(whyStored("stencil s(x) { field f64 u; temp f64 d; boundary u, d: clamp;"
                      "  stage { d' = u[x+1]; } stage { u' = d'[x-1]; } }"),
            "beyond x- `d` is clamp, and its formula reads neighbours along that axis");
  EXPECT_EQ(whyStored("stencil s(x) { field f64 u; temp f64 d; boundary d: value(1);"
                      "  stage { d' = u; } stage { u' = d'[x-1]; } }"),
            "beyond x- `d` is value, and a formula moved there is not");
  EXPECT_EQ(whyStored("stencil s(x) { field f64 u; temp f64 d; boundary d: periodic;"
                      "  stage { d' = u + x; } stage { u' = d'[x-1]; } }"),
            "beyond x- `d` is periodic, and its formula depends on where it stands");
  EXPECT_EQ(whyStored("stencil s(x) { field f64 u; temp f64 d; boundary d: periodic;"
                      "  boundary u: clamp; stage { d' = u; } stage { u' = d'[x-1] + u[x-1]; } }"),
            "beyond x- `d` is periodic, and what it is made of is not");
  EXPECT_EQ(whyStored("stencil s(x) { field f64 u; temp f64 d; boundary u, d: periodic;"
                      "  stage { d' = u[x-1]; } stage { u' = d'[x-1]; } }"),
            "grids would need 2 points along x, where 1 is enough with temps stored");
  EXPECT_EQ(whyStored("stencil s(x) { field f64 u; temp f64 d; stage { d' on x[:3] = u;"
                      "  d' on x[3:] = 2*u; } stage { u' = d'; } }"),
            "several updates make `d`");
  EXPECT_EQ(whyStored("stencil s(x) { field f64 u; temp f64 d;"
                      "  stage { d' = 1; } stage { u' = u*d'; } }"),
            "`d` is one number everywhere");
  EXPECT_EQ(whyStored("stencil s(x) { field f64 u; temp f64 d; boundary u: clamp;"
                      "  stage { d' = u[t-1, x+1]; } stage { u' = u - d'; } }"),
            "`u[t-1]` is gone where temps made of it are read");
}

} // namespace
