#!/usr/bin/env python3
"""How often the single steps of programs that were timed wait for loads, by their machine code.

    python3 test/gpu/waits.py CUBINS -o results/programs_waits.csv

No GPU is needed, but nvcc is: each schedule of programs.py's sets is compiled for compute capability 9.0 from
what stencilc emits today, unless its cubin is in the folder CUBINS already; build/stencilc-waits (a target of
the build with tests) reads them. A row for each kernel: its set, program, type and schedule, and the phases
and stores of costmodel/compiled/MachineCode.h; kernels that wait for nothing, and those for rows that are
not aligned, are left out. For refined.py.
"""
import argparse
import concurrent.futures
import csv
import hashlib
import json
import os
import pathlib
import re
import tempfile

import lab
import problems
import programs
import refined
import refit

FIELDS = ["set", "program", "real", "schedule"]
# The name of a kernel stands behind its file's, and how many letters it has before it.
SYMBOL = re.compile(r"_Z\w*?_GLOBAL__N__\w*?_cu_[0-9a-f]{8}(\d+)(\w+)")


def single_steps():
    """What was timed of all sets, each once."""
    for folder, name in refined.SETS:
        for row in json.loads((refit.RESULTS / f"{name}.json").read_text())["times"]:
            if not programs.fuses_steps(row["schedule"]):
                yield folder, row["example"], row["real"], row["schedule"]


def compiled(options, key):
    """Its cubin, or nothing if nvcc takes more than a minute."""
    folder, program, real, schedule = key
    cubin = options.cubins / f"{hashlib.md5(' '.join(key).encode()).hexdigest()[:12]}.cubin"
    if not cubin.exists():
        with tempfile.TemporaryDirectory() as work:
            source = pathlib.Path(work) / f"{cubin.stem}.cu"
            lab.run([options.stencilc, problems.ROOT / f"test/gpu/Inputs/{folder}/{program}.stn",
                     f"--real={real}", f"--schedule={schedule}", "-o", source])
            try:
                lab.run(["nvcc", "-arch=sm_90", "-cubin", "-o", cubin, source], timeout=60)
            except lab.Failed:
                return None
    return cubin


def waits_of(tool, cubin):
    """By kernel: phases and stores."""
    for line in lab.run([tool, cubin]).splitlines():
        _, symbol, phases, stores = line.rsplit(",", 3)
        if named := SYMBOL.match(symbol):
            yield named[2][:int(named[1])], phases, stores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cubins", type=pathlib.Path)
    parser.add_argument("--stencilc", type=pathlib.Path, default=problems.ROOT / "build/stencilc")
    parser.add_argument("--tool", type=pathlib.Path, default=problems.ROOT / "build/stencilc-waits")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.cubins.mkdir(parents=True, exist_ok=True)
    keys = sorted(set(single_steps()))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        made = list(workers.map(lambda key: compiled(options, key), keys))
    with options.output.open("w", newline="") as out:
        out.write(f"# {lab.run(['nvcc', '--version']).splitlines()[-1]}, -arch=sm_90; by test/gpu/waits.py\n")
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow([*FIELDS, "kernel", "phases", "stores"])
        for key, cubin in zip(keys, made):
            for kernel in waits_of(options.tool, cubin) if cubin else []:
                if key[1] in kernel[0] and "unaligned" not in kernel[0] and kernel[1] != "0":
                    rows.writerow([*key, *kernel])
    return 0


if __name__ == "__main__":
    lab.leave(main)
