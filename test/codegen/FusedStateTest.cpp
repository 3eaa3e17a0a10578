// Fused steps of more than one level: fields whose previous level is read, fields that are updated
// in place, and what formulas ask for beside reads.
#include "test/Seed.h"
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace {

/// Fused steps of a stencil leave what it means, of passes of one kind and of both, whose results
/// end in either memory; on half of the grids, which a seed draws for each schedule.
void expectFused(const std::string &text, llvm::ArrayRef<const char *> schedules,
                 llvm::ArrayRef<std::vector<int64_t>> grids) {
  uint64_t place = text.size();
  for (const char *schedule : schedules) {
    const Stencil stencil = stencilOf(text);
    const VerifiedProgram program =
        llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank()))));
    llvm::Error error = auditLowered(program);
    EXPECT_FALSE(error) << text << " " << schedule << ": " << toString(std::move(error));
    for (const std::vector<int64_t> &extents : drawn(grids, (grids.size() + 1) / 2, place++))
      for (int64_t steps : {5, 6}) {
        SCOPED_TRACE(text + " " + schedule + ::testing::PrintToString(extents) + " " +
                     std::to_string(steps));
        expectReference(text, schedule, extents, steps);
      }
  }
}

constexpr const char *kFlatSchedules[] = {
    "temporal/32x1/c8/t2/v2x1", "temporal/32x1/c16/t3/v4x1/p2", "temporal/32x2/c8/t4/v5x1/p1",
    "temporal/32x4/c16/t4/v4x2/p2"};
constexpr const char *kFlatMarches[] = {"temporal/32x1/c8/t2/v2x1", "temporal/32x1/c16/t3/v4x1/p2"};
constexpr const char *kSolidSchedules[] = {"temporal/32x4x1/c8/t2/v2x4/p1",
                                           "temporal/16x8x1/c4/t3/v4x2"};

class Leapfrog : public ::testing::TestWithParam<const char *> {
protected:
  /// A wave equation between these ends, whose two levels begin unlike, also beyond the grid.
  std::string wave(const std::string &axes, const std::string &around) {
    return "stencil wave(" + axes + ") { field f64 u; boundary u: " + GetParam() +
           "; init u = x*x - 3*y + x*y; init u[t-1] = 2*x - y*y + 1;"
           "  u' = 2*u - u[t-1] + 0.125*(" +
           around + "); }";
  }
};
class LeapfrogOfTwoAxes : public Leapfrog {};
class LeapfrogOfTwoAxesInWarps : public Leapfrog {};
class LeapfrogOfThreeAxes : public Leapfrog {};

const char *const kFlat = "u[y-1] + u[x-1] - 4*u + u[x+1] + u[y+1]";
const char *const kFlatWide = "u[y-2] - u[y-1] + u[x-2] - u[x+1] - 0.5*u + u[y+2]";
/// The level before is read beside the point: it has a buffer of its own.
const char *const kFlatBeside = "u[y-1] + u[x-1] - 2*u[t-1,y+1] + u[t-1,x-1] + u[y+1]";
const char *const kSolid = "u[z-1] + u[y-1] + u[x-1] - 6*u + u[x+1] + u[y+1] + u[z+1]";
const char *const kSolidWide = "u[z-2] + u[y-2] - u[x-1] + u[x+2] - u[y+1] + 0.5*u[z+2]";
/// Planes in order, so that marches go by them.
const char *const kPlanes = "u[z-1,y-1] - u[z-1] + u[x-1] + u[y+1] + u[z+1,x+1]";

/// The level before of one field is read in the stage that makes it and in a later one, that of the
/// other at the point alone.
std::string inStages(const std::string &axes, const std::string &ends) {
  return "stencil wave(" + axes + ") { field f64 u, v; boundary: " + ends +
         "; init u = x*x - 3*y; init u[t-1] = 2*x - y*y + 1; init v = y - x;"
         "  stage { u' = 1.5*u - u[t-1] + 0.125*(v[y-1] - v[x+1]); }"
         "  stage { v' = 0.5*v - 0.25*v[t-1] + 0.25*(u'[x+1] - u[t-1, y+1]) + 0.125*u[y+1]; } }";
}

TEST_P(LeapfrogOfTwoAxes, GoesThroughStages) {
  expectFused(inStages("y, x", GetParam()), kFlatMarches, {{21, 131}, {9, 200}, {5, 6}});
  expectFused(inStages("y, x", GetParam()), {"temporal/32x1/c8/v4x1/p2"}, {{21, 131}});
}

TEST_P(LeapfrogOfThreeAxes, GoesThroughStages) {
  expectFused(inStages("z, y, x", GetParam()), {"temporal/32x4x1/c8/t2/v2x4/p1"},
              {{7, 17, 72}, {5, 6, 9}});
}

TEST_P(LeapfrogOfTwoAxes, LeavesBothLevels) {
  for (const char *around : {kFlat, kFlatWide, kFlatBeside})
    expectFused(wave("y, x", around), kFlatMarches, {{21, 131}, {9, 200}, {4, 5}});
}

TEST_P(LeapfrogOfTwoAxesInWarps, LeavesBothLevels) {
  for (const char *around : {kFlat, kFlatWide, kFlatBeside})
    expectFused(wave("y, x", around), llvm::ArrayRef(kFlatSchedules).drop_front(2),
                {{21, 331}, {4, 5}});
}

