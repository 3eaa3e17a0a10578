// clock: arithmetic on every SM until its clock has ticked so often.
extern "C" __global__ void __launch_bounds__(256)
    busy(const char *, char *to, long long clocks, long long seed) {
  const long long start = clock64();
  float x = float(seed), y = float(threadIdx.x);
  while (clock64() - start < clocks)
#pragma unroll
    for (int i = 0; i < 128; ++i) {
      x = fmaf(x, 0.5f, 0.25f);
      y = fmaf(y, 0.5f, 0.25f);
    }
  if (x + y == 1234567.0f)
    *(float *)to = x;
}
