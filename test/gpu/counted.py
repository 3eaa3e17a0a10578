#!/usr/bin/env python3
"""Volumes and bottlenecks of stencils that no constant was fitted to: counters of what a seed drew.

    python3 test/gpu/counted.py write FOLDER results.json ... --stencilc build/stencilc --gpu=h100
                                                            where the compiler is
    python3 test/gpu/counted.py run FOLDER -o counted.json  where the GPU is
    python3 test/gpu/counted.py report counted.json -o report.md

`write` takes what search.py or `fusedsteps.py --drawn` timed of their draws. Of each case of single
steps it keeps the first of the ranking, one block of 32 x 8, a tile, and two more by a seed; of fused
steps all. Kernels that spill are left out. Beside each it keeps what the compiler predicts, before
anything is counted. `run` repeats one pass of each under ncu, arrays filled as they were when it was
timed; a pass of several steps is divided among them. `report` holds volumes against the counters, and
what is named as the bottleneck against the unit that was busy.
"""

import collections
import json
import math
import pathlib
import random
import re
import tempfile

import bottlenecks
import counters
import lab
import onestep
import problems
import scatters
import validate
import validate_report
import waves

SEED = 20261128
AT_RANDOM = 2
AT_ONCE = 6  # cases, under one ncu


# ---- where the compiler is -----------------------------------------------------------------------

def picked(rows, source):
    """Of a case of single steps, by what they were drawn for."""
    tiles = [row for row in rows if row["schedule"].startswith("shm")]
    some = [rows[0], next(row for row in rows if "fixed" in row["why"]), *source.sample(tiles, min(1, len(tiles)))]
    rest = [row for row in rows if row not in some]
    return some + source.sample(rest, min(AT_RANDOM, len(rest)))


def timed(path):
    """What is counted of a draw, with its milliseconds a step."""
    cases = collections.defaultdict(list)
    for row in json.loads(path.read_text())["times"]:
        if "geometric_ms" in row and not row["spilled"] and ("ms" in row or "gstencils_per_s" in row):
            cases[row["example"], row["real"], tuple(row["extents"])].append(row)
    source = random.Random(SEED)
    for (example, real, extents), rows in cases.items():
        points = math.prod(extents)
        some = picked(rows, source) if "why" in rows[0] else [r for r in rows if waves.steps_of(r["schedule"]) > 1]
        for row in some:
            yield (example, real, extents, row["schedule"], row["spilled"],
                   row["ms"] if "ms" in row else points / row["gstencils_per_s"] / 1e6)


def write(options):
    jobs = [job for path in options.results for job in timed(path)]
    options.folder.mkdir(parents=True, exist_ok=True)

    def emit(numbered):
        number, (example, real, extents, schedule, spilled, ms) = numbered
        file, steps = problems.EXAMPLES / f"{example}.stn", waves.steps_of(schedule)
        problem = problems.Problem("drawn", example, file, real, [extents], [])
        said = validate.forecast(options.stencilc, problem, [f"--schedule={schedule}"], extents, options.gpu)
        if steps > 1:
            del said["geometric"]["run_ms"]  # what was timed were long runs
        folder = options.folder / f"{number:04}"
        folder.mkdir(exist_ok=True)
        lab.run([options.stencilc, file, f"--real={real}", f"--schedule={schedule}", "-o", folder / "step.cu"])
        return {"folder": folder.name, "source": "drawn", "problem": example, "real": real, "kernel": "drawn",
                "schedule": schedule, "spilled": spilled, "exact": False,
                "runs": [{"extents": extents, "ms": ms, **said}]}

    lab.write_sources(options.folder, jobs, emit)
    return 0


# ---- where the GPU is ----------------------------------------------------------------------------

def grouped(folder, manifest):
    """Entries that are built, by case."""
    found = collections.defaultdict(list)
    for entry in manifest:
        if (folder / entry["folder"] / "step.so").exists():
            found[entry["problem"], entry["real"], tuple(entry["runs"][0]["extents"])].append(entry)
    return list(found.values())


