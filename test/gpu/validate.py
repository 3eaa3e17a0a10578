#!/usr/bin/env python3
"""Forecasts held against a GPU: times and counters of many kernels beside what the models predict.

    python3 test/gpu/validate.py write FOLDER papers --stencilc build/stencilc   where the compiler is
    python3 test/gpu/validate.py run FOLDER -o results.json                      where the GPU is

`write` emits the kernels of one of the sets of problems.py, and for some sets what the compiler
chooses for each size; beside each it keeps what both models predict of it, before anything is
measured. `run` builds each into a shared object, then
1. compares some steps of each on a grid that nothing divides with those of the first kernel of the
   problem. Contraction of multiply and add is left to nvcc, as in the times: words that differ must
   agree to 1e-5 of the largest number;
2. times runs of each at every size, in the memory layout that the code likes best, and the copy
   kernel beside each problem: "ms" a step of short ones, "step_ms" what a step more takes;
3. with --counted, repeats one pass of each under ncu and keeps what its counters say of a step
   (counters.py): a pass of fused steps makes "steps_a_launch", and is divided among them;
4. with --cold, times and counts one step of each on grids that the L2 holds, with caches that were
   swept before: "cold_ms" and "cold_counters", and "warm_ms" of a step that finds what the one before
   it left.
Each problem is kept when it is done, and a run goes on where the file that it writes ends.
Exit status 0 if all that was compared agreed. validate_report.py makes tables of the data.
"""

import array
import collections
import ctypes
import json
import math
import os
import pathlib
import tempfile

import counters
import lab
import onestep
import problems
import waves

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ["geometric", "su2015"]

# ---- where the compiler is -----------------------------------------------------------------------

def sized(file, extents):
    return "--size=" + ",".join(map("{}={}".format, problems.axes_of(file), extents))


def forecast(stencilc, problem, options, extents, gpu="h200"):
    """The schedule, and what each model says of it: of a step, and a step of the run that is timed."""
    said, steps = {}, steps_of(extents)
    for model in MODELS:
        try:
            report = json.loads(lab.run([
                stencilc, problem.file, f"--real={problem.real}", f"--gpu={gpu}", *options,
                sized(problem.file, extents), f"--steps={steps}", f"--model={model}", "--explain=json", "-o",
                os.devnull]))
        except lab.Failed:
            if model == MODELS[0]:
                raise
            continue  # asks for counts that this model has no equations for
        said["schedule"] = report["schedule"]
        said[model] = {"ms": report["predicted_ms"], "run_ms": report["run"]["predicted_ms"] / steps,
                       "bottleneck": report["bottleneck"], "times": report["times_ms"],
                       "occupancy": report["occupancy"]["fraction"], **report["volumes"],
                       **({"equations": report["su2015"]} if "su2015" in report else {})}
        said["requested_bytes"] = {
            access: sum(a["sectors"] * 32 for launch in report["counted"]["launches"]
                        for a in launch["arrays"] if a["access"] == access) / waves.steps_of(report["schedule"])
            for access in ("load", "store")}
        options = [f"--schedule={said['schedule']}"]  # what is chosen, is chosen by the first model
    return said


def write(options):
    chosen = problems.Kernel(problems.CHOSEN, [])
    jobs = [(problem, kernel, sizes) for problem in problems.SETS[options.set] for kernel, sizes in [
        *((kernel, problem.sizes) for kernel in problem.kernels),
        *((chosen, [size]) for size in problem.sizes if not problems.is_sweep(problem.name))]]
    options.folder.mkdir(parents=True, exist_ok=True)

    def emit(numbered):
        number, (problem, kernel, sizes) = numbered
        runs = [{"extents": size, **forecast(options.stencilc, problem, kernel.options, size, options.gpu)}
                for size in sizes]
        folder = options.folder / f"{number:04}"
        folder.mkdir(exist_ok=True)
        # A chunk longer than the grid is cut, so the schedule may differ by size: the largest counts.
        schedule = runs[-1]["schedule"]
        lab.run([options.stencilc, problem.file, f"--real={problem.real}", f"--schedule={schedule}",
                 "-o", folder / "step.cu"])
        return {"folder": folder.name, "source": problem.source, "problem": problem.name,
                "real": problem.real, "kernel": kernel.name, "schedule": schedule, "runs": runs,
                "exact": False}

    lab.write_sources(options.folder, jobs, emit)
    return 0


