// Stages between which no offset is read: one launch, and the bits of the reference; and those that
// stay apart.
#include "codegen/lower/JoinedStages.h"

#include "test/codegen/Reference.h"

using namespace stencilc;

namespace {

const std::vector<const char *> kSchedules = {"baseline/4x2/r1", "baseline/4x2/v2x2/r1",
                                              "zblock/4x1/c3/r1", "shm/4x2/r1", "host"};

size_t stagesOf(llvm::StringRef text) {
  return withStagesJoined(stencilOf(text.str())).stages.size();
}

/// By all schedules, `shm` where it is legal, on grids down to the smallest.
void expectOneLaunch(const std::string &text) {
  EXPECT_EQ(stagesOf(text), 1u) << text;
  for (const char *schedule : kSchedules) {
    llvm::Expected<VerifiedProgram> program =
        lower(stencilOf(text), llvm::cantFail(parseSchedule(schedule, 2)));
    if (!program) {
      EXPECT_TRUE(llvm::StringRef(schedule).starts_with("shm")) << schedule;
      EXPECT_FALSE(program.errorIsA<VerifierFailure>());
      llvm::consumeError(program.takeError());
      continue;
    }
    EXPECT_EQ((*program)->kernels.front().comment.front(), "One step of") << schedule;
    EXPECT_FALSE(llvm::errorToBool(auditLowered(*program))) << schedule;
    for (int64_t extent : {1, 2, 5, 21})
      for (int steps : {1, 2, 3}) {
        SCOPED_TRACE(text + "\n" + schedule + ", " + std::to_string(extent) + " points, " +
                     std::to_string(steps) + " steps");
        expectReference(text, schedule, {std::min<int64_t>(extent, 11), extent}, steps);
      }
  }
}

TEST(JoinedStages, ReadWhatWasMadeAtThePointFromARegister) {
  expectOneLaunch("stencil s(y, x) { field f64 u, v, w; boundary u: clamp; init u = x*x - y;"
                  "  stage { u' = 0.5*u + 0.1*(u[x-1] + u[y+1]); }"
                  "  stage { v' = v + u'*u'; } stage { w' = v' - u'; } }");
  const VerifiedProgram program = llvm::cantFail(
      lower(stencilOf("stencil s(x) { field f64 u, v; boundary u: clamp;"
                      "  stage { u' = u[x-1] + u[x+1]; } stage { v' = v + 2*u'; } }"),
            llvm::cantFail(parseSchedule("baseline/32/r1", 1))));
  ASSERT_EQ(program->kernels.size(), 1u);
  EXPECT_EQ(program->kernels[0].arrays.size(), 3u) << "u, u_next and v, updated in place";
}

TEST(JoinedStages, RoundToTheTypeOfWhatIsMade) {
  expectOneLaunch("stencil s(y, x) { field f32 u; field f64 v; boundary u: periodic;"
                  "  init u = 0.1f*f32(x); init v = 1.1*y;"
                  "  stage { u' = u[x-1] + f32(v*1.3); } stage { v' = v + f64(u')*0.7; } }");
}

TEST(JoinedStages, KeepFramesAndRegionsThatAreTheSame) {
  expectOneLaunch("stencil s(y, x) { field f64 u, v; boundary u: fixed; init u = x*x - y;"
                  "  stage { u' = u[x-1] + u[x+1] - u[y-1]; }"
                  "  stage { v' on x[1:-1], y[1:] = v + u'; } }");
  expectOneLaunch("stencil s(y, x) { field f64 u, v; param int n = 1; boundary u: fixed;"
                  "  init u = x*x - y; stage { u' on y[n:] = u + 1; }"
                  "  stage { v' on y[n:] = v + u'; } }");
}

TEST(JoinedStages, StoreNoTempThatNothingElseReads) {
  const std::string text =
      "stencil s(y, x) { field f64 u, v; temp f64 d; boundary u: clamp; init u = x*x - y;"
      "  stage { d' = u[x-1] - u[y+1]; } stage { u' = u + d'; v' = v - 2*d'; } }";
  // The new value of `u` would be made where `u` is read: two buffers instead of one.
  EXPECT_EQ(stagesOf(text), 2u);
  const std::string inTwoBuffers =
      "stencil s(y, x) { field f64 u, v; temp f64 d; boundary u: clamp; init u = x*x - y;"
      "  stage { d' = u[x-1] - u[y+1]; } stage { u' = u[x+1] + d'; v' = v - 2*d'; } }";
  expectOneLaunch(inTwoBuffers);
  const VerifiedProgram program = llvm::cantFail(
      lower(stencilOf(inTwoBuffers), llvm::cantFail(parseSchedule("baseline/32x1/r1", 2))));
  EXPECT_EQ(program->buffers.size(), 3u) << "u, u_next, v";
}

TEST(JoinedStages, JoinWhatHasNothingInCommon) {
  expectOneLaunch("stencil s(y, x) { field f64 u, v; boundary: periodic; init u = x; init v = y;"
                  "  stage { u' = u[x-1]; } stage { v' = v[y+1]; } }");
}

TEST(JoinedStages, AreFusedOverSteps) {
  const std::string text =
      "stencil s(z, y, x) { field f32 u, v; boundary: clamp; init u = 0.1f*f32(x) - f32(y*z);"
      "  stage { u' = 0.5*u + 0.1*(u[x-1] + u[z+1]); } stage { v' = v[y-1] + 0.1*u'; } }";
  for (int steps : {1, 2, 5})
    expectReference(text, "temporal/32x4x1/c5/t2/v2x4/p1/r1", {7, 9, 33}, steps);
}

TEST(JoinedStages, StayApart) {
  const auto expectApart = [](const char *why, const std::string &text) {
    EXPECT_EQ(stagesOf("stencil s(y, x) { field f64 u, v; temp f64 d; " + text + " }"), 2u) << why;
  };
  expectApart("an offset is read",
              "boundary: clamp; stage { u' = 2*u; d' = u; } stage { v' = u'[x-1] + d'; }");
  expectApart("`v` finds what no update of `u` writes",
              "boundary: fixed; stage { u' = u[x-1]; d' = u; } stage { v' = u' + d'; }");
  expectApart("`u` is made in parts", "stage { u' on x[0] = 1.5*u; u' on x[1:] = 2*u; d' = u; } "
                                      "stage { v' = u' + d'; }");
  expectApart("`u` is in place, and would not be",
              "boundary: clamp; stage { d' = 1 + v; v' = v + u[x-1]; } stage { u' = u + v'*d'; }");
}

// The second stage reads the old value of `u` at the point, too: in a launch of their own it would
// be gone if `u` were in place. Joined, `u` keeps the two buffers that callers pass.
TEST(JoinedStages, KeepASecondBufferThatIsNeededNoLonger) {
  const std::string text =
      "stencil s(y, x) { field f64 u, v; boundary: clamp; init u = x*x - y; init v = x - 0.5*y;"
      "  stage { u' = 0.9*u + 0.1*v[x-1]; } stage { v' = v[y+1] + 0.5*(u + u'); } }";
  expectOneLaunch(text);
  const VerifiedProgram program =
      llvm::cantFail(lower(stencilOf(text), llvm::cantFail(parseSchedule("baseline/32x1/r1", 2))));
  EXPECT_EQ(program->buffers.size(), 4u) << "u, u_next, v, v_next";
}

// So it is of what stages before both made, whatever is read of that.
TEST(JoinedStages, MayReadOffThePointWhatWasMadeBeforeBoth) {
  const std::string text =
      "stencil s(y, x) { field f64 v, r, q; boundary: clamp; init v = x*x - y; init q = y*y - 2*x;"
      "  init r = 0.3*x; stage { v' = v + 0.1*(q[x+1] - q[x-1]); }"
      "  stage { r' = 0.9*r + 0.1*(v'[x+1] - v'[x-1]); }"
      "  stage { q' = q + 0.1*(v'[x+1] - v'[x-1]) + 0.5*(r + r'); } }";
  EXPECT_EQ(stagesOf(text), 2u);
  for (const char *schedule : {"baseline/4x2/r1", "zblock/4x1/c3/r1", "shm/4x2/r1", "host"})
    for (int steps : {1, 2, 3})
      expectReference(text, schedule, {11, 21}, steps);
}

} // namespace
