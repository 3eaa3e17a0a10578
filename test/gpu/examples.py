#!/usr/bin/env python3
"""Every example on this machine's GPU: the reference's bits, then compute-sanitizer, then time.

    python3 test/gpu/examples.py --stencilc build/stencilc -o test/gpu/results/h200_examples.json

1. Each example, as f64 and f32, in `contract` (built with -fmad=false) and `strict` mode, under its
   default schedule and under a covering set of others, on extents that divide nothing or lie below a
   block, a chunk or a frame, with several pointer phases and row pitches: the result's bytes equal
   those of `--emit=values`.
2. The same on grids of some million points against the host target in strict mode.
3. compute-sanitizer memcheck, racecheck and initcheck on small grids of each example.
4. The 7-point stencil 7PT-1 in f32 and f64 at 512^3 under several schedules, and the best of each
   variant at 1024^3, each beside a copy kernel and what the cost model says of it.

Exit status 0 if all agreed.
"""

import argparse
import itertools
import json
import pathlib
import re
import sys
import tempfile

import lab

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Slowest axis first; the last sizes of each rank lie below blocks, frames and radii.
SMALL = {
    1: [(1000,), (257,), (3,)],
    2: [(67, 129), (8, 33), (41, 5)],
    3: [(21, 19, 67), (37, 29, 53), (4, 3, 35)],
}
LARGE = {1: [(10_000_019,)], 2: [(2311, 3001)], 3: [(211, 193, 245)]}
# Beside the default schedule, by the number of axes: blocks that are no multiple of a warp, chunks
# that divide nothing, a chunk of one.
COVERING = {
    1: ["baseline/96"],
    2: ["baseline/8x16", "baseline/33x3/plain", "zblock/128x1", "zblock/64x1/c7", "zblock/33x1/c1"],
    3: ["baseline/16x4x4", "baseline/33x3x1/plain", "zblock/32x8x1/c64", "zblock/16x4x1/c5",
        "zblock/64x2x1/c1", "zblock/24x5x1/c16/plain"],
}
# Elements before point (0,0,0) and after each row: phases of the memory line.
LAYOUTS = [(0, 0), (5, 3), (16, 1)]


def describe(options, source):
    """The names of a stencil's axes and fields."""
    listing = lab.run([options.stencilc, source, "--emit=stencil"])
    axes = re.search(r"^stencil \w+\((.*?)\)", listing, re.M).group(1).split(", ")
    return axes, re.findall(r"^\s*field \w+ (\w+)", listing, re.M)


class Build:
    """One example compiled in one way: `program` runs it."""

    def __init__(self, folder, options, source, precision, mode, target, schedule=None):
        self.source, self.precision, self.mode, self.target = source, precision, mode, target
        self.schedule = schedule
        self.name = f"{source.stem} {precision} {mode} {target} {schedule or 'default'}"
        folder = folder / re.sub(r"\W", "-", self.name)
        folder.mkdir()
        self.folder, self.program = folder, folder / "program"
        suffix = "cu" if target == "cuda" else "cpp"
        text, main = folder / f"{source.stem}.{suffix}", folder / f"{source.stem}_main.{suffix}"
        common = [options.stencilc, source, f"--real={precision}", f"--fp={mode}", f"--target={target}"]
        if schedule:
            common.append(f"--schedule={schedule}")
        lab.run([*common, "-o", text])
        lab.run([*common, "--emit=main", "-o", main])
        if target == "cuda":
            unfused = ["-fmad=false"] if mode == "contract" else []
            command = ["nvcc", "-O3", f"-arch={options.arch}", "-std=c++17", *unfused]
        else:
            command = ["g++", "-O2", "-fopenmp", "-std=c++17", "-ffp-contract=off"]
        lab.run([*command, text, main, "-o", self.program])
        self.axes, self.fields = describe(options, source)

    def flags(self, extents, steps, layout=(0, 0)):
        sizes = [f"--n{axis}={n}" for axis, n in zip(self.axes, extents)]
        return [*sizes, f"--steps={steps}", f"--pad={layout[0]}", f"--pitch={layout[1]}"]

    def results(self, tag, extents, steps, layout):
        """Runs the program; the newest level of each field, as file contents."""
        paths = {field: self.folder / f"{tag}_{field}.npy" for field in self.fields}
        outputs = [f"--out-{field}={path}" for field, path in paths.items()]
        lab.run([self.program, *self.flags(extents, steps, layout), *outputs])
        contents = {field: path.read_bytes() for field, path in paths.items()}
        for path in paths.values():
            path.unlink()
        return contents


