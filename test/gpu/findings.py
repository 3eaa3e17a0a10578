#!/usr/bin/env python3
"""What the stencil papers found on GPUs of their time, beside what the same kernels do today.

    python3 test/gpu/findings.py results/h200_papers.json -o results/validation/findings.md

Needs no GPU: validate.py timed and counted the kernels; the papers' numbers are in test/papers. Drawings
lie beside the report.
"""

import argparse
import collections
import csv
import json
import math
import pathlib
import statistics

import drawings
import findings_su
import problems
from counters import STALLS
from runs import WARPS, table, value_of

PAPERS = problems.ROOT / "test/papers"
FLOPS = 13  # a point of [maruyama2014]
KERNELS = ["Baseline", "OPT", "ROC", "SHM", "SHM-TEX", "SHM-WARP", "SHM-WARP, text", "TEMP"]


def published(name):
    lines = [line for line in (PAPERS / f"{name}.csv").read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def gstencils(run):
    return math.prod(run["extents"]) / run["ms"] / 1e6


def fastest(entries, source, problem):
    """By grid and kernel: the fastest run of its shapes."""
    found = collections.defaultdict(dict)
    for entry in entries:
        if (entry["source"], entry["problem"]) == (source, problem):
            for run in entry["runs"]:
                kernels = found[tuple(run["extents"])]
                if entry["kernel"] not in kernels or run["ms"] < kernels[entry["kernel"]]["ms"]:
                    kernels[entry["kernel"]] = {**run, "schedule": entry["schedule"]}
    return found


def grid(extents):
    return "×".join(map(str, extents))


def share(run, numerator, denominator):
    """Of counters in per cent, if they were counted."""
    counted = run.get("counters", {})
    if not all(name in counted for name in numerator + denominator):
        return None
    return 100 * sum(counted[name] for name in numerator) / max(1, sum(counted[name] for name in denominator))


def told(number):
    return "–" if number is None else f"{number:.1f}"


def orders(entries, folder):
    """Maruyama's kernels: on Kepler, and today."""
    found = fastest(entries, "maruyama2014", "diffusion")
    then = {row["kernel"]: float(row["k20x"]) for row in published("maruyama2014-rates")}
    rows, drawn = [], []
    for name in KERNELS:
        rates = [FLOPS * gstencils(found[size][name]) for size in found]
        rows.append([name, f"{then[name]:.0f}" if name in then else "–", *(f"{rate:.0f}" for rate in rates)])
        drawn.append((name, [then.get(name), *rates]))
    drawings.bars(folder / "maruyama2014-kernels.svg", "Diffusion, f32, Gflop/s; each column by its own scale", drawn,
                  ["256³ on a K20X", *(f"{grid(size)} today" for size in found)])
    said = []
    for size, runs in found.items():
        order = sorted((name for name in KERNELS if name != "TEMP"), key=lambda name: runs[name]["ms"])
        tile = next(name for name in order if name.startswith("SHM"))
        said.append(f"At {grid(size)} today, one step at a time: {' > '.join(order)}; the read-only path makes "
                    f"{gstencils(runs['ROC']) / gstencils(runs[tile]):.2f} times the points a second of the best tile "
                    f"in shared memory ({tile}), TEMP, as `{runs['TEMP']['schedule']}`, "
                    f"{gstencils(runs['TEMP']) / gstencils(runs[order[0]]):.2f} times "
                    f"those of the fastest single step ({order[0]}) and "
                    f"{gstencils(runs['TEMP']) / gstencils(runs['Baseline']):.2f} times the baseline's.")
    return ("## [maruyama2014], section 6: seven kernels\n\nThe paper, on a K20X: the baseline is the slowest, OPT and "
            "ROC are between it and SHM-WARP, the read-only cache is \"very effective\", SHM-WARP is the best of one "
            "step at a time (1.65 times the baseline), TEMP 1.23 times that (2.05 times the baseline).\n\n"
            + "\n\n".join(said) + "\n\n![Gflop/s](maruyama2014-kernels.svg)\n\n"
            + table(["kernel", "Gflop/s on a K20X, 256³", *(f"today, {grid(size)}" for size in found)], rows))


def stalls(entries):
    """Why warps of Maruyama's kernels wait."""
    rows, barrier = [], {}
    for size, runs in fastest(entries, "maruyama2014", "diffusion").items():
        for name in KERNELS:
            shares = {reason: share(runs[name], [f"stalled_{reason}"], ["warps_active"]) for reason in STALLS}
            if None not in shares.values():
                rows.append([name, grid(size), *(told(shares[reason]) for reason in STALLS)])
                barrier[name, size] = shares
    if not rows:
        return ""
    said = [f"{grid(size)}: at barriers {told(shares['barrier'])} % of the time, most at "
            f"{max(shares, key=shares.get).replace('_', ' ')} ({told(max(shares.values()))} %)"
            for (name, size), shares in barrier.items() if name == "TEMP"]
    return ("## [maruyama2014]: what holds TEMP back\n\nThe paper: the synchronization of threads. Today, of what its "
            f"warps do (a pass of TEMP makes two steps): {'; '.join(said)}.\n\nOf the cycles of resident warps in per "
            "cent, each kernel in its fastest shape:\n\n"
            + table(["kernel", "grid", *(reason.replace("_", " ") for reason in STALLS)], rows))


def nine_kernels(entries):
    """Nasciutti's kernels at 256 points a side, and what the paper says of them."""
    names = [row["kernel"] for row in published("nasciutti2017-occupancy")]
    rows, rates = [], {}
    for radius in range(1, 6):
        runs = fastest(entries, "nasciutti2017", f"star{radius}")[256, 256, 256]
        rates[radius] = {name: gstencils(runs[name]) for name in names}
        rows.append([radius, *(f"{rates[radius][name]:.0f}" for name in names)])

    def where(holds):
        radii = [str(radius) for radius in rates if holds(rates[radius])]
        return f"radius {', '.join(radii)}" if radii else "no radius"

    said = [("CSL + INTZ + Reg is the best for most radii", lambda r: r["CSL-INTZ-REG"] >= .99 * max(r.values())),
            ("CSL is faster than BASE", lambda r: r["CSL"] > 1.01 * r["BASE"]),
            ("COMP is faster than BASE, save at radius 1", lambda r: r["COMP"] > 1.01 * r["BASE"]),
            ("COMP is slower than CSL", lambda r: r["COMP"] < .99 * r["CSL"]),
            ("INTZ does not help BASE", lambda r: r["BASE-INTZ"] <= 1.01 * r["BASE"]),
            ("INTZ + Reg helps BASE", lambda r: r["BASE-INTZ-REG"] > 1.01 * r["BASE"]),
            ("INTZ helps CSL at small radii", lambda r: r["CSL-INTZ"] > 1.01 * r["CSL"])]
    flat = max(r["BASE"] for r in rates.values()) / min(r["BASE"] for r in rates.values())
    return ("## [nasciutti2017], sections 5 and 8: nine kernels\n\nGStencil/s at 256³ today:\n\n"
            + table(["radius", *names], rows) + "\n" + table(
                ["the paper, on a GK210", "today (1 % counts)"], [[claim, where(holds)] for claim, holds in said]
                + [["BASE is as fast at every radius", f"{flat:.2f} times as fast at one radius as at another"]]))


def half_way(dots):
    """The x at which a falling or rising line is half way between its ends."""
    dots = sorted(dots)
    middle = (dots[0][1] + dots[-1][1]) / 2
    for (x, y), (to, end) in zip(dots, dots[1:]):
        if (y - middle) * (end - middle) <= 0 and y != end:
            return x + (to - x) * (middle - y) / (end - y)
    return None


def cliffs(entries, gpu, folder):
    """Hits in the L2 over X, where planes outgrow it."""
    hits, rows, room = {}, [], value_of(gpu, "l2-effective-bytes")
    for radius in range(1, 6):
        runs = [run for entry in entries if entry["problem"] == f"star{radius} cliff" for run in entry["runs"]
                if "l2_read_hits" in run.get("counters", {})]
        if not runs:
            continue
        sides = [run["extents"][2] for run in runs]
        height, points = runs[0]["extents"][1], [math.prod(run["extents"]) for run in runs]
        hits[f"radius {radius}"] = [
            (x, share(run, ["l2_read_hits"], ["l2_read_hits", "l2_read_misses"])) for x, run in zip(sides, runs)]
        counted = [(x, run["counters"]["dram_read_bytes"] / n) for x, run, n in zip(sides, runs, points)]
        predicted = [(x, run["geometric"]["dram_bytes"] / n - 4) for x, run, n in zip(sides, runs, points)]
        formula = (room / 4 - 2 * radius * height) / (height + 2 * radius + 2 * radius * height)
        own = hits[f"radius {radius}"]
        rows.append([radius, f"{formula:.0f}", *(told(half_way(one)) for one in (predicted, counted, own)),
                     told(own[0][1]), told(own[-1][1])])
    if not rows:
        return ""
    drawings.lines(folder / "nasciutti2017-hits.svg", "BASE, 48 × 2048 × X, f32: reads that the L2 has",
                   ("X", "per cent"), hits)
    return ("## [nasciutti2017], section 6: hits in the L2 over X\n\nThe paper, on a GK210: rates fall where a plane and "
            "what is read with it outgrow the L2, from X = 510, 306, 218, 169, 139 on at 256 rows, and hits fall with "
            "them. Today, planes of 2048 rows: X by that formula for the room that the profile gives the L2, and where "
            "bytes read and hits are half way between their ends.\n\n![hits](nasciutti2017-hits.svg)\n\n"
            + table(["radius", "X by the paper's formula", "bytes read, predicted", "counted", "hits", "hits at the "
                     "least X, %", "at the greatest"], rows))


def occupancies(entries):
    """Achieved occupancy of the nine kernels."""
    rows, reached = [], []
    for row in published("nasciutti2017-occupancy"):
        cells = []
        for radius in range(1, 6):
            run = fastest(entries, "nasciutti2017", f"star{radius}")[256, 256, 256][row["kernel"]]
            counted = share(run, ["warps_active"], ["sm_active_cycles"])
            could = 100 * run["geometric"].get("occupancy", math.nan)
            if counted is not None:
                reached.append(counted / WARPS / could)
            cells.append(f"{row[str(radius)]} / {told(counted and counted / WARPS)} of {could:.0f}")
        rows.append([row["kernel"], *cells])
    if not reached:
        return ""
    return ("## [nasciutti2017]: achieved occupancy\n\nThe paper, on a GK210: 84 to 98 % where 100 could be. Today "
            f"{100 * statistics.mean(reached):.0f} % in the mean of what the forecast has room for, "
            f"{100 * min(reached):.0f} % at least. In each cell: the paper's / today's of what could be, in per cent, "
            "256³.\n\n" + table(["kernel", *(f"radius {radius}" for radius in range(1, 6))], rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    data, folder = json.loads(options.results.read_text()), options.output.parent
    entries, gpu = data["entries"], data["gpu"].split()[1].lower()
    parts = ["# What the papers found, and what is true today\n", f"{data['gpu']}, driver {data['driver']}, CUDA "
             f"{data['cuda']}, {data['date']}.\n", findings_su.errors(entries, published("su2015-errors")),
             findings_su.depths(entries), findings_su.limits(entries, gpu),
             findings_su.chunks(entries, published("su2015-chunks"), folder),
             orders(entries, folder), stalls(entries), nine_kernels(entries), cliffs(entries, gpu, folder),
             occupancies(entries)]
    options.output.write_text("\n".join(part for part in parts if part))
    print(f"wrote {options.output}")


if __name__ == "__main__":
    main()
