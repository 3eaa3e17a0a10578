#!/usr/bin/env python3
"""How good what is chosen is, on stencils that no constant was fitted to.

    python3 test/gpu/search.py write --stencilc build/stencilc [--gpu=h100] FOLDER
                                                                          where the compiler is
    python3 test/gpu/search.py run FOLDER -o results.json                 where the GPU is
    python3 test/gpu/search.py report results.json ... -o report.md

`write` draws cases (stencil, type, grid) by a seed. For each it emits the first 20 of the
compiler's ranking, the first 10 of it by [su2015]'s time, one block of 32 x 8 x 1 threads, and 25
schedules at random among all that are legal, whatever the compiler thinks of them (--sample: other
numbers than these three); beside each stands what both models say of it, of a step of the run that
is timed. Only one step at a time: fused steps have a study of their own. `run` builds all, compares
the choice with the fixed block on a small grid, bit for bit, and times every schedule. It keeps each
case when it is done, and goes on where the file that it writes ends; `report` takes the results of
several calls (--cases=0:12), too. What is compared there is how often the best of all that was timed
each way to choose would have found.

star3 and star5 were timed before in f32, on another grid, and the form of the model was judged by them
too; it never saw the others. The draw was made twice: `wave` could not be timed like the others and was
left out, when star3 and pressure19 in f32 had been seen.
"""

import collections
import ctypes
import functools
import json
import math
import os
import pathlib
import random
import re
import statistics
import tempfile

import lab
import onestep
import problems
import validate_report

STENCILS = ["burgers", "elastic", "fdtd2d", "hdiff_stages", "jacobi9", "lbm", "life", "maxwell3d",
            "poisson_jacobi", "pressure19", "shallow_water", "srad", "star3", "star5"]
GRIDS = {2: [(8192, 8192), (6000, 10000)], 3: [(512, 512, 512), (384, 512, 640)]}
CASES, SEED = 24, 20261123
SAMPLE = "20:10:25"
STEPS = 4  # of a run that is timed
LINE = 128  # bytes, of the L2
FIXED = {1: "baseline/256", 2: "baseline/32x8", 3: "baseline/32x8x1"}


def explained(command, case, *options):
    """What is said of a case; the command is a compiler and a device."""
    example, real, extents = case
    return json.loads(lab.run([
        *command, onestep.ROOT / f"examples/{example}.stn", f"--real={real}", "--size",
        ",".join(map("{}={}".format, axes_of(example), extents)), "--explain=json", *options, "-o", os.devnull]))


def axes_of(name):
    return problems.axes_of(problems.EXAMPLES / f"{name}.stn")


def draw_cases(seed):
    every = [(name, real, extents) for name in STENCILS for real in ("f32", "f64")
             for extents in GRIDS[len(axes_of(name))]]
    return random.Random(seed).sample(every, CASES)


def at_random(source, rank):
    """A schedule of any kind, which may not be legal."""
    variant = source.choice(["baseline", "zblock", "zblock", "shm"])
    widths, heights = [8, 16, 32, 64, 128, 256], [1, 2, 4, 8, 16]
    block = [source.choice(widths), source.choice(heights), source.choice([1, 1, 2, 4])][:rank]
    if variant != "baseline":
        block[-1] = 1
    parts = [variant, "x".join(map(str, block))]
    if variant == "zblock" or (variant == "shm" and source.random() < .7):
        parts.append(f"c{source.choice([4, 8, 16, 32, 64, 128])}")
    if variant != "shm" and source.random() < .6:
        parts.append(f"v{source.choice([1, 2, 4])}x{source.choice([1, 2, 4])}")
    if variant == "zblock" and source.random() < .2:
        parts.append("p1")
    if source.random() < .6:
        parts.append(f"r{source.choice([1, 2, 3, 4, 5, 6, 8])}")
    return "/".join(part for part in parts if part != "v1x1")


def forecast(command, case, schedule):
    """What both models say of a schedule, in its canonical spelling."""
    said = explained(command, case, f"--schedule={schedule}", f"--steps={STEPS}")
    entry = {"schedule": said["schedule"], "geometric_ms": said["run"]["predicted_ms"] / STEPS,
             "bottleneck": said["bottleneck"], "occupancy": said["occupancy"]["fraction"],
             "spills": said["occupancy"]["spilled_registers"], "su2015_ms": None}
    try:
        entry["su2015_ms"] = explained(command, case, f"--schedule={schedule}",
                                       "--model=su2015")["predicted_ms"]
    except lab.Failed:
        pass  # it has no equation for shared memory
    return entry


