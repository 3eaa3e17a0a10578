#!/usr/bin/env python3
"""Tables of what validate.py measured: errors of both models, and what papers found, today.

    python3 test/gpu/validate_report.py results.json ... -o report.md [--stencilc build/stencilc]

Forecasts are those that stood beside the kernels before they were timed or, of a report of the model of
today, those that the given compiler makes of the same kernels afterwards. An error is predicted over
measured, less one; "mean" is that of its absolute values, "bias" its own. Of arrays smaller than
several times the L2 the traffic to device memory depends on what ran before, and is left out. What was
timed are runs of 4 steps, of small grids 12, whose first one brings the frames to both buffers: today's
forecasts are of such runs, those that were kept of a step alone.
"""

import argparse
import collections
import json
import math
import pathlib
import statistics

import lab
import problems
import validate
from bottlenecks import bottlenecks
from runs import OUTGROWN, SECTOR, compiled_as, grid_bytes, predicted_ms, step_ms, table, value_of, variant
from scatters import draw


def errors_of(entry, run, model):
    """By quantity; nothing where it was not measured, or the model says nothing."""
    if model not in run:
        return {}
    said, errors = run[model], {"time": predicted_ms(run[model]) / run["ms"] - 1}
    counters = run.get("counters")
    if counters:
        l2 = SECTOR * (counters["l2_read_sectors"] + counters["l2_write_sectors"])
        dram = counters["dram_read_bytes"] + counters["dram_write_bytes"]
        if model == "geometric":  # the counts are the same for both
            asked = SECTOR * (counters["load_sectors"] + counters["store_sectors"])
            errors["requested"] = sum(run["requested_bytes"].values()) / asked - 1
        errors["L2"] = said["l2_bytes"] / l2 - 1
        if grid_bytes(entry, run) > OUTGROWN:
            errors["device memory"] = said["dram_bytes"] / dram - 1
    return errors


def told(errors):
    if not errors:
        return "–"
    return f"{100 * statistics.mean(map(abs, errors)):.1f} ({100 * statistics.mean(errors):+.1f})"


QUANTITIES = ["requested", "L2", "device memory", "time"]


def error_table(entries, key, names):
    """A row for each group of runs: mean error and bias in percent."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    counts = collections.Counter()
    for entry in entries:
        for run in entry["runs"]:
            group = key(entry, run)
            counts[group] += 1
            for model in ("geometric", "su2015"):
                for quantity, error in errors_of(entry, run, model).items():
                    groups[group][model, quantity].append(error)
    rows = [[*group, counts[group], *(told(found["geometric", q]) for q in QUANTITIES),
             *(told(found["su2015", q]) for q in QUANTITIES[1:])]
            for group, found in sorted(groups.items())]
    return table([*names, "runs", *QUANTITIES, *(f"{q} by su2015" for q in QUANTITIES[1:])], rows)


ZONES = [(.7, "stays in the L2, steady"), (1.5, "0.7 to 1.5 of the L2"), (math.inf, "outgrows the L2")]


def zones(entries, effective):
    """Volumes by kind of kernel and by what the L2 holds of a grid read and written: the mean error, and
    the bias. What stays there is hardly moved to device memory, and not told; in the zone around its size it
    is told as a share of the grid."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for entry in entries:
        for run in entry["runs"]:
            if "counters" not in run:
                continue
            zone = next(place for place, (most, _) in enumerate(ZONES)
                        if grid_bytes(entry, run) < most * effective)
            said, counted = run["geometric"], run["counters"]
            found = groups[zone, variant(entry)]
            for access in ("load", "store"):
                found[access].append(run["requested_bytes"][access]
                                     / (SECTOR * counted[f"{access}_sectors"]) - 1)
            found["L2"].append(said["l2_bytes"] / (SECTOR * (
                counted["l2_read_sectors"] + counted["l2_write_sectors"])) - 1)
            if zone > 0:
                moved = counted["dram_read_bytes"] + counted["dram_write_bytes"]
                whole = grid_bytes(entry, run) if zone == 1 else moved  # what is moved may be next to nothing
                found["device memory"].append((said["dram_bytes"] - moved) / whole)
            found["time"].append(predicted_ms(said) / run["ms"] - 1)
    rows = [[ZONES[zone][1], kind, len(found["time"]),
             *(told(found[q]) for q in ("load", "store", "L2", "device memory", "time"))]
            for (zone, kind), found in sorted(groups.items())]
    return table(["grid", "kernel", "runs", "requested, loads", "stores", "L2", "device memory", "time"], rows)


