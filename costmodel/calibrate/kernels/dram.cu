// dram: what device memory moves, by the bytes on their way and by how long blocks march.
//
// A block handles kWords words of each thread in a turn, then goes on to the next plane: `turns`
// planes of `plane` bytes. blockIdx.x says where in a plane, blockIdx.y which planes.
template <class Word, int kWords> struct Place {
  __device__ Place(long long turns, long long plane)
      : step(blockDim.x * sizeof(Word)),
        at(blockIdx.y * turns * plane + blockIdx.x * kWords * step + threadIdx.x * sizeof(Word)) {}
  const long long step; ///< bytes between a thread's words
  long long at;
};

// Neither loop may be unrolled further: as many bytes are on their way as a turn has.
template <class Word, int kWords>
__device__ __forceinline__ void copyMarch(const char *from, char *to, long long turns,
                                          long long plane) {
  Place<Word, kWords> place(turns, plane);
#pragma unroll 1
  for (long long turn = 0; turn < turns; ++turn, place.at += plane) {
    Word words[kWords];
#pragma unroll
    for (int i = 0; i < kWords; ++i)
      words[i] = *(const Word *)(from + place.at + i * place.step);
#pragma unroll
    for (int i = 0; i < kWords; ++i)
      *(Word *)(to + place.at + i * place.step) = words[i];
  }
}

__device__ unsigned sumOf(unsigned word) { return word; }
__device__ unsigned sumOf(uint2 word) { return word.x ^ word.y; }
__device__ unsigned sumOf(uint4 word) { return word.x ^ word.y ^ word.z ^ word.w; }

template <class Word, int kWords>
__device__ __forceinline__ void readMarch(const char *from, char *to, long long turns,
                                          long long plane) {
  Place<Word, kWords> place(turns, plane);
  unsigned sum = 0;
#pragma unroll 1
  for (long long turn = 0; turn < turns; ++turn, place.at += plane) {
    Word words[kWords];
#pragma unroll
    for (int i = 0; i < kWords; ++i)
      words[i] = *(const Word *)(from + place.at + i * place.step);
#pragma unroll
    for (int i = 0; i < kWords; ++i)
      sum ^= sumOf(words[i]);
  }
  if (sum == 0x5eed) // of hardly any data; without it nothing would have to be read
    *(unsigned *)to = sum;
}

#define MARCH(NAME, FUNCTION, WORD, WORDS)                                                         \
  extern "C" __global__ void __launch_bounds__(256, 8)                                             \
      NAME(const char *from, char *to, long long turns, long long plane) {                         \
    FUNCTION<WORD, WORDS>(from, to, turns, plane);                                                 \
  }
MARCH(copy_4x1, copyMarch, unsigned, 1)
MARCH(copy_4x2, copyMarch, unsigned, 2)
MARCH(copy_4x4, copyMarch, unsigned, 4)
MARCH(copy_8x1, copyMarch, uint2, 1)
MARCH(copy_8x2, copyMarch, uint2, 2)
MARCH(copy_8x4, copyMarch, uint2, 4)
MARCH(copy_16x1, copyMarch, uint4, 1)
MARCH(copy_16x2, copyMarch, uint4, 2)
MARCH(copy_16x4, copyMarch, uint4, 4)
MARCH(read_4x1, readMarch, unsigned, 1)
MARCH(read_4x4, readMarch, unsigned, 4)
MARCH(read_16x1, readMarch, uint4, 1)
MARCH(read_16x2, readMarch, uint4, 2)
MARCH(read_16x4, readMarch, uint4, 4)

extern "C" __global__ void write_16x1(const char *, char *to, long long turns, long long plane) {
  Place<uint4, 1> place(turns, plane);
  for (long long turn = 0; turn < turns; ++turn, place.at += plane)
    *(uint4 *)(to + place.at) = make_uint4(threadIdx.x, blockIdx.x, unsigned(turn), 1);
}

// Bits without order, so that wires switch as they do for a simulation's data.
extern "C" __global__ void scramble(char *from, char *to, long long words, long long) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < words;
       i += (long long)gridDim.x * blockDim.x)
    ((unsigned *)from)[i] = ((unsigned *)to)[i] = 0x3f800000u | (unsigned(i) * 2654435761u >> 9);
}
