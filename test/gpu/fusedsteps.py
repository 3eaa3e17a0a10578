#!/usr/bin/env python3
"""How fast fused steps are, as multiples of a copy's rate, between ends of several kinds.

    python3 test/gpu/fusedsteps.py write --stencilc build/stencilc FOLDER     where the compiler is;
                          --choices [--small]: what is chosen for examples, on large or small
                          grids; --flat: marches of one warp; --leapfrog: wave equations, whose
                          steps read u[t-1]; --drawn=SEED: a draw among the candidates of other
                          examples, with forecasts made before; --stages: examples whose steps
                          have several stages, from one step a pass on, --only=NAME: some of them
    python3 test/gpu/fusedsteps.py run FOLDER -o results.json                 where the GPU is
    python3 test/gpu/fusedsteps.py report results.json -o report.md           where the compiler is

The stencils are those that systems for fused steps are measured with: one weight a point, the newest
plane of the march last. `run` compares two fused passes and a single step on a grid that nothing
divides, and on one of whole pieces, with one thread a point, bit for bit (both built with
-fmad=false), then times all on the large grid. The roofline of a
copy is its bytes a second over those of a point read once and written once. Each case is kept when it is
done, and a run goes on where the file that it writes ends. Exit status 0 if all that was compared
agreed. These are bursts: runs of about 16 ms, a tenth of a second after the GPU had
nothing to do, as other systems are timed; what uses all of the FP64 pipe is at a GPU's power cap some
tens of milliseconds later. With --sustained=SECONDS the fastest of each case is timed once more after
so long without a pause.

`report` holds the times against what the compiler forecasts, by the type of numbers: the form of the
model was looked for with the kernels in f32 at hand, then held against those in f64, and made anew with both.
"""

import collections
import ctypes
import functools
import itertools
import json
import math
import pathlib
import random
import re
import statistics
import tempfile

import fused_ways
import lab
import onestep
import search
import validate_report
import waves
from fused_schedules import SCHEDULES

ROOT = pathlib.Path(__file__).resolve().parents[2]


def star(rank, radius):
    reaches = [tuple(at * (axis == own) for axis in range(rank))
               for own in range(rank) for at in range(-radius, radius + 1)]
    return sorted(set(reaches))


def box(rank, radius):
    return sorted(itertools.product(range(-radius, radius + 1), repeat=rank))


STENCILS = {"star3d1r": star(3, 1), "star3d2r": star(3, 2), "box3d1r": box(3, 1),
            "star2d1r": star(2, 1), "star2d2r": star(2, 2), "star2d3r": star(2, 3),
            "star2d4r": star(2, 4), "box2d1r": box(2, 1), "box2d2r": box(2, 2), "box2d3r": box(2, 3),
            "gradient2d": star(2, 1), "star1d1r": star(1, 1), "star1d4r": star(1, 4)}
# Of those that are no sums of weighted points.
FORMULAS = {"gradient2d": "u + 1/sqrt(0.0001 + (u - u[y-1])*(u - u[y-1]) + (u - u[x-1])*(u - u[x-1])"
                          " + (u - u[x+1])*(u - u[x+1]) + (u - u[y+1])*(u - u[y+1]))"}
KINDS = ["fixed", "clamp", "periodic", "value(0.5)"]
BETWEEN_ALL = ["star3d1r", "star3d2r", "box3d1r", "star2d1r", "star2d2r", "box2d1r"]

# Whose choice `write --choices` emits, with what stands beside it in the ranking.
EXAMPLES = ["heat", "7pt1", "box27", "19pt", "star2d2", "jacobi5", "life",
            "gray_scott"]
FUSED_BESIDE = 4
# Whose candidates `write --drawn` draws from: none was timed with fused steps before. The first
# draw, by seed 20261124, was among ten examples.
DRAWN = [("diffusion", "f32"), ("jacobi9", "f32"), ("star2", "f64"), ("hdiff", "f64"), *itertools.product(
    ["burgers", "shallow_water", "star3", "pressure19", "../test/papers/Inputs/27pt",
     *(f"../test/gpu/Inputs/{name}" for name in ("column", "plane", "chain"))], ("f32", "f64"))]
