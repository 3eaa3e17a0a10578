// mixed: a copy beside work of another kind, as much of it as `dial` says. With few `words` the copy
// stays in the L2, so that the other work can be timed alone.
__device__ __forceinline__ float4 multiplied(float4 v) {
  return make_float4(fmaf(v.x, 0.5f, 0.25f), fmaf(v.y, 0.5f, 0.25f), fmaf(v.z, 0.5f, 0.25f),
                     fmaf(v.w, 0.5f, 0.25f));
}
__device__ __forceinline__ float4 added(float4 v, float4 w) {
  return make_float4(v.x + w.x, v.y + w.y, v.z + w.z, v.w + w.w);
}

template <class Work>
__device__ __forceinline__ void copyBeside(const char *from, char *to, long long words, Work work) {
  const unsigned here = blockIdx.x * blockDim.x + threadIdx.x, i = here & unsigned(words - 1);
  ((float4 *)to)[i] = work(((const float4 *)from)[i], here);
}

extern "C" __global__ void __launch_bounds__(256, 8)
    beside_arithmetic(const char *from, char *to, long long words, long long dial) {
  copyBeside(from, to, words, [=](float4 v, unsigned) {
#pragma unroll 1
    for (long long k = 0; k < dial; k += 8)
#pragma unroll
      for (int i = 0; i < 8; ++i)
        v = multiplied(v);
    return v;
  });
}

extern "C" __global__ void __launch_bounds__(256, 8)
    beside_shared(const char *from, char *to, long long words, long long dial) {
  __shared__ float4 values[512];
  values[threadIdx.x] = values[threadIdx.x + 256] = make_float4(1, 2, 3, float(threadIdx.x));
  __syncthreads();
  copyBeside(from, to, words, [=](float4 v, unsigned) {
#pragma unroll 1
    for (long long k = 0; k < dial; k += 4)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        v = added(v, values[(threadIdx.x + (k + i) * 32) % 512]);
    return v;
  });
}

// The other words are of the first 16 MiB, far apart from one turn to the next.
extern "C" __global__ void __launch_bounds__(256, 8)
    beside_l2(const char *from, char *to, long long words, long long dial) {
  copyBeside(from, to, words, [=](float4 v, unsigned here) {
#pragma unroll 1
    for (long long k = 0; k < dial; k += 2)
#pragma unroll
      for (int i = 0; i < 2; ++i)
        v = added(v, __ldcg((const float4 *)from + ((here + unsigned(k + i) * 8448224u) & 0xfffff)));
    return v;
  });
}
