// The harness itself: it must run right kernels right and show what wrong ones do.
#include "test/harness/Arrays.h"
#include "test/harness/Engine.h"
#include "test/harness/Streams.h"
#include "test/harness/cuda_pipeline.h"
#include "test/harness/cuda_runtime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace stencilc::harness;

namespace {

constexpr int kBlock = 64;

template <class... Parameters, class... Arguments>
cudaError_t run(dim3 grid, dim3 block, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchConfig_t config;
  config.gridDim = grid;
  config.blockDim = block;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

__global__ void __launch_bounds__(24) numberThreads(int *out, int *next) {
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  out[block * 24 + thread] = (*next)++;
}

__global__ void reverseBlock(const int *in, int *out) {
  __shared__ int tile[kBlock];
  const int x = threadIdx.x, begin = blockIdx.x * kBlock;
  for (int repeat = 0; repeat < 3; ++repeat) {
    tile[x] = in[begin + x] + repeat;
    __syncthreads();
    out[begin + x] = tile[kBlock - 1 - x];
    __syncthreads();
  }
}

__global__ void reverseBlockWithoutBarrier(const int *in, int *out) {
  __shared__ int tile[kBlock];
  const int x = threadIdx.x;
  tile[x] = in[x];
  out[x] = tile[kBlock - 1 - x];
}

__global__ void readTileFirst(float *asFloat, double *asDouble) {
  __shared__ double tile[2];
  asDouble[blockIdx.x] = tile[0];
  float half;
  __builtin_memcpy(&half, &tile[1], sizeof half);
  asFloat[blockIdx.x] = half;
  tile[0] = tile[1] = 1.0;
}

__global__ void notePlaces(std::vector<ThreadPlace> *places) {
  places->push_back(*threadPlace());
  __syncthreads();
  places->push_back(*threadPlace());
}

/// Sums of neighbouring lanes, as an emitted march forms them.
__global__ void addNeighbours(const double *in, double *out) {
  const double here = in[threadIdx.x];
  const double below = __shfl_up_sync(0xffffffff, here, 1);
  out[threadIdx.x] = below + here + __shfl_down_sync(0xffffffff, here, 2);
}

/// Warp 1 hands numbers to warp 0; warp 2 takes no part and may be anywhere.
__global__ void handOver(int *out, bool waits) {
  __shared__ int tile[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 1) {
    tile[lane] = 100 + lane;
    __barrier_sync_count(1, 64);
  } else if (warp == 0) {
    if (waits)
      __barrier_sync_count(1, 64);
    out[lane] = tile[31 - lane];
    if (!waits)
      __barrier_sync_count(1, 64);
  }
}

/// Two batches of one element each; `early` reads before the wait.
__global__ void copyTwice(const float *in, float *early, float *late) {
  __shared__ float tile[2][8];
  const int x = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][x], &in[x], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&tile[1][x], &in[8 + x], 4);
  __pipeline_commit();
  early[x] = tile[0][x];
  __pipeline_wait_prior(1);
  late[x] = tile[0][x];
  early[8 + x] = tile[1][x];
  __pipeline_wait_prior(0);
  late[8 + x] = tile[1][x];
}

__global__ void misalignedCopy(const float *in) {
  __shared__ float tile[8];
  __pipeline_memcpy_async(&tile[0], &in[1], 16);
}