def reference(options, build, extents, steps):
    """The same from the reference interpreter."""
    size = ",".join(f"{axis}={n}" for axis, n in zip(build.axes, extents))
    path = build.folder / "reference.npy"
    lab.run([options.stencilc, build.source, f"--real={build.precision}", "--emit=values",
             f"--size={size}", f"--steps={steps}", "-o", path])
    if len(build.fields) == 1:
        return {build.fields[0]: path.read_bytes()}
    return {f: path.with_name(f"reference_{f}.npy").read_bytes() for f in build.fields}


def check_small(options, build):
    """The number of runs that equal the reference; raises Failed at the first that does not."""
    runs = 0
    for number, extents in enumerate(SMALL[len(build.axes)]):
        steps = 4 - number
        expected = reference(options, build, extents, steps)
        for layout in LAYOUTS:
            if build.results("small", extents, steps, layout) != expected:
                raise lab.Failed(f"{build.name} at {extents}, {steps} steps, layout {layout}: "
                                 "not the reference's bits")
            runs += 1
    return runs


def check_large(build, host):
    """The same on large grids against the host target."""
    runs = 0
    for extents in LARGE[len(build.axes)]:
        # Several builds run one host program at the same time, each into files of its own.
        own = build.folder.name
        if build.results("large", extents, 3, (3, 1)) != host.results(own, extents, 3, (0, 0)):
            raise lab.Failed(f"{build.name} at {extents}: not the bits of the host target")
        runs += 1
    return runs


def sanitize(build):
    """compute-sanitizer on the smallest and the middle grid."""
    runs = 0
    for tool, extents in itertools.product(["memcheck", "racecheck", "initcheck"],
                                           SMALL[len(build.axes)][1:]):
        lab.run(["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", build.program,
                 *build.flags(extents, 2, (5, 3))])
        runs += 1
    return runs


# What is timed: 7PT-1 under these schedules.
SCHEDULES = [
    "baseline/32x4x2", "baseline/32x4x2/plain", "baseline/32x8x1", "baseline/64x4x1",
    "baseline/128x2x1", "baseline/256x1x1",
    "zblock/32x8x1/c16", "zblock/32x8x1/c64", "zblock/64x4x1/c64", "zblock/32x8x1/c64/plain",
    "zblock/32x8x1/c64/r6", "zblock/32x8x1/c64/r8", "zblock/32x8x1/c16/r8", "zblock/32x8x1/c32/r8",
    "zblock/64x4x1/c32/r8", "zblock/128x2x1/c32/r8", "zblock/256x1x1/c32/r8",
    "zblock/32x4x1/c32/r16", "zblock/32x16x1/c32/r4",
]


def build_timed(options, folder, precision, schedule):
    """The stand-alone program of 7PT-1 under one schedule."""
    source = ROOT / "examples" / "7pt1.stn"
    folder = folder / f"time-{precision}-{schedule.replace('/', '-')}"
    folder.mkdir()
    common = [options.stencilc, source, f"--real={precision}", f"--schedule={schedule}"]
    lab.run([*common, "-o", folder / "su.cu"])
    lab.run([*common, "--emit=main", "-o", folder / "su_main.cu"])
    lab.run(["nvcc", "-O3", f"-arch={options.arch}", "-std=c++17", folder / "su.cu",
             folder / "su_main.cu", "-o", folder / "program"])
    return folder / "program"


def forecast(options, precision, schedule, extent):
    """What the cost model says of 7PT-1: GStencil/s and the bottleneck."""
    report = json.loads(lab.run([options.stencilc, ROOT / "examples" / "7pt1.stn", "--explain=json",
                                 f"--gpu={options.gpu}", f"--real={precision}",
                                 f"--schedule={schedule}",
                                 f"--size=x={extent},y={extent},z={extent}"]))
    return report["gstencils_per_s"], report["bottleneck"]


def time_timed(options, program, copy_program, precision, schedule, extent):
    """One row: the median of repeated runs of 20 steps, beside a copy measured just before."""
    copy = float(re.search(r"copy ([\d.]+)", lab.run([copy_program])).group(1))
    text = lab.run([program, *(f"--n{axis}={extent}" for axis in "zyx"), "--steps=20", "--repeat=11"])
    speed = float(re.search(r"([\d.]+) GStencil/s", text).group(1))
    share = speed * 2e9 * (4 if precision == "f32" else 8) / (copy * 1e9)
    predicted, bottleneck = forecast(options, precision, schedule, extent)
    print(f"7PT-1 {extent}^3 {precision} {schedule:26} {speed:7.1f} GStencil/s, "
          f"{100 * share:5.1f} % of a copy ({copy:.0f} GB/s); predicted {predicted:7.1f}, "
          f"{bottleneck}", flush=True)
    return {"stencil": "su_7pt1", "extent": extent, "precision": precision, "schedule": schedule,
            "gstencil_per_s": speed, "copy_gb_per_s": copy, "share_of_copy": round(share, 4),
            "predicted_gstencil_per_s": predicted, "predicted_bottleneck": bottleneck}


