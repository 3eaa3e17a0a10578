// Fused steps of several stages, and of fields that the C interface has one buffer of.
#include "ir/verify/KernelAudit.h"
#include "test/Seed.h"
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace temporal_stages {
namespace {

constexpr int64_t kSteps = 5;

// ---- in place -----------------------------------------------------------------------------------

const char *const kAdds = "stencil adds(y, x) { field f64 u, total; boundary: clamp;"
                          "  init u = x*x - 3*y; init total = y;"
                          "  u' = 0.5*u + 0.25*u[y-1] - 0.125*u[x+1] + u[y+1];"
                          "  total' = total + 0.5*u; }";

TEST(TemporalInPlace, TakesTheSecondBufferFromTheWorkspace) {
  const Stencil stencil = stencilOf(kAdds);
  llvm::Expected<VerifiedProgram> program =
      lower(stencil, llvm::cantFail(parseSchedule("temporal/32x1/c8/t2/v4x1", 2)));
  ASSERT_TRUE(bool(program)) << toString(program.takeError());
  EXPECT_FALSE((*program)->signature.arrays[1].hasNext);
  const Buffer &last = (*program)->buffers.back();
  EXPECT_EQ(last.name, "total_next");
  EXPECT_TRUE(std::holds_alternative<WorkspaceMemory>(last.owner));
}

TEST(TemporalInPlace, ReturnsToTheCallersMemory) {
  for (const char *schedule : {"temporal/32x1/c8/t2/v4x1", "temporal/32x1/c64/t3/v2x1/p1",
                               "temporal/32x2/c8/t2/v4x1/p1/r1"})
    for (int64_t steps : {1, 2, 4, 5, 6})
      expectReference(kAdds, schedule, {23, 150}, steps);
}

TEST(TemporalInPlace, NeverReadsWhatIsOnlyMade) {
  expectReference("stencil made(y, x) { field f64 u, v; boundary u: fixed;"
                  "  init u = x*x - 3*y; init v = y;"
                  "  u' = 0.5*u[y-1] + u[x+1]; v' = 2*u[x-1]; }",
                  "temporal/32x1/c8/t2/v4x1", {23, 150}, kSteps);
}

// ---- stages -------------------------------------------------------------------------------------

class TemporalStages : public ::testing::TestWithParam<const char *> {
protected:
  /// Steps of these stages between ends of the kind are fused as the schedules say, on half of the
  /// grids, which a seed draws for each schedule.
  void expectFused(const std::string &declarations, const std::string &stages,
                   llvm::ArrayRef<const char *> schedules,
                   llvm::ArrayRef<std::vector<int64_t>> grids) {
    const std::string axes = grids.front().size() == 2 ? "y, x" : "z, y, x";
    const std::string text = "stencil stages(" + axes + ") {" + declarations +
                             " boundary: " + GetParam() + "; " + stages + "}";
    uint64_t place = text.size();
    for (const char *schedule : schedules)
      for (const std::vector<int64_t> &extents : drawn(grids, (grids.size() + 1) / 2, place++)) {
        SCOPED_TRACE(text + " " + schedule + ::testing::PrintToString(extents));
        expectReference(text, schedule, extents, kSteps);
      }
  }
};

const std::vector<const char *> kFlat = {"temporal/32x1/c8/v4x1/p2", "temporal/32x1/c8/t2/v2x1",
                                         "temporal/32x1/c16/t3/v4x1/p1"};
const std::vector<std::vector<int64_t>> kFlatGrids = {{21, 131}, {21, 132}, {5, 6}};
const std::vector<const char *> kSolid = {
    "temporal/32x2x1/c8/v2x4", "temporal/32x4x1/c8/t2/v2x4/p1", "temporal/16x4x1/c16/t2/v4x4/p2"};
const std::vector<std::vector<int64_t>> kSolidGrids = {{11, 9, 62}, {11, 17, 92}, {5, 5, 6}};

class TemporalStagesOfThreeAxes : public TemporalStages {};

TEST_P(TemporalStages, OfAStaggeredGrid) {
  expectFused("field f64 ex, ey, hz; init ex = x - y; init ey = 0.5*x; init hz = x*x - 3*y;",
              "stage { ex' = ex + 0.5*(hz - hz[y-1]); ey' = ey - 0.5*(hz - hz[x-1]); }"
              "stage { hz' = hz + 0.75*(ex'[y+1] - ex' - ey'[x+1] + ey'); }",
              kFlat, kFlatGrids);
}

TEST_P(TemporalStagesOfThreeAxes, OfAStaggeredGrid) {
  expectFused("field f64 e, h, g; init e = x - y*z; init h = x*x - 3*y; init g = z - x;",
              "stage { e' = e + 0.5*(h - h[y-1]) - 0.25*(g[x-1] - h[z-1]); }"
              "stage { h' = h + 0.75*(e'[y+1] - e'[z+1]) - g; g' = g - 0.5*(e' - e'[x+1, y+1]); }",
              kSolid, kSolidGrids);
}

TEST_P(TemporalStages, ReadOldAndNewLevelsOfOneField) {
  expectFused(
      "field f64 u, v; const f64 f; init u = x*x - 3*y; init v = y - x; init f = 1 + 0.25*y;",
      "stage { u' = 0.5*u + 0.25*v[y-1, x+1]; }"
      "stage { v' = u'[y+2] - 0.5*u'[x-1] + 0.25*u[y-2] - f*v; }",
      kFlat, {{21, 131}, {6, 7}});
}

TEST_P(TemporalStages, MakeAMiddleStepOfThree) {
  expectFused("field f64 u, v, w; init u = x*x - 3*y; init v = y - x; init w = 2*x;",
              "stage { u' = 0.5*u + 0.25*w[y-1]; } stage { v' = v + 0.5*u'[x-1] - 0.25*u[y+1]; }"
              "stage { w' = 0.5*w + u'[y-1] - v'[y+1] + 0.5*v[x+1]; }",
              kFlat, kFlatGrids);
}

INSTANTIATE_TEST_SUITE_P(Kinds, TemporalStages,
                         ::testing::Values("fixed", "halo", "value(3)", "clamp", "periodic",
                                           "reflect", "symmetric(-0.5)",
                                           "y- clamp, y+ value(2), x periodic",
                                           "y periodic, x- reflect, x+ clamp",
                                           "y- symmetric, y+ fixed, x- value(1), x+ clamp",
                                           "y- symmetric(-1), value(3)",
                                           "y value(3), x- reflect(-1), x+ halo"));

// ---- barriers -----------------------------------------------------------------------------------

/// Leaves out barrier `number` of those that come in the body; how many there are up to it.
unsigned dropBarrier(Body &body, unsigned number) {
  unsigned seen = 0;
  for (size_t place = 0; place < body.size() && seen <= number; ++place) {
    if (std::holds_alternative<Barrier>(body[place].node)) {
      if (seen++ == number)
        body.erase(body.begin() + place);
    } else if (auto *loop = std::get_if<For>(&body[place].node)) {
      seen += dropBarrier(loop->body, number - seen);
    }
  }
  return seen;
}

TEST(TemporalStages, WaitForEachOtherInEveryTurn) {
  const Stencil stencil = stencilOf(
      "stencil yee(z, y, x) { field f32 e, h; boundary: fixed;"
      "  stage { e' = e + 0.5*(h - h[y-1]); } stage { h' = h + 0.75*(e'[y+1] - e'[z+1]); } }");
  const VerifiedProgram program =
      llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule("temporal/8x4x1/c4/t2/v2x2", 3))));
  const std::vector<int64_t> extents = {7, 13, 21};
  EXPECT_EQ(toString(audit(*program, extents, 0)), "");
  unsigned dropped = 0;
  for (unsigned number = 0;; ++number) {
    Program faulty = *program;
    const auto march = llvm::find_if(faulty.kernels, [](const Kernel &kernel) {
      return llvm::StringRef(kernel.name).ends_with("_fused");
    });
    if (dropBarrier(march->body, number) <= number)
      break;
    EXPECT_TRUE(llvm::StringRef(toString(audit(faulty, extents, 0))).contains("barrier")) << number;
    ++dropped;
  }
  EXPECT_GT(dropped, 1u);
}