DRAWN_CASES, DRAWN_FIRST, DRAWN_AT_RANDOM = 12, 3, 4
# Steps of several stages, from one step a pass on, beside the best by forecast that make a launch a stage.
STAGED = {
    ("fdtd2d", "f32"): ["32x1/c128/v4x1/p3/r16", "32x1/c192/t2/v4x1/p3/r12", "32x1/c192/t3/v4x1/p3/r12",
                        "32x1/c192/t4/v4x1/p3/r8", "32x1/c192/t6/v4x1/p3/r8", "32x1/c288/t8/v4x1/p3/r8",
                        "32x1/c288/t8/v2x1/p3/r8"],
    ("fdtd2d", "f64"): ["32x1/c128/v2x1/p3/r16", "32x1/c192/t2/v2x1/p3/r12", "32x1/c192/t3/v2x1/p3/r12",
                        "32x1/c192/t4/v2x1/p3/r8", "32x1/c192/t6/v2x1/p3/r8"],
    ("srad", "f32"): ["32x1/c192/t2/v4x1/p3/r12", "32x1/c192/t3/v4x1/p3/r12", "32x1/c192/t4/v2x1/p3/r12",
                      "32x1/c192/t4/v4x1/p3/r8"],
    ("srad", "f64"): ["32x1/c192/t2/v2x1/p3/r12", "32x1/c192/t4/v2x1/p3/r8"],
    ("maxwell3d", "f32"): ["32x8x1/c64/v2x2/p1/r1", "32x8x1/c64/v4x2/p1/r1", "16x16x1/c64/t2/v4x2/p1/r1",
                           "32x12x1/c128/t2/v2x2/p1/r1", "32x8x1/c128/t2/v2x2/p1/r1",
                           "16x16x1/c128/t2/v2x2/p1/r1", "32x16x1/c128/t2/v2x1/p1/r1",
                           "16x24x1/c171/t3/v2x1/p2/r1"],
    ("maxwell3d", "f64"): ["16x16x1/c128/v2x2/p1/r1", "16x16x1/c128/t2/v2x1/p2/r1"],
    ("elastic", "f32"): ["32x1/c192/v2x1/p3/r8", "32x1/c192/t2/v2x1/p3/r8"],
    ("hdiff_stages", "f32"): ["16x16x1/c128/v4x2/p2/r1", "16x16x1/c128/t2/v4x2/p2/r1",
                              "16x32x1/c128/t2/v4x3/p2/r1/recompute"],
    ("hdiff_stages", "f64"): ["16x16x1/c128/v2x2/p2/r1", "16x16x1/c128/t2/v2x2/p2/r1",
                              "32x12x1/c128/t2/v2x4/p2/r1/recompute"],
}
STAGED_SINGLE = 2
FLAT = [("star2d2", "f64"), ("star2d2", "f32"), ("jacobi5", "f32"), ("jacobi5", "f64"),
        ("gray_scott", "f64")]
REFERENCE = {1: "baseline/256", 2: "baseline/32x8", 3: "baseline/32x4x2"}  # one thread a point
BURST_MS, BURSTS = 16, 3
FRESH_STEPS, FRESH_RUNS = 6, 5
# Some tiles and chunks of every schedule lie inside.
SMALL = {1: (100003,), 2: (1203, 1333), 3: (293, 95, 403)}
FITTING = {1: (100000,), 2: (1203, 1336), 3: (293, 95, 404)}  # rows of whole pieces
LARGE = {1: (2 ** 28,), 2: (16384, 16384), 3: (512, 512, 512)}
# Where other systems were timed, if elsewhere.
TALL = {("f32", 3): (1024, 512, 512)}
# Timed where grids are small; all steps of a run together take long enough to be timed.
SMALL_TIMED = {2: [(256, 256), (1024, 1024), (2048, 2048)],
               3: [(64, 64, 64), (128, 128, 128), (192, 192, 192)]}


