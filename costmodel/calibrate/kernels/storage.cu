// storage: what warp requests cost that the SM's own storage answers, and stores by alignment.
//
// The instructions are spelled out, and every other turn has other words, since no compiler loads or
// stores the same word twice: an assembler takes what does not change out of a loop.
constexpr int kRequests = 8; // of each warp in a turn
constexpr unsigned kWarpSize = 32, kSharedBytes = 32768; // of eight requests of four warps

// Four warps' words lie side by side, a request's 4 KiB after the one before it.
__device__ unsigned placeOf(int wordBytes, long long offset) {
  const unsigned warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  return warp % 4 * 1024 + (lane + unsigned(offset)) * wordBytes;
}
constexpr unsigned kRequestStep = 4096, kTurnStep = 512;

template <int kBytes> __device__ unsigned load(const char *at);
template <> __device__ unsigned load<4>(const char *at) {
  unsigned x;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(at));
  return x;
}
template <> __device__ unsigned load<8>(const char *at) {
  unsigned x, y;
  asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(at));
  return x ^ y;
}
template <> __device__ unsigned load<16>(const char *at) {
  unsigned x, y, z, w;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(at));
  return x ^ y ^ z ^ w;
}

template <int kBytes> __device__ unsigned loadShared(unsigned at);
template <> __device__ unsigned loadShared<4>(unsigned at) {
  unsigned x;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(at));
  return x;
}
template <> __device__ unsigned loadShared<8>(unsigned at) {
  unsigned x, y;
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(at));
  return x ^ y;
}
template <> __device__ unsigned loadShared<16>(unsigned at) {
  unsigned x, y, z, w;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at));
  return x ^ y ^ z ^ w;
}

template <int kBytes> __device__ void store(char *at, unsigned x);
template <> __device__ void store<4>(char *at, unsigned x) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(x) : "memory");
}
template <> __device__ void store<8>(char *at, unsigned x) {
  asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(at), "r"(x) : "memory");
}
template <> __device__ void store<16>(char *at, unsigned x) {
  asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(x) : "memory");
}

/// Of a pointer, or an address in shared memory.
template <class Address, class Load>
__device__ __forceinline__ void sumLoads(Address start, char *to, int turns, Load load) {
  unsigned sum = 0;
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
    const Address at = start + (turn & 1) * kTurnStep;
    unsigned words[kRequests];
#pragma unroll
    for (int i = 0; i < kRequests; ++i)
      words[i] = load(at + i * kRequestStep);
#pragma unroll
    for (int i = 0; i < kRequests; ++i)
      sum ^= words[i];
  }
  if (sum == 0x5eed)
    *(unsigned *)to = sum;
}

#define STORAGE(BYTES)                                                                             \
  extern "C" __global__ void __launch_bounds__(1024)                                               \
      load_##BYTES(const char *from, char *to, long long turns, long long offset) {                \
    sumLoads(from + placeOf(BYTES, offset), to, int(turns), load<BYTES>);                          \
  }                                                                                                \
  extern "C" __global__ void __launch_bounds__(1024)                                               \
      shared_##BYTES(const char *, char *to, long long turns, long long) {                         \
    __shared__ __align__(16) unsigned words[kSharedBytes / 4];                                     \
    for (unsigned i = threadIdx.x; i < kSharedBytes / 4; i += blockDim.x)                          \
      words[i] = i;                                                                                \
    __syncthreads();                                                                               \
    const unsigned at = unsigned(__cvta_generic_to_shared(words)) + placeOf(BYTES, 0);             \
    sumLoads(at, to, int(turns), loadShared<BYTES>);                                               \
  }                                                                                                \
  extern "C" __global__ void __launch_bounds__(1024)                                               \
      store_##BYTES(const char *, char *to, long long turns, long long offset) {                   \
    char *at = to + blockIdx.x * 65536ll + placeOf(BYTES, offset);                                 \
    for (int turn = 0; turn < int(turns); ++turn)                                                  \
      _Pragma("unroll") for (int i = 0; i < kRequests; ++i)                                        \
          store<BYTES>(at + i * kRequestStep, unsigned(turn));                                     \
  }
STORAGE(4)
STORAGE(8)
STORAGE(16)
