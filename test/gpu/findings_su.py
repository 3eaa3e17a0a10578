"""What [su2015] found on a K20, beside the same kernels today: for findings.py."""

import collections
import itertools
import re
import statistics

import drawings
from bottlenecks import bound_by, peaks_of
from runs import OUTGROWN, grid_bytes, table
from validate_report import errors_of

MIB = 1 << 20
STENCILS = ["7pt1", "7pt2", "7pt3", "19pt"]
MODELS = ["su2015", "geometric"]


def of_problem(entries, name):
    return [entry for entry in entries if (entry["source"], entry["problem"]) == ("su2015", name)]


def moved(run):
    """Counted MiB between the L2 and device memory."""
    counted = run.get("counters")
    return (counted["dram_read_bytes"] + counted["dram_write_bytes"]) / MIB if counted else None


def told(number, digits=0):
    return "–" if number is None else f"{number:.{digits}f}"


def errors(entries, published):
    """Tables 3 and 4: the paper's errors, and those of both models today."""
    found = collections.defaultdict(list)
    for entry in entries:
        if entry["source"] == "su2015" and entry["kernel"] in ("baseline", "z-blocked") and " " not in entry["problem"]:
            for run, model in itertools.product(entry["runs"], MODELS):
                for level, error in errors_of(entry, run, model).items():
                    found[entry["kernel"], entry["problem"], run["extents"][0], model, level].append(abs(error))
    rows = []
    for row in published:
        cells = []
        for level, column in (("L2", "v_l2"), ("device memory", "v_gm")):
            ours = [found[row["kernel"], row["stencil"], int(row["n"]), model, level] for model in MODELS]
            cells += [row[column], *(told(100 * statistics.mean(one), 2) if one else "–" for one in ours)]
        rows.append([row["kernel"], row["stencil"], f"{row['n']}³", *cells])
    return ("## [su2015], Tables 3 and 4: volumes\n\nThe paper, on a K20: the L2 5.3 % wrong in the mean (7.5 % with "
            "chunks), device memory 1.2 % (4.6 %). Today, mean errors in per cent over the shapes of `problems.py`, "
            "with the constants that the profile has. Of grids that are not several times the L2, a steady step "
            "leaves most of what it moves in the L2, which no equation says: left out.\n\n"
            + table(["kernel", "stencil", "grid", "L2, paper", "L2, its model today", "L2, geometric",
                     "device memory, paper", "its model today", "geometric"], rows))


def depths(entries):
    """Figure 1: traffic against Bz."""
    rows, falls = [], []
    for name in STENCILS:
        for place in (0, 1):
            line = []
            for entry in sorted(of_problem(entries, f"{name} depths"), key=depth):
                run = entry["runs"][place]
                line.append(moved(run))
                rows.append([name, f"{run['extents'][0]}³", depth(entry), told(moved(run)),
                             *(told(run[model]["dram_bytes"] / MIB) for model in MODELS), f"{1e3 * run['ms']:.0f}"])
            if line and None not in line:
                falls.append(1 - line[-1] / line[0])
    today = (f"Today a block of eight planes moves {100 * min(falls):.1f} to {100 * max(falls):.1f} % less than one "
             "of a plane."
             if falls else "Not counted yet.")
    return ("## [su2015], Fig. 1: device memory against Bz\n\nThe paper, on a K20: the traffic decreases as Bz grows "
            f"(by its equations from 534 to 358 MiB of 7pt1 at 256³). {today}\n\n"
            + table(["stencil", "grid", "Bz", "counted MiB", "by its model", "geometric", "µs"], rows))


def depth(entry):
    return int(re.match(r"baseline/32x4x(\d+)", entry["schedule"])[1])