def text_of(name, kind):
    offsets = STENCILS[name]
    axes = "zyx"[-len(offsets[0]):]
    if name in FORMULAS:
        return (f"stencil {name}({', '.join(axes)}) {{\n  field real u;\n  boundary u: {kind};\n"
                f"  u' = {FORMULAS[name]};\n}}\n")
    weights = [(2 + (5 * number) % 7) / (5 * len(offsets)) for number in range(len(offsets))]
    terms = []
    for number, offset in enumerate(offsets):
        shifts = [f"{axis}{by:+d}" for axis, by in zip(axes, offset) if by]
        terms.append(f"w{number}*u" + (f"[{', '.join(shifts)}]" if shifts else ""))
    params = ", ".join(f"w{number} = {weight:.4f}" for number, weight in enumerate(weights))
    return (f"stencil {name}({', '.join(axes)}) {{\n  field real u;\n  param real {params};\n"
            f"  boundary u: {kind};\n  u' = {' + '.join(terms)};\n}}\n")


def choices(stencilc, is_small):
    """Of each example, type and grid: the choice, the best single step, and the best that fuse steps."""
    jobs = []
    for name, real in itertools.product(EXAMPLES, ("f32", "f64")):
        rank = len(search.axes_of(name))
        for extents in SMALL_TIMED[rank] if is_small else [LARGE[rank]]:
            jobs += [(*job, extents) for job in choices_on(stencilc, name, real, extents)]
    return jobs


def choices_on(stencilc, name, real, extents):
    ranked = [ranking(stencilc, name, real, extents, *more)
              for more in ([], ["--fuse=1"], ["--variant=temporal"])]
    chosen, single = ranked[0][0]["schedule"], ranked[1][0]["schedule"]
    some = dict.fromkeys([chosen, single, *(one["schedule"] for one in ranked[2][:FUSED_BESIDE])])
    reference = REFERENCE[len(extents)]
    return [*((name, "own", real, reference, exact) for exact in (True, False)),
            *((name, "own", real, schedule, False) for schedule in some),
            *((name, "own", real, schedule, True) for schedule in [s for s in some if "/t" in s][:2])]


def drawn(stencilc, seed):
    """Of cases that a seed draws: the first of the ranking of fused steps, some at random, and the best
    single step, each with what is forecast now."""
    cases, jobs = [], []
    for name, real in DRAWN:
        extents = LARGE[len(search.axes_of(name))]
        try:
            ranked = ranking(stencilc, name, real, extents, "--variant=temporal")
        except lab.Failed:
            continue  # steps of this one are not fused
        if len(ranked) >= DRAWN_FIRST + DRAWN_AT_RANDOM:
            cases.append((name, real, extents, ranked))
    source = random.Random(seed)
    for name, real, extents, ranked in source.sample(cases, min(DRAWN_CASES, len(cases))):
        single = ranking(stencilc, name, real, extents, "--fuse=1")[0]
        fixed = search.explained([stencilc, "--gpu=h200"], (name, real, extents),
                                 f"--schedule={search.FIXED[len(extents)]}")
        reference = REFERENCE[len(extents)]
        some = ranked[:DRAWN_FIRST] + source.sample(ranked[DRAWN_FIRST:], DRAWN_AT_RANDOM)
        jobs += [(name, "own", real, schedule, True, extents)
                 for schedule in (reference, some[0]["schedule"])]
        jobs += [(name, "own", real, one["schedule"], False, extents, one["predicted_ms"])
                 for one in ([*some, single] if single["schedule"] == fixed["schedule"] else [*some, single, fixed])]
    return jobs


