#!/usr/bin/env python3
"""How good the choice is on programs that were written without a look at what the compiler makes of
them: climate, seismics, images, flow, lattices, cells that follow rules.

    python3 test/gpu/programs.py write --stencilc build/stencilc FOLDER [--gpu h200]   where the compiler is
    python3 test/gpu/programs.py run FOLDER -o results.json                            where the GPU is

`write` emits of each program in Inputs/programs what is chosen for its grid, the next of the ranking,
the best of each variant and four at random, with forecasts made then; `run` compares the choice
with one thread a point, bit for bit (both built with -fmad=false), and times the others in bursts.
"""

import json
import os
import random
import re

import fusedsteps
import lab

PROGRAMS = fusedsteps.ROOT / "test/gpu/Inputs/programs"
SEED, VARIANTS, FIRST, AT_RANDOM, AMONG = 20261130, ["baseline", "zblock", "shm", "temporal"], 3, 2, 25


def ranking(options, name, size, *more):
    try:
        return json.loads(lab.run([
            options.stencilc, PROGRAMS / f"{name}.stn", f"--gpu={options.gpu}", "--size", size,
            "--explain=json", "-o", os.devnull, *more]))["candidates"]
    except lab.Failed:  # not every variant takes every program
        return []


def jobs_of(options, name, size):
    source = random.Random(f"{SEED} {name}")
    every = ranking(options, name, size)
    some = every[:FIRST]
    for variant in VARIANTS:
        own = ranking(options, name, size, f"--variant={variant}")
        some += own[:2]
        if variant == "temporal":
            some += source.sample(own[:AMONG], min(AT_RANDOM, len(own)))
    some += source.sample(every[:AMONG], min(AT_RANDOM, len(every)))
    extents = [int(extent) for extent in re.findall(r"=(\d+)", size)]
    timed = {one["schedule"]: one["predicted_ms"] for one in some}
    compared = dict.fromkeys([fusedsteps.REFERENCE[len(extents)], some[0]["schedule"]])
    return [(name, schedule, False, extents, ms) for schedule, ms in timed.items()] + \
        [(name, schedule, True, extents) for schedule in compared]


def write(options):
    sizes = [line.split() for line in (PROGRAMS / "sizes.txt").read_text().splitlines()]
    jobs = [job for jobs in lab.each(sizes, lambda one: jobs_of(options, *one)) for job in jobs]
    options.folder.mkdir(parents=True, exist_ok=True)

    def emit(numbered):
        number, (name, schedule, exact, *more) = numbered
        folder = options.folder / f"{number:04}"
        folder.mkdir(exist_ok=True)
        text = (PROGRAMS / f"{name}.stn").read_text()
        lab.run([options.stencilc, PROGRAMS / f"{name}.stn", f"--schedule={schedule}", "-o", folder / "step.cu"])
        return {"folder": folder.name, "example": name, "kind": "own",
                "real": "f32" if re.search(r"field f32", text) else "f64", "schedule": schedule,
                "exact": exact, **dict(zip(("extents", "geometric_ms"), more))}

    lab.write_sources(options.folder, jobs, emit)
    return 0


def main():
    parser, _, writing, running = lab.halves(__doc__, fusedsteps.ROOT / "build/stencilc")
    writing.add_argument("--gpu", default="h200")
    running.set_defaults(sustained=0)
    options = parser.parse_args()
    return {"write": write, "run": fusedsteps.run}[options.command](options)


if __name__ == "__main__":
    lab.leave(main)
