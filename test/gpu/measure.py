#!/usr/bin/env python3
"""--measure on a GPU: what it chooses and by how much that is better, and what it says when it cannot.

    python3 test/gpu/measure.py [--stencilc build/stencilc] [--seconds 170] [-o results.json]

1. Without NVRTC, without a driver, and for a grid too large, the message says so; --gpu=native finds
   a profile; Ctrl-C keeps what was measured; a second run takes the times that the first kept.
2. `--measure=5` over the examples, f32 and f64: what is chosen, its time, and how much longer take the
   schedule of least predicted time and, where test/gpu/results/h200_chosen.json knows schedules, the
   best two of those; all of one case in one sitting. No new case begins after --seconds.
Exit status 0 if every message came and nothing computed wrong values. Needs NVRTC.
"""
import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import lab

ROOT = pathlib.Path(__file__).resolve().parents[2]
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--stencilc", type=pathlib.Path, default=ROOT / "build/stencilc")
parser.add_argument("--seconds", type=float, default=170)
parser.add_argument("-o", "--output", type=pathlib.Path)
given = parser.parse_args()
STARTED = time.monotonic()
STENCILC = str(given.stencilc.resolve())
CACHE = tempfile.mkdtemp()
HEAT = ROOT / "examples/heat.stn"
EXAMPLES = ["heat", "7pt2", "19pt", "star2", "star4", "box27", "jacobi5", "wave", "hdiff", "fdtd2d",
            "gray_scott", "elastic", "shallow_water", "lbm", "star1", "star3", "star5", "jacobi9",
            "7pt1", "7pt3", "diffusion", "burgers", "srad", "poisson_jacobi", "hdiff_stages",
            "maxwell3d", "pressure19", "heat1d"]
failures, cases = [], []


def stencilc(*options, **variables):
    return subprocess.run([STENCILC, *map(str, options)], capture_output=True, text=True,
                          env={**os.environ, "STENCILC_CACHE": CACHE, **variables})


def expect(truth, what, shown=""):
    print(("ok    " if truth else "WRONG ") + what, flush=True)
    if not truth:
        failures.append(what)
        print(shown, flush=True)


def says(done, text, code):
    expect(done.returncode == code and text in done.stderr, f"says: {text}",
           f"{done.returncode}\n{done.stderr}")


def check_messages():
    says(stencilc(HEAT, "--measure", STENCILC_NVRTC="/nowhere"), "there is no NVRTC", 1)
    says(stencilc(HEAT, "--measure", STENCILC_CUDA_DRIVER="/nowhere"), "there is no driver", 1)
    says(stencilc(HEAT, "--measure", "--size", "x=8192,y=8192,z=8192"),
         "out of memory for this size: the arrays take", 1)
    native = stencilc("--print-gpu=native")
    expect(native.returncode == 0 and native.stdout, "--gpu=native finds a profile", native.stderr)


def check_interrupt():
    process = subprocess.Popen([STENCILC, str(HEAT), "--measure=60", "--emit=schedule", "--real=f32"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "STENCILC_CACHE": tempfile.mkdtemp()})
    time.sleep(8)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    expect(process.returncode == 0 and "interrupted: " in err and "/" in out,
           "Ctrl-C keeps what was measured", f"{process.returncode} {out} {err}")
    print(err.strip())


def measured(example, real, *options):
    """What --explain=json says of a measurement; None where it fails."""
    begin = time.monotonic()
    done = stencilc(ROOT / f"examples/{example}.stn", f"--real={real}", "--explain=json", *options)
    if done.returncode:
        expect(False, f"{example} {real} {' '.join(options)}", done.stderr)
        return None
    report = json.loads(done.stdout)
    if "wrong values" in done.stderr or report["measured"]["failed"]:
        expect(False, f"{example} {real}: a candidate failed", done.stderr)
    report["measured"]["wall_s"] = time.monotonic() - begin
    return report


def known_schedules(example, real, chosen):
    """The fastest schedules of an earlier sitting, but for the chosen one."""
    data = json.loads((ROOT / "test/gpu/results/h200_chosen.json").read_text())["times"]
    rows = sorted((row["ms"], row["schedule"]) for row in data
                  if row["example"] == example and row["real"] == real)
    return [schedule for _, schedule in rows if schedule != chosen][:2]


def one_case(example, real):
    report = measured(example, real, "--measure=5")
    if not report:
        return
    times = report["measured"]["times"]
    best = times[0]
    first = report["candidates"][0]["schedule"]
    of_first = next((t["measured_ms"] for t in times if t["schedule"] == first), None)
    case = {"example": example, "real": real, "gpu": report["measured"]["gpu"],
            "extents": report["extents"], "times": times, "chosen": best["schedule"],
            "measured_ms": best["measured_ms"], "wall_s": round(report["measured"]["wall_s"], 2),
            "first_predicted": first, "of_first": of_first and of_first / best["measured_ms"],
            "known": {}}
    for schedule in known_schedules(example, real, best["schedule"]):
        if schedule in {t["schedule"] for t in times}:
            continue
        other = measured(example, real, f"--schedule={schedule}", "--measure=1")
        if other:
            case["known"][schedule] = other["measured"]["times"][0]["measured_ms"]
    # Of the best of all that were timed in this sitting.
    least = min([best["measured_ms"], *case["known"].values()])
    case["share_of_best"] = least / best["measured_ms"]
    cases.append(case)
    print(f"{example:15} {real} {best['measured_ms']:8.4f} ms  {best['schedule']:28} "
          f"measured/predicted {best['measured_over_predicted']:.2f}  spread {best['spread']:.3f}  "
          f"first predicted takes {case['of_first'] or 0:.3f}  share of best {case['share_of_best']:.3f}  "
          f"{case['wall_s']} s", flush=True)


check_messages()
begin = time.monotonic()
first_run = stencilc(HEAT, "--measure=5", "--emit=schedule")
between = time.monotonic()
second_run = stencilc(HEAT, "--measure=5", "--emit=schedule")
after = time.monotonic()
expect(first_run.returncode == 0 and first_run.stdout == second_run.stdout and
       after - between < 0.5 * (between - begin),
       f"kept times are taken: {between - begin:.1f} s, then {after - between:.1f} s",
       first_run.stderr + second_run.stderr)
check_interrupt()
for example in EXAMPLES:
    for real in ("f64", "f32"):
        if time.monotonic() - STARTED < given.seconds:
            one_case(example, real)
if cases:
    for key in ("of_first", "share_of_best"):
        values = sorted(case[key] for case in cases if case[key])
        print(f"{key}: median {statistics.median(values):.3f}, least {values[0]:.3f}, "
              f"greatest {values[-1]:.3f}, {len(values)} cases")
if given.output:
    lab.save(given.output, lab.command_line(), {"failures": failures, "cases": cases})
sys.exit(f"{len(failures)} failures" if failures else 0)
