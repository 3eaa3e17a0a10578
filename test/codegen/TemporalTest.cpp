// Fused steps on grids that hold whole tiles, which random programs are too small for.
#include "test/Seed.h"
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace temporal {
namespace {

/// Of fused and single passes.
constexpr int64_t kSteps = 5;

TEST(Temporal, RefusesConstsWhoseEndsChangeFromStepToStep) {
  const Stencil stencil =
      stencilOf("stencil s(y, x) { field f32 u; const f32 f; const f32 w(t); boundary u: y clamp;"
                "  boundary f: x- value(0), x+ value(w[t+1]); u' = u[y-1]*f[x+1]; }");
  llvm::Expected<VerifiedProgram> program =
      lower(stencil, llvm::cantFail(parseSchedule("temporal/32x1/c64/t2/v4x1/r1", 2)));
  ASSERT_FALSE(program);
  EXPECT_EQ(llvm::toString(program.takeError()),
            "`temporal` does not fuse steps between which the number beyond an end changes, as one "
            "of `f` does");
}

// An end sees the grid, and what another array is read for leaves points of the grid out.
TEST(Temporal, KeepsPointsBetweenAnEndThatSeesTheGridAndTheArea) {
  for (const char *text :
       {"stencil s(y, x) { field f64 w; const f64 f; boundary w: y clamp; boundary f: fixed;"
        "  init w = x*x - 3*y; init f = 1 + 0.25*y; w' = f[y-1] * w[y-1]; }",
        "stencil s(y, x) { field f64 u, v; boundary u: y fixed; boundary v: clamp;"
        "  init u = x*x - 3*y; init v = y*x + 1; u' = v[x-1]; v' = 0.5*u[y-1]; }",
        "stencil s(y, x) { field f64 u; const f64 f; boundary u: clamp; boundary f: fixed;"
        "  init u = x*x - 3*y; init f = 1 + 0.25*x;"
        "  u' = f[x-2] + f[x+1] + u[y+1] - 2*u + u[y-1] + 0.25*u[x-1]; }"})
    for (const std::vector<int64_t> &grid :
         {std::vector<int64_t>{1, 1}, {2, 1}, {7, 41}, {23, 150}})
      expectReference(text, "temporal/32x1/c64/t2/v4x1/r1", grid, kSteps);
}

TEST(Temporal, KeepsPlanesThatAnEndSeesAgain) {
  for (const char *end : {"clamp", "symmetric(0.5)", "reflect(0.5)"})
    for (const char *update :
         {"u[y-1]", "u[y-2]", "u[y-3] + 0.25*u[x-1]", "u[y+2] - 2*u[y+1] + u + u[x-1]"})
      for (const std::vector<int64_t> &grid : {std::vector<int64_t>{4, 2}, {7, 41}, {23, 150}})
        expectReference(std::string("stencil s(y, x) { field f64 u; boundary u: x clamp, y ") +
                            end + "; init u = x*x - 3*y; u' = 0.25*(" + update + "); }",
                        "temporal/32x1/c64/t2/v4x1/r1", grid, kSteps);
}

TEST(Temporal, MakesTilesInsideTheFrameUnguarded) {
  expectReference("stencil one(y, x) { field f64 u; boundary u: fixed; init u = x*x - 3*y;"
                  "  u' = 0.5*u + 0.25*u[y-1] - 0.125*u[x+1] + u[y+1]; }",
                  "temporal/32x1/c64/t2/v4x1/p1", {9, 300}, kSteps);
}

TEST(Temporal, KeepsTheFrameOfEachFieldInATileInsideThatOfAnother) {
  expectReference("stencil two(y, x) { field f64 u, v; boundary u: x halo; boundary v: fixed;"
                  "  init u = x - y*y; init v = 0.5*x*y + x;"
                  "  u' = 0.5*u[x-1] + v; v' = v[y+1] - 0.5*v[y-1] + 0.25*u; }",
                  "temporal/32x1/c64/t2/v4x1/p1", {9, 300}, kSteps);
}

/// Grids that hold a tile away from all ends, in marches of a chunk between two others: there,
/// turns on three axes have a text of their own.
TEST(Temporal, MarchesInsideTheGridAsAtItsEnds) {
  const std::string ends = "field f64 u; const f64 f; boundary f: clamp; boundary u: ",
                    state = "; init f = 1 + 0.25*x - y; init u = x*x - 3*y + x*y; u' = ";
  for (const char *kind : {"fixed", "value(2)", "symmetric(-0.5)", "clamp", "periodic"}) {
    expectReference("stencil flat(y, x) {" + ends + kind + state +
                        "0.5*u + 0.25*u[y-1] - 0.125*u[x+1] + 0.5*f*u[y+1, x-1]; }",
                    "temporal/32x1/c8/t2/v6x1/p2", {38, 590}, kSteps);
    for (const char *update :
         {"0.5*u + 0.25*u[y-1] - 0.125*u[x+1] + 0.5*u[y+1, x-1] + 0.25*f[x+1]*u[z+1]",
          "0.5*u[z-1] + 0.25*u[x-1] - 0.125*f[y-1]*u[y+1] + 0.5*u[z+1]",
          "0.5*u[z-1, y-1] + 0.25*u[x-1] - 0.125*f*u[y+1, x+1] + 0.5*u[z+1, x+1]"})
      expectReference("stencil solid(z, y, x) {" + ends + kind + state + update + "; }",
                      "temporal/8x8x1/c8/t2/v2x1/p1", {26, 17, 40}, kSteps);
  }
}

/// Rows whose ends no update writes, on grids of whole tiles and on those that are not.
TEST(Temporal, StoresRowsWithTheirEndsWhereTilesFit) {
  const std::string state = " init u = x*x - 3*y + x*y; u' = ";
  for (const char *real : {"f32", "f64"}) {
    const std::string field = std::string("field ") + real + " u; boundary u: fixed;" + state;
    for (const std::vector<int64_t> &grid :
         {std::vector<int64_t>{9, 128}, {30, 248}, {30, 244}, {30, 246}})
      expectReference("stencil flat(y, x) { " + field + "0.5*u[y-1] + 0.25*u[x-1] - u[y+1]; }",
                      "temporal/32x1/c8/t2/v4x1/p1", grid, kSteps);
    for (const std::vector<int64_t> &grid :
         {std::vector<int64_t>{9, 16, 32}, {20, 28, 60}, {20, 27, 56}, {20, 30, 58}})
      expectReference("stencil solid(z, y, x) { " + field +
                          "0.5*u[z-1] + 0.25*u[y-1] - 0.125*u[x+2] + 0.5*u[z+1]; }",
                      "temporal/8x8x1/c8/t2/v4x2/p1", grid, kSteps);
  }
  for (const std::vector<int64_t> &grid : {std::vector<int64_t>{9, 128}, {30, 246}}) {
    expectReference("stencil wave(y, x) { field f32 u; boundary u: fixed;" + state +
                        "2*u - u[t-1] + 0.25*u[x-1] - 0.125*u[y+1]; }",
                    "temporal/32x1/c8/t2/v4x1/p1", grid, kSteps);
    expectReference("stencil two(y, x) { field f32 u, v; boundary u, v: fixed; init v = x + y;" +
                        state + "u[y-1] - 0.5*v[x+1]; v' = 0.25*v[x-1] + u[y+1]; }",
                    "temporal/32x1/c8/t2/v4x1/p1", grid, kSteps);
  }
}

/// Tiles lie by fewer points lower than a thread has, so that what they store are whole sectors.
TEST(Temporal, StoresAllOfATileWhoseNextOneLiesLower) {
  for (const std::vector<int64_t> &grid : {std::vector<int64_t>{9, 348}, {9, 350}, {9, 192}})
    expectReference("stencil far(y, x) { field f32 u; boundary u: value(2); init u = x - y*y;"
                    "  u' = 0.5*u[x-6] - 0.25*u[x+6] + 0.125*u[y-1]; }",
                    "temporal/32x1/c8/t2/v6x1/p1", grid, kSteps);
}

/// Pieces beyond the ends of periodic rows, on grids whose rows are whole pieces and on others.
TEST(Temporal, TakesImagesOfPiecesOnPeriodicRows) {
  const std::string state = "; init u = x*x - 3*y + x*y; u' = ";
  for (const char *real : {"f32", "f64"}) {
    const std::string field = std::string("field ") + real + " u; boundary u: ";
    for (const std::vector<int64_t> &grid :
         {std::vector<int64_t>{9, 128}, {30, 248}, {30, 247}, {30, 250}})
      expectReference("stencil flat(y, x) { " + field + "periodic" + state +
                          "0.5*u[y-1] + 0.25*u[x-1] - u[y+1] + u[x+2]; }",
                      "temporal/32x1/c8/t2/v4x1/p1", grid, kSteps);
    for (const char *kind : {"periodic", "x periodic, y fixed, z clamp",
                             "x periodic, y halo, z halo", "x periodic, y value(2), z fixed"})
      for (const std::vector<int64_t> &grid :
           {std::vector<int64_t>{9, 16, 32}, {20, 28, 60}, {20, 27, 56}, {20, 30, 58}})
        expectReference("stencil solid(z, y, x) { " + field + kind + state +
                            "0.5*u[z-1] + 0.25*u[y-1] - 0.125*u[x+2] + u[y+1] + 0.5*u[z+1]; }",
                        "temporal/8x8x1/c8/t2/v4x2/p1", grid, kSteps);
  }
  expectReference("stencil planes(z, y, x) { field f32 u; boundary u: periodic" + state +
                      "0.5*u[z-1, y-1] + 0.25*u[x-1] - 0.125*u[y+1, x+1] + 0.5*u[z+1, x+1]; }",
                  "temporal/8x8x1/c8/t2/v4x2/p1", {20, 28, 60}, kSteps);
  expectReference("stencil wave(y, x) { field f32 u; boundary u: periodic" + state +
                      "2*u - u[t-1] + 0.25*u[x-1] - 0.125*u[y+1]; }",
                  "temporal/32x1/c8/t3/v4x1/p1", {30, 248}, kSteps);
}

// ---- ends ---------------------------------------------------------------------------------------

/// Reads with and without corners, in planes before, at and after the point's, one or two away.
const char *const kFlat = "0.5*u + 0.25*u[x+1] - 0.125*u[y-1] + 0.375*u[y+1, x-1]";
const char *const kFlatWide = " + 0.125*u[y-2, x-1] - 0.5*u[y+2] + 0.25*u[x+2]";
const char *const kSolid = "0.5*u + 0.25*u[x+1] - 0.125*u[y-1] + 0.5*u[z-1] - 0.125*u[z-1, y+1]"
                           " + 0.25*u[z+1, y-1, x+1] - 0.375*u[z-1, x-1]";
const char *const kSolidWide = " + 0.125*u[z-2, y-1] - 0.5*u[z+2] + 0.25*u[y+2, x-2]";

/// Planes in order, so that marches go by them.
const char *const kPlanes = "0.5*u[z-1] - 0.125*u[z-1, y+1] - 0.375*u[z-1, x-1] + 0.5*u"
                            " + 0.25*u[x+1] - 0.125*u[y-1, x+1] + 0.25*u[z+1, y-1, x+1]";
const char *const kPlanesWide = "(0.5*u[z-2, x+2] - 0.125*u[z-1, y+1]) * (0.25*u[z+1] - u[y-2, x-1]"
                                " + 0.125*u[z+2, y+1])";

const char *const kPlanesAndPoint = "0.5*u - 0.25*(u[z-1, y-1] - u[z-1] + u[x-1] + u[y+1]"
                                    " + u[z+1, x+1])";

class TemporalEnds : public ::testing::TestWithParam<const char *> {
protected:
  /// Steps of the formula between these ends are fused as the schedules say, on half of the grids,
  /// which a seed draws for each schedule.
  void expectFused(const std::string &axes, const std::string &formula,
                   llvm::ArrayRef<const char *> schedules,
                   llvm::ArrayRef<std::vector<int64_t>> grids) {
    const std::string text = "stencil ends(" + axes + ") { field f64 u; boundary u: " + GetParam() +
                             "; init u = x*x - 3*y + x*y; u' = " + formula + "; }";
    uint64_t place = text.size();
    for (const char *schedule : schedules)
      for (const std::vector<int64_t> &extents : drawn(grids, (grids.size() + 1) / 2, place++)) {
        SCOPED_TRACE(text + " " + schedule + ::testing::PrintToString(extents));
        expectReference(text, schedule, extents, kSteps);
      }
  }
};

class TemporalEndsOfTwoAxes : public TemporalEnds {};
class TemporalEndsOfThreeAxes : public TemporalEnds {};

TEST_P(TemporalEndsOfTwoAxes, SeeTheirOwnLevel) {
  for (const std::string &formula : {std::string(kFlat), std::string(kFlat) + kFlatWide})
    expectFused(
        "y, x", formula,
        {"temporal/32x1/c8/t2/v2x1", "temporal/32x1/c16/t3/v4x1/p1", "temporal/32x1/c8/t2/v4x1/p2"},
        {{21, 131}, {21, 132}, {21, 200}, {3, 4}});
}

TEST_P(TemporalEndsOfThreeAxes, SeeTheirOwnLevel) {
  expectFused("z, y, x", kSolid, {"temporal/32x2x1/c8/t2/v2x4", "temporal/16x4x1/c8/t2/v4x2/p1"},
              {{11, 9, 62}, {11, 9, 64}, {11, 17, 92}, {11, 8, 66}, {3, 3, 3}});
  expectFused("z, y, x", std::string(kSolid) + kSolidWide, {"temporal/32x4x1/c16/t3/v2x4/p1"},
              {{11, 9, 62}, {11, 16, 64}, {11, 21, 92}, {3, 3, 3}});
}

TEST_P(TemporalEndsOfThreeAxes, GoByPlanes) {
  for (const char *formula : {kPlanes, kPlanesWide, kPlanesAndPoint})
    expectFused("z, y, x", formula,
                {"temporal/32x4x1/c8/t2/v2x4/p1", "temporal/16x4x1/c4/t3/v4x4/p2"},
                {{11, 9, 62}, {11, 17, 92}, {3, 3, 3}});
}

TEST(Temporal, TilesApartGiveTheReferenceWhateverSectorsTheyStoreIn) {
  const char *const kinds[] = {"fixed", "halo", "value(2)", "reflect", "clamp", "periodic"};
  for (const char *ends : drawn(kinds, 3))
    for (const std::vector<int64_t> &grid : {std::vector<int64_t>{9, 21, 120}, {7, 9, 116}})
      expectReference("stencil star(z, y, x) { field f32 u; boundary u: " + std::string(ends) +
                          "; init u = x - y*y + z; u' = 0.5*u[z-1] + 0.25*u[x-1] - 0.125*u[y+1]"
                          " + 0.5*u[x+1] + 0.25*u[z+1]; }",
                      "temporal/8x4x1/c8/t2/v4x4/p2/apart", grid, 5);
}

TEST(Temporal, GoesByPlanesOfSeveralArrays) {
  for (const char *ends : {"clamp", "fixed", "z- value(2), z+ clamp, halo", "x periodic, clamp"})
    for (const std::vector<int64_t> &grid : {std::vector<int64_t>{9, 17, 64}, {13, 9, 71}})
      expectReference(
          std::string("stencil two(z, y, x) { field f64 u, v; const f64 f; boundary u, v: ") +
              ends +
              "; boundary f: clamp; init u = x - y*y + z; init v = 0.5*x*y + z*z;"
              "  init f = 1 + 0.25*z - 0.125*x;"
              "  u' = 0.5*f[z-1]*u[z-1, y-1] + f*v[x+1] - 0.25*u[z+1, y+1, x-1];"
              "  v' = u[z-1] + 0.25*v[y-1] - 0.5*f[z+1]*u[z+1, x+1]; }",
          "temporal/32x2x1/c4/t3/v2x4/p1", grid, kSteps);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, TemporalEndsOfTwoAxes,
    ::testing::Values("fixed", "halo", "value(3)", "clamp", "periodic", "reflect",
                      "symmetric(-0.5)", "y- clamp, y+ value(2), x periodic",
                      "y periodic, x- reflect, x+ clamp",
                      "y- symmetric(-1), y+ halo, x- halo, x+ reflect(0.5)",
                      "y- halo, y+ reflect(-1), x- reflect, x+ symmetric(-1)",
                      "y- symmetric(-1), value(3)", "y- value(3), reflect(-0.5)",
                      "y value(3), x- symmetric(-1), x+ halo",
                      "y- reflect(-1), y+ symmetric(0.5), x- value(2), x+ halo",
                      "y- symmetric, y+ fixed, x- value(1), x+ clamp"));
INSTANTIATE_TEST_SUITE_P(
    Kinds, TemporalEndsOfThreeAxes,
    ::testing::Values("fixed", "clamp", "periodic", "reflect(-1)", "symmetric(-0.5)",
                      "z symmetric, y reflect, x clamp",
                      "z- clamp, z+ reflect, x periodic, symmetric",
                      "z- halo, z+ clamp, y- fixed, y+ symmetric, x reflect",
                      "z- symmetric(-1), halo", "z- symmetric(-1), value(3)",
                      "z value(3), y symmetric(-1), x reflect(-0.5)",
                      "z- symmetric(-1), z+ clamp, y value(2), x- value(3), x+ halo",
                      "z reflect(-0.5), y- value(2), y+ halo, x symmetric(-1)",
                      "z- halo, z+ reflect, y- symmetric(-1), y+ halo,"
                      " x- reflect, x+ symmetric",
                      "z periodic, y- value(1), y+ clamp, x- clamp, x+ halo",
                      "z- value(2), z+ clamp, y clamp, x fixed",
                      "z- value(1), z+ value(2), y- value(3), y+ value(4),"
                      " x- value(5), x+ value(6)",
                      // Beyond three ends, the first and the last alike.
                      "z- value(3), z+ value(1), y- value(2), value(1)",
                      "z- value(1), z+ halo, y- value(2), y+ reflect,"
                      " x- clamp, x+ value(3)"));

} // namespace
} // namespace temporal