def staged(stencilc, only):
    """Of examples whose steps have several stages: what STAGED says, each compared, and the first of the
    ranking that launch each stage, all with what is forecast now."""
    jobs = []
    for (name, real), every in STAGED.items():
        if only and name not in only:
            continue
        extents = LARGE[len(search.axes_of(name))]
        single = [one["schedule"] for one in ranking(stencilc, name, real, extents, "--fuse=1")
                  if not one["schedule"].startswith("temporal")][:STAGED_SINGLE]
        fusing = [f"temporal/{schedule}" for schedule in every]
        jobs += [(name, "own", real, schedule, True, extents)
                 for schedule in [REFERENCE[len(extents)], *fusing]]
        jobs += [(name, "own", real, schedule, False, extents,
                  search.explained([stencilc, "--gpu=h200"], (name, real, extents),
                                   f"--schedule={schedule}")["predicted_ms"])
                 for schedule in [*single, *fusing]]
    return jobs


def ranking(stencilc, name, real, extents, *options):
    """The candidates of an example on a grid, with their forecasts."""
    return search.explained([stencilc, "--gpu=h200"], (name, real, extents), *options)["candidates"]


def flat_marches():
    """Marches of one warp, of few and many steps, points and blocks on a multiprocessor."""
    jobs = []
    for name, real in FLAT:
        jobs += [(name, "own", real, "baseline/32x8", exact) for exact in (True, False)]
        for steps, points, blocks in itertools.product((2, 3, 4, 6), (2, 4), (8, 12, 16)):
            ahead = 1 if steps == 2 else 3
            schedule = f"temporal/32x1/c192/t{steps}/v{points}x1/p{ahead}/r{blocks}"
            jobs += [(name, "own", real, schedule, exact) for exact in (blocks == 8, False)]
    return list(dict.fromkeys(jobs))


def scheduled(only):
    """Of the stencils above: what SCHEDULES says, between ends of each kind."""
    jobs = []
    for (name, real), every in SCHEDULES.items():
        if only and name not in only:
            continue
        rank = len(STENCILS[name][0])
        reference, extents = REFERENCE[rank], TALL.get((real, rank), LARGE[rank])
        for kind in KINDS:
            chosen = [f"temporal/{s}" for s in every]
            if kind != "fixed":
                chosen = chosen[:2] + [s for s in chosen if kind == "clamp" and "/32x1/" in s][:1]
            jobs += [(name, kind, real, reference, exact, extents) for exact in (True, False)]
            jobs += [(name, kind, real, schedule, False, extents) for schedule in chosen]
            jobs.append((name, kind, real, chosen[0], True, extents))
    return jobs


def source_of(name, kind):
    if kind == "leapfrog":
        return waves.text_of(name)
    return (ROOT / f"examples/{name}.stn").read_text() if kind == "own" else text_of(name, kind)


def write(options):
    jobs = (choices(options.stencilc, options.small) if options.choices
            else drawn(options.stencilc, options.drawn) if options.drawn
            else staged(options.stencilc, options.only) if options.stages
            else waves.jobs(options.stencilc, LARGE, REFERENCE) if options.leapfrog
            else flat_marches() if options.flat else scheduled(options.only))
    options.folder.mkdir(parents=True, exist_ok=True)

    def emit(numbered):
        number, (name, kind, real, schedule, exact, *more) = numbered
        folder = options.folder / f"{number:04}"
        folder.mkdir(exist_ok=True)
        (folder / "step.stn").write_text(source_of(name, kind))
        lab.run([options.stencilc, folder / "step.stn", f"--real={real}", f"--schedule={schedule}",
                 "-o", folder / "step.cu"])
        return {"folder": folder.name, "example": name, "kind": kind, "real": real,
                "schedule": schedule, "exact": exact, **dict(zip(("extents", "geometric_ms"), more))}

    lab.write_sources(options.folder, jobs, emit)
    return 0


def fused(entry):
    return waves.steps_of(entry["schedule"])


