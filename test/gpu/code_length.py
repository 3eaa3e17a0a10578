#!/usr/bin/env python3
"""How fast an SM is given instructions of code that is longer than its caches.

    python3 test/gpu/code_length.py -o results.csv

Kernels of nothing but independent multiply-adds, 16 KiB to 512 KiB of them, are passed through once
by many blocks or twenty times by one wave, by as many warps as several settings say, with barriers
or staggered. What is shared memory only sets how many blocks an SM has. By these the profiles'
`kept-instructions` and `fetch-clocks` were read off.
"""

import argparse
import pathlib
import tempfile

import lab

LENGTHS = [1024, 2048, 4096, 6144, 7168, 8192, 9216, 10240, 12288, 16384, 24576, 32768]
WITH_BARRIERS = [4096, 8192, 16384, 32768]
EIGHT = " ".join(f"fma.rn.f32 %{n},%{n},%8,%9;" for n in range(8))
OPERANDS = ", ".join(f'"+f"(a{n})' for n in range(8))
HEAD = f"""#include <algorithm>
#include <cstdio>
#define F8 asm volatile("{EIGHT}" : {OPERANDS} : "f"(m), "f"(c));
#define F64 F8 F8 F8 F8 F8 F8 F8 F8
#define F512 F64 F64 F64 F64 F64 F64 F64 F64
template <class Kernel>
void time(Kernel kernel, int length, int barriers, int threads, int blocks, int turns, int stagger, float *o) {{
  int device, sms, clock, shared = 220 * 1024 / blocks - 1024, waves = turns == 1 ? 20 : 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device); // in kHz
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  cudaEvent_t start, end;
  cudaEventCreate(&start), cudaEventCreate(&end);
  float ms[3];
  for (float &of : ms) {{
    cudaEventRecord(start);
    kernel<<<sms * blocks * waves, threads, shared>>>(o, 1, 0, turns, stagger);
    cudaEventRecord(end), cudaEventSynchronize(end), cudaEventElapsedTime(&of, start, end);
  }}
  std::sort(ms, ms + 3);
  const double ofSm = double(length) * turns * waves * blocks * threads / 32;
  printf("%d,%d,%d,%d,%d,%d,%.2f\\n", length * 16, threads, blocks, turns, barriers, stagger,
         ofSm / (ms[1] * clock));
}}
"""


def kernel(length, barriers):
    part = "F512 __syncthreads();" if barriers else "F512"
    return f"""
__global__ void k{length}_{barriers}(float *o, float m, float c, int turns, int stagger) {{
  extern __shared__ float room[];
  float a0 = threadIdx.x, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7;
  if (stagger)
    for (int i = 0; i < (threadIdx.x / 32 + 5 * blockIdx.x) % 16; ++i) __nanosleep(100);
#pragma unroll 1
  for (int t = 0; t < turns; ++t) {{ {" ".join([part] * (length // 512))} }}
  if (a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 == 123.f) o[0] = a0 + room[0];
}}"""


def program():
    both = [(length, 0) for length in LENGTHS] + [(length, 1) for length in WITH_BARRIERS]
    calls = [f"    if (!{barriers} || (threads > 32 && !stagger)) time(k{length}_{barriers}, {length}, {barriers}, "
             "threads, blocks, turns, stagger, o);" for length, barriers in both]
    return "\n".join([HEAD, *(kernel(*one) for one in both), """
int main() {
  float *o;
  cudaMalloc(&o, 4);
  for (int blocks : {1, 3, 6}) for (int threads : {32, 128, 256}) for (int turns : {20, 1})
  for (int stagger : {0, 1}) {
    if (stagger && turns == 1) continue;""", *calls, "  }\n  return cudaDeviceSynchronize();\n}", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        rows = lab.run([lab.built(program(), scratch)])
    options.output.write_text(
        lab.head_of_table() + "bytes,threads,blocks_per_sm,turns,barriers,staggered,instructions_per_clock\n" + rows)
    return 0


if __name__ == "__main__":
    lab.leave(main)