def limits(entries, gpu):
    """Figure 2: what binds blocks of one point a thread."""
    counts, grids = collections.defaultdict(collections.Counter), {}
    for entry in entries:
        if entry["source"] == "su2015" and entry["kernel"] == "baseline" and entry["problem"].split()[0] in STENCILS:
            for run in entry["runs"]:
                if "counters" in run and grid_bytes(entry, run) > OUTGROWN:
                    row = entry["problem"].split()[0], run["extents"][0]
                    grids.setdefault(row, {})[entry["schedule"]] = bound_by(run, peaks_of(entry, run, gpu))
    for row, found in grids.items():
        counts[row].update(found.values())
    names = sorted({name for found in counts.values() for name in found})
    rows = [[name, f"{n}³", *(counts[name, n][unit] for unit in names)] for name, n in sorted(counts)]
    return ("## [su2015], Fig. 2: what binds\n\nThe paper, on a K20: device memory in every block shape of 7pt1, 7pt2 and "
            "7pt3, the L2 in flat blocks of 19pt. Today, shapes by the unit that the counters say is above 60 % of its "
            "peak, or by what is waited for where none is:\n\n" + table(["stencil", "grid", *names], rows)) if rows else ""


def without_misses(run):
    """V_GM of its equations in MiB where epsilon is 0, and no read misses the L2 for want of room."""
    terms = run["su2015"]["equations"]
    return 8 * terms["groups"] * (terms["group_net"] + terms["group_stores"]) / MIB


def chunks(entries, published, folder):
    """Figures 4 and 5: traffic and time against the chunk, with and without epsilon."""
    rows, drawn = [], collections.defaultdict(list)
    paper = {(row["schedule"], row["epsilon"]): row["v_gm"] for row in published if row["eta"] == "0"}
    best, rise = {}, []
    for entry in of_problem(entries, "7pt1 chunks"):
        for run in entry["runs"]:
            block = re.match(r"zblock/(\w+)", entry["schedule"])[1]
            chunk = int((re.search(r"/c(\d+)", run["schedule"]) or [0, 1])[1])
            plain = re.sub(r"/r\d+.*", "", run["schedule"])
            n, counted, predicted = run["extents"][0], moved(run), run["su2015"]["dram_bytes"] / MIB
            rise.append(predicted / without_misses(run) - 1)
            known = n == 256 and (plain, "0.01") in paper
            rows.append([block, f"{n}³", chunk, *(paper[plain, e] if known else "–" for e in ("0.01", "0")),
                         told(counted), told(predicted), told(without_misses(run)), told(run["geometric"]["dram_bytes"] / MIB),
                         f"{1e3 * run['ms']:.0f}"])
            for way, ms in (("measured", run["ms"]), *((model, run[model]["run_ms"]) for model in MODELS)):
                best.setdefault((block, n, way), []).append((ms, chunk))
            if n == 256 and block == "32x4x1":
                for name, value in (("counted", counted), ("its model", predicted),
                                    ("its model, epsilon 0", without_misses(run)),
                                    ("geometric", run["geometric"]["dram_bytes"] / MIB)):
                    if value is not None:
                        drawn[name].append((chunk, value))
    if not rows:
        return ""
    drawings.lines(folder / "su2015-chunks.svg", "7pt1, 256³, f64, blocks of 32 x 4: device memory against the chunk",
                   ("points of a chunk", "MiB a step"), drawn, logarithmic=True)
    of_best = [[block, f"{n}³", *(min(best[block, n, way])[1] for way in ("measured", *MODELS))]
               for block, n in sorted({key[:2] for key in best})]
    return ("## [su2015], Fig. 4 and 5: chunks, and epsilon\n\nThe paper, on a K20: with epsilon 0.01 instead of 0, "
            "device memory moves up to 30 % more (chunks of 256); the best chunk is 32 by (2), 16 with (18). Today "
            f"epsilon adds at most {100 * max(rise):.1f} % of the equations' volume: the L2 is larger.\n\n"
            "![V_GM](su2015-chunks.svg)\n\n"
            + table(["block", "grid", "chunk", "MiB on a K20", "with epsilon 0", "counted today", "by its model",
                     "with epsilon 0", "geometric", "µs"], sorted(rows, key=lambda row: row[:3]))
            + "\nThe chunk of least time:\n\n"
            + table(["block", "grid", "measured", "its model", "geometric"], of_best))
