// Ends that no read looks beyond: what kind they are of decides nothing.
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace unread_ends {
namespace {

constexpr int64_t kSteps = 7;

std::string withEnds(llvm::StringRef text, llvm::StringRef ends) {
  const auto [before, after] = text.split("ENDS");
  return (before + ends + after).str();
}

/// What the schedule makes of the text where an end has either kind.
void expectAlike(llvm::StringRef text, llvm::StringRef schedule, llvm::StringRef ends,
                 llvm::StringRef others) {
  SCOPED_TRACE((schedule + ": " + others).str());
  const auto kernelsWith = [&](llvm::StringRef ends) {
    const Stencil stencil = stencilOf(withEnds(text, ends));
    std::string kernels;
    llvm::raw_string_ostream out(kernels);
    print(out,
          *llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank())))));
    return kernels;
  };
  EXPECT_EQ(kernelsWith(ends), kernelsWith(others));
}

/// Dye that streams along one axis each: of a population, two ends of one axis are read at most.
const char *const kDye =
    "stencil dye(y, x) { field f64 e, n, rest; boundary n: x clamp, y periodic;"
    "  boundary e: ENDS; boundary rest: periodic;"
    "  init e = x*x - 3*y; init n = y*x + 1; init rest = x - y;"
    "  e' = 0.5*e[x-1] + 0.25*n[y-1]; n' = n[y+1] - 0.125*rest;"
    "  rest' = 0.5*rest + 0.25*e; }";
const char *const kDyeSchedules[] = {"temporal/32x1/c8/t2/v4x1/p1", "temporal/32x2/c16/t4/v5x2/p1",
                                     "shm/32x4", "zblock/32x1/c8", "baseline/32x4"};

TEST(UnreadEnds, DecideNothing) {
  for (const char *schedule : kDyeSchedules)
    for (const char *ends :
         {"x- value(2), clamp", "x- value(2), fixed", "x- value(2), x+ symmetric(-1), halo",
          "x- value(2), x+ halo, y- reflect, y+ value(1)"})
      expectAlike(kDye, schedule, "x- value(2), x+ clamp, y periodic", ends);
}

TEST(UnreadEnds, LeaveStepsAsTheyAre) {
  for (const char *schedule : kDyeSchedules)
    for (const char *ends : {"x- value(2), clamp", "x- halo, x+ symmetric(-1), fixed",
                             "x- clamp, x+ halo, y value(1)", "x- symmetric, x+ halo, y clamp"})
      for (const std::vector<int64_t> &grid :
           {std::vector<int64_t>{1, 1}, {2, 3}, {23, 150}, {45, 321}})
        expectReference(withEnds(kDye, ends), schedule, grid, kSteps);
}

/// Particles' velocities are read along their own axis.
TEST(UnreadEnds, OfFieldsThatAreReadAlongOneAxis) {
  const char *const text =
      "stencil sound(z, y, x) { field f32 p, vx, vz; boundary p: z- symmetric(-1), z+ clamp,"
      "  periodic; boundary vx: ENDS; boundary vz: z- symmetric, z+ clamp, fixed;"
      "  init p = x*x - 3*y + z; init vx = x - y; init vz = z*y;"
      "  stage { vx' = vx - 0.25*(p[x+1] - p); vz' = vz - 0.25*(p[z+1] - p[y-1]); }"
      "  stage { p' = p - 0.25*(vx' - vx'[x-1] + vz' - vz'[z-1]); } }";
  for (const char *schedule : {"temporal/32x2x1/c8/v2x4", "temporal/32x4x1/c8/t2/v2x4/p1"})
    for (const char *ends : {"periodic", "x periodic, value(3)", "x periodic, halo"})
      for (const std::vector<int64_t> &grid : {std::vector<int64_t>{3, 2, 4}, {11, 17, 92}})
        expectReference(withEnds(text, ends), schedule, grid, kSteps);
}

/// Warps that hold steps, and marches by planes, clamp all fields or none.
TEST(UnreadEnds, ClampAsThoseOfOthers) {
  const char *const flat =
      "stencil nerve(y, x) { field f64 u, v; boundary u: clamp; boundary v: ENDS;"
      "  init u = x*x - 3*y; init v = x + y; u' = 0.5*u[y-1] + 0.25*u[x+1] - u[y+1] + v;"
      "  v' = 0.5*v + 0.125*u; }";
  for (const char *ends : {"halo", "value(1)", "fixed"}) {
    expectAlike(flat, "temporal/32x2/c16/t4/v5x2/p1", "clamp", ends);
    expectReference(withEnds(flat, ends), "temporal/32x2/c16/t4/v5x2/p1", {45, 321}, kSteps);
    const char *const solid =
        "stencil nerve(z, y, x) { field f64 u, v; boundary u: clamp; boundary v: ENDS;"
        "  init u = x*x - 3*y + z; init v = x + y; u' = 0.5*u[z-1] + 0.25*u[x+1] - u[z+1, y-1];"
        "  v' = 0.5*v + 0.125*u; }";
    expectAlike(solid, "temporal/32x2x1/c4/t3/v2x4/p1", "clamp", ends);
    expectReference(withEnds(solid, ends), "temporal/32x2x1/c4/t3/v2x4/p1", {9, 17, 64}, kSteps);
  }
}

