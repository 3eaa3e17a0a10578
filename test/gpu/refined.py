#!/usr/bin/env python3
"""What --refine chooses of programs that were timed: forecasts with the registers, spills and waits for loads
of compiled kernels, beside those with estimates.

    python3 test/gpu/refined.py -o results/validation/refined.md

No GPU is needed, nor NVRTC: what programs.py timed says what each kernel took, and waits.py how often each of
a single step waits, as compiled from the texts of its day. Asks build/stencilc-forecasts (a target of the build
with tests) for today's forecasts; what was timed was compiled from the texts of then. Fused steps are among the
candidates where the least predicted of them gains a quarter by the estimate: Choose.h asks more of few blocks
and of marches of one step. Those of programs that make the same again are left out (programs.py).
"""
import argparse
import collections
import csv
import pathlib
import statistics

import lab
import problems
import programs
import refit
import validate_report

SETS = [("programs", "h100_programs_again"), ("programs", "h200_programs_again"),
        ("programs_second", "h100_programs_second_again"), ("programs_second", "h200_programs_second"),
        ("programs_third", "h200_programs_third"), ("programs_fourth", "h200_programs_fourth"),
        ("programs_fifth", "h100_programs_fifth"), ("programs_sixth", "h200_programs_sixth"),
        ("programs_seventh", "h200_programs_seventh"), ("programs_eighth", "h200_programs_eighth"),
        ("programs_ninth", "h200_programs_ninth")]
FUSED_GAIN = 1.25  # kFusedGain


def known_waits():
    """By set, program, type and schedule: what stencilc-forecasts takes of its kernels' waits."""
    said = collections.defaultdict(str)
    lines = (refit.RESULTS / "programs_waits.csv").read_text().splitlines()
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        key = row["set"], row["program"], row["real"], row["schedule"]
        said[key] += f" {row['kernel']},{row['phases']},{row['stores']}"
    return said


def cases_of(options, folder, name, waits):
    """Of each program the kernels timed, with "estimated", "compiled" and "waiting" forecasts of today."""
    options.programs = problems.ROOT / "test/gpu/Inputs" / folder
    rows, _ = programs.timed(options, refit.RESULTS / f"{name}.json")
    runs = [refit.Run("program", None, options.programs / f"{row['example']}.stn", row["real"], row["extents"],
                      refit.PASSES, row["schedule"], row["ms"], row["spilled"], False) for row in rows]
    gpu = name.partition("_")[0]
    estimated = refit.Forecasts(options.tool, gpu, runs)({})
    registers = [f"{row['registers']},{row['spilled']}" for row in rows]
    compiled = refit.Forecasts(options.tool, gpu, runs, registers)({})
    waiting = refit.Forecasts(options.tool, gpu, runs, [
        own + waits[folder, row["example"], row["real"], row["schedule"]]
        for own, row in zip(registers, rows)])({})
    cases = collections.defaultdict(list)
    for row, *said in zip(rows, estimated, compiled, waiting):
        if None not in said:
            cases[row["example"]].append({**row, **dict(zip(("estimated", "compiled", "waiting"), said))})
    return list(cases.values())


def first(by, rows):
    """The least predicted."""
    return min(rows, key=lambda row: row[by])


def candidates_of(timed):
    """All, or only single steps where fused ones gain too little."""
    single = [row for row in timed if not programs.fuses_steps(row["schedule"])]
    fused = [row for row in timed if programs.fuses_steps(row["schedule"])]
    if single and fused and (first("estimated", single)["estimated"]
                             < FUSED_GAIN * first("estimated", fused)["estimated"]):
        return single
    return timed


WAYS = {
    "by estimates": lambda rows: first("estimated", rows),
    "by registers and spills as compiled": lambda rows: first("compiled", rows),
    "and by waits for loads as compiled (--refine)": lambda rows: first("waiting", rows),
    "the same, without what spills": lambda rows: first(
        "waiting", [row for row in rows if not row["spilled"]] or rows),
}


FORECASTS = {"estimated": "by estimates", "compiled": "by registers as compiled", "waiting": "and by waits"}


def errors_of(rows):
    """How many single steps that spill nothing there are, and how far off their forecasts are."""
    single = [row for row in rows if not row["spilled"] and not programs.fuses_steps(row["schedule"])]
    return [len(single), *(f"{100 * statistics.mean(abs(row[by] / row['ms'] - 1) for row in single):.1f} %"
                           for by in FORECASTS)]


def told(shares):
    shares = sorted(shares)
    return [len(shares), *(f"{100 * share:.1f}" for share in (
        statistics.median(shares), shares[len(shares) // 10], shares[0], statistics.mean(shares)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, default=problems.ROOT / "build/stencilc-forecasts")
    parser.add_argument("--stencilc", type=pathlib.Path, default=problems.ROOT / "build/stencilc")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    table, all_shares, waits = [], collections.defaultdict(list), known_waits()
    errors, every = [], []
    for folder, name in SETS:
        cases = cases_of(options, folder, name, waits)
        rows = [row for timed in cases for row in timed]
        errors.append([f"`{name}.json`", *errors_of(rows)])
        every += rows
        for way, choose in WAYS.items():
            shares = [min(row["ms"] for row in timed) / choose(candidates_of(timed))["ms"] for timed in cases]
            all_shares[way] += shares
            table.append([f"`{name}.json`", way, *told(shares)])
    table += [["all", way, *told(shares)] for way, shares in all_shares.items()]
    options.output.write_text(
        "# What compiled registers are worth to the choice\n\n" + __doc__.split("\n\n")[0] + "\n\n"
        "In per cent of the fastest timed of each program (`test/gpu/refined.py` says how).\n\n"
        + validate_report.table(["runs", "the least predicted", "programs", "median", "10th percentile", "worst",
                                 "mean"], table)
        + "\nHow far off forecasts of single steps are that spill nothing:\n\n"
        + validate_report.table(["runs", "kernels", *FORECASTS.values()], [*errors, ["all", *errors_of(every)]]))
    return 0


if __name__ == "__main__":
    lab.leave(main)
