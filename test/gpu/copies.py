#!/usr/bin/env python3
"""What loads and asynchronous copies ask of the L1 and of the L2, by where their first lane lies.

    python3 test/gpu/copies.py -o results.csv

Warps of one wave of blocks read an array over and over that stays in the L2, each some rows in turn of 32 lanes
of 4, 8 or 16 bytes, `offset` bytes behind the start of a line, as loads or as copies to shared memory.
Each is timed by itself, and one pass counted by ncu: requests and sectors of the L1, requests and sectors that the
L2 was asked for. By these costmodel/count counts copies past the L1.
"""

import argparse
import csv
import io
import pathlib
import tempfile

import lab

OFFSETS = [0, 4, 8, 16, 32, 64, 96, 112]
COUNTERS = {
    "l1_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1_wavefronts": "l1tex__data_pipe_lsu_wavefronts.sum",
    "l2_requests": "lts__t_requests_srcunit_tex_op_read.sum",
    "l2_sectors": "lts__t_sectors_srcunit_tex_op_read.sum",
}
COLUMNS = ["kind", "bytes", "offset", "rows", *COUNTERS, "bytes_per_second"]
TEXT = """#include <algorithm>
#include <cstdio>
#include <cuda_pipeline.h>

constexpr int kTurns = 20, kThreads = 256, kBlocksOfSm = 4, kAhead = 4;
constexpr size_t kBytes = 8 << 20;

template <class Lane, bool isCopy>
__global__ void __launch_bounds__(kThreads) pass(const char *from, char *to, int rows, int turns) {
  __shared__ Lane room[kAhead][kThreads];
  const int lane = threadIdx.x % 32, warps = gridDim.x * (kThreads / 32),
            first = blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
  unsigned sum = 0;
  for (int turn = 0; turn < turns; ++turn)
    for (int row = first; row < rows; row += kAhead * warps) {
      Lane own[kAhead];
#pragma unroll
      for (int i = 0; i < kAhead; ++i)
        if (row + i * warps < rows) {
          const Lane *source = reinterpret_cast<const Lane *>(from) + size_t(row + i * warps) * 32 + lane;
          if constexpr (isCopy)
            __pipeline_memcpy_async(&room[i][threadIdx.x], source, sizeof(Lane));
          else
            own[i] = __ldcg(source);
        }
      if constexpr (isCopy) {
        __pipeline_commit();
        __pipeline_wait_prior(0);
      }
#pragma unroll
      for (int i = 0; i < kAhead; ++i)
        if constexpr (!isCopy)
          if (row + i * warps < rows)
            sum += reinterpret_cast<const unsigned *>(&own[i])[0];
    }
  if (isCopy)
    sum = *reinterpret_cast<const unsigned *>(&room[0][threadIdx.x]);
  if (sum == 123456789)
    *to = 1;
}

template <class Lane, bool isCopy> void time(int offset, const char *array, char *to, int sms, bool counted) {
  const int rows = kBytes / sizeof(Lane) / 32;
  const auto run = [&](int turns) {
    pass<Lane, isCopy><<<sms * kBlocksOfSm, kThreads>>>(array + offset, to, rows, turns);
  };
  float ms[5] = {};
  if (counted)
    run(1);
  else {
    cudaEvent_t start, end;
    cudaEventCreate(&start), cudaEventCreate(&end);
    run(kTurns);
    for (float &of : ms) {
      cudaEventRecord(start), run(kTurns), cudaEventRecord(end);
      cudaEventSynchronize(end), cudaEventElapsedTime(&of, start, end);
    }
  }
  std::sort(ms, ms + 5);
  printf("%s,%zu,%d,%d,%.4g\\n", isCopy ? "copy" : "load", sizeof(Lane), offset, rows,
         counted ? 0 : kTurns * double(kBytes) / (1e-3 * ms[2]));
}

template <class Lane> void timeBoth(int offset, const char *array, char *to, int sms, bool counted) {
  if (offset % sizeof(Lane))
    return;
  time<Lane, false>(offset, array, to, sms, counted);
  time<Lane, true>(offset, array, to, sms, counted);
}

int main(int count, char **) {
  char *array, *to;
  int sms;
  cudaMalloc(&array, kBytes + 4096), cudaMalloc(&to, 1);
  cudaMemset(array, 0, kBytes + 4096);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  for (int offset : {OFFSETS}) {
    timeBoth<float>(offset, array, to, sms, count > 1);
    timeBoth<float2>(offset, array, to, sms, count > 1);
    timeBoth<float4>(offset, array, to, sms, count > 1);
  }
  return cudaDeviceSynchronize();
}
"""


def counted(program):
    """What ncu counts of each kernel, in their order."""
    text = lab.run(["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                    "--kernel-name", "regex:pass", "--metrics", ",".join(COUNTERS.values()), program, "counted"])
    rows = csv.DictReader(io.StringIO(text[text.index('"ID"'):]))
    return [{key: int(float(row[name].replace(",", ""))) for key, name in COUNTERS.items()}
            for row in rows if row["ID"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = lab.built(TEXT.replace("OFFSETS", ", ".join(map(str, OFFSETS))), folder)
        timed = [line.split(",") for line in lab.run([program]).splitlines()]
        counts = counted(program)
    if len(counts) != len(timed):
        raise lab.Failed(f"{len(timed)} kernels were timed, and {len(counts)} counted")
    with open(options.output, "w", newline="") as file:
        file.write(lab.head_of_table())
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        for (*told, rate), counters in zip(timed, counts):
            out.writerow([*told, *counters.values(), rate])
    return 0


if __name__ == "__main__":
    lab.leave(main)
