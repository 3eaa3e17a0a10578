#!/usr/bin/env python3
"""All that forecasts are held against, made anew by one command, in as many sittings as it takes.

    python3 test/gpu/everything.py FOLDER --stencilc build/stencilc [--gpu=h100] [--seed=N] [--limit=SECONDS]

FOLDER keeps what each step makes; a step is skipped if that is there already, and done if what it needs
is: a compiler (--stencilc), a GPU with nvcc and ncu, what earlier steps made. So the same command goes
where the compiler is, with the folder to where the GPU is, and back; a compiler that is carried along
makes it one place. It ends by saying what is left, and why. A step that was stopped, or that --limit
left for later, goes on where it was: what it has measured so far is in FOLDER/results/*.part, case by
case. To make something anew, take its file away.

The steps, in order: `write` kernels and forecasts of a set, `run` them, `report`:
papers and synthetic (validate.py, findings.py, su2015_fit.py), search (search.py), climb (climb.py),
fused (fusedsteps.py --drawn), counted (counted.py, of search and fused). --only=NAME does some of
these sets. What refit.py tells is of the data kept in results/, and needs no GPU.
"""

import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import time

import search

HERE = pathlib.Path(__file__).resolve().parent

# What makes a file, from files that others made. `command` is a script and its words, in which {out} is where
# the file is to be written; without it the script knows.
Step = collections.namedtuple("Step", "set name needs after makes command")


def steps_of_set(name, script, write, run, report, after=()):
    """A set that is written where the compiler is and run where the GPU is."""
    folder, manifest, results = name, f"{name}/manifest.json", f"results/{name}.json"
    return [Step(name, f"{name} write", {"compiler"}, after, manifest, [script, "write", folder, *write]),
            Step(name, f"{name} run", {"gpu"}, [manifest], results, [script, "run", folder, *run, "-o", "{out}"]),
            *report(results)]


def report_of(name, script, words, needs=()):
    return lambda results: [Step(name, f"{name} report", set(needs), [results], f"results/{name}.md",
                                 [script, *words, results, "-o", "{out}"])]


def plan(stencilc, gpu, seed):
    compiler, device = ["--stencilc", stencilc], [f"--gpu={gpu}"]
    counted = ["results/search.json", "results/fused.json"]
    return [
        *steps_of_set("papers", "validate.py", ["papers", *compiler, *device],
                      ["--counted", "maruyama2014", "nasciutti2017", "su2015", "--cold", "su2015"],
                      report_of("papers", "validate_report.py", device)),
        Step("papers", "papers findings", set(), ["results/papers.json"], "results/findings.md",
             ["findings.py", "results/papers.json", "-o", "{out}"]),
        Step("papers", "papers su2015 fit", {"compiler"}, ["results/papers.json"], "results/su2015_fit.json",
             ["su2015_fit.py", "results/papers.json", *compiler, *device, "-o", "{out}"]),
        *steps_of_set("synthetic", "validate.py", ["synthetic", *compiler, *device],
                      ["--counted", "synthetic", "--cold", "synthetic"],
                      report_of("synthetic", "validate_report.py", device)),
        *steps_of_set("search", "search.py", [*compiler, *device, f"--seed={seed}"], [],
                      report_of("search", "search.py", ["report"])),
        *steps_of_set("fused", "fusedsteps.py", [*compiler, f"--drawn={seed}"], [],
                      report_of("fused", "fusedsteps.py", ["report", *compiler], ["compiler"])),
        *steps_of_set("counted", "counted.py", [*counted, *compiler, *device], [],
                      report_of("counted", "counted.py", ["report"]), counted),
        Step("climb", "climb run", {"compiler", "gpu"}, ["results/search.json"], "results/climb.json",
             ["climb.py", "results/search.json", *compiler, *device, "-o", "{out}"]),
        Step("climb", "climb report", set(), ["results/climb.json"], "results/climb.md",
             ["climb.py", "results/climb.json", "--report", "-o", "{out}"]),
    ]


def tools_here(stencilc):
    """Which of a compiler and a GPU there are."""
    found = {"compiler"} if stencilc.exists() else set()
    if all(map(shutil.which, ("nvcc", "ncu", "nvidia-smi"))):
        found.add("gpu")
    return found


def is_whole(made):
    """Whether a file that a script leaves behind has all cases."""
    if not made.exists():
        return False
    if ".json" not in made.suffixes:
        return True
    data = json.loads(made.read_text())
    return not (isinstance(data, dict) and data.get("left"))


def do(step, folder):
    """Runs a step; says why it is not done, if so."""
    made = folder / step.makes
    made.parent.mkdir(parents=True, exist_ok=True)
    out = made.with_name(made.name + ".part") if "{out}" in step.command else made
    script, *words = [str(out) if word == "{out}" else str(word) for word in step.command]
    status = subprocess.run([sys.executable, "-B", HERE / script, *words], cwd=folder, check=False).returncode
    if status not in (0, 1) or not is_whole(out):
        return f"not finished, status {status}"
    if out != made:
        out.rename(made)
    return "done, but some of it failed: see above" if status else None


def sitting(steps, folder, tools, limit):
    """Does what can be done now; what is left by name, and why."""
    began, left, faults = time.monotonic(), {}, {}
    for step in steps:
        missing = [one for one in step.after if not (folder / one).exists()]
        if (folder / step.makes).exists():
            print(f"{step.name}: there already", flush=True)
        elif not step.needs <= tools:
            left[step.name] = "needs a " + " and a ".join(sorted(step.needs - tools))
        elif missing:
            left[step.name] = "waits for " + ", ".join(missing)
        elif time.monotonic() - began > limit:
            left[step.name] = "later"
        else:
            print(f"{step.name} ...", flush=True)
            start = time.monotonic()
            fault = do(step, folder)
            print(f"{step.name}: {fault or 'done'}, {time.monotonic() - start:.0f} s", flush=True)
            if fault:
                faults[step.name] = fault
            if not (folder / step.makes).exists():
                left[step.name] = fault
    return left, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--stencilc", type=pathlib.Path, default=HERE.parents[1] / "build/stencilc")
    parser.add_argument("--gpu", default="h200", help="whose profile forecasts")
    parser.add_argument("--seed", type=int, default=search.SEED, help="of the draws")
    parser.add_argument("--only", action="append", metavar="NAME", help="of the sets")
    parser.add_argument("--limit", type=float, default=float("inf"), metavar="SECONDS", help="start no step later")
    options = parser.parse_args()
    folder, stencilc = options.folder.resolve(), options.stencilc.resolve()
    steps = [step for step in plan(stencilc, options.gpu, options.seed)
             if not options.only or step.set in options.only]
    left, faults = sitting(steps, folder, tools_here(stencilc), options.limit)
    for name, why in left.items():
        print(f"left: {name}: {why}")
    print(f"{len(steps) - len(left)} of {len(steps)} steps are done")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
