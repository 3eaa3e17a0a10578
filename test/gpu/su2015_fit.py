#!/usr/bin/env python3
"""The constants delta, epsilon and eta of [su2015] from counted volumes, by least squares.

    python3 test/gpu/su2015_fit.py results/h200_papers.json --stencilc build/stencilc [-o fit.json]

Needs no GPU: the volumes were counted by validate.py. Between the SMs and the L2 they are linear in
delta and eta, between the L2 and device memory in epsilon, so that what multiplies each constant is
the difference of two forecasts. Errors are relative. A constant is identified if it lies between 0
and 1, further from 0 than two of its standard errors, and without it the errors grow by a twentieth.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import re
import tempfile

import lab
import problems
import validate
from runs import OUTGROWN, SECTOR, grid_bytes

CONSTANTS = ["delta", "epsilon", "eta"]
LEVELS = {"l2": ["delta", "eta"], "dram": ["epsilon"]}

Row = collections.namedtuple("Row", "name counted fixed factors")


def profile_with(text, values):
    """The YAML with other constants."""
    for key, value in values.items():
        text, count = re.subn(rf"(\n +{key}: *{{ value: )[^,]+,", rf"\g<1>{value},", text)
        assert count == 1, key
    return text


def volumes(options, gpu, entry, run):
    problem = problems.BY_NAME[entry["source"], entry["problem"], entry["real"]]
    report = json.loads(lab.run([
        options.stencilc, problem.file, f"--real={problem.real}", f"--gpu={gpu}", "--model=su2015",
        f"--schedule={run['schedule']}", validate.sized(problem.file, run["extents"]), "--explain=json", "-o",
        os.devnull]))
    return {level: report["volumes"][f"{level}_bytes"] for level in LEVELS}


def counted(run):
    counters = run["counters"]
    return {"l2": SECTOR * (counters["l2_read_sectors"] + counters["l2_write_sectors"]),
            "dram": counters["dram_read_bytes"] + counters["dram_write_bytes"]}


def rows_of(options, cases, folder):
    """By level: what was counted, what is forecast without the constants, and the factor of each."""
    start = lab.run([options.stencilc, f"--print-gpu={options.gpu}"])
    files = {}
    for name in [None, *CONSTANTS]:
        files[name] = pathlib.Path(folder, f"{name}.yaml")
        files[name].write_text(profile_with(start, {key: int(key == name) for key in CONSTANTS}))
    rows = {level: [] for level in LEVELS}

    def forecast(case):
        return {name: volumes(options, file, *case) for name, file in files.items()}

    for (entry, run), said in zip(cases, lab.each(cases, forecast)):
        if isinstance(said, lab.Failed):
            continue  # a schedule for which the model has no equations
        for level, names in LEVELS.items():
            if level == "dram" and grid_bytes(entry, run) <= OUTGROWN:
                continue
            fixed = said[None][level]
            rows[level].append(Row(f"{entry['problem']} {run['schedule']} {run['extents']}",
                                   counted(run)[level], fixed,
                                   [said[name][level] - fixed for name in names]))
    return rows


def solve(matrix, right):
    """A system of one or two equations; None if it does not determine them."""
    if len(right) == 1:
        return [right[0] / matrix[0][0]] if matrix[0][0] > 0 else None
    (a, b), (c, d) = matrix
    determinant = a * d - b * c
    if abs(determinant) < 1e-9 * abs(a * d):
        return None
    return [(right[0] * d - b * right[1]) / determinant, (a * right[1] - c * right[0]) / determinant]


def fit(rows, used):
    """Least squares over the factors `used`: values, their standard errors, rms of the relative errors."""
    columns = [[row.factors[k] / row.counted for row in rows] for k in used]
    target = [1 - row.fixed / row.counted for row in rows]
    values, matrix = [], []
    if used:
        matrix = [[sum(x * y for x, y in zip(left, right)) for right in columns] for left in columns]
        values = solve(matrix, [sum(x * y for x, y in zip(column, target)) for column in columns])
        if values is None:
            return None, None, rms(target)
    errors = [t - sum(v * column[i] for v, column in zip(values, columns))
              for i, t in enumerate(target)]
    noise = sum(e * e for e in errors) / max(1, len(rows) - len(used))
    deviations = []
    for k in range(len(used)):
        unit = [float(k == j) for j in range(len(used))]
        deviations.append(math.sqrt(noise * solve(matrix, unit)[k]))
    return values, deviations, rms(errors)


def rms(errors):
    return math.sqrt(sum(error * error for error in errors) / len(errors))


def fit_level(level, rows):
    """Takes out constants until all that are left are identified."""
    names, used = LEVELS[level], list(range(len(LEVELS[level])))
    found = {name: {"identified": False, "why": "its factor is 0 in all runs"} for name in names}
    used = [k for k in used if any(row.factors[k] for row in rows)]
    while True:
        values, deviations, error = fit(rows, used)
        worst = None
        for place, k in enumerate(used):
            without = fit(rows, [other for other in used if other != k])[2]
            value, deviation = (values[place], deviations[place]) if values else (None, None)
            found[names[k]] = {"value": value, "standard_error": deviation,
                               "rms_without": without, "identified": False}
            if values is None:
                found[names[k]]["why"] = "the runs do not tell it from another"
            elif not 0 <= value <= 1:
                found[names[k]]["why"] = "it is not from 0 to 1"
            elif value < 2 * deviation:
                found[names[k]]["why"] = "it is within two standard errors of 0"
            elif without < 1.05 * error:
                found[names[k]]["why"] = "without it the errors are the same"
            else:
                found[names[k]]["identified"] = True
                continue
            if worst is None or without < worst[0]:
                worst = (without, k)
        if worst is None:
            return {"runs": len(rows), "rms": error, "rms_with_neither": fit(rows, [])[2],
                    "constants": found}
        used.remove(worst[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--stencilc", type=lab.folder, required=True)
    parser.add_argument("--gpu", default="h200")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    entries = json.loads(options.results.read_text())["entries"]
    cases = [(entry, run) for entry in entries if entry["source"] == "su2015"
             for run in entry["runs"] if "counters" in run and "su2015" in run]
    with tempfile.TemporaryDirectory() as folder:
        rows = rows_of(options, cases, folder)
    report = {level: fit_level(level, rows[level]) for level in LEVELS}
    for level, found in report.items():
        print(f"{level}: {found['runs']} runs, {100 * found['rms_with_neither']:.1f} % rms without "
              f"constants, {100 * found['rms']:.1f} % with those identified")
        for name, constant in found["constants"].items():
            if constant.get("value") is not None:
                print(f"  {name} {constant['value']:.4g} +- {constant['standard_error']:.2g}, "
                      f"{100 * constant['rms_without']:.1f} % rms without it", end="")
            else:
                print(f"  {name}", end="")
            print("" if constant["identified"] else f"; not identified: {constant['why']}")
    if options.output:
        options.output.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