/// Nothing is kept of points beyond an end that no read looks beyond, whatever others see there.
TEST(UnreadEnds, BesideFieldsThatSeeSomethingElse) {
  const char *const text =
      "stencil apart(y, x) { field f64 u, v; boundary u: ENDS;"
      "  boundary v: y- halo, y+ value(2), x- value(1), x+ halo;"
      "  init u = x*x - 3*y; init v = x + y; u' = 0.5*u[y-1] + 0.25*u[x-1] - v;"
      "  v' = 0.5*v[y-1, x+1] + v[y+1] - 0.125*v[x-1] + 0.25*u; }";
  for (const char *schedule :
       {"temporal/32x1/c8/t2/v4x1/p1", "temporal/32x2/c16/t4/v5x2/p1", "shm/32x4"})
    for (const char *ends : {"halo", "y- value(1), x- symmetric(-1), clamp", "value(3)"})
      for (const std::vector<int64_t> &grid : {std::vector<int64_t>{2, 3}, {23, 150}, {45, 321}})
        expectReference(withEnds(text, ends), schedule, grid, kSteps);
}

/// A temp is made at ghost points where it is read, and what it reads there at the point itself has
/// them, too.
TEST(UnreadEnds, AreNotThoseOfGhostPoints) {
  for (const char *schedule : {"temporal/32x1/c8/t2/v4x1/p1", "shm/32x4", "zblock/32x1/c8"})
    expectReference("stencil ghosts(y, x) { field f64 u; const f64 f; temp f64 w;"
                    "  boundary: halo; init u = x*x - 3*y; init f = 1 + 0.25*x;"
                    "  stage { w' = f*u; } stage { u' = w'[x+1] - 0.5*w'[y-1]; } }",
                    schedule, {23, 150}, kSteps);
}

/// From ghost points, too, some reads go inwards alone.
TEST(UnreadEnds, BesideGhostPointsOfTemps) {
  for (const char *reads : {"f[x+1]", "f[x+1] - 0.5*u", "0.5*u - f[x+2]"})
    expectReference(std::string("stencil inwards(y, x) { field f64 u; const f64 f; temp f64 w;"
                                "  boundary: halo; init u = x*x - 3*y; init f = 1 + 0.25*x;"
                                "  stage { w' = ") +
                        reads + "; } stage { u' = w'[x-1] - 0.5*w'; } }",
                    "temporal/32x1/c8/t2/v4x1/p1", {23, 150}, kSteps);
  expectReference("stencil apart(y, x) { field f64 u; const f64 f; temp f64 w;"
                  "  boundary f: x- fixed, x+ halo; boundary w: x halo; init u = x*x - 3*y;"
                  "  init f = 1 + 0.25*x; stage { w' = x; } stage { u' = w'[x+2] - f[x-1]; } }",
                  "temporal/32x1/c8/t2/v4x1/p1", {23, 150}, kSteps);
}

TEST(UnreadEnds, LeaveTheInterfaceAsItIs) {
  const Stencil stencil = stencilOf("stencil s(x) { field f64 u; const f64 w(t); param f64 a = 2;"
                                    "  boundary u: x- clamp, x+ value(a*w[t+1]); u' = u[x-1]; }");
  const Signature signature = signatureOf(stencil);
  const VerifiedProgram program =
      llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule("baseline/32", 1))));
  EXPECT_EQ(program->signature.countsSteps, signature.countsSteps);
  EXPECT_EQ(program->signature.arrays[1].overTime->last, signature.arrays[1].overTime->last);
}

/// What a temp's formula reads when it is computed again, the temp was read beyond.
TEST(UnreadEnds, OfTempsComputedAgain) {
  for (const char *schedule : {"baseline/32x4/recompute", "shm/32x4/recompute"})
    expectReference("stencil again(y, x) { field f64 u; temp f64 w; boundary: clamp;"
                    "  init u = x*x - 3*y; stage { w' = 0.5*u; }"
                    "  stage { u' = w'[x+1] - 0.5*w'[y-1]; } }",
                    schedule, {23, 150}, kSteps);
}

} // namespace
} // namespace unread_ends
