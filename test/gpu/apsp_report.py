#!/usr/bin/env python3
"""The paper's experiment, judged: measured times of the shortest-path kernels against the interval
model and against the forecast.

    apsp_report.py apsp_paper.csv apsp_sweep.csv --stencilc-apsp build/stencilc-apsp --out results/apsp

The files are those of apsp.py, with the columns of costmodel/ApspRuns.h: algorithm, block, n,
seconds and perhaps mode, weight, paths and tile. For each of the paper's kernels and each range of n it tells

  - the interval, calibrated by the run at each n0: the share of measured times inside it *and* its
    width, mean and worst error of each mapping;
  - the forecast, fitted to two runs: mean and worst error, and the steps at which a wave of blocks
    is added, per launch, beside the measured ones;

and, of all kernels that solve the same graph, how much slower the one chosen by forecast is than
the fastest. --calibration keeps the runs that the forecasts were fitted to, as a file of
costmodel/devices.

Everything predicted comes from `stencilc-apsp --sweep`; nothing is computed twice. Writes
report.md, report.json and one drawing a kernel and range. Python's standard library only.
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

MAPPINGS = ("min", "sorted", "full", "buckets")
RANGES = ((50, 100), (101, 3999), (4000, 4050))
STEPS = (480, 512, 544)
# Two runs a kernel: one that shows the start of a launch, one beyond a wave of blocks.
FORECAST_RUNS = {"min-plus": (96, 1000), "floyd-warshall": (96, 4000)}
BLOCKED_LEAST = 500  # below, a run has too few pivots to show all that one takes
COLUMNS = "algorithm,block,tile,weight,paths,n,seconds,mode"
CLAIMS = {
    (50, 100): "The paper, C2075 and GTX 780: measured times always inside the interval; jumps at "
    "n = 65 (one more launch), 80 (BlockSize 8) and 96 (BlockSize 16, 32).",
    (4000, 4050): "The paper: within 1 % (C2075, BlockSize 8, 16), up to 2.5 % (C2075, 32); on a "
    "GTX 780 all models about 20 % too high. Calibrated at n0 = 500.",
}
COLOURS = {"min": "#2a9d8f", "sorted": "#457b9d", "full": "#e9a23b", "buckets": "#c1443c",
           "forecast": "#222222"}


def launches(algorithm, n):
    return max(n - 2, 0).bit_length() if algorithm == "min-plus" else n


class Kernel(collections.namedtuple("Kernel", "algorithm block tile weight paths")):
    def __str__(self):
        size = f"{self.block}x{self.tile}" if self.algorithm == "blocked" else self.block
        return f"{self.algorithm}/{size} {self.weight} {'with' if self.paths == 'yes' else 'without'} paths"

    def calibration(self, sizes):
        """The two sizes that the forecast is fitted to; fewer if they were not measured."""
        if self.algorithm == "blocked":
            large = [n for n in sizes if n >= BLOCKED_LEAST]
            return [min(large), max(large)] if len(large) > 1 else []
        return [n for n in FORECAST_RUNS[self.algorithm] if n in sizes]

    def row(self, n, run):
        seconds, mode = run
        return f"{','.join(self)},{n},{seconds!r},{mode}"


def kernel_of(row):
    algorithm, block = row["algorithm"], row["block"]
    blocked = algorithm == "blocked"
    if not blocked and algorithm not in FORECAST_RUNS:
        return None
    return Kernel(algorithm, block, row.get("tile") or block if blocked else block,
                  row.get("weight") or "f32", row.get("paths") or ("no" if blocked else "yes"))


def read_runs(paths):
    """{kernel: {n: (seconds, mode)}}; of equal runs the median counts. What gave wrong results was
    not timed, and the library is used with look-ahead."""
    rows = collections.defaultdict(list)
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                if row.get("result", "ok") != "ok" or row.get("look_ahead") == "no":
                    continue
                kernel = kernel_of(row)
                if kernel:
                    key = kernel, int(row["n"]), row.get("mode") or "graph"
                    rows[key].append(float(row["seconds"]))
    runs = collections.defaultdict(dict)
    # In a graph where there is one: on a stream, short launches only show the host.
    for (kernel, n, mode), seconds in sorted(rows.items(), key=lambda r: r[0][2] == "graph"):
        runs[kernel][n] = statistics.median(seconds), mode
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
                            f"--runs={file.name}", f"--n0={calibration[0]}", f"--launches={launched}",
                            f"--sweep={min(sizes)}:{max(sizes)}")
        return {int(row["n"]): row for row in csv.DictReader(text.splitlines())}

    def choice(self, calibration, weight, paths, n):
        """The kernels that the file `calibration` lets choose from, fastest first."""
        report = json.loads(self.run("--explain=json", f"--nodes={n}", f"--runs={calibration}",
                                     f"--type={weight}", *(["--paths"] if paths == "yes" else [])))
        return [candidate["kernel"] for candidate in report["choice"]]

    def run(self, *arguments):
        return subprocess.run([self.program, f"--gpu={self.gpu}", *arguments], check=True,
                              capture_output=True, text=True).stdout


def errors(pairs):
    """Signed relative errors of (predicted, measured) pairs: mean, mean size, worst."""
    signed = [predicted / measured - 1 for predicted, measured in pairs]
    return {"mean": statistics.mean(signed), "mean_size": statistics.mean(map(abs, signed)),
            "worst": max(signed, key=abs)}


def judge_interval(rows, measured):
    inside, widths, by_mapping = [], [], {mapping: [] for mapping in MAPPINGS}
    for n, seconds in measured.items():
        times = [float(rows[n][mapping]) for mapping in MAPPINGS]
        inside.append(min(times) <= seconds <= max(times))
        widths.append(max(times) / min(times))
        for mapping, time in zip(MAPPINGS, times):
            by_mapping[mapping].append((time, seconds))
    return {"points": len(measured), "inside": sum(inside) / len(inside),
            "width": statistics.mean(widths),
            "errors": {mapping: errors(pairs) for mapping, pairs in by_mapping.items()}}


def judge_steps(kernel, rows, runs, steps):
    """Rise of one launch from n to n + 1, forecast and measured."""
    def rise(n, seconds):
        share = launches(kernel.algorithm, n) / launches(kernel.algorithm, n + 1)
        return seconds(n + 1) / seconds(n) * share - 1

    return {n: {"forecast": rise(n, lambda size: float(rows[size]["forecast_s"])),
                "measured": rise(n, lambda size: runs[size][0])} for n in steps}


def draw(path, title, claim, series, dots):
    """One drawing: lines {name: {n: seconds}} and measured dots {n: seconds}, time over n."""
    left, top, width, height = 80, 60, 620, 330
    sizes = sorted(dots)
    largest = max(max(line[n] for n in sizes) for line in (*series.values(), dots))
    scale = 1e3 if largest >= 1e-3 else 1e6
    span = max(sizes[-1] - sizes[0], 1)

    def place(n, seconds):
        return f"{left + (n - sizes[0]) / span * width:.1f} {top + (1 - seconds / largest) * height:.1f}"

    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 450" '
             'font-family="sans-serif" font-size="12"><rect width="820" height="450" fill="#fff"/>',
             f'<text x="{left}" y="22" font-size="14">{title}</text>',
             f'<text x="{left}" y="42" font-size="10" fill="#666">{claim}</text>']
    for tick in range(6):
        value = largest * tick / 5
        y = top + (1 - tick / 5) * height
        parts.append(f'<path d="M{left} {y:.1f}h{width}" stroke="#ddd"/><text x="{left - 8}" '
                     f'y="{y + 4:.1f}" text-anchor="end">{value * scale:.3g}</text>')
        n = sizes[0] + span * tick / 5
        parts.append(f'<text x="{left + width * tick / 5:.1f}" y="{top + height + 18}" '
                     f'text-anchor="middle">{n:.0f}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle">nodes n, '
                 f'time in {"ms" if scale == 1e3 else "us"}</text>')
    for row, (name, line) in enumerate(series.items()):
        points = "L".join(place(n, line[n]) for n in sizes)
        parts.append(f'<path d="M{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="1.5"/>'
                     f'<text x="716" y="{top + 12 + 18 * row}" fill="{COLOURS[name]}">{name}</text>')
    for n in sizes:
        x, y = place(n, dots[n]).split()
        parts.append(f'<circle cx="{x}" cy="{y}" r="2.2" fill="#222"/>')
    parts.append(f'<text x="716" y="{top + 12 + 18 * len(series)}">• measured</text></svg>')
    with open(path, "w") as file:
        file.write("\n".join(parts) + "\n")


def percent(value):
    return f"{100 * value:+.1f}"


def study(model, kernel, runs, n0s, out):
    """All judgements of one kernel: a dictionary, and its lines for report.md."""
    algorithm, block = kernel.algorithm, kernel.block
    result = {"kernel": str(kernel), "interval": [], "forecast": []}
    lines = [f"## {algorithm}, BlockSize {block}", ""]
    pair = kernel.calibration(runs)
    for first, last in RANGES:
        measured = {n: runs[n][0] for n in sorted(runs) if first <= n <= last}
        if not measured:
            continue
        lines += [f"n = {first} .. {last}, {len(measured)} points", ""]
        series = {}
        for n0 in n0s:
            if n0 not in runs:
                continue
            rows = model.sweep(kernel, runs, [n0], measured)
            judged = judge_interval(rows, measured)
            result["interval"].append({"range": [first, last], "n0": n0, **judged})
            lines.append(f"- interval from n0 = {n0}: {100 * judged['inside']:.0f} % inside, "
                         f"{judged['width']:.3g} times wide; mean (worst) error in %: " + ", ".join(
                             f"{mapping} {percent(error['mean'])} ({percent(error['worst'])})"
                             for mapping, error in judged["errors"].items()))
            if not series:
                series = {m: {n: float(rows[n][m]) for n in measured} for m in MAPPINGS}
        if len(pair) == 2:
            rows = model.sweep(kernel, runs, pair, measured)
            if all(rows[n]["forecast_s"] for n in measured):
                forecast = {n: float(rows[n]["forecast_s"]) for n in measured}
                judged = errors([(forecast[n], measured[n]) for n in measured])
                result["forecast"].append({"range": [first, last], "runs": pair, **judged})
                lines.append(f"- forecast from n = {pair[0]} and {pair[1]}: error in %: mean size "
                             f"{100 * judged['mean_size']:.1f}, worst {percent(judged['worst'])}")
                series["forecast"] = forecast
        lines.append("")
        if series:
            name = f"{algorithm}-{block}-{first}-{last}.svg"
            draw(os.path.join(out, name), f"{algorithm}, BlockSize {block}", CLAIMS.get((first, last), ""),
                 series, measured)
            lines += [f"![{name}]({name})", ""]
    steps = [n for n in STEPS if n in runs and n + 1 in runs]
    if len(pair) == 2 and steps:
        rows = model.sweep(kernel, runs, pair, [size for n in steps for size in (n, n + 1)])
        if all(row["forecast_s"] for row in rows.values()):
            result["steps"] = judge_steps(kernel, rows, runs, steps)
            for n, step in result["steps"].items():
                lines.append(f"- step {n} -> {n + 1}, one launch, in %: forecast "
                             f"{percent(step['forecast'])}, measured {percent(step['measured'])}")
            lines.append("")
    return result, lines


def write_calibration(file, runs, source):
    print(f"# {source}", COLUMNS, sep="\n", file=file)
    for kernel in sorted(runs):
        for n in kernel.calibration(runs[kernel]):
            print(kernel.row(n, runs[kernel][n]), file=file)


def bare(weight):
    """The type of weights, without what is promised of them: f32 of f32+, s32 of s32<2^22."""
    return weight.split("<")[0].rstrip("+")


def judge_choice(model, runs):
    """How much slower than the fastest the chosen kernel is, for each graph that several solve."""
    judged = []
    for weight, paths in sorted({(kernel.weight, kernel.paths) for kernel in runs}):
        # The paper's kernels make no use of promises; all rivals go by the bare name here.
        rivals = {kernel._replace(weight=bare(weight)): times for kernel, times in runs.items()
                  if kernel.paths == paths and kernel.weight in
                  ((weight,) if kernel.algorithm == "blocked" else (weight, bare(weight)))}
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            write_calibration(file, rivals, "all that solve the same graphs")
            file.flush()
            for n in sorted(set().union(*rivals.values())):
                times = {str(kernel): run[n][0] for kernel, run in rivals.items()
                         if n in run and run[n][1] == "graph"}
                chosen = [kernel for kernel in model.choice(file.name, bare(weight), paths, n)
                          if kernel in times] if len(times) > 1 else []
                if chosen:
                    best = min(times, key=times.get)
                    judged.append({"weight": weight, "paths": paths, "n": n, "chosen": chosen[0],
                                   "best": best, "loss": times[chosen[0]] / times[best] - 1})
    lines = ["## The choice by forecast", ""]
    lost = sorted((choice for choice in judged if choice["loss"] > 0), key=lambda c: -c["loss"])
    lines.append(f"{len(judged) - len(lost)} of {len(judged)} times the fastest kernel was chosen; otherwise")
    lines += ["", *(f"- {choice['weight']}, n = {choice['n']}: {choice['chosen']}, {percent(choice['loss'])} % against "
                    f"{choice['best']}" for choice in lost), ""]
    return judged, lines


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
    runs = read_runs(arguments.measured)
    if not runs:
        sys.exit("these files hold no run of a kernel known here")
    results, text = [], [f"# Shortest paths on {arguments.gpu}: measured against predicted", ""]
    for kernel in sorted(runs):
        if kernel.algorithm in FORECAST_RUNS:
            result, lines = study(model, kernel, runs[kernel], arguments.n0, arguments.out)
            results.append(result)
            text += lines
    if arguments.calibration:
        names = ", ".join(map(os.path.basename, arguments.measured))
        with open(arguments.calibration, "w") as file:
            write_calibration(file, runs, arguments.source or f"from {names}")
    choices, lines = judge_choice(model, runs)
    text += lines if choices else []
    text += ["## What the paper says", ""] + [f"- n = {a} .. {b}: {claim}"
                                              for (a, b), claim in CLAIMS.items()]
    with open(os.path.join(arguments.out, "report.md"), "w") as file:
        file.write("\n".join(text) + "\n")
    with open(os.path.join(arguments.out, "report.json"), "w") as file:
        json.dump({"gpu": arguments.gpu, "kernels": results, "choices": choices}, file, indent=1)
    print("\n".join(line for line in text if not line.startswith("!")))


if __name__ == "__main__":
    main()