# ---- where the GPU is ----------------------------------------------------------------------------

SMALL = (37, 45, 203)
TOLERANCE = 1e-5
RESIDENT = 128 ** 3  # points


def numbers(memory, count, real):
    """What stands in memory of the device."""
    kept = array.array("f" if real == "f32" else "d", bytes(count * (4 if real == "f32" else 8)))
    cudart = ctypes.CDLL("libcudart.so")
    assert cudart.cudaMemcpy(ctypes.c_void_p(kept.buffer_info()[0]), ctypes.c_void_p(memory),
                             ctypes.c_size_t(len(kept) * kept.itemsize), 2) == 0
    return kept


def largest_difference(ours, theirs, count, real):
    a, b = numbers(ours, count, real), numbers(theirs, count, real)
    return max(abs(x - y) for x, y in zip(a, b)) / max(map(abs, b))


def compare(tools, entries, folder):
    """Some steps of each entry against the first; the largest relative difference by schedule. Each makes them
    in an even number of passes, so that gaps between rows are those of one buffer."""
    steps = 2 * math.lcm(*(waves.steps_of(entry["schedule"]) for entry in entries))
    interfaces = {e["schedule"]: onestep.Interface(folder / e["folder"]) for e in entries}
    first = next(iter(interfaces.values()))
    wanted, own = onestep.Arrays(tools, first, SMALL), onestep.Arrays(tools, first, SMALL)
    theirs = wanted.place(first, SMALL)
    if tools.run_steps(*first.calls, ctypes.byref(theirs), steps):
        raise lab.Failed(f"{entries[0]['schedule']} fails")
    found = {}
    for schedule, interface in interfaces.items():
        ours = own.place(interface, SMALL)
        if tools.run_steps(*interface.calls, ctypes.byref(ours), steps):
            raise lab.Failed(f"{schedule} fails")
        found[schedule] = 0.0
        for name, size in interface.pointers.items():
            at = [getattr(args, name) - own.lead * size for args in (ours, theirs)]
            if not name.endswith("_next") and tools.differences(*at, own.elements * size):
                found[schedule] = max(found[schedule], largest_difference(
                    *at, own.elements, entries[0]["real"]))
    wanted.free()
    own.free()
    return found


def in_order(entries):
    """By size, the entries to be run at it and their runs."""
    for extents in sorted({tuple(run["extents"]) for e in entries for run in e["runs"]}):
        yield extents, [(e, run) for e in entries for run in e["runs"] if tuple(run["extents"]) == extents]


def visit(tools, entries, folder, work):
    """`work(interface, args, entry, run)` for each entry and size, arrays filled alike."""
    interfaces = {e["folder"]: onestep.Interface(folder / e["folder"]) for e in entries}
    for extents, runs in in_order(entries):
        arrays = onestep.Arrays(tools, interfaces[entries[0]["folder"]], extents)
        for entry, run in runs:
            interface = interfaces[entry["folder"]]
            work(interface, arrays.place(interface, extents), entry, run)
        arrays.free()


def steps_of(extents):
    """Of a run that is timed."""
    return 12 if math.prod(extents) < 1 << 24 else 4


def is_resident(run):
    """Whether the L2 holds all arrays of its grid."""
    return math.prod(run["extents"]) <= RESIDENT


def measure(tools, entries, folder, cold):
    rate = onestep.copy_rate(tools)

    def time(interface, args, entry, run):
        steps = steps_of(run["extents"])
        ms = tools.time_steps(*interface.calls, ctypes.byref(args), steps, 7)
        if ms < 0:
            raise lab.Failed(f"{entry['schedule']}: status {-ms}")
        run["ms"] = round(ms, 5)
        # What a run launches beside its steps, a longer one launches no more often.
        longer = tools.time_steps(*interface.calls, ctypes.byref(args), 4 * steps, 7)
        run["step_ms"] = round((4 * longer - ms) / 3, 5)
        if cold and is_resident(run):
            for again, name in enumerate(("cold_ms", "warm_ms")):
                run[name] = round(tools.time_swept(*interface.calls, ctypes.byref(args), again, 15), 5)
        run["share_of_copy"] = round(
            onestep.compulsory(interface, run["extents"]) / (ms / 1e3) / rate, 4)

    visit(tools, entries, folder, time)
    return rate


