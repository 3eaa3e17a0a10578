// Calls that must be refused, and launches that fail.
#include "Solve.h"
#include "runtime/apsp/Device.h"
#include "runtime/apsp/Host.h"
#include "test/harness/Engine.h"

#include <gtest/gtest.h>

namespace stencilc::apsp::test {
namespace {

class Refusals : public testing::Test {
protected:
  static constexpr int64_t n = 4;

  Refusals() {
    problem.n = n;
    problem.weights = problem.distances = matrix;
    problem.weightsPitch = problem.distancesPitch = n;
    problem.report = &report;
  }
  Status onHost(size_t bytes = sizeof workspace) {
    return host::solve<MinPlus, int32_t>(problem, plan, workspace, bytes);
  }
  Status onDevice(size_t bytes = sizeof workspace) {
    return device::solve<MinPlus, int32_t>(problem, plan, workspace, bytes, nullptr);
  }
  void expectBoth(Status status) {
    EXPECT_EQ(onHost(), status);
    EXPECT_EQ(onDevice(), status);
  }

  int32_t matrix[n * n] = {}, paths[n * n];
  Report report;
  Problem<int32_t> problem;
  Plan plan;
  alignas(256) char workspace[1 << 20];
};

TEST_F(Refusals, Sizes) {
  expectBoth(Status::Ok);
  problem.n = -1;
  expectBoth(Status::BadExtent);
  problem.n = maximumExtent + 1;
  expectBoth(Status::TooLarge);
  problem.n = n;
  problem.distancesPitch = n - 1;
  expectBoth(Status::BadPitch);
}

TEST_F(Refusals, Pointers) {
  problem.kind = PathKind::FirstHop;
  problem.pathsPitch = n;
  expectBoth(Status::NullPointer);
  problem.kind = PathKind::None;
  problem.weights = nullptr;
  expectBoth(Status::NullPointer);
  problem.n = 0;
  expectBoth(Status::Ok);
  problem.report = nullptr;
  expectBoth(Status::NullPointer);
}

TEST_F(Refusals, Workspaces) {
  size_t bytes;
  ASSERT_EQ((host::workspaceBytes<MinPlus, int32_t>(n, PathKind::None, plan, bytes)), Status::Ok);
  EXPECT_EQ(onHost(bytes), Status::Ok);
  EXPECT_EQ(onHost(bytes - 1), Status::WorkspaceTooSmall);
  ASSERT_EQ((device::workspaceBytes<MinPlus, int32_t>(n, PathKind::None, plan, bytes)), Status::Ok);
  EXPECT_EQ(onDevice(bytes), Status::Ok);
  EXPECT_EQ(onDevice(bytes - 1), Status::WorkspaceTooSmall);
  EXPECT_EQ((device::solve<MinPlus, int32_t>(problem, plan, workspace + 8, bytes, nullptr)),
            Status::WorkspaceTooSmall);
}

TEST_F(Refusals, Plans) {
  plan.blockSize = 96;
  EXPECT_EQ(onDevice(), Status::BadPlan);
  plan.blockSize = 128;
  EXPECT_EQ(onDevice(), Status::Ok);
  problem.kind = PathKind::FirstHop;
  problem.paths = paths;
  problem.pathsPitch = n;
  EXPECT_EQ(onDevice(), Status::BadPlan);
  problem.kind = PathKind::None;
  plan.tileSize = 64;
  plan.range = WeightRange::Below22Bits;
  EXPECT_EQ(onDevice(), Status::BadPlan);
  plan = {};
  plan.algorithm = Algorithm::MinPlus;
  plan.blockSize = 64;
  expectBoth(Status::BadPlan);
  plan = {};
  plan.range = WeightRange::Below22Bits;
  Problem<float> single;
  single.report = &report;
  EXPECT_EQ((host::solve<MinPlus, float>(single, plan, workspace, sizeof workspace)),
            Status::BadPlan);
}

TEST_F(Refusals, FailedLaunches) {
  for (int count = 0; count < 4; ++count) {
    harness::failLaunchAfter(count);
    EXPECT_EQ(onDevice(), Status::LaunchFailed);
  }
  harness::failLaunchAfter(-1);
  EXPECT_EQ(onDevice(), Status::Ok);
}

} // namespace
} // namespace stencilc::apsp::test
