"""Of each case all that was timed, fused and single steps together: what a way to choose takes, on the same
candidates. Where it leaves several alike, the mean of them. [su2015] has no equations for several steps
a pass, and takes the single step that it predicts fastest; a roofline of compulsory bytes takes as many
steps a pass as there are. Occupancy is that of the compiler beside this file, and 0 of what it refuses.
"""

import re
import statistics

import search
import validate_report
import waves


def best_by(rows, key):
    """The mean of those of which `key` says the least."""
    least = min(map(key, rows))
    return statistics.mean(row["ms"] for row in rows if key(row) == least)


def is_fixed(schedule):
    """Whether it is the block that everybody takes, with one point a thread, whatever its registers."""
    return re.sub(r"/r\d+$", "", schedule) in search.FIXED.values()


def ways(rows):
    """By the way to choose: milliseconds of a step; only ways that can answer."""
    times = [row["ms"] for row in rows]
    ranked = [row["ms"] for row in sorted(rows, key=lambda row: row["geometric_ms"])]
    single = [row for row in rows if waves.steps_of(row["schedule"]) == 1]
    equations = [row for row in single if row["su2015_ms"] is not None]
    found = {"geometric (the choice)": ranked[0], "the best of its first 5": min(ranked[:5])}
    if equations:
        found["su2015"] = best_by(equations, lambda row: row["su2015_ms"])
    if single:
        found["one step at a time, the best by forecast"] = min(
            single, key=lambda row: row["geometric_ms"])["ms"]
    if fixed := [row["ms"] for row in single if is_fixed(row["schedule"])]:
        found["one block of 32 × 8"] = min(fixed)
    found["highest occupancy"] = best_by(rows, lambda row: -row["occupancy"])
    found["compulsory roofline"] = best_by(rows, lambda row: -waves.steps_of(row["schedule"]))
    found["one at random, in the mean"] = statistics.mean(times)
    found["the best of 5 at random, in the mean"] = search.expected_best(times, min(5, len(times)))
    return found


def table(cases):
    shares = {}
    for rows in cases:
        best = min(row["ms"] for row in rows)
        for way, ms in ways(rows).items():
            shares.setdefault(way, []).append(best / ms)
    return validate_report.table(
        ["way to choose", "cases", "median", "10th percentile", "worst"],
        [[way, len(found), f"{100 * statistics.median(found):.1f}",
          f"{100 * sorted(found)[len(found) // 10]:.1f}", f"{100 * min(found):.1f}"]
         for way, found in shares.items()])