def measure(options, folder):
    """All schedules at 512^3; the best of each variant also at 1024^3."""
    jobs = list(itertools.product(("f32", "f64"), SCHEDULES))
    programs = lab.each(jobs, lambda job: build_timed(options, folder, *job))
    for program in programs:
        if isinstance(program, lab.Failed):
            raise program
    copy = folder / "copy"
    lab.run(["nvcc", "-O3", f"-arch={options.arch}", ROOT / "test/gpu/copy.cu", "-o", copy])
    rows = [time_timed(options, program, copy, *job, 512) for job, program in zip(jobs, programs)]
    for precision, variant in itertools.product(("f32", "f64"), ("baseline", "zblock")):
        best = max((row for row in rows if row["precision"] == precision
                    and row["schedule"].startswith(variant)), key=lambda row: row["gstencil_per_s"])
        job = (precision, best["schedule"])
        rows.append(time_timed(options, programs[jobs.index(job)], copy, *job, 1024))
    return rows


def report(title, builds, results):
    """Prints what failed; the number of runs that agreed, or None."""
    failures = [result for result in results if isinstance(result, lab.Failed)]
    for failure in failures[:5]:
        print(f"{title}: FAILED\n{failure}\n")
    agreed = sum(result for result in results if not isinstance(result, lab.Failed))
    print(f"{title}: {agreed} runs of {len(builds)} programs agreed, {len(failures)} programs failed")
    return None if failures else agreed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stencilc", type=pathlib.Path, default=ROOT / "build/stencilc")
    parser.add_argument("--arch", default="sm_90", help="nvcc's -arch")
    parser.add_argument("--gpu", default="h200", help="the profile to predict with")
    parser.add_argument("--only", help="examples to run, by a regular expression")
    parser.add_argument("--brief", action="store_true", help="the schedules chosen, and no others")
    parser.add_argument("--skip-timing", action="store_true")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="where to keep the results")
    options = parser.parse_args()
    options.stencilc = options.stencilc.resolve()

    sources = sorted((ROOT / "examples").glob("*.stn"))
    sources = [s for s in sources if not options.only or re.search(options.only, s.stem)]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        jobs = [(source, precision, *way) for source in sources for precision in ("f64", "f32")
                for way in (("contract", "cuda"), ("strict", "cuda"), ("strict", "host"))]
        for number, source in enumerate(sources):
            rank = len(describe(options, source)[0])
            for turn, schedule in enumerate([] if options.brief else COVERING[rank], number):
                jobs.append((source, ("f64", "f32")[turn % 2], ("contract", "strict")[turn // 2 % 2],
                             "cuda", schedule))
        builds = lab.each(jobs, lambda job: Build(folder, options, *job))
        broken = [build for build in builds if isinstance(build, lab.Failed)]
        for failure in broken[:5]:
            print(f"does not build:\n{failure}\n")
        builds = [build for build in builds if not isinstance(build, lab.Failed)]
        cuda = [build for build in builds if build.target == "cuda"]
        hosts = {(b.source, b.precision): b for b in builds if b.target == "host"}
        paired = [b for b in cuda if (b.source, b.precision) in hosts]
        # One sanitized program per example and schedule.
        checked = list({(b.source, b.schedule): b for b in cuda}.values())
        print(f"{len(builds)} programs built, {len(broken)} failed", flush=True)

        counts = {
            "small_grids_equal_to_reference": report(
                "small grids against the reference", cuda,
                lab.each(cuda, lambda b: check_small(options, b), 8)),
            "host_target_equal_to_reference": report(
                "host target against the reference", hosts,
                lab.each(hosts.values(), lambda b: check_small(options, b), 8)),
            "large_grids_equal_to_host_target": report(
                "large grids against the host target", paired,
                lab.each(paired, lambda b: check_large(b, hosts[b.source, b.precision]), 4)),
            "sanitizer_runs_clean": report(
                "compute-sanitizer", checked, lab.each(checked, sanitize, 8)),
        }
        rows = [] if options.skip_timing else measure(options, folder)
    passed = not broken and all(count is not None for count in counts.values())
    if options.output:
        lab.save(options.output, lab.command_line(),
                 {"examples": [s.stem for s in sources], "passed": passed, "runs": counts,
                  "times": rows})
    print("all agreed" if passed else "NOT all agreed")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
