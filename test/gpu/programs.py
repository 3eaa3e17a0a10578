#!/usr/bin/env python3
"""How good the choice is on programs that were written without a look at what the compiler makes of
them: climate, seismics, images, flow, lattices, cells that follow rules.

    python3 test/gpu/programs.py write --stencilc build/stencilc FOLDER [--gpu h200]   where the compiler is
    python3 test/gpu/programs.py run FOLDER -o results.json                            where the GPU is
    python3 test/gpu/programs.py report results.json [--errors costmodel/device/devices/h200-errors.csv]

`write` emits of each program in Inputs/programs (--second to --ninth: sets that came later, the fourth
after kernels of public benchmarks, the fifth to ninth after public codes and papers) what is chosen for
its grid, the next of the ranking, the best of each variant and four at random, with forecasts made then;
`run` compares the choice with one thread a point, bit for bit (both built with -fmad=false), and times the
others in runs of a few steps. `report` tells how far off the forecasts of the file are, without fused steps
that make the same again, and how fast what they put first of each program is beside the fastest; --errors
puts how far into what --explain says of a device, of arrays that are several times its L2.
"""

import collections
import json
import math
import os
import pathlib
import random
import re
import statistics

import fusedsteps
import lab
import search

SETS = {"--first": "programs", "--second": "programs_second", "--third": "programs_third",
        "--fourth": "programs_fourth", "--fifth": "programs_fifth", "--sixth": "programs_sixth",
        "--seventh": "programs_seventh", "--eighth": "programs_eighth", "--ninth": "programs_ninth"}
SEED, VARIANTS, FIRST, AT_RANDOM, AMONG = 20261130, ["baseline", "zblock", "shm", "temporal"], 3, 2, 25
# As costmodel/report/ExpectedError.cpp has it; of fewer runs nothing is said.
SEVERAL_L2S, L2_BYTES, FEWEST = 3, {"h200": 60 << 20, "h100": 50 << 20}, 20


def ranking(options, name, size, *more):
    try:
        return json.loads(lab.run([
            options.stencilc, options.programs / f"{name}.stn", f"--gpu={options.gpu}", "--size", size,
            "--explain=json", "-o", os.devnull, *more]))["candidates"]
    except lab.Failed:  # not every variant takes every program
        return []


def evolves(options, name):
    """Whether a step reads what the one before made; if none does, compilers drop all but the last."""
    said = json.loads(lab.run([options.stencilc, options.programs / f"{name}.stn", "--explain=json",
                               "-o", os.devnull]))
    return not any("would make the same again" in one["reason"] for one in said["rejected"])


def fuses_steps(schedule):
    return re.search(r"/t\d", schedule) is not None


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
    if not evolves(options, name):
        some = [one for one in some if not fuses_steps(one["schedule"])]
    extents = [int(extent) for extent in re.findall(r"=(\d+)", size)]
    timed = {one["schedule"]: one["predicted_ms"] for one in some}
    compared = dict.fromkeys([fusedsteps.REFERENCE[len(extents)], some[0]["schedule"]])
    return [(name, schedule, False, extents, ms, schedule == some[0]["schedule"])
            for schedule, ms in timed.items()] + \
        [(name, schedule, True, extents) for schedule in compared]


def write(options):
    sizes = [line.split() for line in (options.programs / "sizes.txt").read_text().splitlines()]
    jobs = [job for jobs in lab.each(sizes, lambda one: jobs_of(options, *one)) for job in jobs]
    options.folder.mkdir(parents=True, exist_ok=True)

    def emit(numbered):
        number, (name, schedule, exact, *more) = numbered
        folder = options.folder / f"{number:04}"
        folder.mkdir(exist_ok=True)
        text = (options.programs / f"{name}.stn").read_text()
        lab.run([options.stencilc, options.programs / f"{name}.stn", f"--schedule={schedule}", "-o", folder / "step.cu"])
        return {"folder": folder.name, "example": name, "kind": "own",
                "real": "f32" if re.search(r"field f32", text) else "f64", "schedule": schedule,
                "exact": exact, **dict(zip(("extents", "geometric_ms", "chosen"), more))}

    lab.write_sources(options.folder, jobs, emit)
    return 0


def milliseconds(row):
    return math.prod(row["extents"]) / row["gstencils_per_s"] / 1e6


def kind(row):
    """The keys of costmodel/report/ExpectedError.cpp."""
    if not row["schedule"].startswith("temporal"):
        return search.kind(row)
    return "fused-steps" if fuses_steps(row["schedule"]) else None


