// How long operations take that wait for one another, in clocks of an SM, by the warps of one block:
//
//     nvcc -O3 -arch=native -o chains test/gpu/chains.cu && ./chains > results.csv
//
// The least of five runs of 1024 such operations. By these the table of compiled code says how long
// FP64 instructions are waited for (costmodel/device/code/sm90.yaml, `fp64-waits`).
#include <algorithm>
#include <cstdio>

enum Operation { MultiplyAdd, Multiply, Add, Divide, SquareRoot, Exponential, MaximumAndAdd, Power, SineAndAdd };

template <Operation operation, class T> __device__ T next(T x, T a, T b) {
  switch (operation) {
  case MultiplyAdd: return x * b + a;
  case Multiply: return x * b;
  case Add: return x + b;
  case Divide: return a / x;
  case SquareRoot: return sqrt(x);
  case Exponential: return exp(-x);
  case MaximumAndAdd: return fmax(x, b) + a;
  case Power: return pow(x, b);
  case SineAndAdd: return sin(x) + a;
  }
  return x;
}

constexpr int kTurns = 64, kUnrolled = 16, kRuns = 5;

template <Operation operation, class T> __global__ void chain(T *out, T a, T b, long long *clocks) {
  T x = a + T(threadIdx.x) * T(1e-3);
  long long least = 1ll << 60;
  for (int run = 0; run < kRuns; ++run) {
    __syncthreads();
    const long long start = clock64();
#pragma unroll 1
    for (int turn = 0; turn < kTurns; ++turn)
#pragma unroll
      for (int i = 0; i < kUnrolled; ++i)
        x = next<operation>(x, a, b);
    least = min(least, clock64() - start);
  }
  out[threadIdx.x] = x;
  if (threadIdx.x == 0)
    *clocks = least;
}

template <Operation operation, class T> void time(const char *name, T b = T(0.5)) {
  T *out;
  long long *clocks, least;
  cudaMalloc(&out, 1024 * sizeof(T)), cudaMalloc(&clocks, sizeof *clocks);
  for (int threads : {32, 128, 256, 512, 1024}) {
    chain<operation, T><<<1, threads>>>(out, T(1.1), b, clocks);
    cudaMemcpy(&least, clocks, sizeof least, cudaMemcpyDeviceToHost);
    std::printf("%s,%s,%d,%.1f\n", name, sizeof(T) == 4 ? "f32" : "f64", threads / 32,
                double(least) / (kTurns * kUnrolled));
  }
  cudaFree(out), cudaFree(clocks);
}

template <class T> void timeAll() {
  time<MultiplyAdd, T>("fma");
  time<Multiply, T>("mul", T(0.999));
  time<Add, T>("add");
  time<Divide, T>("div");
  time<SquareRoot, T>("sqrt");
  time<Exponential, T>("exp");
  time<MaximumAndAdd, T>("max+add");
  time<Power, T>("pow");
  time<SineAndAdd, T>("sin+add");
}

int main() {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int driver = 0;
  cudaDriverGetVersion(&driver);
  std::printf("# %s, driver of CUDA %d.%d, nvcc %d.%d\noperation,real,warps,clocks\n", device.name,
              driver / 1000, driver % 1000 / 10, __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__);
  timeAll<float>();
  timeAll<double>();
}
