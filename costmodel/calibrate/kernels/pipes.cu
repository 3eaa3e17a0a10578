// pipes: instructions of one kind after another, in chains of which each waits for itself.
//
// A thread has kChains chains and takes 256 steps of them together in a turn, so that the loop itself
// hardly counts.
constexpr int kStepsOfTurn = 256;

template <class Number, int kChains, class Step>
__device__ __forceinline__ void runChains(char *to, long long turns, long long seed, Step step) {
  Number x[kChains];
#pragma unroll
  for (int i = 0; i < kChains; ++i)
    x[i] = Number(seed + threadIdx.x + i);
#pragma unroll 1
  for (int turn = 0; turn < int(turns); ++turn)
#pragma unroll
    for (int k = 0; k < kStepsOfTurn / kChains; ++k)
#pragma unroll
      for (int i = 0; i < kChains; ++i)
        x[i] = step(x[i]);
  Number sum = 0;
#pragma unroll
  for (int i = 0; i < kChains; ++i)
    sum += x[i];
  if (sum == Number(0x5eed)) // of hardly any seed; without it nothing would have to be computed
    *(Number *)to = sum;
}

// The summand, and whole factors, are known at run time only. Numbers that overflow take no longer.
#define PIPE(NAME, NUMBER, CHAINS, STEP)                                                           \
  extern "C" __global__ void __launch_bounds__(256)                                                \
      NAME(const char *, char *to, long long turns, long long seed) {                              \
    [[maybe_unused]] const NUMBER a = NUMBER(seed) * 5, b = NUMBER(seed);                           \
    runChains<NUMBER, CHAINS>(to, turns, seed, [=](NUMBER x) { return STEP; });                    \
  }

__device__ __forceinline__ float exponential(float x) {
  asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}

PIPE(fp32, float, 4, fmaf(x, 0.75f, b))
PIPE(fp64, double, 4, fma(x, 0.75, b))
PIPE(multiply_add, unsigned, 4, x *a + b)
// Two instructions that no other pipe takes over: a shift through two words, and a logical one.
PIPE(integer, unsigned, 4, __funnelshift_l(x, x, 7) ^ b)
PIPE(special, float, 4, exponential(x))
PIPE(fp32_alone, float, 1, fmaf(x, 0.75f, b))
PIPE(multiply_add_alone, unsigned, 1, x *a + b)

// Two multiply-adds and a shift: each pipe could do them faster than all can be issued.
extern "C" __global__ void __launch_bounds__(256)
    issue(const char *, char *to, long long turns, long long seed) {
  const float b = float(seed);
  const unsigned shifted = unsigned(seed);
  float x[4];
  unsigned n[2];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    x[i] = float(seed + threadIdx.x + i);
  n[0] = threadIdx.x;
  n[1] = shifted;
#pragma unroll 1
  for (int turn = 0; turn < int(turns); ++turn)
#pragma unroll
    for (int k = 0; k < kStepsOfTurn / 8; ++k)
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        x[2 * i] = fmaf(x[2 * i], 0.75f, b);
        n[i] = __funnelshift_l(n[i], shifted, 7);
        x[2 * i + 1] = fmaf(x[2 * i + 1], 0.75f, b);
      }
  if (x[0] + x[1] + x[2] + x[3] + float(n[0] ^ n[1]) == 1234567.0f)
    *(float *)to = x[0];
}
