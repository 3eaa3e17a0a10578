// Fused steps of several stages, and of fields that the C interface has one buffer of.
#include "test/codegen/Reference.h"

using namespace stencilc;

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

} // namespace
