#!/usr/bin/env python3
"""How fast the host target is beside plain OpenMP loops written by hand (test/bench/host).

    python3 test/bench/host_speed.py --stencilc build/stencilc -o test/bench/host_speed.json

Both are built by `g++ -O3 -march=native -fopenmp` and run on the same arrays in one process, in
turns; of each the fastest run counts, by the processor's time where there is one thread, since
others may be at work on the machine. Both must give the same values but for the rounding of
contracted products. Exit status 1 if one of the six takes more than 1.1 times as long."""

import argparse
import ctypes
import datetime
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/gpu"))
import lab  # noqa: E402
import onestep  # noqa: E402

SIZES = {"heat": (256, 256, 256), "wave": (192, 192, 256), "star4": (192, 256, 256),
         "hdiff": (192, 256, 256), "gray_scott": (3072, 3072), "fdtd2d": (3072, 3072)}
STEPS = 6
AT_MOST = 1.1
FLAGS = ["-std=c++17", "-O3", "-march=native", "-fopenmp"]


def build(stencilc, folder, name):
    lab.run([stencilc, ROOT / f"examples/{name}.stn", "--target=host", "-o", folder / "step.cpp"])
    lab.run(["g++", *FLAGS, "-shared", "-fPIC", folder / "step.cpp",
             ROOT / f"test/bench/host/{name}.cpp", "-I", folder, "-o", folder / "step.so"])


class Arrays:
    """Memory for all pointers of the arguments, in the layout that the code recommends."""

    def __init__(self, interface, extents):
        self.interface, self.extents = interface, extents
        args, self.lead, self.elements = interface.layout(extents)
        draw = random.Random(1)
        block = struct.pack("4096d", *(0.5 + draw.random() for _ in range(4096)))
        self.start = (block * (self.elements // 4096 + 1))[:self.elements * 8]
        self.memory = {}
        for name in interface.pointers:
            raw = ctypes.create_string_buffer(self.elements * 8 + 128)
            self.memory[name] = raw, (ctypes.addressof(raw) + 127) // 128 * 128

    def fresh(self):
        args, _, _ = self.interface.layout(self.extents)
        for name, (_, address) in self.memory.items():
            ctypes.memmove(address, self.start, len(self.start))
            setattr(args, name, address + self.lead * 8)
            if hasattr(args, f"{name}_steps"):
                setattr(args, f"{name}_steps", 1000)
        return args

    def sample(self, args):
        """Some values of all newest levels."""
        values = []
        for name in self.memory:
            if name.endswith(("_next", "_prev")):
                continue
            array = (ctypes.c_double * (self.elements - self.lead)).from_address(getattr(args, name))
            values += array[1234567 % (self.elements // 2)::4567][:2000]
        return values


def measure(name, folder, runs):
    interface = onestep.Interface(folder)
    ours = getattr(interface.library, f"{interface.name}_run")
    ours.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_size_t,
                     ctypes.c_void_p]
    by_hand = interface.library.by_hand
    by_hand.argtypes = [ctypes.c_void_p, ctypes.c_int64]
    by_hand.restype = None
    arrays = Arrays(interface, SIZES[name])
    ways = {"ours": lambda args: ours(ctypes.byref(args), STEPS, None, 0, None),
            "by_hand": lambda args: by_hand(ctypes.byref(args), STEPS)}
    results = {}
    for way, run in ways.items():
        args = arrays.fresh()
        run(args)
        results[way] = arrays.sample(args)
    worst = max(abs(a - b) / (abs(a) + abs(b) + 1e-30) for a, b in zip(*results.values()))
    if not worst < 1e-9:
        raise lab.Failed(f"{name}: the loop by hand gives other values: {worst}")
    args = arrays.fresh()
    least = dict.fromkeys(ways, 1e9)
    clock = time.process_time if os.environ["OMP_NUM_THREADS"] == "1" else time.perf_counter
    for _ in range(runs):
        for way, run in ways.items():
            start = clock()
            run(args)
            least[way] = min(least[way], clock() - start)
            if hasattr(args, "step"):
                args.step = 0
    points = 1
    for extent in SIZES[name]:
        points *= extent
    return {"example": name, "extents": SIZES[name],
            **{f"{way}_ms_a_step": round(1e3 * t / STEPS, 3) for way, t in least.items()},
            "gpoints_per_s": round(points * STEPS / least["ours"] / 1e9, 3),
            "ratio": round(least["ours"] / least["by_hand"], 3)}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stencilc", type=pathlib.Path, default=ROOT / "build/stencilc")
    parser.add_argument("--only", nargs="*", default=list(SIZES))
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    rows = []
    for name in options.only:
        with tempfile.TemporaryDirectory() as scratch:
            build(options.stencilc.resolve(), pathlib.Path(scratch), name)
            rows.append(measure(name, pathlib.Path(scratch), options.runs))
        print(rows[-1], flush=True)
    if options.output:
        cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text()).group(1)
        compiler = subprocess.run(["g++", "--version"], capture_output=True, text=True).stdout
        options.output.write_text(json.dumps(
            {"cpu": cpu, "threads": options.threads, "compiler": compiler.split("\n")[0],
             "flags": FLAGS, "date": datetime.date.today().isoformat(),
             "command": lab.command_line(), "rows": rows}, indent=1) + "\n")
    return 1 if any(row["ratio"] > AT_MOST for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
