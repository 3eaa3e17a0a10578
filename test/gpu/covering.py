#!/usr/bin/env python3
"""Every part of a schedule with every example, kind of boundary and type, against the reference's bits.

    python3 test/gpu/covering.py write --stencilc build/stencilc FOLDER     where the compiler is
    python3 test/gpu/covering.py run FOLDER -o results.json                 where the GPU is

`write` draws sources so that every two levels meet in some source that stencilc makes
(`covering_design.py`): examples, kinds of boundary, types, variants, blocks, chunks, patches, flags and
the names of papers' kernels; --most=N draws more or fewer of these with examples. It keeps of each what the
reference makes of grids of four sizes: below a block, around one, several that it does not divide, several
of whole patches. Of each plane it keeps a hash, all NaNs being one.
`run` builds all with -fmad=false, then
1. runs them, rows as the code likes them best and dense, and compares every bit of every field;
2. repeats some on small grids under each tool of compute-sanitizer, where that works.
--limit=SECONDS starts nothing after so long and tells what was left. --host builds with clang and runs in
the harness of test/harness instead; --sample=N takes as many, by a seed.
Exit status 0 if all that was run agreed.
"""

import collections
import json
import os
import pathlib
import random
import sys
import time

import covering_design as design
import covering_sources
import lab
import onestep
from covering_calls import Gpu, Host, run_entry

ROOT = pathlib.Path(__file__).resolve().parents[2]
HARNESS = ROOT / "test/harness"
SANITIZED, SANITIZED_GRIDS, BATCH = 96, 2, 8
TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]


def build_harness(folder):
    """The engine of the harness, as a library that a process of Python can load."""
    sources = [path for path in sorted(HARNESS.glob("*.cpp")) if path.name != "HarnessTest.cpp"]
    made = folder / "harness.so"
    if made.exists() and all(path.stat().st_mtime < made.stat().st_mtime for path in HARNESS.iterdir()):
        return
    lab.run(["clang++-19", "-std=c++20", "-O2", "-fPIC", "-shared", "-I", HARNESS, "-I", ROOT, *sources,
             "-lboost_context", "-o", made])


def build(options, entry):
    own = options.folder / entry["folder"]
    (own / "step.so").unlink(missing_ok=True)
    if options.host:
        lab.run(["clang++-19", "-x", "c++", "-std=c++20", "-O1", "-w", "-ffp-contract=off", "-fPIC",
                 "-shared", "-I", HARNESS, own / "step.cu", "-x", "none", options.folder / "harness.so",
                 f"-Wl,-rpath,{options.folder}", "-o", own / "step.so"])
        return
    lab.run(["nvcc", "-O3", f"-arch={options.arch}", "-std=c++17", "-shared", "-cudart=shared",
             "-Xcompiler", "-fPIC", "-fmad=false", own / "step.cu", "-o", own / "step.so"])


def run_batch(options):
    """Of the process of some entries: a line of JSON for each."""
    gpu = Host() if options.host else Gpu()
    for name in options.entries:
        folder = options.folder / name
        entry = json.loads((folder / "entry.json").read_text())
        row = {key: entry[key] for key in ("example", "kind", "real", "form", "schedule")}
        try:
            interface = onestep.Interface(folder)
            row["differing"] = sum(run_entry(gpu, interface, entry, expected, is_dense)
                                   for expected in entry["expected"][:options.grids]
                                   for is_dense in (False, True))
        except lab.Failed as failure:  # on a GPU nothing in the process is right after some
            print(f"{row}: {failure}")
            return 1
        print(json.dumps(row), flush=True)
    return 0


class Run:
    """Builds and runs entries, several at a time, until a time."""

    def __init__(self, options):
        self.options, self.until = options, time.monotonic() + options.limit
        self.command = [sys.executable, "-B", __file__, "batch", options.folder]
        self.rows, self.failures, self.left, self.clean = [], [], [], collections.Counter()
        self.built = set()

    def in_time(self, what):
        if time.monotonic() > self.until:
            self.left.append(what)
            return False
        return True

    def rest(self):
        """Seconds that what starts now may take."""
        return max(30, min(600, self.until - time.monotonic() + 30))

    def batch(self, entries):
        """Builds entries, then runs them in one process."""
        built = []
        for entry in entries:
            if not self.in_time(entry["folder"]):
                continue
            try:
                build(self.options, entry)
                built.append(entry["folder"])
            except lab.Failed as failure:
                self.failures.append(f"does not build: {failure}")
        self.built |= set(built)
        self.call(built)

    def call(self, names):
        """Runs entries in one process; where one brings it down, each in its own."""
        host = ["--host"] if self.options.host else []
        try:
            lines = lab.run([*self.command, *host, "--entries", *names], timeout=self.rest()) if names else ""
            self.rows += [json.loads(line) for line in lines.splitlines()]
        except lab.Failed as failure:
            if len(names) == 1:
                self.failures.append(f"{names}: {failure}")
            else:
                for name in names:
                    self.call([name])

    def sanitize(self, job):
        tool, entries = job
        if not self.in_time(f"{tool} of {len(entries)}"):
            return
        try:
            lab.run(["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", *self.command,
                     "--grids", SANITIZED_GRIDS, "--entries", *entries], timeout=self.rest())
            self.clean[tool] += len(entries)
        except lab.Failed as failure:
            self.failures.append(f"compute-sanitizer --tool {tool}: {failure}")