def choices(entries):
    """Of each problem and size: how much slower what is chosen is than the fastest measured."""
    cases = collections.defaultdict(list)
    for entry in entries:
        for run in entry["runs"]:
            cases[entry["source"], entry["problem"], entry["real"], tuple(run["extents"])].append(
                (run["ms"], entry["kernel"], entry["schedule"]))
    rows = []
    for (source, problem, real, extents), runs in sorted(cases.items()):
        mine = [run for run in runs if run[1] == "chosen"]
        others = [run for run in runs if run[1] != "chosen" and not run[2].startswith("temporal")]
        if mine and others:
            best = min(others)
            rows.append([problem, real, "×".join(map(str, extents)), f"`{mine[0][2]}`",
                         f"{1e3 * mine[0][0]:.1f}", best[1], f"`{best[2]}`", f"{1e3 * best[0]:.1f}",
                         f"{best[0] / mine[0][0]:.2f}"])
    return table(["problem", "type", "grid", "chosen", "µs", "best of the paper's", "schedule", "µs",
                  "times as fast"], rows)


def fastest(entries, source):
    """Each kernel of a paper in its best shape, by problem and size: GStencil/s."""
    best = collections.defaultdict(dict)
    kernels = []
    for entry in entries:
        if entry["source"] != source or problems.is_sweep(entry["problem"]):
            continue
        if entry["kernel"] not in kernels:
            kernels.append(entry["kernel"])
        for run in entry["runs"]:
            rate = math.prod(run["extents"]) / run["ms"] / 1e6
            row = best[entry["problem"], tuple(run["extents"])]
            row[entry["kernel"]] = max(rate, row.get(entry["kernel"], 0))
    rows = [[problem, "×".join(map(str, extents)),
             *(f"{row[k]:.0f}" if k in row else "–" for k in kernels)]
            for (problem, extents), row in sorted(best.items())]
    return table(["problem", "grid", *kernels], rows)


def cliff(entries):
    """Reads of device memory by point, measured and predicted, where planes outgrow the L2."""
    rows = []
    for entry in entries:
        if "cliff" in entry["problem"]:
            for run in entry["runs"]:
                points = math.prod(run["extents"])
                read = run["counters"]["dram_read_bytes"] / points if "counters" in run else None
                rows.append([entry["problem"].split()[0], run["extents"][2],
                             f"{points / run['ms'] / 1e6:.0f}", f"{points / predicted_ms(run['geometric']) / 1e6:.0f}",
                             f"{read:.1f}" if read else "–",
                             f"{run['geometric']['dram_bytes'] / points - 4:.1f}"])
    return table(["problem", "x", "GStencil/s", "predicted", "bytes read a point", "predicted"], rows)


def cold(entries):
    """Grids that the L2 holds, of which a step finds nothing in it or what the step before left: means over
    the shapes of each kernel."""
    groups = collections.defaultdict(list)
    for entry in entries:
        for run in entry["runs"]:
            if "cold_ms" in run:
                groups[entry["problem"], entry["real"], tuple(run["extents"]), variant(entry)].append(run)

    def of_counters(runs, name, quantity):
        values = [quantity(run, run[name]) for run in runs if name in run]
        return statistics.mean(values) if values else None

    def l2_error(run, c):
        return 100 * abs(run["geometric"]["l2_bytes"] / (SECTOR * (c["l2_read_sectors"] + c["l2_write_sectors"])) - 1)

    def of_memory(run, c):
        return (c["dram_read_bytes"] + c["dram_write_bytes"]) / 2 ** 20

    rows = []
    for (problem, real, extents, kind), runs in sorted(groups.items()):
        times = [1e3 * statistics.mean(of(run) for run in runs) for of in (
            lambda run: run["cold_ms"], lambda run: run["warm_ms"], step_ms, lambda run: run["geometric"]["ms"])]
        volumes = [of_counters(runs, name, quantity) for quantity in (l2_error, of_memory)
                   for name in ("cold_counters", "counters")]
        predicted = statistics.mean(run["geometric"]["dram_bytes"] for run in runs) / 2 ** 20
        rows.append([problem, real, "×".join(map(str, extents)), kind, len(runs), *(f"{time:.1f}" for time in times),
                     *("–" if volume is None else f"{volume:.1f}" for volume in volumes), f"{predicted:.1f}"])
    return table(["problem", "type", "grid", "kernel", "shapes", "µs cold", "µs after a step", "µs of many steps",
                  "predicted", "L2 error cold, %", "steady", "MiB of device memory cold", "steady", "predicted"], rows)


