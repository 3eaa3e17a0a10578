// Two fused steps that share a tile in shared memory.
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace fused_tile {
namespace {

/// One pass of two steps, and a step that is left over.
constexpr int64_t kSteps = 5;
const char *const kSchedules[] = {"temporal/32x4x1/c4/t2/tile", "temporal/32x8x1/c7/t2/r1/tile"};
/// Of one block and of several, of parts of blocks; periodic axes need 4 points.
const std::vector<std::vector<int64_t>> kGrids = {{4, 4, 4}, {9, 5, 37}, {5, 17, 66}};

void expectFused(const std::string &text, const std::vector<std::vector<int64_t>> &grids = kGrids) {
  for (const char *schedule : kSchedules)
    for (const std::vector<int64_t> &extents : grids) {
      SCOPED_TRACE(text + " " + schedule + " " + std::to_string(extents.back()));
      expectReference(text, schedule, extents, kSteps);
    }
}

std::string star(const std::string &ends, const std::string &more = "") {
  return "stencil s(z, y, x) { field f64 u; boundary u: " + ends +
         "; init u = x*x - 3*y + z*y; u' = 0.5*u + 0.25*u[x-1] - 0.125*u[x+1] + 0.5*u[y-1]"
         " - 0.25*u[y+1] + 0.125*u[z-1] - 0.5*u[z+1]" +
         more + "; }";
}

class FusedTileEnds : public ::testing::TestWithParam<const char *> {};

TEST_P(FusedTileEnds, AreThoseOfEachStep) {
  expectFused(star(GetParam()));
  expectFused(star(GetParam(), " + u[z-2] - u[z+2] + 3*u[x+2] - u[y-2]"));
}

TEST_P(FusedTileEnds, OfFieldsBesideEachOther) {
  expectFused("stencil two(z, y, x) { field f64 u; field f32 v; const f64 f, g(x); "
              "boundary f, g: clamp; boundary u, v: " +
              std::string(GetParam()) +
              "; init u = x - 3*z; init v = x*x - y; init f = 1 + 0.25*x*y; init g = x;"
              "  u' = 0.5*u[x-1] + f[x+1, y-1]*v + g[x-1]*u[z+1];"
              "  v' = 0.25*v[y+1] + f32(f)*0.5f; }");
}

TEST_P(FusedTileEnds, OfTheLevelBefore) {
  expectFused("stencil wave(z, y, x) { field f64 u; boundary u: " + std::string(GetParam()) +
              "; init u = x*x - 3*y*z;"
              "  u' = 1.5*u - u[t-1] + 0.25*(u[x-1] + u[x+1] + u[y-1] + u[z+1]); }");
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, FusedTileEnds,
    ::testing::Values("fixed", "clamp", "periodic", "value(3)", "halo", "z reflect, clamp",
                      "z symmetric(-1), value(2)", "z- clamp, z+ halo, y fixed, x periodic",
                      "z- symmetric, z+ reflect(0.5), y periodic, x- value(1), x+ halo",
                      "z periodic, y- value(2), y+ value(5), x clamp", "reflect", "symmetric(-1)",
                      "y reflect, x- symmetric, x+ value(2), z fixed"));

TEST(FusedTile, AsksWhereAndWhen) {
  for (const char *ends : {"clamp", "periodic", "fixed"})
    expectFused(
        "stencil s(z, y, x) { field f64 u; const f64 w(t); boundary u: " + std::string(ends) +
        "; init u = x - y; init w = t*t;"
        "  u' = 0.5*u[x-1] + x*u[y+1] - z + t*u[z-1] + w; }");
}

TEST(FusedTile, KeepsPlanesOfFieldsThatAreReadFromAsFarAsEachAsksFor) {
  for (const char *ends : {"reflect", "clamp", "periodic"})
    expectFused("stencil s(z, y, x) { field f64 u, v, w; boundary u, v, w: " + std::string(ends) +
                "; init u = x*y - z; init v = x - z*z; init w = y + 2*z;"
                "  u' = v[z+2] - u[y-1]; v' = 0.5*v[x-1] + u[z-1]; w' = u[x+1] - v[y+1]; }");
}

TEST(FusedTile, NeedsNoReadsAlongSomeAxis) {
  expectFused("stencil s(z, y, x) { field f64 u; boundary u: clamp; init u = x*y - z;"
              "  u' = u[x-1] - u[z+1]; }");
  expectFused("stencil s(z, y, x) { field f64 u; boundary u: clamp; init u = x*y - z;"
              "  u' = u[y-1] + u[y+2]; }");
}

std::string refusalOf(const std::string &text, const char *schedule) {
  const Stencil stencil = stencilOf(text);
  llvm::Expected<VerifiedProgram> program =
      lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank())));
  return program ? "" : toString(program.takeError());
}

TEST(FusedTile, IsRefusedForWhatItCannotHold) {
  const char *schedule = kSchedules[0];
  EXPECT_EQ(refusalOf(star("clamp", " + u[x+1, y-1]"), schedule),
            "a `tile` holds one plane, without its corners in the second step: `u` is read along "
            "several axes at once");
  EXPECT_EQ(refusalOf(star("clamp"), "temporal/32x4x1/c4/t3/tile"),
            "in a `tile` two steps are fused: ask for /t2");
  EXPECT_EQ(refusalOf(star("clamp"), "temporal/16x4x1/c4/t2/tile"),
            "`tile` needs rows of whole warps, and one plane of them");
  EXPECT_EQ(refusalOf(star("clamp"), "temporal/64x14x1/c4/t2/tile"),
            "with what lies around its points a block has 1152 threads, more than the 1024 that a "
            "GPU launches");
}

} // namespace
} // namespace fused_tile
