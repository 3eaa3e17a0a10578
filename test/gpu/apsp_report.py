#!/usr/bin/env python3
"""The paper's experiment, judged: measured times of the shortest-path kernels against the interval
model and against the forecast.

    apsp_report.py apsp_paper.csv apsp_sweep.csv apsp_speed.csv \\
        --stencilc-apsp build/stencilc-apsp --out results/apsp

The files are those of apsp.py, with the columns of costmodel/apsp/ApspRuns.h: algorithm, block, n,
seconds and perhaps mode, weight, paths and tile. It tells

  - of each of the paper's kernels and each range of n, for the interval calibrated by the run at
    each n0, the share of measured times inside it *and* its width, and the errors of each mapping;
  - of the same, for the forecast whose form two runs are fitted to, its errors at the other sizes,
    and the steps at which a wave of blocks is added, per launch, beside the measured ones;
  - of each blocked kernel the errors of its forecast at sizes that its form was not fitted to;
  - of all kernels that solve the same graph, how much slower the one chosen by forecast is than the
    fastest. The choice knows some runs of each, see SMALL_RUNS and BLOCKED_RUNS.

--calibration keeps the runs that the forecasts were fitted to, as a file of costmodel/device/devices: those
of the paper's kernels and of all that are the fastest somewhere.
Everything predicted comes from stencilc-apsp; nothing is computed twice. Writes report.md,
report.json and one drawing a kernel and range. Python's standard library only.
"""
import argparse
import collections
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

from apsp_drawing import draw

MAPPINGS = ("min", "sorted", "full", "buckets")
RANGES = ((50, 100), (101, 3999), (4000, 4050))
STEPS = (480, 512, 544)
# Below a wave of blocks and beyond it; within the L2 and beyond it. Of each the first one measured.
FORECAST_RUNS = {"min-plus": ((96,), (4000, 1024)), "floyd-warshall": ((1000, 1024), (4000,))}
# What the choice is fitted to: of the paper's kernels as the library runs them, ...
SMALL_RUNS = (64, 96, 128, 160, 192, 256, 288, 320, 384, 450, 500, 512, 768, 1024)
# ... and of the blocked one, besides one block of pivots and one and a bit. Closest where tiles begin
# to fill the SMs, and kernels overtake one another.
BLOCKED_RUNS = (384, 768, 1024, 1250, 1536, 1750, 2048, 2500, 3072, 3500, 4000, 5000, 6144, 12288,
                20000)
COLUMNS = "algorithm,block,tile,weight,paths,n,seconds,mode,row_unit"
# What "not fitted to" leaves out.
NOT_BLIND = ("These are no blind forecasts: of the device's profile, which all kernels share, "
             "`exposed-access`, `start-seconds`, `stream-start-seconds` and `entry-seconds` were read "
             "off runs of min-plus and Floyd-Warshall at sizes that are judged here; the profile's "
             "sources name them.")
CLAIMS = {
    (50, 100): "The paper, C2075 and GTX 780: measured times always inside the interval; jumps at "
    "n = 65 (one more launch), 80 (BlockSize 8) and 96 (BlockSize 16, 32).",
    (4000, 4050): "The paper: within 1 % (C2075, BlockSize 8, 16), up to 2.5 % (C2075, 32); on a "
    "GTX 780 all models about 20 % too high. Calibrated at n0 = 500.",
}


def launches(algorithm, n):
    return max(n - 2, 0).bit_length() if algorithm == "min-plus" else n