def schedules_of(command, seed, sample, case):
    """Entries without repeats; what each was taken for."""
    first, first_of_su, random_ones = sample
    rank, source = len(case[2]), random.Random(f"{seed} {case}")
    one_step = lambda report: [c["schedule"] for c in report["candidates"]
                               if not c["schedule"].startswith("temporal")]
    found = {}

    def take(schedule, why):
        try:
            entry = forecast(command, case, schedule)
        except lab.Failed:
            return False
        found.setdefault(entry["schedule"], {**entry, "why": []})["why"].append(why)
        return True

    for schedule in one_step(explained(command, case))[:first]:
        take(schedule, "ranking")
    for schedule in one_step(explained(command, case, "--model=su2015"))[:first_of_su]:
        take(schedule, "su2015")
    take(FIXED[rank], "fixed")
    drawn = tries = 0
    while drawn < random_ones and tries < 40 * random_ones:
        drawn, tries = drawn + take(at_random(source, rank), "random"), tries + 1
    return list(found.values())


def write(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    cases = draw_cases(options.seed)
    jobs = []
    for number, entries in enumerate(lab.each(
            cases, functools.partial(schedules_of, [options.stencilc, f"--gpu={options.gpu}"], options.seed,
                                     [int(part) for part in options.sample.split(":")]))):
        if isinstance(entries, lab.Failed):
            raise entries
        chosen = next(entry for entry in entries if "ranking" in entry["why"])
        fixed = next(entry for entry in entries if "fixed" in entry["why"])
        for entry, exact in [*((e, False) for e in entries), (fixed, True), (chosen, True)]:
            example, real, extents = cases[number]
            jobs.append({"case": number, "example": example, "real": real, "extents": extents,
                         "exact": exact, **entry})
    manifest = []
    for number, job in enumerate(jobs):
        job["folder"] = f"{number:05}"
        (options.folder / job["folder"]).mkdir(exist_ok=True)

    def emit(job):
        lab.run([options.stencilc, onestep.ROOT / f"examples/{job['example']}.stn",
                 f"--real={job['real']}", f"--schedule={job['schedule']}", "-o",
                 options.folder / job["folder"] / "step.cu"])

    for job, done in zip(jobs, lab.each(jobs, emit)):
        if not isinstance(done, lab.Failed):
            manifest.append(job)
    lab.write_manifest(options.folder, manifest, seed=options.seed)
    print(f"wrote {len(manifest)} of {len(jobs)} sources for {len(cases)} cases")
    return 0


def measure(tools, entries, folder):
    first = onestep.Interface(folder / entries[0]["folder"])
    extents = entries[0]["extents"]
    arrays = onestep.Arrays(tools, first, extents)
    rows = []
    for entry in entries:
        interface = onestep.Interface(folder / entry["folder"])
        args = interface.without_results(arrays.place(interface, extents))
        ms = tools.time_steps(*interface.calls, ctypes.byref(args), STEPS, 5)
        rows.append({**{k: v for k, v in entry.items() if k not in ("folder", "exact")},
                     **({"ms": round(ms, 5)} if ms > 0 else {"status": -ms})})
    arrays.free()
    return rows


def run(options):
    record = lab.read_manifest(options.folder)
    first, last = map(int, options.cases.split(":"))
    kept = lab.kept_in(options.output, record, {"differing": {}, "clocks": {}, "times": []})
    rows, wrong, clocks = kept["times"], kept["differing"], kept["clocks"]
    done = {row["case"] for row in rows}
    mine = [entry for entry in record["entries"] if first <= entry["case"] < last and entry["case"] not in done]
    failures = [f for f in lab.each(mine, lambda entry: onestep.build(options.folder, entry))
                if isinstance(f, lab.Failed)]
    print(f"{len(mine) - len(failures)} of {len(mine)} built", flush=True)
    cases = collections.defaultdict(list)
    for entry in mine:
        if "registers" in entry:
            cases[entry["case"]].append(entry)
    with tempfile.TemporaryDirectory() as scratch:
        tools = onestep.load_tools(pathlib.Path(scratch))
        for place, (number, entries) in enumerate(cases.items(), 1):
            exact = [entry for entry in entries if entry["exact"]]
            for schedule, count in onestep.compare(tools, exact, options.folder).items():
                if count:
                    wrong[f"{exact[0]['example']} {exact[0]['real']} {schedule}"] = count
            more, clocks[number] = lab.before_and_after(
                lambda: measure(tools, [e for e in entries if not e["exact"]], options.folder))
            rows += more
            lab.save(options.output, lab.command_line(), {
                "commit": record["commit"], "seed": record["seed"], "left": len(cases) - place,
                "differing": wrong, "clocks": clocks, "times": rows})
            timed = [row for row in rows if row["case"] == number and "ms" in row]
            if not timed:
                print(f"{entries[0]['example']} {entries[0]['real']}: nothing ran")
                continue
            best = min(timed, key=lambda row: row["ms"])
            chosen = next(row for row in timed if "ranking" in row["why"])
            print(f"{best['example']:14} {best['real']} {len(timed)} timed, best {best['schedule']} "
                  f"{best['ms']:.3f} ms, chosen {chosen['schedule']} {chosen['ms']:.3f} ms, "
                  f"{best['ms'] / chosen['ms']:.3f}", flush=True)
    return 1 if wrong or failures else 0


def expected_best(times, tries):
    """The least of so many drawn at random, in the mean."""
    times = sorted(times)
    total = math.comb(len(times), tries)
    return sum(time * math.comb(len(times) - 1 - place, tries - 1) / total
               for place, time in enumerate(times))


def ways(rows):
    """Milliseconds of what each way to choose takes, of one case."""
    drawn = [row["ms"] for row in rows if "random" in row["why"]]
    ranked = [row["ms"] for row in rows if "ranking" in row["why"]]
    su = [row for row in rows if row["su2015_ms"] is not None]
    busiest = max(row["occupancy"] for row in rows)
    return {
        "geometric (the choice)": ranked[0],
        "the best of its first 5": min(ranked[:5]),
        "su2015": min(su, key=lambda row: row["su2015_ms"])["ms"],
        "highest occupancy, in the mean": statistics.mean(
            row["ms"] for row in rows if row["occupancy"] == busiest),
        "compulsory roofline, the same for all: in the mean": statistics.mean(
            row["ms"] for row in rows),
        "one block of 32 × 8": next(row["ms"] for row in rows if "fixed" in row["why"]),
        "one at random, in the mean": statistics.mean(drawn),
        "the best of 5 at random, in the mean": expected_best(drawn, 5),
    }


def tau(pairs):
    """Kendall's, of pairs that differ by more than a per cent."""
    agree = differ = 0
    for place, (one, said) in enumerate(pairs):
        for other, told in pairs[:place]:
            if abs(one - other) > .01 * max(one, other):
                agree += (one - other) * (said - told) > 0
                differ += (one - other) * (said - told) < 0
    return (agree - differ) / max(1, agree + differ)


def errors_of(rows, model="geometric_ms"):
    """Runs, mean of the absolute errors, bias, what nine in ten stay within."""
    errors = [row[model] / row["ms"] - 1 for row in rows]
    sizes = sorted(map(abs, errors))
    return len(rows), statistics.mean(sizes), statistics.mean(errors), sizes[int(.9 * len(sizes))]


def told_errors(rows, model="geometric_ms"):
    runs, mean, bias, most = errors_of(rows, model)
    return [runs, f"{100 * mean:.1f}", f"{100 * bias:+.1f}", f"{100 * most:.1f}"]


def kind(row):
    """The keys of costmodel/report/ExpectedError.cpp."""
    variant = row["schedule"].split("/")[0]
    if variant == "shm":
        return "tiles"
    if "/v" in row["schedule"]:
        return "patches"
    return {"baseline": "one-point", "zblock": "march"}[variant]


def row_bytes(row):
    """Of the points that a block has side by side."""
    block, columns = re.match(r"\w+/(\d+)", row["schedule"])[1], re.search(r"/v(\d+)", row["schedule"])
    return int(block) * int(columns[1] if columns else 1) * (4 if row["real"] == "f32" else 8)


def write_errors(path, record, groups, seen):
    lines = [f"# Errors of predicted times on an {record['gpu'].split()[1]}, arrays several times the "
             "L2, kernels that spill nothing;",
             f"# by test/gpu/search.py report of {record['date']}'s runs, forecasts of commit "
             f"{record['commit'][:12]}.",
             "# seen: the form of the model was made with these runs.", "kind,runs,mean,nine of ten,seen"]
    for name, rows in sorted(groups.items()):
        runs, mean, _, most = errors_of(rows)
        lines.append(f"{name},{runs},{mean:.3f},{most:.3f},{seen}")
    path.write_text("\n".join(lines) + "\n")


def made(rows):
    """When forecasts were: of a draw that another GPU came for, those of this one."""
    if any("of_h200_ms" in row for row in rows):
        return ("of schedules drawn by forecasts for an H200, in whose place this GPU came: what the same compiler "
                "says of this one, made afterwards")
    return "made before"


def report(options):
    records = [json.loads(path.read_text()) for path in options.results]
    rows = [row for record in records for row in record["times"] if "ms" in row]
    cases = collections.defaultdict(list)
    for row in rows:
        cases[row["example"], row["real"], tuple(row["extents"])].append(row)
    shares, table = collections.defaultdict(list), []
    for case, timed in cases.items():
        best = min(timed, key=lambda row: row["ms"])
        for way, ms in ways(timed).items():
            shares[way].append(best["ms"] / ms)
        chosen = next(row for row in timed if "ranking" in row["why"])
        table.append([case[0], case[1], "×".join(map(str, case[2])), len(timed),
                      f"`{chosen['schedule']}`", f"{chosen['ms']:.3f}", f"`{best['schedule']}`",
                      f"{best['ms']:.3f}", f"{best['ms'] / chosen['ms']:.3f}"])
    lines = [f"{records[0]['gpu']}, driver {records[0]['driver']}, CUDA "
             f"{records[0]['cuda']}, {records[0]['date']}; forecasts of commit "
             f"{records[0]['commit'][:12]}, {made(rows)}.\n"]
    summary = [[way, f"{100 * statistics.median(x):.1f}", f"{100 * sorted(x)[len(x) // 10]:.1f}",
                f"{100 * min(x):.1f}"] for way, x in shares.items()]
    lines += ["## What is chosen, in per cent of the fastest timed\n",
              validate_report.table(["way to choose", "median", "10th percentile", "worst"], summary),
              "## By case\n",
              validate_report.table(["stencil", "type", "grid", "timed", "chosen", "ms", "fastest",
                                     "ms", "share"], sorted(table, key=lambda row: row[-1]))]
    unspilled = [row for row in rows if not row["spilled"]]
    groups = collections.defaultdict(list)
    for row in unspilled:
        groups[kind(row)].append(row)
    by_kind = [[name, *told_errors(some)] for name, some in sorted(groups.items())]
    by_kind.append(["all that spill nothing", *told_errors(unspilled)])
    for name, some in [*sorted(groups.items()), ("all", unspilled)]:
        by_kind += [[f"{name}, rows of {rows_are}", *told_errors(of)] for rows_are, of in (
            ("a line and more", [row for row in some if row_bytes(row) >= LINE]),
            ("less", [row for row in some if row_bytes(row) < LINE])) if of]
    ranked = [row for row in unspilled if "ranking" in row["why"]]
    by_kind.append(["the first of the ranking", *told_errors(ranked)])
    equations = [row for row in unspilled if row["su2015_ms"] is not None]
    by_kind += [["all that su2015 has equations for", *told_errors(equations)],
                ["the same by su2015", *told_errors(equations, "su2015_ms")]]
    taus = [tau([(row["ms"], row["geometric_ms"]) for row in
                 sorted(timed, key=lambda row: row["ms"])[:25]]) for timed in cases.values()]
    lines += ["## Errors of predicted times, in per cent\n",
              validate_report.table(["kernels", "runs", "mean", "bias", "9 of 10 within"], by_kind),
              f"Kendall's tau among the 25 fastest of each case: {statistics.mean(taus):.2f} in the "
              "mean.\n"]
    if options.errors:
        write_errors(options.errors, records[0], groups, "yes" if options.seen else "no")
    options.output.write_text("# The choice on stencils that no constant was fitted to\n\n" +
                              "\n".join(lines))
    return 0


def main():
    parser, commands, writing, running = lab.halves(__doc__, onestep.ROOT / "build/stencilc")
    writing.add_argument("--seed", type=int, default=SEED, help="of the draw")
    writing.add_argument("--sample", default=SAMPLE, help="ranked, ranked by [su2015], at random")
    writing.add_argument("--gpu", default="h200", help="whose profile forecasts")
    running.add_argument("--cases", default=f"0:{CASES}", help="first:last")
    reporting = commands.add_parser("report")
    reporting.add_argument("results", type=pathlib.Path, nargs="+")
    reporting.add_argument("-o", "--output", type=pathlib.Path, required=True)
    reporting.add_argument("--errors", type=pathlib.Path, help="the errors that a device ships with")
    reporting.add_argument("--seen", action="store_true", help="the form of the model was made with these runs")
    options = parser.parse_args()
    return {"write": write, "run": run, "report": report}[options.command](options)


if __name__ == "__main__":
    lab.leave(main)