def ms_of_step(interface, arrays, extents, steps, time, how_long):
    """Milliseconds, as `time` of the tools measures runs as long as a burst, of passes of so many
    steps."""
    _, lead, _ = interface.layout(extents)
    args = arrays.place(interface, extents, lead - arrays.lead)  # the layout that it likes best
    a_step = arrays.tools.time_steps(*interface.calls, ctypes.byref(args), steps, 1)
    passes = max(1, round(BURST_MS / (a_step * steps)))
    return time(*interface.calls, ctypes.byref(args), passes * steps, how_long)


def ms_of_fresh_step(interface, arrays, extents, steps, *_):
    """The same of a few steps from where arrays were filled: programs that were written to compute
    something blow up from arbitrary numbers in runs as long as bursts, and a division takes twice as
    long where an operand is none."""
    some, times = steps * max(1, round(FRESH_STEPS / steps)), []
    _, lead, _ = interface.layout(extents)
    for _ in range(FRESH_RUNS):
        args = arrays.place(interface, extents, lead - arrays.lead)
        times.append(arrays.tools.time_steps(*interface.calls, ctypes.byref(args), some, 1))
    return statistics.median(times)


def measure(tools, entries, folder, sustained, fresh=False):
    first = onestep.Interface(folder / entries[0]["folder"])
    extents = tuple(entries[0].get("extents", LARGE[len(first.extents())]))
    points = math.prod(extents)
    arrays = onestep.Arrays(tools, first, extents)
    rate = onestep.copy_rate(tools)
    roofline = rate / (2 * (4 if entries[0]["real"] == "f32" else 8))
    rows = []

    def timed(entry, time, how_long):
        interface = onestep.Interface(folder / entry["folder"])
        of_step = ms_of_fresh_step if fresh else ms_of_step
        return of_step(interface, arrays, extents, fused(entry), time, how_long)

    for entry in entries:
        ms = timed(entry, tools.time_bursts, BURSTS)
        row = {key: entry[key] for key in ("example", "kind", "real", "extents", "schedule", "registers",
                                           "spilled", "geometric_ms", "chosen") if key in entry}
        row |= {"gstencils_per_s": float(f"{points / ms / 1e6:.4g}"),
                "of_roofline": round(points / (ms / 1e3) / roofline, 3)}
        rows.append(row)
        print(f"{row['example']} {row['kind']:10} {row['real']} {row['schedule']:36} "
              f"{row['gstencils_per_s']:7} GStencil/s, {row['of_roofline']} of the copy's, "
              f"{row['registers']} registers, {row['spilled']} bytes spilled", flush=True)
    if sustained:
        entry, row = max(zip(entries, rows), key=lambda pair: pair[1]["gstencils_per_s"])
        ms, under = lab.clock_and_power(lambda: timed(entry, tools.time_sustained, sustained))
        row |= {"sustained_gstencils_per_s": round(points / ms / 1e6, 1), **under}
        print(f"{row['example']} {row['kind']:10} {row['real']} sustained: "
              f"{row['sustained_gstencils_per_s']} GStencil/s, {under}", flush=True)
    arrays.free()
    return rows


def run(options):
    folder, record = options.folder, lab.read_manifest(options.folder)
    kept = lab.kept_in(options.output, record, {"differing": {}, "clocks": {}, "times": []})
    manifest, failures = onestep.build_all(folder)
    cases = collections.defaultdict(list)
    for entry in manifest:
        case = entry["example"], entry["kind"], entry["real"], *map(str, entry.get("extents", []))
        if " ".join(case) not in kept["clocks"]:
            cases[case].append(entry)
    with tempfile.TemporaryDirectory() as scratch:
        tools = onestep.load_tools(pathlib.Path(scratch))
        for number, (case, entries) in enumerate(cases.items(), 1):
            exact = [entry for entry in entries if entry["exact"]]
            # An odd number of passes, as of steps: both end in the buffer that began as the next one.
            steps = 2 * math.lcm(*map(fused, exact)) + 1
            for grids in (SMALL, FITTING) if exact else ():
                for schedule, count in onestep.compare(tools, exact, folder, steps, grids).items():
                    if count:
                        kept["differing"][f"{' '.join(case)} {schedule}"] = count
                        print(f"{case} {schedule}: {count} words DIFFER", flush=True)
            timed, kept["clocks"][" ".join(case)] = lab.before_and_after(
                lambda: measure(tools, [entry for entry in entries if not entry["exact"]], folder,
                                options.sustained, options.fresh))
            kept["times"] += timed
            if options.output:
                lab.save(options.output, lab.command_line(),
                         {"commit": record["commit"], "left": len(cases) - number, **kept})
    return 1 if kept["differing"] or failures else 0