class Kernel(collections.namedtuple("Kernel", "algorithm block tile weight paths")):
    def __str__(self):
        size = f"{self.block}x{self.tile}" if self.algorithm == "blocked" else self.block
        return (f"{self.algorithm}/{size} {self.weight} "
                f"{'with' if self.paths == 'yes' else 'without'} paths")

    def calibration(self, sizes):
        """The sizes that the forecast is fitted to, as far as they were measured."""
        block = int(self.block)
        if self.algorithm == "blocked":
            return [n for n in (block // 2, block, block + 64, *BLOCKED_RUNS) if n in sizes]
        if max(sizes) <= SMALL_RUNS[-1]:
            return [n for n in SMALL_RUNS if n in sizes]
        found = (next((n for n in wanted if n in sizes), None)
                 for wanted in FORECAST_RUNS[self.algorithm])
        return [n for n in found if n]

    def row(self, n, run):
        seconds, mode, unit = run
        return f"{','.join(self)},{n},{seconds!r},{mode},{unit}"


def kernel_of(row):
    algorithm, block = row["algorithm"], row["block"]
    blocked = algorithm == "blocked"
    if not blocked and algorithm not in FORECAST_RUNS:
        return None
    return Kernel(algorithm, block, row.get("tile") or block if blocked else block,
                  row.get("weight") or "f32", row.get("paths") or ("no" if blocked else "yes"))


def read_runs(paths):
    """{kernel: {n: (seconds, mode, row unit)}} of the paper's experiment, whose file knows no weights, and
    that of the library; of equal runs the median counts. What gave wrong results was not timed, and
    the library is used with look-ahead."""
    rows = collections.defaultdict(list)
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                if row.get("result", "ok") != "ok" or row.get("look_ahead") == "no":
                    continue
                kernel = kernel_of(row)
                if kernel:
                    key = ("weight" in row, kernel, int(row["n"]), row.get("mode") or "graph",
                           row.get("row_unit") or "1")
                    rows[key].append(float(row["seconds"]))
    runs = collections.defaultdict(dict), collections.defaultdict(dict)
    # In a graph where there is one: on a stream, short launches only show the host.
    in_order = sorted(rows.items(), key=lambda item: item[0][3] == "graph")
    for (library, kernel, n, mode, unit), seconds in in_order:
        runs[library][kernel][n] = statistics.median(seconds), mode, unit
    return runs


class Model:
    def __init__(self, program, gpu):
        self.program, self.gpu = program, gpu

    def sweep(self, kernel, runs, calibration, sizes):
        """{n: row} of `stencilc-apsp --sweep`, knowing the runs at the sizes of `calibration`, the
        first of which calibrates the interval. Every size is forecast as it was launched."""
        rows = {}
        for mode in {runs[n][1] for n in sizes}:
            own = [n for n in sizes if runs[n][1] == mode]
            swept = self.sweep_mode(kernel, runs, calibration, own, mode)
            rows.update({n: swept[n] for n in own})
        return rows

    def sweep_mode(self, kernel, runs, calibration, sizes, launched):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            rows = [COLUMNS, *(kernel.row(n, runs[n]) for n in calibration)]
            print(*rows, sep="\n", file=file, flush=True)
            text = self.run(f"--algorithm={kernel.algorithm}", f"--block={kernel.block}",
                            f"--runs={file.name}", f"--n0={calibration[0]}",
                            f"--launches={launched}", f"--sweep={min(sizes)}:{max(sizes)}")
        return {int(row["n"]): row for row in csv.DictReader(text.splitlines())}

    def forecast(self, kernel, runs, calibration, sizes):
        """{n: seconds}, fitted to the runs at the sizes of `calibration`; empty if these do not
        suffice."""
        if not calibration:
            return {}
        rows = self.sweep(kernel, runs, calibration, sizes)
        return {n: float(row["forecast_s"]) for n, row in rows.items() if row["forecast_s"]}

    def choice(self, calibration, weight, paths, n):
        """{kernel: seconds} of all that the file `calibration` lets choose from, fastest first."""
        report = json.loads(self.run("--explain=json", f"--nodes={n}", f"--runs={calibration}",
                                     f"--type={weight}", *(["--paths"] if paths == "yes" else [])))
        return {candidate["kernel"]: candidate["predicted_s"] for candidate in report["choice"]}

    def run(self, *arguments):
        return subprocess.run([self.program, f"--gpu={self.gpu}", *arguments], check=True,
                              capture_output=True, text=True).stdout


def errors(pairs):
    """Relative errors of {n: (predicted, measured)}, not empty: signed mean, mean size, worst and
    where."""
    signed = {n: predicted / measured - 1 for n, (predicted, measured) in pairs.items()}
    worst = max(signed, key=lambda n: abs(signed[n]))
    return {"points": len(signed), "mean": statistics.mean(signed.values()),
            "mean_size": statistics.mean(map(abs, signed.values())), "worst": signed[worst],
            "worst_n": worst}


def judge_interval(rows, measured):
    times = {n: [float(rows[n][mapping]) for mapping in MAPPINGS] for n in measured}
    return {"points": len(measured),
            "inside": statistics.mean(min(times[n]) <= measured[n] <= max(times[n])
                                      for n in measured),
            "width": statistics.mean(max(t) / min(t) for t in times.values()),
            "errors": {mapping: errors({n: (times[n][i], measured[n]) for n in measured})
                       for i, mapping in enumerate(MAPPINGS)}}


def judge_steps(kernel, forecast, runs, steps):
    """Rise of one launch from n to n + 1, forecast and measured."""
    def rise(n, seconds):
        share = launches(kernel.algorithm, n) / launches(kernel.algorithm, n + 1)
        return seconds(n + 1) / seconds(n) * share - 1

    return {n: {"forecast": rise(n, forecast.__getitem__),
                "measured": rise(n, lambda size: runs[size][0])} for n in steps}


def study(model, kernel, runs, n0s, out):
    """All judgements of one of the paper's kernels; draws each range."""
    result = {"kernel": str(kernel), "interval": [], "forecast": [], "steps": {}}
    pair = kernel.calibration(runs)
    for first, last in RANGES:
        measured = {n: runs[n][0] for n in sorted(runs) if first <= n <= last}
        if not measured:
            continue
        series = {}
        for n0 in (n0 for n0 in n0s if n0 in runs):
            rows = model.sweep(kernel, runs, [n0], measured)
            judged = judge_interval(rows, measured)
            result["interval"].append({"range": [first, last], "n0": n0, **judged})
            series = series or {m: {n: float(rows[n][m]) for n in measured} for m in MAPPINGS}
        forecast = model.forecast(kernel, runs, pair, measured)
        new = {n: (forecast[n], measured[n]) for n in forecast if n not in pair}
        if forecast:
            series["forecast"] = forecast
        if new:
            result["forecast"].append({"range": [first, last], "runs": pair, **errors(new)})
        if series:
            name = f"{kernel.algorithm}-{kernel.block}-{first}-{last}.svg"
            draw(os.path.join(out, name), f"{kernel.algorithm}, BlockSize {kernel.block}",
                 CLAIMS.get((first, last), ""), series, measured)
    steps = [n for n in STEPS if n in runs and n + 1 in runs]
    forecast = model.forecast(kernel, runs, pair, [size for n in steps for size in (n, n + 1)])
    if forecast:
        result["steps"] = judge_steps(kernel, forecast, runs, steps)
    return result


def write_calibration(file, runs, source):
    print(f"# {source}", COLUMNS, sep="\n", file=file)
    for kernel in sorted(runs):
        for n in kernel.calibration(runs[kernel]):
            print(kernel.row(n, runs[kernel][n]), file=file)


def bare(weight):
    """The type of weights, without what is promised of them: f32 of f32+, s32 of s32<2^22."""
    return weight.split("<")[0].rstrip("+")


def judge_choice(model, runs):
    """Of each graph that several kernels solve, how much slower than the fastest the chosen one is;
    the forecasts {kernel: {n: (predicted, measured)}} of the blocked ones; and all kernels that are
    the fastest somewhere."""
    choices, forecasts, winners = [], collections.defaultdict(dict), set()
    for weight, paths in sorted({(kernel.weight, kernel.paths) for kernel in runs}):
        # The paper's kernels make no use of promises; all rivals go by the bare name here.
        rivals = {kernel._replace(weight=bare(weight)): (kernel, times)
                  for kernel, times in runs.items()
                  if kernel.paths == paths and kernel.weight in
                  ((weight,) if kernel.algorithm == "blocked" else (weight, bare(weight)))}
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            write_calibration(file, {rival: times for rival, (_, times) in rivals.items()},
                              "all that solve the same graphs")
            file.flush()
            fitted = {n for kernel, times in rivals.values() for n in kernel.calibration(times)}
            for n in sorted(set().union(*(times for _, times in rivals.values()))):
                predicted = model.choice(file.name, bare(weight), paths, n)
                measured = {}
                for rival, (kernel, times) in rivals.items():
                    if n in times and times[n][1] == "graph" and str(rival) in predicted:
                        measured[str(rival)] = times[n][0]
                        if kernel.algorithm == "blocked" and n not in kernel.calibration(times):
                            forecasts[kernel][n] = predicted[str(rival)], times[n][0]
                if len(measured) > 1:
                    chosen = next(kernel for kernel in predicted if kernel in measured)
                    best = min(measured, key=measured.get)
                    winners |= {kernel for rival, (kernel, _) in rivals.items() if str(rival) == best}
                    choices.append({"weight": weight, "paths": paths, "n": n, "chosen": chosen,
                                    "best": best, "loss": measured[chosen] / measured[best] - 1,
                                    "fitted": n in fitted})
    return choices, forecasts, winners


def percent(value):
    return f"{100 * value:+.1f}"


def table(columns, rows):
    return [" | ".join(("", *map(str, row), "")).strip()
            for row in (columns, ["---"] * len(columns), *rows)] + [""]


def tell_paper(algorithm, studies):
    """The tables of one of the paper's kernels, all block sizes."""
    lines = [f"## {algorithm}, the interval", "",
             "Errors in %, mean (worst) over the points.", ""]
    lines += table(("BlockSize", "n", "n0", "points", "inside %", "times wide", *MAPPINGS), [
        (block, "{}..{}".format(*row["range"]), row["n0"], row["points"],
         f"{100 * row['inside']:.0f}", f"{row['width']:.3g}",
         *(f"{percent(e['mean'])} ({percent(e['worst'])})" for e in row["errors"].values()))
        for block, result in studies for row in result["interval"]])
    lines += [f"## {algorithm}, the forecast", "",
              "Errors in %, without the runs that the kernel's form was fitted to. " + NOT_BLIND, ""]
    lines += table(("BlockSize", "n", "fitted to n", "points", "mean size", "mean", "worst"), [
        (block, "{}..{}".format(*row["range"]), ", ".join(map(str, row["runs"])), row["points"],
         f"{100 * row['mean_size']:.1f}", percent(row["mean"]),
         f"{percent(row['worst'])} at {row['worst_n']}")
        for block, result in studies for row in result["forecast"]])
    lines += ["Steps from n to n + 1, one launch, in %: forecast / measured", ""]
    def step(rises):
        return f"{percent(rises['forecast'])} / {percent(rises['measured'])}" if rises else ""

    lines += table(("BlockSize", *STEPS), [
        (block, *(step(result["steps"].get(n)) for n in STEPS)) for block, result in studies])
    return lines


def tell_blocked(judged):
    lines = ["## blocked, the forecast", "",
             "Errors in %, without the sizes that the kernel's form was fitted to. " + NOT_BLIND, ""]
    return lines + table(("kernel", "points", "mean size", "worst", "n = 16384", "32768"), [
        (kernel, e["points"], f"{100 * e['mean_size']:.1f}",
         f"{percent(e['worst'])} at {e['worst_n']}", *e["beyond"]) for kernel, e in judged.items()])


def tell_choice(choices):
    lines = ["## The choice by forecast", "",
             "Time lost against the fastest kernel, in %, where any is lost. At the sizes that are "
             "not new, at least one of the forms was fitted to a run.", ""]
    rows = []
    for weight, paths in sorted({(c["weight"], c["paths"]) for c in choices}):
        own = [c for c in choices if (c["weight"], c["paths"]) == (weight, paths)]
        lost = sorted((c for c in own if c["loss"] > 0), key=lambda c: -c["loss"])
        new = sum(not c["fitted"] for c in own)
        worst = f"{100 * max(c['loss'] for c in own):.1f}"
        told = (f"{percent(c['loss'])} at {c['n']}, {c['chosen'].split()[0]} instead of "
                f"{c['best'].split()[0]}" for c in lost)
        rows.append((weight, paths, len(own), new, worst, "; ".join(told)))
    return lines + table(("weights", "paths", "sizes", "new", "worst", "losses"), rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("measured", nargs="+", help="CSV files of apsp.py")
    parser.add_argument("--stencilc-apsp", required=True, metavar="PROGRAM")
    parser.add_argument("--gpu", default="h200")
    parser.add_argument("--n0", type=int, nargs="+", default=[500, 4000])
    parser.add_argument("--out", required=True, metavar="FOLDER")
    parser.add_argument("--calibration", metavar="FILE", help="keep the runs that were fitted to")
    parser.add_argument("--source", default="", help="what to say of them: device, driver, date")
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    model = Model(arguments.stencilc_apsp, arguments.gpu)
    paper, library = read_runs(arguments.measured)
    # To choose from, what the library takes for a whole graph, where that was measured.
    runs = {**paper, **library}
    if not runs:
        sys.exit("these files hold no run of a kernel known here")
    text, results = [f"# Shortest paths on {arguments.gpu}: measured against predicted", ""], []
    for algorithm in FORECAST_RUNS:
        kernels = sorted((k for k in paper if k.algorithm == algorithm), key=lambda k: int(k.block))
        studies = [(kernel.block, study(model, kernel, paper[kernel], arguments.n0, arguments.out))
                   for kernel in kernels]
        results += [result for _, result in studies]
        text += tell_paper(algorithm, studies) if studies else []
    choices, forecasts, winners = judge_choice(model, runs)
    blocked = {str(kernel): {**errors(pairs), "beyond": [
        percent(pairs[n][0] / pairs[n][1] - 1) if n in pairs else "" for n in (16384, 32768)]}
        for kernel, pairs in sorted(forecasts.items())}
    text += tell_blocked(blocked) if blocked else []
    text += tell_choice(choices) if choices else []
    text += ["## What the paper says", "", *(f"- n = {a} .. {b}: {claim}"
                                             for (a, b), claim in CLAIMS.items())]
    if arguments.calibration:
        names = ", ".join(map(os.path.basename, arguments.measured))
        with open(arguments.calibration, "w") as file:
            write_calibration(file, {kernel: times for kernel, times in runs.items()
                                     if kernel in winners or kernel in paper},
                              arguments.source or f"from {names}")
    with open(os.path.join(arguments.out, "report.md"), "w") as file:
        file.write("\n".join(text) + "\n")
    with open(os.path.join(arguments.out, "report.json"), "w") as file:
        json.dump({"gpu": arguments.gpu, "kernels": results, "blocked": blocked,
                   "choices": choices}, file, indent=1)
    print("\n".join(text))


if __name__ == "__main__":
    main()