def once(options):
    """Of the process under ncu: a pass of each entry of some cases."""
    seen = counters.Seen(counters.tools_in(options.tools))
    cases = grouped(options.folder, lab.read_manifest(options.folder)["entries"])
    for entries in cases[options.first:options.first + AT_ONCE]:
        interfaces = [onestep.Interface(options.folder / entry["folder"]) for entry in entries]
        extents = entries[0]["runs"][0]["extents"]
        arrays = onestep.Arrays(seen.tools, interfaces[0], extents)
        for entry, interface in zip(entries, interfaces):
            _, lead, _ = interface.layout(extents)
            args = interface.without_results(arrays.place(interface, extents, lead - arrays.lead))
            seen.run(interface, args, entry["schedule"])
        arrays.free()
    return 0


def count(folder, first, entries, tools):
    """Counters of a step, into the runs of some cases."""
    command = [__file__, "once", folder, "--first", first, "--tools", tools]
    for entry, (sums, kernels) in zip(entries, counters.count(command, [e["schedule"] for e in entries])):
        entry["runs"][0] |= {"counters": sums, "kernels": kernels}


def run(options):
    _, failures = onestep.build_all(options.folder)
    manifest = lab.read_manifest(options.folder)
    kept = lab.kept_in(options.output, manifest, {"entries": []})["entries"]
    cases = grouped(options.folder, manifest["entries"])
    done = {key_of(entry) for entry in kept}
    with tempfile.TemporaryDirectory() as scratch:
        onestep.load_tools(pathlib.Path(scratch))
        for first in range(0, len(cases), AT_ONCE):
            entries = [entry for case in cases[first:first + AT_ONCE] for entry in case]
            if all(key_of(entry) in done for entry in entries):
                continue
            try:
                count(options.folder, first, entries, scratch)
                print(f"{len(entries)} kernels of "
                      f"{', '.join(case[0]['problem'] for case in cases[first:first + AT_ONCE])}", flush=True)
            except lab.Failed as failure:
                failures.append(failure)
                print(str(failure)[-1500:], flush=True)
            kept += [{key: value for key, value in entry.items() if key not in ("folder", "exact")}
                     for entry in entries]
            if options.output:
                lab.save(options.output, lab.command_line(), {
                    "commit": manifest["commit"], "left": max(0, len(cases) - first - AT_ONCE), "entries": kept})
    return 1 if failures else 0


def key_of(entry):
    return entry["problem"], entry["real"], entry["schedule"], tuple(entry["runs"][0]["extents"])


# ---- tables --------------------------------------------------------------------------------------

def report(options):
    data = json.loads(options.results.read_text())
    gpu = re.search("H[12]00", data["gpu"])[0].lower()
    entries = [entry for entry in data["entries"] if "counters" in entry["runs"][0]]
    kinds = validate_report.error_table(entries, lambda e, r: (validate_report.variant(e), e["real"]),
                                        ["kernel", "type"])
    named = ""
    for steps, fused in (("One step at a time", False), ("Fused steps", True)):
        for real in ("f32", "f64"):
            some = [e for e in entries if (e["schedule"].startswith("temporal"), e["real"]) == (fused, real)]
            named += f"### {steps}, {real}\n\n" + bottlenecks.bottlenecks(
                some, gpu) + "\n"
    options.output.write_text(
        "# Volumes and bottlenecks of stencils that no constant was fitted to\n\n"
        f"{data['gpu']}, driver {data['driver']}, CUDA {data['cuda']}, {data['date']}; forecasts made before.\n\n"
        "## Errors in per cent, bias in brackets\n\nBytes of a step between registers and L1, of the L2, of device "
        f"memory; time.\n\n{kinds}\n## What binds, named and counted\n\n{named}## Predicted over measured\n\n"
        + scatters.draw(entries, gpu, options.output.parent, options.output.stem))
    print(f"wrote {options.output}")
    return 0


def main():
    parser, commands, writing, running = lab.halves(__doc__, onestep.ROOT / "build/stencilc")
    writing.add_argument("results", type=pathlib.Path, nargs="+", help="of draws")
    writing.add_argument("--gpu", default="h200", help="whose profile forecasts")
    one = commands.add_parser("once", help="of `run`: the process under ncu")
    one.add_argument("folder", type=lab.folder)
    one.add_argument("--first", type=int, required=True, help="of its cases")
    one.add_argument("--tools", type=lab.folder, required=True)
    reporting = commands.add_parser("report")
    reporting.add_argument("results", type=pathlib.Path)
    reporting.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    return {"write": write, "run": run, "once": once, "report": report}[options.command](options)


if __name__ == "__main__":
    lab.leave(main)