def told_of(manifest, agreeing):
    """What is covered by the sources that agree with the reference."""
    covering = design.Design(manifest["ranks"], manifest["names"], None)
    for pair in manifest["covered"][design.NO_SOURCE]:
        covering.refuse(*(tuple(level.split(" ", 1)) for level in pair.split(" x ")))
    for row in agreeing:
        covering.add(tuple(row[key] for key in ("example", "kind", "real", "form", "schedule")))
    return manifest["covered"] | covering.told()


def run(options):
    manifest = lab.read_manifest(options.folder)
    entries = manifest["entries"]
    if options.only:
        entries = [entry for entry in entries if entry["example"] in options.only]
    if options.sample:
        entries = random.Random(options.seed).sample(entries, min(options.sample, len(entries)))
    for entry in entries:
        (options.folder / entry["folder"] / "entry.json").write_text(json.dumps(entry))
    doing, workers = Run(options), options.workers or os.cpu_count()
    if options.host:
        build_harness(options.folder)
        os.environ.setdefault("STENCILC_THREAD_ORDER", "random")  # in which a race shows
    # Batches of entries that are far apart: of one example all take equally long.
    count = -(-len(entries) // BATCH)
    lab.each([entries[first::count] for first in range(count)], doing.batch, workers)
    wrong = [row for row in doing.rows if row["differing"]]
    for row in wrong:
        print(row, flush=True)
    print(f"{len(doing.rows) - len(wrong)} of {len(entries)} sources agree", flush=True)
    if not options.skip_sanitizer and not options.host:
        built = [e for e in entries if e["folder"] in doing.built]
        chosen = [e["folder"] for e in design.spread(built, SANITIZED)]
        jobs = [(tool, chosen[at:at + BATCH]) for at in range(0, len(chosen), BATCH) for tool in TOOLS]
        lab.each(jobs, doing.sanitize, workers)
        print("clean under compute-sanitizer:", dict(doing.clean), f"of {len(chosen)}", flush=True)
    for failure in doing.failures:
        print(failure[-2000:], flush=True)
    if doing.left:
        print(f"left for want of time: {len(doing.left)}:", *doing.left[:5], "..", flush=True)
    covered = told_of(manifest, [row for row in doing.rows if not row["differing"]])
    for what, said in covered.items():
        print(f"{what}: {said if isinstance(said, (int, str)) else len(said)}", flush=True)
    if options.output:
        record = {"commit": manifest["commit"], "agreeing": len(doing.rows) - len(wrong),
                  "sources": len(entries), "wrong": wrong, "clean": doing.clean, "left": doing.left,
                  "failures": [f[-300:] for f in doing.failures], "covered": covered,
                  "ran": sorted("/".join((r["example"], r["kind"], r["real"], " " + r["schedule"]))
                                for r in doing.rows)}
        if options.host:
            options.output.write_text(json.dumps(record, indent=1) + "\n")
        else:
            lab.save(options.output, lab.command_line(), record)
    return 1 if wrong or doing.failures else 0


def main():
    parser, commands, writing, running = lab.halves(__doc__, ROOT / "build/stencilc")
    one = commands.add_parser("batch", help="of `run`: the process of some entries")
    one.add_argument("folder", type=lab.folder)
    one.add_argument("--entries", nargs="+")
    one.add_argument("--grids", type=int)
    writing.add_argument("--most", type=int, default=800, help="sources")
    running.add_argument("--arch", default="sm_90", help="nvcc's -arch")
    running.add_argument("--skip-sanitizer", action="store_true")
    running.add_argument("--limit", type=float, default=1e9, help="seconds after which nothing starts")
    running.add_argument("--workers", type=int)
    for command in (writing, running):
        command.add_argument("--sample", type=int, help="so many sources, drawn by --seed")
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--only", nargs="*", help="examples, by name")
    for command in (running, one):
        command.add_argument("--host", action="store_true", help="on the CPU, in the harness")
    options = parser.parse_args()
    return {"write": covering_sources.write, "run": run, "batch": run_batch}[options.command](options)


if __name__ == "__main__":
    lab.leave(main)