def forecast_anew(stencilc, gpu, data):
    """Puts what this compiler predicts for a device in the place of what was predicted."""
    runs = [(problems.BY_NAME[entry["source"], entry["problem"], entry["real"]], run)
            for entry in data["entries"] for run in entry["runs"]]
    for (_, run), said in zip(runs, lab.each(runs, lambda pair: validate.forecast(
            stencilc, pair[0], [f"--schedule={compiled_as(data, pair[1]['schedule'])}"], pair[1]["extents"],
            gpu))):
        if isinstance(said, lab.Failed):
            raise said
        run.update({**said, "schedule": run["schedule"]})


def told_clocks(data):
    """SM clock and power over all cases, where they were asked for."""
    seen = [one for both in data.get("clocks", {}).values() for one in both.values() if one]
    if not seen:
        return ""
    clock, power = (f"{min(one[key] for one in seen):.0f} to {max(one[key] for one in seen):.0f}"
                    for key in ("sm_mhz", "watts"))
    return f"Before and after each problem the SMs' clock was {clock} MHz, the power {power} W. "


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--stencilc", type=lab.folder, help="the compiler that makes forecasts anew")
    parser.add_argument("--gpu", default="h200", help="for what device (a profile)")
    options = parser.parse_args()
    parts = ["# Forecasts and measurements\n\n" + "\n".join(__doc__.split("\n\n")[2].splitlines())
             + "\n"]
    for path in options.results:
        data = json.loads(path.read_text())
        entries = data["entries"]
        if options.stencilc:
            forecast_anew(options.stencilc, options.gpu, data)
        is_frozen = "commit" in data and not options.stencilc
        frozen = f"; forecasts of commit {data['commit']}, made before" if is_frozen else ""
        parts.append(f"## {path.name}\n\n{data['gpu']}, driver {data['driver']}, CUDA {data['cuda']}, "
                     f"{data['date']}{frozen}. {told_clocks(data)}Errors in percent, bias in brackets.\n\n"
                     "### By kind of kernel\n")
        parts.append(error_table(entries, lambda e, r: (e["source"], variant(e)), ["source", "kernel"]))
        parts.append("### By size of the grid\n")
        parts.append(error_table(
            entries, lambda e, r: (f"{grid_bytes(e, r) / 2**20:6.0f}",), ["MiB read and written"]))
        parts.append("### Volumes by what the L2 holds\n\nFrom 0.7 to 1.5 of the L2, errors of device memory "
                     "are shares of the bytes of the grid.\n")
        parts.append(zones(entries, value_of(options.gpu, "l2-effective-bytes")))
        if any("cold_ms" in run for entry in entries for run in entry["runs"]):
            parts.append("### Grids that the L2 holds, cold and steady\n\nCold: the caches were swept before the step, "
                         "or flushed before it was counted. What a step leaves in the L2 to be written later is in no "
                         "count of device memory.\n")
            parts.append(cold(entries))
        if any("times" in run["geometric"] and "counters" in run for entry in entries for run in entry["runs"]):
            parts.append("### What binds, named and counted\n\nA unit that reaches 60 % of its peak, or what is waited "
                         "for where none does (`wait_of` in validate_report.py; \"waiting\" where it was not counted). "
                         "Where two units are predicted to take alike long, within 15 %, either is right. Of runs "
                         "of a few steps only, a step took what the run did, less what is predicted of its launches "
                         "beside the steps.\n")
            parts.append(bottlenecks(entries, options.gpu))
        parts.append("### Predicted over measured\n")
        parts.append(draw(entries, options.gpu, options.output.parent,
                          path.stem + ("-today" if options.stencilc else "")))
        sources = {entry["source"] for entry in entries}
        if "synthetic" not in sources:
            parts.append("### What is chosen, beside the papers' kernels\n")
            parts.append(choices(entries))
        for source in sorted(sources - {"synthetic"}):
            parts.append(f"### {source}: GStencil/s of each kernel in its best shape\n")
            parts.append(fastest(entries, source))
        if any("cliff" in entry["problem"] for entry in entries):
            parts.append("### nasciutti2017: planes of 2048 rows, BASE\n")
            parts.append(cliff(entries))
    options.output.write_text("\n".join(parts))
    print(f"wrote {options.output}")


if __name__ == "__main__":
    main()
