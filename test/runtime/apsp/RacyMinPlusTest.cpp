// The fault of the paper's in-place kernel, made to happen.
//
// A thread stores its distance, then reads and stores its path. Here another block of threads runs
// in between, as a device may let it: it reads the distance that is new and the path that is old.
#include "runtime/apsp/PaperKernels.h"

#include "runtime/apsp/Paths.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace stencilc::apsp::test {
namespace {

using A = Algebra<MinPlus, float>;
constexpr int n = 4;

/// A path matrix that calls back before a path is stored.
struct ObservedPaths {
  std::vector<int32_t> *paths;
  std::function<void(int row, int column)> *beforeStore;

  bool exists() const { return true; }
  int32_t get(int row, int column) const { return (*paths)[row * n + column]; }
  void set(int row, int column, int32_t vertex) const {
    if (*beforeStore)
      (*beforeStore)(row, column);
    (*paths)[row * n + column] = vertex;
  }
};

using View = device::MatrixView<float, ObservedPaths>;

/// The line 0 - 1 - 2 - 3, and a dear edge from 0 to 2.
struct Line {
  std::vector<float> distances = std::vector<float>(n * n, A::zero());
  std::vector<int32_t> paths = std::vector<int32_t>(n * n, noVertex);

  Line() {
    for (int v = 0; v < n; ++v)
      distances[v * n + v] = 0;
    connect(0, 1, 1);
    connect(1, 2, 1);
    connect(2, 3, 1);
    connect(0, 2, 10);
  }
  void connect(int from, int to, float weight) {
    distances[from * n + to] = weight;
    paths[from * n + to] = to;
  }
  int64_t lengthOfPath(int from, int to) const {
    int64_t length;
    pathLength({n, PathKind::FirstHop, paths.data(), n}, from, to, length);
    return length;
  }
};

template <bool inPlace> void step(View from, View to) {
  cudaLaunchConfig_t config;
  config.gridDim = dim3(n, n);
  config.blockDim = dim3(1, 1);
  const auto kernel = device::minPlusStep<A, 1, inPlace, ObservedPaths>;
  ASSERT_EQ(cudaLaunchKernelEx(&config, kernel, n, from, to), cudaSuccess);
}

/// Runs the block of one entry at once, from within another one.
template <bool inPlace> void runBlock(int row, int column, View from, View to) {
  const uint3 outer = blockIdx;
  blockIdx = {unsigned(column), unsigned(row), 0};
  device::minPlusStep<A, 1, inPlace, ObservedPaths>(n, from, to);
  blockIdx = outer;
}

TEST(RacyMinPlus, KeepsAPathThatIsNotTheShortest) {
  Line line;
  std::function<void(int, int)> interrupt;
  const View view{line.distances.data(), n, {&line.paths, &interrupt}};
  interrupt = [&](int row, int column) {
    if (row == 0 && column == 2) {
      interrupt = nullptr;
      runBlock<true>(0, 3, view, view);
    }
  };
  step<true>(view, view);
  step<true>(view, view);
  EXPECT_EQ(line.distances[0 * n + 3], 3); // right
  EXPECT_EQ(line.paths[0 * n + 3], 2);     // over the dear edge: 11
  EXPECT_EQ(line.lengthOfPath(0, 3), 3);
}

TEST(RacyMinPlus, IsRightFromOneMatrixIntoAnother) {
  Line now, next;
  std::function<void(int, int)> interrupt;
  const View nowView{now.distances.data(), n, {&now.paths, &interrupt}};
  const View nextView{next.distances.data(), n, {&next.paths, &interrupt}};
  int interrupted = 0;
  interrupt = [&](int row, int column) {
    if (row == 0 && column == 2 && interrupted++ == 0)
      runBlock<false>(0, 3, nowView, nextView);
  };
  step<false>(nowView, nextView);
  step<false>(nextView, nowView);
  EXPECT_GT(interrupted, 0);
  EXPECT_EQ(now.distances[0 * n + 3], 3);
  EXPECT_EQ(now.paths[0 * n + 3], 1);
  EXPECT_EQ(now.lengthOfPath(0, 3), 4);
}

} // namespace
} // namespace stencilc::apsp::test
