// Small programs, each with a schedule that once made something else of it than it means.
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace {

TEST(LoweredValues, OfATempEvaluatedAtGhostPointsInPatches) {
  for (const char *schedule :
       {"baseline/4x2/v1x2/r1", "baseline/4x2/v4x1/r1", "zblock/4x1/c4/v4x1/r1"})
    for (std::string axis : {"y", "x"})
      for (std::string here : {"u", "0"})
        expectReference("stencil s(y, x) { field f64 u, v; temp f64 d;"
                        "  boundary u, d: halo; init u = x*x - 3*y;"
                        "  stage { d' = u[" +
                            axis + "-1] + " + here + "; } stage { u' = 1; v' = d'[" + axis +
                            "+2]; } }",
                        schedule, {5, 7}, 2);
}

TEST(LoweredValues, OfATempMadeBeyondTheGridFromWhatIsOverwritten) {
  for (const char *schedule : {"baseline/8/r1", "baseline/8/v4x1/r1", "baseline/8/v2x1/r1"})
    expectReference("stencil s(x) { field f64 u, v; temp f64 d; boundary u, d: halo;"
                    "  init u = x*x;"
                    "  stage { u' = 1; d' = u; } stage { v' = d'[x+1]; } }",
                    schedule, {21}, 2);
}

TEST(LoweredValues, OfUpdatesOfWhichOneReadsATempWithoutBoundary) {
  for (const char *schedule : {"zblock/4x1/c2/r1", "zblock/4x1/c2/r1/plain", "baseline/4x2/r1"})
    expectReference("stencil s(y, x) { field f64 u, v; temp f64 d; init u = x - y*y;"
                    "  stage { d' = 2*u; }"
                    "  stage { u' = 1; v' = d' - d'[y-1]; } }",
                    schedule, {5, 7}, 2);
}

TEST(LoweredValues, OfClampedPointsBesideColumnsThatOnlyTurnsLoad) {
  for (const char *schedule : {"zblock/1x1/c2/v2x1/r1/whole", "zblock/2x1/c2/v4x1/r1/flat"})
    expectReference("stencil s(z, x) { field f64 u, v; boundary u: clamp; init u = x*x - 3*z;"
                    "  u' = u[x+2]; v' = u[z-1] + u[x+1, z-1]; }",
                    schedule, {4, 8}, 2);
}

/// All rows and planes of a large window are one loop, whatever an end makes of them.
TEST(LoweredValues, OfBoxesOf125PointsBetweenEnds) {
  const std::string box = "; init u = x*x - 3*y*z + y*x;"
                          "  u' = sum(k=-2:2, j=-2:2, i=-2:2, (1 + k*i + 2*j)*u[z+k, y+j, x+i]); }";
  for (const char *ends :
       {"clamp", "periodic", "reflect", "symmetric(-1)", "value(2)", "fixed", "halo",
        "z- clamp, z+ value(3), y value(2), x periodic", "z value(2), x clamp, y reflect",
        "x- value(1), x+ value(2), clamp", "z fixed, clamp", "x fixed, value(2)"})
    for (const char *schedule :
         {"baseline/2x2x1/v2x2", "zblock/2x2x1/c3/v4x1/r1", "zblock/2x1x1/c2/v2x2/r1/whole",
          "zblock/2x2x1/c4/v4x2/r1", "zblock/2x2x1/c3/v4x1/p1/r1"})
      for (std::vector<int64_t> extents : {std::vector<int64_t>{4, 8, 8}, {5, 7, 13}})
        expectReference(std::string("stencil s(z, y, x) { field f32 u; boundary u: ") + ends + box,
                        schedule, extents, 2);
}

/// Tiles hold what mirrors at one end see beside ghost points, or other mirrors, at the other.
TEST(LoweredValues, OfTilesBetweenEndsOfTwoKinds) {
  for (const char *ends :
       {"z- symmetric(-1), halo", "z- halo, z+ reflect, y- reflect(0.5), y+ halo, x halo",
        "x- symmetric, x+ halo, z- reflect, z+ symmetric(-1), halo",
        "x- halo, x+ reflect(-1), y- symmetric, y+ reflect, clamp"})
    for (const char *schedule :
         {"shm/8x4x1", "shm/8x4x1/c3", "shm/8x4x1/c4/async", "shm/8x4x1/c3/rim", "shm/8x4x1/padded",
          "shm/8x4x1/c3/own-rows/padded", "shm/8x4x1/c4/async/padded",
          "shm/32x4x1/c3/"
          "halo-warps",
          "shm/8x4x1/c3/diagonal", "zblock/4x2x1/c4/v4x2/r1/flat/tile"})
      for (std::vector<int64_t> extents : {std::vector<int64_t>{3, 3, 3}, {7, 8, 32}, {5, 9, 17}})
        expectReference(std::string("stencil s(z, y, x) { field f32 u; boundary u: ") + ends +
                            "; init u = x*x - 3*y*z + y;"
                            "  u' = u + u[x-2] - u[y+2] + 2*u[z-1, x+1] + u[z+2] - u[y-1]; }",
                        schedule, extents, 3);
}

// Rows of 8 and 12 points start where point 0 does, at the start of a line; on the other grids
// points of some thread stick out.
TEST(LoweredValues, OfPatchesThatAreAllWhole) {
  for (std::string boundary : {"clamp", "periodic", "value(3)", "y clamp, symmetric"})
    for (const char *schedule :
         {"zblock/2x1/c2/v4x1/r1/flat", "zblock/2x1/c4/v4x1/r1/whole", "zblock/2x1/c2/v2x1/r1/flat",
          "zblock/2x1/c4/v2x1/p2/r1/flat", "zblock/2x1/c4/v2x1/p1/r1/whole"})
      for (std::vector<int64_t> extents : {std::vector<int64_t>{8, 8}, {4, 12}, {7, 8}, {8, 7}})
        for (std::string real : {"f32", "f64"})
          expectReference("stencil s(y, x) { field " + real + " u; boundary u: " + boundary +
                              "; init u = x*x - y*x;"
                              "  u' = u[x-2] - u[x+2] + 2*u[y-1] + u[x+1, y+1]; }",
                          schedule, extents, 3);
  for (std::string boundary : {"clamp", "periodic", "z value(2), clamp"})
    for (const char *schedule : {"zblock/2x2x1/c2/v4x2/r1/flat", "zblock/2x1x1/c3/v2x3/r1/flat",
                                 "zblock/2x2x1/c4/v2x2/r1/whole"})
      for (std::vector<int64_t> extents : {std::vector<int64_t>{6, 12, 8}, {6, 7, 8}, {5, 6, 12}})
        expectReference("stencil s(z, y, x) { field f32 u, v; boundary u: " + boundary +
                            "; boundary v: x clamp, fixed; init u = x*x - y*x + z; init v = y;"
                            "  u' = u[x-2] - u[y+2] + 2*u[z-1] + v; v' = u[x+1] - v[y-1, z+1]; }",
                        schedule, extents, 2);
}

/// Of a plane, of two, of as many as a chunk has or one more; reads beyond both ends, held in
/// columns and not.
TEST(LoweredValues, OfPeeledPlanes) {
  for (std::string ends : {"clamp", "periodic", "reflect", "symmetric(-1)", "z value(2), clamp",
                           "z- halo, z+ clamp, clamp", "z- fixed, z+ symmetric, value(3)"})
    for (std::string formula :
         {"u[z-1] - 2*u + 3*u[z+1] + u[x-1]", "u[z-2] + 2*u[z+2, x-1] - u[z-1, y+1] + u[x-1]",
          "u[z+2] - 3*u[z+1, y-1] + u[x+1]", "u[z-1, x+1] - u[z-2, y-1] + u[x+1] + u[z+1, y+1]"})
      for (const char *schedule :
           {"zblock/4x2x1/c3/peel", "zblock/4x2x1/c4/peel/reload", "shm/4x2x1/c3/peel",
            "shm/8x4x1/c4/peel/reload/rim", "shm/4x4x1/c3/buffered/own-rows/peel",
            "shm/32x2x1/c4/halo-warps/peel"})
        for (int64_t planes : {1, 2, 3, 4, 5, 9}) {
          const std::string text = "stencil s(z, y, x) { field f64 u; boundary u: " + ends +
                                   "; init u = x*x - 3*y*z + y + z; u' = " + formula + "; }";
          const Stencil stencil = stencilOf(text);
          if (planes >= minimumExtent(stencil, 0))
            expectReference(text, schedule, {planes, 5, 7}, 3);
        }
}

TEST(LoweredValues, OfPeeledPlanesOfARegionBoundedByAParam) {
  for (const char *schedule : {"zblock/4x2x1/c3/peel", "shm/4x2x1/c3/peel"})
    for (const char *region : {"z[wall:]", "z[:wall]", "z[1:3]", "z[wall-2:-2]", "z[2:]"})
      for (int64_t planes : {5, 6, 7})
        expectReference(std::string("stencil s(z, y, x) { field f64 u; param int wall = 3;"
                                    "  boundary u: clamp; init u = x*x - y + z*z; u' on ") +
                            region + " = u[x+1] - u[y-1] + 3*u[z+3] - u[z-1]; }",
                        schedule, {planes, 5, 7}, 2);
}

TEST(LoweredValues, OfPeeledRowsOfSomeStages) {
  for (const char *schedule : {"zblock/4x1/c3/peel", "shm/4x1/c3/peel"})
    for (int64_t rows : {1, 2, 3, 4, 7})
      expectReference("stencil s(y, x) { field f64 u, v; boundary u: clamp; boundary v: fixed;"
                      "  init u = x*x - y; init v = y*y;"
                      "  stage { u' = u[y+1] + u[y-1] - u[x+1]; }"
                      "  stage { v' = v + u'[y+1] + u'[x-1]; } }",
                      schedule, {rows, 7}, 3);
}

// Grids of whole blocks of 8 x 4 points, and others; margins of all widths, with corners and
// without.
TEST(LoweredValues, OfTilesAroundBlocks) {
  const std::vector<std::string> formulas = {
      "u[x-2] - u[y+2] + 2*u[z-1] + u[z+1] + 3*u[x+1] - u[y-1]",
      "u + u[x-1] + 2*u[x+3] - u[z+1] + u[y+1]",
      "u - u[y-1] + 3*u[y-2] + u[z+2] - u[z-1]",
      "u[y-1, x-1] - 2*u[y+1, x+3] + u[z+1] + u[x-4] - u",
      // Other planes around the points, in a row that the tile holds and beside.
      "u[x-2] + u[y-1] - 2*u[y-1, z+1] + u[x+1, y+1, z-1] - u[z+1] + 3*u[x+1]",
  };
  for (std::string boundary :
       {"clamp", "periodic", "value(2)", "z clamp, y value(3), x clamp",
        "z value(1), y periodic, x- value(2), x+ clamp", "z fixed, y clamp, x symmetric", "fixed",
        "halo", "z clamp, y symmetric, x reflect"})
    for (const std::string &formula : formulas)
      for (const char *schedule :
           {"zblock/2x2x1/c2/v4x2/r1/flat/tile", "zblock/4x4x1/c4/v2x1/p1/r1/flat/tile",
            "zblock/2x1x1/c3/v4x4/r1/tile/whole"})
        for (std::vector<int64_t> extents :
             {std::vector<int64_t>{4, 8, 16}, {6, 4, 8}, {4, 6, 8}, {6, 11, 19}})
          for (std::string real : {"f32", "f64"})
            expectReference("stencil s(z, y, x) { field " + real + " u; boundary u: " + boundary +
                                "; init u = x*x - 3*y*z + y; u' = " + formula + "; }",
                            schedule, extents, 3);
}

TEST(LoweredValues, OfATempNotMadeEverywhereBesideUpdatesThatAre) {
  for (const char *schedule : {"zblock/4x1/c2/r1", "zblock/4x1/c4/v4x1/r1", "baseline/4x2/v1x2/r1"})
    expectReference("stencil s(y, x) { field f64 u, v; const f64 c; temp f64 d;"
                    "  boundary c: fixed; init u = x - y*y; init v = y; init c = x*y;"
                    "  stage { d' = c[y-1] + u; }"
                    "  stage { u' = v; v' = u + d' - d'[y-1]; } }",
                    schedule, {5, 7}, 2);
}

TEST(LoweredValues, OfATempMadeBeforeTheFirstUpdatedPointInPatches) {
  for (const char *schedule : {"baseline/8/v2x1/r1", "baseline/8/v4x1/r1"})
    expectReference("stencil s(x) { field f64 u; temp f64 d; init u = x*x;"
                    "  stage { d' = 2*u; } stage { u' = d' - d'[x-1]; } }",
                    schedule, {21}, 2);
}

TEST(LoweredValues, OfTilesInARegionBoundedByAParam) {
  for (const char *schedule : {"shm/4x2/r1", "shm/4x1/c4/r1"})
    expectReference("stencil s(y, x) { field f64 u; param int wall = 3; boundary u: clamp;"
                    "  init u = x*x - y; u' on y[wall-1:], x[:wall] = u[x+1] - u[y-1]; }",
                    schedule, {5, 7}, 2);
}

TEST(LoweredValues, OfEndsThatFollowFromWhatWasMadeBesideThem) {
  for (const char *schedule :
       {"baseline/4x2x1/r1", "baseline/4x2x1/v2x2/r1", "zblock/4x1x1/c2/r1",
        "zblock/4x1x1/c4/v4x1/r1", "shm/4x2x1/r1", "shm/4x1x1/c2/r1", "host"})
    for (std::string boundary : {"clamp", "fixed", "periodic", "symmetric"})
      expectReference("stencil s(z, y, x) { field f64 u; boundary u: " + boundary +
                          "; init u = x*x - y*x + z;"
                          "  stage { u' on y[1:-1], x[1:-1] = u[x-1] + u[x+1] - u[y+1]; }"
                          "  stage { u' on y[1:-1], x[0] = u'[x+1] + u[z+1];"
                          "          u' on y[1:-1], x[-1] = 2*u'[x-1]; }"
                          "  stage { u' on y[0] = 3*u'[y+1]; u' on y[-1] = u'[y-2] - u'[y-1]; } }",
                      schedule, {3, 5, 7}, 2);
}

TEST(LoweredValues, OfATempWithGhostPointsBesideAFieldWithout) {
  for (const char *schedule : {"baseline/4x2/r1", "baseline/4x2/v2x1/r1", "host"})
    expectReference("stencil s(y, x) { field f64 u, v; temp f64 d; boundary d: halo;"
                    "  init u = x*x - y; init v = 3*x;"
                    "  stage { u' = 2*u; d' = 1; } stage { v' = v + d'[x+1]; } }",
                    schedule, {5, 7}, 2);
}

// The temp is made of a field before that is overwritten in place, and at ghost points that `v` has
// not.
TEST(LoweredValues, OfATempWithGhostPointsBesideFieldsInPlace) {
  for (const char *schedule :
       {"baseline/8x2/r1", "baseline/8x2/v2x2/r1", "zblock/8x1/c2/r1", "host"})
    expectReference("stencil s(y, x) { field f64 u, v, w; temp f64 d; boundary u, d: x halo;"
                    "  init u = x; init v = x*x + y;"
                    "  stage { u' = v; d' = u; v' = 1; } stage { w' = d'[x-1] + d'[x+2]; } }",
                    schedule, {5, 11}, 3);
  for (const char *schedule : {"baseline/4x2x1/r1", "zblock/4x1x1/c2/r1", "shm/4x2x1/r1", "host"})
    expectReference("stencil s(z, y, x) { field f64 u, v, w; temp f64 d; boundary u, d: x halo;"
                    "  boundary v: z clamp; init u = x*y; init v = x*x + y - z;"
                    "  stage { u' = v[z+1] - v[z-1]; d' = u; } stage { v' = 1; }"
                    "  stage { w' = d'[x-1]; } }",
                    schedule, {4, 5, 9}, 3);
}

TEST(LoweredValues, OfThreeOperands) {
  for (const char *schedule : {"baseline/8/r1", "host"})
    expectReference("stencil s(x) { field f64 u, v; init u = x*x; init v = 3*x;"
                    "  u' = fma(u, 2, v); v' = u; }",
                    schedule, {21}, 2);
}

TEST(LoweredValues, OfAnUpdateThatNoPointIsLeftTo) {
  expectReference("stencil s(x) { field f64 u; temp f64 d; init u = x*x;"
                  "  stage { d' = 2*u; } stage { u' on x[:2] = d'[x-2]; u' on x[2:] = d'; } }",
                  "baseline/8/r1", {21}, 2);
}

TEST(LoweredValues, OfAReductionThatWraps) {
  for (const char *schedule : {"baseline/4x2/r1", "host"})
    for (int64_t extent : {0, 4, 7})
      expectReference("stencil s(y, x) { field f64 u; boundary u: periodic; init u = x - y*y;"
                      "  u' = u + 1; reduce sum total = u*u[x+4]; }",
                      schedule, {5, extent}, 2);
}

TEST(LoweredValues, OfNoStepsAtTheEndOfAnArrayOverTime) {
  for (const char *schedule : {"baseline/4x2/r1", "host"})
    expectReference("stencil s(y, x) { field f64 u; const f64 w(t); init u = x - y*y;"
                    "  u' = u + w[t+1]; reduce sum total = u; }",
                    schedule, {5, 7}, 0);
}

} // namespace