def write_errors(options, rows, machine):
    """Instead of what the file says of programs so far."""
    gpu = machine["gpu"].split()[1].lower()

    def is_large(row):
        source = options.programs / f"{row['example']}.stn"
        axes = re.search(r"^stencil \w+\(([^)]*)\)", source.read_text(), re.M)[1].split(", ")
        size = ",".join(f"{axis}={extent}" for axis, extent in zip(axes, row["extents"]))
        said = json.loads(lab.run([options.stencilc, source, f"--gpu={gpu}", "--size", size,
                                   f"--schedule={row['schedule']}", "--explain=json", "-o", os.devnull]))
        bytes_moved = sum(said["counted"][f"compulsory_{way}_bytes"] for way in ("read", "write"))
        return bytes_moved >= SEVERAL_L2S * L2_BYTES[gpu]

    large = {row["example"]: is_large(row) for row in rows}
    groups = collections.defaultdict(list)
    for row in rows:
        if large[row["example"]] and not row["spilled"] and kind(row):
            groups[kind(row)].append(row)
    lines = [line for line in options.errors.read_text().splitlines() if "programs" not in line]
    lines.insert(lines.index("kind,runs,mean,nine of ten,seen"),
                 f"# of programs: by test/gpu/programs.py report of {machine['date']}'s runs.")
    for name, some in sorted(groups.items()):
        runs, mean, _, most = search.errors_of(some)
        if runs >= FEWEST:
            lines.append(f"{name} of programs,{runs},{mean:.3f},{most:.3f},no")
    options.errors.write_text("\n".join(lines) + "\n")


def timed(options, results):
    """What was timed, with milliseconds, and the programs whose fused steps, which make the same again, are
    left out."""
    rows = [{**row, "ms": milliseconds(row)} for row in json.loads(results.read_text())["times"]]
    same = {name for name in {row["example"] for row in rows if fuses_steps(row["schedule"])}
            if not evolves(options, name)}
    return [row for row in rows if row["example"] not in same or not fuses_steps(row["schedule"])], same


def report(options):
    rows, same = timed(options, options.results)
    if same:
        print(f"without fused steps of {', '.join(sorted(same))}, which make the same again")
    fused = [row for row in rows if row["schedule"].startswith("temporal")]
    for name, some in [("single steps", [row for row in rows if row not in fused]), ("fused", fused),
                       ("fused, no spills", [row for row in fused if not row["spilled"]])]:
        kernels, mean, bias, most = search.told_errors(some)
        print(f"{name}: {kernels} kernels, {mean} % wrong, {bias} % in the mean, nine of ten within {most} %")
    cases = collections.defaultdict(list)
    for row in rows:
        cases[row["example"]].append(row)
    shares = []
    for name, some in cases.items():
        # What is chosen is not always what is forecast to take least: fused steps have to gain.
        first = next((row for row in some if row.get("chosen")),
                     min(some, key=lambda row: row["geometric_ms"]))
        shares.append((min(row["ms"] for row in some) / first["ms"], name))
    shares.sort()
    print(f"{len(shares)} programs: {statistics.median(share for share, _ in shares):.3f} of the fastest at the "
          f"median, {shares[len(shares) // 10][0]:.3f} at the tenth percentile; least of all "
          + ", ".join(f"{name} {share:.2f}" for share, name in shares[:5]))
    if options.errors:
        write_errors(options, rows, json.loads(options.results.read_text()))
    return 0


def main():
    parser, commands, writing, running = lab.halves(__doc__, fusedsteps.ROOT / "build/stencilc")
    writing.add_argument("--gpu", default="h200")
    reporting = commands.add_parser("report")
    for command in (writing, reporting):
        for option, folder in SETS.items():
            command.add_argument(option, dest="programs", action="store_const",
                                 const=fusedsteps.ROOT / "test/gpu/Inputs" / folder)
        command.set_defaults(programs=fusedsteps.ROOT / "test/gpu/Inputs" / SETS["--first"])
    running.set_defaults(sustained=0, fresh=True)
    reporting.add_argument("results", type=pathlib.Path)
    reporting.add_argument("--errors", type=pathlib.Path)
    reporting.add_argument("--stencilc", type=pathlib.Path, default=fusedsteps.ROOT / "build/stencilc")
    options = parser.parse_args()
    return {"write": write, "run": fusedsteps.run, "report": report}[options.command](options)


if __name__ == "__main__":
    lab.leave(main)
