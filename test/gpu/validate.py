#!/usr/bin/env python3
"""Forecasts held against a GPU: times and counters of many kernels beside what the models predict.

    python3 test/gpu/validate.py write FOLDER papers --stencilc build/stencilc   where the compiler is
    python3 test/gpu/validate.py run FOLDER -o results.json                      where the GPU is

`write` emits the kernels of one of the sets of problems.py, and for some sets what the compiler
chooses for each size; beside each it keeps what both models predict of it, before anything is
measured. `run` builds each into a shared object, then
1. compares four steps of each on a grid that nothing divides with those of the first kernel of the
   problem. Contraction of multiply and add is left to nvcc, as in the times: words that differ must
   agree to 1e-5 of the largest number;
2. times runs of each at every size, in the memory layout that the code likes best, and the copy
   kernel beside each problem: "ms" a step of short ones, "step_ms" what a step more takes;
3. with --counted, repeats one step of each under ncu and keeps what its counters say of requested
   sectors, of the L2 and of device memory.
Exit status 0 if all that was compared agreed. validate_report.py makes tables of the data.
"""

import array
import collections
import csv
import ctypes
import io
import json
import math
import os
import pathlib
import sys
import tempfile

import lab
import onestep
import problems

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
                       "bottleneck": report["bottleneck"], "times": report["times_ms"], **report["volumes"]}
        said["requested_bytes"] = {
            access: sum(a["sectors"] * 32 for launch in report["counted"]["launches"]
                        for a in launch["arrays"] if a["access"] == access)
            for access in ("load", "store")}
        options = [f"--schedule={said['schedule']}"]  # what is chosen, is chosen by the first model
    return said


def write(options):
    chosen = problems.Kernel(problems.CHOSEN, [])
    jobs = [(problem, kernel, sizes) for problem in problems.SETS[options.set] for kernel, sizes in [
        *((kernel, problem.sizes) for kernel in problem.kernels),
        *((chosen, [size]) for size in problem.sizes if len(problem.kernels) > 1)]]
    options.folder.mkdir(parents=True, exist_ok=True)

    def emit(numbered):
        number, (problem, kernel, sizes) = numbered
        runs = [{"extents": size, **forecast(options.stencilc, problem, kernel.options, size)}
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
    """Four steps of each entry against the first, so that gaps between rows are those of one buffer whether
    steps are fused by two or not; the largest relative difference by schedule."""
    interfaces = {e["schedule"]: onestep.Interface(folder / e["folder"]) for e in entries}
    first = next(iter(interfaces.values()))
    wanted, own = onestep.Arrays(tools, first, SMALL), onestep.Arrays(tools, first, SMALL)
    theirs = wanted.place(first, SMALL)
    if tools.run_steps(*first.calls, ctypes.byref(theirs), 4):
        raise lab.Failed(f"{entries[0]['schedule']} fails")
    found = {}
    for schedule, interface in interfaces.items():
        ours = own.place(interface, SMALL)
        if tools.run_steps(*interface.calls, ctypes.byref(ours), 4):
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


def measure(tools, entries, folder):
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
        run["share_of_copy"] = round(
            onestep.compulsory(interface, run["extents"]) / (ms / 1e3) / rate, 4)

    visit(tools, entries, folder, time)
    return rate


METRICS = {
    "load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l2_read_sectors": "lts__t_sectors_srcunit_tex_op_read.sum",
    "l2_write_sectors": "lts__t_sectors_srcunit_tex_op_write.sum",
    "dram_read_bytes": "dram__bytes_read.sum",
    "dram_write_bytes": "dram__bytes_write.sum",
    "instructions": "smsp__inst_executed.sum",
}
WARM, KERNELS = 3, "regex:_(baseline|zblock|shm|temporal)"


def once(options):
    """Of the process under ncu: each entry some steps, one of them seen."""
    cudart = ctypes.CDLL("libcudart.so")
    with tempfile.TemporaryDirectory() as scratch:
        tools = onestep.load_tools(pathlib.Path(scratch))

        def seen(interface, args, entry, run):
            tools.run_steps(*interface.calls, ctypes.byref(args), WARM)
            cudart.cudaProfilerStart()
            tools.run_steps(*interface.calls, ctypes.byref(args), 1)
            cudart.cudaProfilerStop()

        for entries in cases(built(options.folder), options.counted).values():
            visit(tools, entries, options.folder, seen)
    return 0


def profiled(metrics, command, *options):
    """What ncu counts of a Python process between cudaProfilerStart and -Stop: a row for each kernel."""
    text = lab.run(["ncu", "--profile-from-start", "off", "--cache-control", "none", "--clock-control",
                    "none", *options, "--csv", "--page", "raw", "--print-units", "base", "--metrics",
                    ",".join(metrics.values()), sys.executable, "-B", *command], timeout=540)
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith('"ID"'))
    rows = csv.DictReader(io.StringIO("\n".join(lines[start:])))
    return [row for row in rows if row["ID"]]  # the first has the units