TEST_P(LeapfrogOfThreeAxes, LeavesBothLevels) {
  const char *const arounds[] = {kSolid, kSolidWide, kPlanes};
  for (const char *around : drawn(arounds, 1, llvm::StringRef(GetParam()).size()))
    expectFused(wave("z, y, x", around), kSolidSchedules, {{11, 9, 62}, {11, 16, 64}, {4, 4, 4}});
}

INSTANTIATE_TEST_SUITE_P(Ends, LeapfrogOfTwoAxes,
                         ::testing::Values("fixed", "halo", "value(3)", "clamp", "periodic",
                                           "reflect", "symmetric(-0.5)",
                                           "y- clamp, y+ value(2), x periodic",
                                           "y- symmetric, y+ fixed, x- value(1), x+ clamp",
                                           "y- symmetric(-1), y+ halo, x- halo, x+ reflect",
                                           "y- symmetric(-1), value(2)",
                                           "y value(2), x reflect(-1)"));
INSTANTIATE_TEST_SUITE_P(Ends, LeapfrogOfTwoAxesInWarps,
                         ::testing::Values("fixed", "halo", "value(3)", "clamp", "periodic",
                                           "y clamp, x reflect(-1)", "y- value(2), fixed"));
INSTANTIATE_TEST_SUITE_P(Ends, LeapfrogOfThreeAxes,
                         ::testing::Values("fixed", "halo", "clamp", "periodic", "value(2)",
                                           "z- value(0), fixed", "z- symmetric(-1), halo",
                                           "z- symmetric(-1), value(2)",
                                           "z symmetric, y reflect, x clamp"));

TEST(FusedState, HasTheLevelBeforeOfSeveralFields) {
  expectFused(
      "stencil two(y, x) { field f64 u, v; const f32 c; boundary u: fixed; boundary v: halo;"
      "  boundary c: clamp; init u = x*x - 3*y; init u[t-1] = y; init v = x - y*y;"
      "  init v[t-1] = 3 - x; init c = 1 + 0.25*y;"
      "  u' = u - u[t-1] + 0.25*c[x+1]*(u[y-1] + v[x+1] + v[t-1]);"
      "  v' = v + 0.5*v[t-1] - 0.25*u[y+1]; }",
      kFlatMarches, {{21, 131}, {4, 5}});
}

TEST(FusedState, ReadsTheLevelBeforeAlone) {
  expectFused("stencil alone(y, x) { field f64 u; boundary u: clamp; init u = x*x - 3*y;"
              "  init u[t-1] = y - x; reduce sum last = u - u[t-1]; u' = 0.5*u[t-1, y-1] + 1; }",
              kFlatMarches, {{21, 131}, {4, 5}});
}

TEST(FusedState, HasFieldsThatAreUpdatedInPlace) {
  for (const char *ends : {"fixed", "clamp", "periodic", "halo"}) {
    const std::string text = std::string("{ field f64 u, v; boundary u: ") + ends +
                             "; init u = x*x - 3*y; init v = x + y;"
                             "  v' = 0.5*v + 0.25*(u[y-1] - u[x+1]); u' = u + 0.125*u[y+1] - v; }";
    expectFused("stencil flat(y, x) " + text, kFlatMarches, {{21, 131}, {4, 5}});
    expectFused("stencil solid(z, y, x) " + text, kSolidSchedules, {{11, 9, 62}});
  }
  expectFused("stencil row(y, x) { field f64 u, v; boundary u: fixed; init u = x*x - 3*y;"
              "  v' = v + u + u[y-1] + u[x-1]; u' = u + 0.125*u[y-1] - u[x-1]; }",
              kFlatSchedules, {{21, 331}, {4, 5}});
}

// ---- what formulas ask for beside reads ---------------------------------------------------------

/// Positions along both axes, the step's number, a list at it and after it.
const char *const kSource = "field f64 u; const f64 w(t); param int sy = 2, sx = 3;"
                            "  init u = x*x - 3*y; init w = 0.5*t*t - 3*t + 1;"
                            "  let source = where(y == sy && x == sx, w[t+1] + w[t+2], 0.25*w);"
                            "  u' = 0.5*u + 0.25*(u[y-1] - u[x+1] + u[y+1]) + source"
                            "    + where(t + x < 9, 0.125*f64(t*x - y), f64(t)); }";

TEST(FusedState, KnowsPositionsAndStepsBetweenAllEnds) {
  const char *const kinds[] = {"fixed",
                               "clamp",
                               "halo",
                               "value(2)",
                               "periodic",
                               "y periodic, x clamp",
                               "y clamp, x periodic"};
  for (const char *ends : drawn(kinds, 3)) {
    const std::string text = std::string("boundary u: ") + ends + "; " + kSource;
    expectFused("stencil flat(y, x) { " + text, kFlatSchedules, {{21, 331}, {5, 40}});
    expectFused("stencil solid(z, y, x) { " + text, kSolidSchedules, {{7, 18, 62}});
  }
}

TEST(FusedState, KnowsPlanesOfMarchesByPlanes) {
  expectFused("stencil planes(z, y, x) { field f64 u; const f32 w(t); boundary u: clamp;"
              "  init u = x*x - 3*y + z; init w = 1 - 0.25*t;"
              "  u' = 0.5*u[z-1] - where(z == 3, 0.125*w*u[z-1, y+1], f64(t)) + 0.5*u"
              "    + where(z < x, 0.25*u[z+1, y-1, x+1], w); }",
              {"temporal/32x4x1/c8/t2/v2x4/p1", "temporal/16x4x1/c4/t3/v4x4/p2"},
              {{11, 9, 62}, {11, 17, 92}});
}

} // namespace