def forecast(stencilc, gpu, row):
    """Measured and predicted milliseconds of a step, and what other ways to choose go by; what was
    predicted before stands."""
    extents = extents_of(row)
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "step.stn"
        text = source_of(row["example"], row["kind"])
        source.write_text(text)
        axes = re.search(r"^stencil \w+\(([^)]*)\)", text, re.M)[1].split(", ")

        def explained(*more):
            return json.loads(lab.run([
                stencilc, source, f"--real={row['real']}", f"--schedule={row['schedule']}", f"--gpu={gpu}",
                "--size", ",".join(map("{}={}".format, axes, extents)), *more, "--explain=json", "-o",
                "/dev/null"]))

        known = {"occupancy": 0, "su2015_ms": None}
        try:
            said = explained()
            known |= {"geometric_ms": said["predicted_ms"], "occupancy": said["occupancy"]["fraction"]}
            known["su2015_ms"] = explained("--model=su2015")["predicted_ms"]
        except lab.Failed:  # it has no equation for shared memory and several steps
            if "geometric_ms" not in known | row:
                raise
    return {**known, **row, "ms": math.prod(extents) / row["gstencils_per_s"] / 1e6}


def extents_of(row):
    if "extents" in row:
        return row["extents"]
    return LARGE[waves.WAVES[row["example"]][0] if row["kind"] == "leapfrog"
                 else len(STENCILS[row["example"]][0])]


def family(row):
    if not fused(row) > 1:
        return "one step at a time"
    if len(extents_of(row)) == 3:
        return "fused, marches of three axes"
    if len(extents_of(row)) == 1:
        return "fused, tiles of one axis"
    return "fused, marches of two axes" if "/32x1/" in row["schedule"] else "fused, pipelines of warps"


def cases_of(rows):
    cases = collections.defaultdict(list)
    for row in rows:
        cases[row["example"], row["kind"], row["real"]].append(row)
    return list(cases.values())


def ranking_of(rows):
    """Regret of the first and of the best of five by the forecast, and Kendall's tau, in the mean and at
    worst."""
    cases = cases_of(rows)
    first, five, taus = [], [], []
    for timed in cases:
        ranked = [row["ms"] for row in sorted(timed, key=lambda row: row["geometric_ms"])]
        first.append(ranked[0] / min(ranked) - 1)
        five.append(min(ranked[:5]) / min(ranked) - 1)
        taus.append(search.tau([(row["ms"], row["geometric_ms"]) for row in timed]))
    return [len(cases), f"{100 * statistics.mean(first):.1f}", f"{100 * max(first):.1f}",
            f"{100 * statistics.mean(five):.1f}", f"{statistics.mean(taus):.2f}"]


def replace_errors(path, record, rows, seen):
    """Puts the line of fused steps in place of the one that is there."""
    runs, mean, _, most = search.errors_of(rows)
    note = f"# fused-steps: by test/gpu/fusedsteps.py report of {record['date']}'s runs, some of which spill."
    kept = [line for line in path.read_text().splitlines() if not line.startswith(("fused-steps,", "# fused-steps:"))]
    head = next(place for place, line in enumerate(kept) if not line.startswith("#"))
    lines = [*kept[:head], note, kept[head],
             *sorted(kept[head + 1:] + [f"fused-steps,{runs},{mean:.3f},{most:.3f},{seen}"])]
    path.write_text("\n".join(lines) + "\n")