// ---- temps --------------------------------------------------------------------------------------

class TemporalTemps : public TemporalStages {};

TEST_P(TemporalTemps, AreNeverStored) {
  expectFused("field f64 u; temp f64 d; init u = x*x - 3*y;",
              "stage { d' = u[y+1] - 0.5*u[x-1] + 0.25*u; }"
              "stage { u' = u + 0.5*d'[x+1] - 0.25*(d'[y-1] - d'); }",
              kFlat, kFlatGrids);
}

TEST_P(TemporalStagesOfThreeAxes, MakeTempsOfTemps) {
  expectFused("field f64 u; temp f64 a, b; const f64 f; init u = x*x - 3*y + z; init f = 0.5;",
              "stage { a' = u[y+1] - 0.5*u[x-1] + 0.25*u[z-1]; }"
              "stage { b' = a'[y-1] - f*u[x+1] + 0.5*a'[z+1]; }"
              "stage { u' = u + 0.5*b'[x-1] - 0.25*(a'[y+1] - b'); }",
              kSolid, kSolidGrids);
}

TEST_P(TemporalTemps, StandForTheFieldsOfAMiddleStep) {
  expectFused("field f64 u, v; temp f64 p, q; init u = x*x - 3*y; init v = y - x;",
              "stage { p' = u + 0.5*(v[x+1] - v); q' = v + 0.25*(u[y-1] - u); }"
              "stage { u' = 0.5*(u + p') + 0.25*(q'[x+1] - q'[y+1]);"
              "  v' = 0.5*(v + q') - 0.25*(p'[y-1] - p'); }",
              kFlat, kFlatGrids);
}

INSTANTIATE_TEST_SUITE_P(Kinds, TemporalTemps,
                         ::testing::Values("fixed", "halo", "value(3)", "clamp", "periodic",
                                           "symmetric", "y- clamp, y+ value(2), x periodic",
                                           "y- value(1), y+ symmetric, x- clamp, x+ halo",
                                           "y- symmetric(-1), x- value(3), x+ halo, y+ value(1)",
                                           "y value(3), x symmetric(-1)"));

INSTANTIATE_TEST_SUITE_P(Kinds, TemporalStagesOfThreeAxes,
                         ::testing::Values("fixed", "clamp", "periodic", "reflect", "value(3)",
                                           "symmetric(-0.5)", "halo",
                                           "z- clamp, z+ reflect, x periodic, symmetric",
                                           "z periodic, y- value(1), y+ clamp, x- clamp, x+ halo",
                                           "z- value(2), z+ clamp, y clamp, x fixed",
                                           "z- symmetric, z+ value(1), y- clamp, y+ value(3),"
                                           " x- value(5), x+ reflect",
                                           "z- symmetric(-1), value(3)",
                                           "y- reflect(-1), x- value(2), x+ halo, value(3)"));

} // namespace
} // namespace temporal_stages