def count(options, manifest):
    """Counters of a step, into its run. Kernels fused over several steps make single ones here."""
    rows = profiled(METRICS, [__file__, "once", options.folder, "--counted", *options.counted],
                    "--kernel-name", KERNELS)
    runs = [run for entries in cases(manifest, options.counted).values()
            for _, here in in_order(entries) for _, run in here]
    if len(rows) != len(runs):
        raise lab.Failed(f"{len(rows)} kernels were counted, {len(runs)} steps made")
    for row, run in zip(rows, runs):
        run["counters"] = {name: float(row[metric].replace(",", "")) for name, metric in METRICS.items()}


def built(folder):
    return [entry for entry in json.loads((folder / "manifest.json").read_text())
            if (folder / entry["folder"] / "step.so").exists()]


def cases(manifest, counted=None):
    """Entries by problem: all, or those of some sources that make a step a launch."""
    found = collections.defaultdict(list)
    for entry in manifest:
        if not counted or entry["source"] in counted and "temporal" not in entry["schedule"]:
            found[entry["source"], entry["problem"], entry["real"]].append(entry)
    return found


def run(options):
    folder = options.folder
    manifest, failures = onestep.build_all(folder)
    rates, wrong, differing = {}, {}, {}
    with tempfile.TemporaryDirectory() as scratch:
        tools = onestep.load_tools(pathlib.Path(scratch))
        for (source, problem, real), entries in cases(manifest).items():
            for schedule, difference in compare(tools, entries, folder).items():
                if difference:
                    differing[f"{problem} {schedule}"] = difference
                if not difference <= TOLERANCE:
                    wrong[f"{problem} {schedule}"] = difference
                    print(f"{problem} {schedule}: differs by {difference}", flush=True)
            rates[f"{source} {problem} {real}"] = measure(tools, entries, folder)
            best = min((run["ms"], e["kernel"], e["schedule"]) for e in entries for run in e["runs"]
                       if run["extents"] == entries[0]["runs"][-1]["extents"])
            print(f"{source} {problem}: {best}", flush=True)
    if options.counted:
        try:
            count(options, manifest)
        except lab.Failed as failure:
            failures.append(failure)
            print(f"no counters: {str(failure)[-2000:]}")
    for entry in manifest:
        del entry["folder"], entry["exact"]
    if options.output:
        lab.save(options.output, lab.command_line(), {
            "copy_bytes_per_s": rates, "wrong": wrong, "contracted_otherwise": differing,
            "entries": manifest})
    return 1 if wrong or failures else 0


def main():
    parser, commands, writing, running = lab.halves(__doc__, ROOT / "build/stencilc")
    writing.add_argument("set", choices=problems.SETS)
    one = commands.add_parser("once", help="of `run`: the process under ncu")
    one.add_argument("folder", type=lab.folder)
    for command in (running, one):
        command.add_argument("--counted", nargs="*", default=[], metavar="SOURCE",
                             help="sources whose kernels are counted by ncu")
    options = parser.parse_args()
    return {"write": write, "run": run, "once": once}[options.command](options)


if __name__ == "__main__":
    lab.leave(main)