def once(options):
    """Of the process under ncu: a pass of each entry of a case at each size."""
    seen = counters.Seen(counters.tools_in(options.tools))

    def work(interface, args, entry, run):
        if not options.cold or is_resident(run):
            seen.run(interface, args, entry["schedule"])

    entries = list(cases(lab.read_manifest(options.folder)["entries"]).values())[options.case]
    visit(seen.tools, built(options.folder, entries), options.folder, work)
    return 0


def count(folder, number, entries, tools, cold=False):
    """Counters of a step into the runs of a case; `cold`: of those that the L2 would hold."""
    runs = [(entry, run) for _, here in in_order(entries) for entry, run in here if not cold or is_resident(run)]
    if not runs:
        return
    command = [__file__, "once", folder, "--case", number, "--tools", tools, *["--cold"] * cold]
    counted = counters.count(command, [entry["schedule"] for entry, _ in runs], cold)
    for (entry, run), (sums, kernels) in zip(runs, counted):
        run["cold_counters" if cold else "counters"] = sums
        run["kernels"], run["steps_a_launch"] = kernels, waves.steps_of(entry["schedule"])


def built(folder, entries):
    return [entry for entry in entries if (folder / entry["folder"] / "step.so").exists()]


def cases(manifest):
    """Entries by problem."""
    found = collections.defaultdict(list)
    for entry in manifest:
        found[entry["source"], entry["problem"], entry["real"]].append(entry)
    return found


def run(options):
    folder, manifest = options.folder, lab.read_manifest(options.folder)
    kept = lab.kept_in(options.output, manifest, {"copy_bytes_per_s": {}, "wrong": {}, "contracted_otherwise": {},
                                                  "clocks": {}, "entries": []})
    done = cases(kept["entries"])
    left = [case for case in cases(manifest["entries"]) if case not in done]
    every, failures = onestep.build_all(folder)
    with tempfile.TemporaryDirectory() as scratch:
        tools = onestep.load_tools(pathlib.Path(scratch))
        for number, (case, entries) in enumerate(cases(manifest["entries"]).items()):
            if case not in left:
                continue
            source, problem, real = case
            entries = [entry for entry in every if (entry["source"], entry["problem"], entry["real"]) == case]
            for schedule, difference in compare(tools, entries, folder).items():
                if difference:
                    kept["contracted_otherwise"][f"{problem} {schedule}"] = difference
                if not difference <= TOLERANCE:
                    kept["wrong"][f"{problem} {schedule}"] = difference
                    print(f"{problem} {schedule}: differs by {difference}", flush=True)
            name = " ".join(case)
            kept["copy_bytes_per_s"][name], kept["clocks"][name] = lab.before_and_after(
                lambda: measure(tools, entries, folder, source in options.cold))
            try:
                if source in options.counted:
                    count(folder, number, entries, scratch)
                if source in options.cold:
                    count(folder, number, entries, scratch, cold=True)
            except lab.Failed as failure:
                failures.append(failure)
                print(f"no counters: {str(failure)[-2000:]}", flush=True)
            best = min((run["ms"], e["kernel"], e["schedule"]) for e in entries for run in e["runs"]
                       if run["extents"] == entries[0]["runs"][-1]["extents"])
            print(f"{source} {problem}: {best}", flush=True)
            left.remove(case)
            kept["entries"] += [{key: value for key, value in entry.items() if key not in ("folder", "exact")}
                                for entry in entries]
            if options.output:
                lab.save(options.output, lab.command_line(),
                         {"commit": manifest["commit"], "left": len(left), **kept})
    return 1 if kept["wrong"] or failures else 0


def main():
    parser, commands, writing, running = lab.halves(__doc__, ROOT / "build/stencilc")
    writing.add_argument("set", choices=problems.SETS)
    writing.add_argument("--gpu", default="h200", help="whose profile forecasts")
    one = commands.add_parser("once", help="of `run`: the process under ncu")
    one.add_argument("folder", type=lab.folder)
    one.add_argument("--case", type=int, required=True)
    one.add_argument("--tools", type=lab.folder, required=True)
    one.add_argument("--cold", action="store_true")
    running.add_argument("--counted", nargs="*", default=[], metavar="SOURCE",
                         help="sources whose kernels are counted by ncu")
    running.add_argument("--cold", nargs="*", default=[], metavar="SOURCE",
                         help="sources whose small grids are timed and counted with swept caches, too")
    options = parser.parse_args()
    return {"write": write, "run": run, "once": once}[options.command](options)


if __name__ == "__main__":
    lab.leave(main)