__global__ void reverseDynamic(const double *in, double *out) {
  double *const tile = reinterpret_cast<double *>(shared_memory());
  if (threadIdx.x == 0)
    out[64] = tile[0];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void leaveBeforeBarrier(int last) {
  if (static_cast<int>(threadIdx.x) > last)
    return;
  __syncthreads();
}

__global__ void waitInBothBranches() {
  if (threadIdx.x == 0)
    __syncthreads();
  else
    __syncthreads();
}

__global__ void storeMinimum(double a, double b, double *out) {
  out[0] = fmin(a, b);
  out[1] = fmax(a, b);
}

class Harness : public testing::TestWithParam<ThreadOrder> {
protected:
  void SetUp() override { setThreadOrder(GetParam(), 1); }
  void TearDown() override { setThreadOrder(ThreadOrder::Ascending); }
};

TEST_P(Harness, RunsEveryThreadOnce) {
  std::vector<int> out(2 * 3 * 2 * 24, -1);
  int next = 0;
  ASSERT_EQ(run(dim3(2, 3, 2), dim3(4, 3, 2), numberThreads, out.data(), &next), cudaSuccess);
  EXPECT_EQ(next, 12 * 24);
  const int last = 12 * 24 - 1;
  if (GetParam() != ThreadOrder::Random) {
    const bool ascending = GetParam() == ThreadOrder::Ascending;
    for (int i = 0; i <= last; ++i)
      ASSERT_EQ(out[i], ascending ? i : last - i);
  }
  std::sort(out.begin(), out.end());
  for (int i = 0; i <= last; ++i)
    ASSERT_EQ(out[i], i);
}

TEST_P(Harness, BarriersSeparateStoresFromLoads) {
  std::vector<int> in(5 * kBlock), out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int>(i);
  ASSERT_EQ(run(dim3(5), dim3(kBlock), reverseBlock, in.data(), out.data()), cudaSuccess);
  for (int block = 0; block < 5; ++block)
    for (int x = 0; x < kBlock; ++x)
      ASSERT_EQ(out[block * kBlock + x], block * kBlock + kBlock - 1 - x + 2);
}

TEST_P(Harness, TilesArePoisonedBeforeEachBlock) {
  float asFloat[3] = {};
  double asDouble[3] = {};
  ASSERT_EQ(run(dim3(3), dim3(1), readTileFirst, asFloat, asDouble), cudaSuccess);
  for (int block = 0; block < 3; ++block)
    EXPECT_TRUE(std::isnan(asFloat[block]) && std::isnan(asDouble[block]));
}

INSTANTIATE_TEST_SUITE_P(Orders, Harness,
                         testing::Values(ThreadOrder::Ascending, ThreadOrder::Descending,
                                         ThreadOrder::Random));

TEST(HarnessOrders, ShowAMissingBarrier) {
  std::vector<int> in(kBlock), ascending(kBlock), descending(kBlock);
  for (int i = 0; i < kBlock; ++i)
    in[i] = i;
  setThreadOrder(ThreadOrder::Ascending);
  run(dim3(1), dim3(kBlock), reverseBlockWithoutBarrier, in.data(), ascending.data());
  setThreadOrder(ThreadOrder::Descending);
  run(dim3(1), dim3(kBlock), reverseBlockWithoutBarrier, in.data(), descending.data());
  setThreadOrder(ThreadOrder::Ascending);
  EXPECT_NE(ascending, descending);
}

TEST(HarnessDeathTest, EndedThreadsBlockABarrier) {
  EXPECT_DEATH(run(dim3(1), dim3(4), leaveBeforeBarrier, 1),
               "divergent control flow.*some threads ended");
}

TEST(HarnessDeathTest, BarriersOfDifferentLinesDoNotMeet) {
  EXPECT_DEATH(run(dim3(1), dim3(4), waitInBothBranches),
               "divergent control flow.*wait at different barriers");
}

TEST(HarnessLaunch, RefusesWhatADeviceRefuses) {
  int next = 0;
  for (dim3 grid : {dim3(0), dim3(1, 65536), dim3(1, 1, 65536)})
    EXPECT_EQ(run(grid, dim3(1), numberThreads, &next, &next), cudaErrorInvalidConfiguration);
  for (dim3 block : {dim3(0), dim3(1025), dim3(32, 33), dim3(1, 1, 65)})
    EXPECT_EQ(run(dim3(1), block, numberThreads, &next, &next), cudaErrorInvalidConfiguration);
  EXPECT_EQ(next, 0);
}

TEST(HarnessLaunch, FailsOnRequest) {
  failLaunchAfter(1);
  EXPECT_EQ(run(dim3(1), dim3(1), leaveBeforeBarrier, 0), cudaSuccess);
  EXPECT_EQ(run(dim3(1), dim3(1), leaveBeforeBarrier, 0), cudaErrorInvalidConfiguration);
  failLaunchAfter(-1);
  EXPECT_EQ(run(dim3(1), dim3(1), leaveBeforeBarrier, 0), cudaSuccess);
}

TEST(HarnessPlaces, TellLaunchBlockThreadAndInterval) {
  std::vector<ThreadPlace> places;
  EXPECT_FALSE(threadPlace());
  run(dim3(1, 3), dim3(2, 2), notePlaces, &places);
  const unsigned first = places[0].launch;
  run(dim3(2), dim3(4), notePlaces, &places);
  EXPECT_FALSE(threadPlace());
  ASSERT_EQ(places.size(), 5 * 4 * 2u);
  for (unsigned i = 0; i < places.size(); ++i) {
    const unsigned launch = i >= 3 * 4 * 2;
    EXPECT_EQ(places[i].launch, first + launch);
    EXPECT_EQ(places[i].block, i / 8 - launch * 3);
    EXPECT_EQ(places[i].interval, i / 4 % 2);
    EXPECT_EQ(places[i].thread, i % 4);
  }
}

/// What two streams do, a letter each: b and c may change places, a and d may not move, if the
/// second stream waits for a as it should.
std::string lettersUnder(StreamOrder order, bool waits) {
  setStreamOrder(order);
  cudaStream_t side;
  cudaEvent_t afterA, afterC;
  cudaStreamCreate(&side);
  cudaEventCreate(&afterA);
  cudaEventCreate(&afterC);
  std::string letters;
  const auto write = [&](cudaStream_t stream, char letter) {
    cudaLaunchConfig_t config;
    config.stream = stream;
    enqueue(config, [&letters, letter] { letters += letter; }, nullptr, nullptr);
  };
  write(nullptr, 'a');
  cudaEventRecord(afterA, nullptr);
  if (waits)
    cudaStreamWaitEvent(side, afterA, 0);
  write(side, 'c');
  cudaEventRecord(afterC, side);
  write(nullptr, 'b');
  cudaStreamWaitEvent(nullptr, afterC, 0);
  write(nullptr, 'd');
  EXPECT_EQ(letters, "");
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  cudaEventDestroy(afterA);
  cudaEventDestroy(afterC);
  cudaStreamDestroy(side);
  setStreamOrder(StreamOrder::AsCalled);
  return letters;
}

TEST(HarnessStreams, RunInEveryOrderThatEventsAllow) {
  EXPECT_EQ(lettersUnder(StreamOrder::CreatedFirst, true), "abcd");
  EXPECT_EQ(lettersUnder(StreamOrder::CreatedLast, true), "acbd");
  EXPECT_EQ(lettersUnder(StreamOrder::CreatedLast, false), "cabd");
}

TEST(HarnessStreams, ThatWaitForEachOtherFail) {
  setStreamOrder(StreamOrder::CreatedFirst);
  cudaEvent_t never;
  cudaEventCreate(&never);
  cudaStream_t side;
  cudaStreamCreate(&side);
  cudaEventRecord(never, side);
  cudaStreamWaitEvent(nullptr, never, 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  never->recorded = 5; // as if recorded behind work that waits for it
  cudaStreamWaitEvent(nullptr, never, 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorInvalidValue);
  cudaEventDestroy(never);
  cudaStreamDestroy(side);
  setStreamOrder(StreamOrder::AsCalled);
}

TEST(HarnessFunctions, MinimumAndMaximumAreTheDevices) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  double out[2];
  run(dim3(1), dim3(1), storeMinimum, nan, 2.0, out);
  EXPECT_EQ(out[0], 2.0);
  EXPECT_EQ(out[1], 2.0);
  run(dim3(1), dim3(1), storeMinimum, 2.0, nan, out);
  EXPECT_EQ(out[0], 2.0);
  EXPECT_EQ(out[1], 2.0);
  for (double zero : {0.0, -0.0}) {
    run(dim3(1), dim3(1), storeMinimum, zero, -zero, out);
    EXPECT_TRUE(std::signbit(out[0]));
    EXPECT_FALSE(std::signbit(out[1]));
  }
}

using Point = std::array<int64_t, 2>;

ArrayLayout smallLayout(unsigned elementBytes, Flush flush, int64_t padding, int64_t pitch) {
  ArrayLayout layout = {elementBytes, {3, 5}, {1, 2}, {0, 1}, {}, flush, padding};
  layout.strides = denseStrides(layout.extents, layout.low, layout.high, pitch);
  return layout;
}

TEST(Arrays, HoldTheirElementsAndGhostPoints) {
  for (unsigned bytes : {4u, 8u})
    for (Flush flush : {Flush::Left, Flush::Right}) {
      GuardedArray array(smallLayout(bytes, flush, 3, 2));
      EXPECT_TRUE(std::isnan(array.get(Point{-1, -2})));
      for (int64_t y = -1; y < 3; ++y)
        for (int64_t x = -2; x < 6; ++x)
          array.set(Point{y, x}, 10.0 * y + x);
      EXPECT_EQ(array.get(Point{-1, -2}), -12.0);
      EXPECT_EQ(array.get(Point{2, 5}), 25.0);
      EXPECT_TRUE(array.paddingIsIntact());
      array.set(Point{0, 6}, 1.0); // the pitch
      EXPECT_FALSE(array.paddingIsIntact());
    }
}

TEST(ArraysDeathTest, EndAtInaccessiblePages) {
  GuardedArray left(smallLayout(8, Flush::Left, 0, 0));
  GuardedArray right(smallLayout(4, Flush::Right, 0, 0));
  EXPECT_DEATH(left.get(Point{-1, -3}), "");
  EXPECT_DEATH(right.get(Point{2, 6}), "");
  right.makeReadOnly();
  EXPECT_EQ(right.paddingIsIntact(), true);
  EXPECT_DEATH(right.set(Point{0, 0}, 1.0), "");
}

TEST(Arrays, PaddingMovesThePhase) {
  GuardedArray flush(smallLayout(8, Flush::Left, 0, 0));
  GuardedArray moved(smallLayout(8, Flush::Left, 5, 0));
  auto phase = [](const GuardedArray &array) {
    return reinterpret_cast<uintptr_t>(array.origin()) % 128 / 8;
  };
  EXPECT_EQ(phase(flush), (1 * 8 + 2) % 16u);
  EXPECT_EQ(phase(moved), (1 * 8 + 2 + 5) % 16u);
}

TEST(HarnessWarps, ShufflesReachTheLanesOfTheirWarp) {
  std::array<double, 40> in, out;
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = double(1 << (i % 20)) + i;
  for (ThreadOrder order : {ThreadOrder::Ascending, ThreadOrder::Descending, ThreadOrder::Random}) {
    setThreadOrder(order, 3);
    run(dim3(1), dim3(40), addNeighbours, in.data(), out.data());
    for (int i = 0; i < 40; ++i) {
      const int begin = i / 32 * 32, end = std::min(begin + 32, 40);
      const double below = in[i > begin ? i - 1 : i], above = in[i + 2 < end ? i + 2 : i];
      EXPECT_EQ(out[i], below + in[i] + above) << i;
    }
  }
  setThreadOrder(ThreadOrder::Ascending);
}

TEST(HarnessWarps, WarpsOfAGroupMeetAtItsBarrier) {
  for (ThreadOrder order : {ThreadOrder::Ascending, ThreadOrder::Descending, ThreadOrder::Random}) {
    setThreadOrder(order, 5);
    std::array<int, 32> out = {};
    run(dim3(1), dim3(96), handOver, out.data(), true);
    EXPECT_EQ(out[0], 131);
    EXPECT_EQ(out[31], 100);
  }
  setThreadOrder(ThreadOrder::Ascending);
  std::array<int, 32> out = {};
  run(dim3(1), dim3(96), handOver, out.data(), false);
  EXPECT_NE(out[0], 131);
}

TEST(HarnessCopies, ArriveWhenTheirBatchIsWaitedFor) {
  std::array<float, 16> in, early, late;
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = i;
  run(dim3(1), dim3(8), copyTwice, in.data(), early.data(), late.data());
  EXPECT_EQ(late, in);
  for (float value : early)
    EXPECT_TRUE(std::isnan(value));
}

TEST(HarnessCopiesDeathTest, MustBeAligned) {
  alignas(16) std::array<float, 8> in = {};
  EXPECT_DEATH(run(dim3(1), dim3(1), misalignedCopy, in.data()), "not aligned");
}

TEST(HarnessSharedMemory, IsAsLargeAsTheLaunchAsks) {
  std::array<double, 64> in;
  std::array<double, 65> out;
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = i;
  cudaLaunchConfig_t config;
  config.blockDim = 64;
  config.dynamicSmemBytes = 64 * sizeof(double);
  const double *from = in.data();
  double *to = out.data();
  ASSERT_EQ(cudaLaunchKernelEx(&config, reverseDynamic, from, to), cudaSuccess);
  EXPECT_TRUE(std::isnan(out[64]));
  EXPECT_EQ(out[0], 63);
  config.dynamicSmemBytes = 232449;
  EXPECT_NE(cudaLaunchKernelEx(&config, reverseDynamic, from, to), cudaSuccess);
}

} // namespace
