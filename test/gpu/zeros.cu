// What zeros cost where kernels divide and take roots, and what quotient() and root() of emitted kernels
// (codegen/print/Helpers.cpp) cost instead: milliseconds of five such operations a point.
//
//     nvcc -O3 -arch=native -o zeros test/gpu/zeros.cu && ./zeros > results.csv
//
// The median of 15 launches on 2^26 numbers, of which so many per cent are 0, at random. "differing"
// counts numbers whose bits are others.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

enum Operation { Copy, Divide, Quotient, SquareRoot, Root };

template <Operation operation, class T> __device__ T of(T a, T b) {
  switch (operation) {
  case Divide: return a / b;
  case Quotient: {
    const T other = (a == 0 ? T(1e-20) : a) / b;
    return a == 0 ? a * other : other;
  }
  case SquareRoot: return sqrt(a);
  case Root: {
    const T other = sqrt(a == 0 ? T(1) : a);
    return a == 0 ? a : other;
  }
  default: return a;
  }
}

template <Operation operation, class T> __global__ void five(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 2) return;
  T sum = 0;
#pragma unroll
  for (int d = -2; d <= 2; ++d) sum += of<operation>(a[i + d], b[i] + T(d) / 8);
  out[i] = sum;
}

template <class T> class Runs {
public:
  explicit Runs(int n) : n(n) {
    for (T **array : {&a, &b, &out}) cudaMalloc(array, n * sizeof(T));
  }
  void fill(int percent) {
    unsigned state = 12345;
    std::vector<T> numbers(n), divisors(n);
    for (int i = 0; i < n; ++i) {
      state = state * 1664525u + 1013904223u;
      numbers[i] = int((state >> 8) % 100) < percent ? T(0) : T(0.5 + (state >> 16 & 1023) / 1024.0);
      divisors[i] = T(1.5 + (state >> 20) / 8192.0);
    }
    cudaMemcpy(a, numbers.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(b, divisors.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  template <Operation operation> float milliseconds() {
    std::vector<float> times(15);
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (float &time : times) {
      cudaEventRecord(begin);
      five<operation><<<(n + 255) / 256, 256>>>(a, b, out, n);
      cudaEventRecord(end);
      cudaEventSynchronize(end);
      cudaEventElapsedTime(&time, begin, end);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }
  std::vector<T> results() const {
    std::vector<T> result(n);
    cudaMemcpy(result.data(), out, n * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }
  template <Operation plain, Operation guarded> void compare() {
    const float before = milliseconds<plain>();
    const std::vector<T> expected = results();
    const float now = milliseconds<guarded>();
    const std::vector<T> found = results();
    long differing = 0;
    for (int i = 2; i < n - 2; ++i) differing += std::memcmp(&expected[i], &found[i], sizeof(T)) != 0;
    std::printf(",%.3f,%.3f,%ld", before, now, differing);
  }

private:
  const int n;
  T *a, *b, *out;
};

template <class T> void all(const char *type) {
  Runs<T> runs(1 << 26);
  for (int percent : {0, 1, 10, 50, 100}) {
    runs.fill(percent);
    std::printf("%s,%d,%.3f", type, percent, runs.template milliseconds<Copy>());
    runs.template compare<Divide, Quotient>();
    runs.template compare<SquareRoot, Root>();
    std::printf("\n");
  }
}

int main() {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  std::printf("# %s, by test/gpu/zeros.cu\n", device.name);
  std::printf("type,zeros in per cent,a sum of five,divided,quotient(),differing,roots,root(),differing\n");
  all<float>("f32");
  all<double>("f64");
}