def report(options):
    record = json.loads(options.results.read_text())
    gpu = record["gpu"].split()[1].lower()  # of "NVIDIA H200"
    rows = lab.each(record["times"], functools.partial(forecast, options.stencilc, gpu))
    for row in rows:
        if isinstance(row, lab.Failed):
            raise row
    where = (f"# Fused steps: forecasts and times\n\n{record['gpu']}, driver {record['driver']}, CUDA "
             f"{record['cuda']}, {record['date']}; ")
    if all("geometric_ms" in row for row in record["times"]):
        lines = [where + "kernels that a seed drew among the candidates of examples that had not been "
                 f"timed with fused steps; forecasts {search.made(rows)}.\n"]
    else:
        lines = [where + "forecasts of the compiler beside this file, made "
                 "afterwards. The form of the model was made with runs of an H200, those in f32 first; "
                 "costmodel/HISTORY.md says what those in f64 showed before they were studied.\n"]
    for title, some in [(real, [row for row in rows if row["real"] == real]) for real in ("f32", "f64")]:
        groups = collections.defaultdict(list)
        for row in some:
            groups[family(row)].append(row)
        of_fused = [row for row in some if fused(row) > 1]
        table = [[name, *search.told_errors(of)] for name, of in sorted(groups.items())]
        table.append(["all that is fused", *search.told_errors(of_fused)])
        lines += [f"## {title}\n\nErrors of predicted times, in per cent.\n",
                  validate_report.table(["kernels", "runs", "mean", "bias", "9 of 10 within"], table),
                  "Ranking of each case; slower than the fastest of the candidates, in per cent.\n",
                  validate_report.table(["candidates", "cases", "first, mean", "first, worst", "best of 5, mean",
                                         "Kendall's tau"],
                                        [["with single steps", *ranking_of(some)],
                                         ["fused alone", *ranking_of(of_fused)]])]
    lines += ["## Ways to choose, in per cent of the fastest timed\n", fused_ways.__doc__,
              fused_ways.table(cases_of(rows)), "Among fused candidates alone:\n",
              fused_ways.table(cases_of([row for row in rows if fused(row) > 1]))]
    if options.errors:
        replace_errors(options.errors, record, [row for row in rows if fused(row) > 1],
                       "yes" if options.seen else "no")
    options.output.write_text("\n".join(lines))
    return 0


def main():
    parser, commands, writing, running = lab.halves(__doc__, ROOT / "build/stencilc")
    running.add_argument("--sustained", type=float, default=0, metavar="SECONDS",
                         help="the fastest of each case once more, after so long without a pause")
    running.set_defaults(fresh=False)
    writing.add_argument("--flat", action="store_true", help="marches of one warp, of three examples")
    writing.add_argument("--leapfrog", action="store_true", help="wave equations, whose steps read u[t-1]")
    writing.add_argument("--drawn", type=int, metavar="SEED", help="candidates of other examples, drawn")
    writing.add_argument("--choices", action="store_true", help="what the compiler chooses of examples")
    writing.add_argument("--small", action="store_true", help="of --choices, on small grids")
    writing.add_argument("--stages", action="store_true", help="examples of several stages a step")
    writing.add_argument("--only", action="append", metavar="NAME",
                         help="of --stages, or of the stencils above, these")
    reporting = commands.add_parser("report")
    reporting.add_argument("results", type=pathlib.Path)
    reporting.add_argument("--stencilc", type=pathlib.Path, default=ROOT / "build/stencilc")
    reporting.add_argument("-o", "--output", type=pathlib.Path, required=True)
    reporting.add_argument("--errors", type=pathlib.Path, help="the errors that a device ships with")
    reporting.add_argument("--seen", action="store_true", help="the form of the model was made with these runs")
    options = parser.parse_args()
    return {"write": write, "run": run, "report": report}[options.command](options)


if __name__ == "__main__":
    lab.leave(main)
