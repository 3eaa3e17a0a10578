#!/usr/bin/env python3
"""Whether a neighbour of the fastest schedule timed is faster still, and of that one's neighbours.

    python3 test/gpu/climb.py SEARCHED.json --stencilc build/stencilc -o results.json
    python3 test/gpu/climb.py results.json --report -o climb.md

SEARCHED holds what search.py timed; the compiler is one file and needs nothing of the machine that made
it. Of each case all of the fastest schedule's family are built and timed beside it in one process: what the
compiler tries of the same variant and flags. The fastest of these is where the climb starts: all its
neighbours, which differ in one choice, are timed likewise, the fastest is next, until none is faster. The 20
fastest of all that and of SEARCHED are then timed 20 times each, in random order. What is chosen without
measuring is compared with what all that has found. A few cases are climbed at a time, so that one is
built while another is timed. A file that exists is gone on with: cases in it are not climbed again;
--limit=SECONDS starts none later than that.
"""

import argparse
import collections
import ctypes
import functools
import json
import math
import pathlib
import random
import re
import statistics
import tempfile
import threading
import time

import lab
import onestep
import search
import validate_report

FINALISTS, REPEATS, MARGIN, ROUNDS = 20, 20, .005, 12
FLAGS = ["plain", "reload", "whole", "flat"]
AT_ONCE = 4
GPU = threading.Lock()  # whoever times has it alone


def kind_of(schedule):
    """What a schedule shares with its family: all but its block, chunk, points a thread and residency."""
    variant, _, *rest = schedule.split("/")
    return variant, {part for part in rest if not re.fullmatch(r"[cvr][0-9x]+", part)}


def neighbours(schedule):
    """Schedules that differ in one choice, in any spelling; some are not legal."""
    variant, block, *rest = schedule.split("/")
    sides = [int(side) for side in block.split("x")]
    parts = {match[1]: match[2] for match in (re.fullmatch(r"([cvpr])([0-9x]+)", part) for part in rest)
             if match}
    flags = [part for part in rest if not re.fullmatch(r"[cvpr][0-9x]+", part)]

    def spelled(variant=variant, sides=sides, flags=flags, **changed):
        now = {**parts, **changed}
        return "/".join([variant, "x".join(map(str, sides)),
                         *(letter + str(now[letter]) for letter in "cvpr" if now.get(letter)), *flags])

    def beside(number):
        return [number * 2] + ([number // 2] if number > 1 else [])

    found = []
    for axis in range(2):
        for side in beside(sides[axis]):
            found.append(spelled(sides=[*sides[:axis], side, *sides[axis + 1:]]))
    for wider, lower in ((0, 1), (1, 0)):  # the same threads
        if sides[lower] > 1:
            moved = list(sides)
            moved[wider], moved[lower] = sides[wider] * 2, sides[lower] // 2
            found.append(spelled(sides=moved))
    if variant != "baseline":
        found += [spelled(c=chunk) for chunk in beside(int(parts.get("c", 1)))]
    columns = [int(points) for points in parts.get("v", "1x1").split("x")]
    for axis in range(2):
        for points in beside(columns[axis]):
            found.append(spelled(v="x".join(map(str, [*columns[:axis], points, *columns[axis + 1:]]))))
    for letter in "pr":
        number = int(parts.get(letter, 0))
        found += [spelled(**{letter: other}) for other in (number - 1, number + 1) if other >= 0]
    for flag in FLAGS:
        found.append(spelled(flags=[f for f in flags if f != flag] if flag in flags else [*flags, flag]))
    if variant == "baseline":
        found.append(spelled(variant="zblock", sides=[*sides[:-1], 1], c=16, flags=[]))
    elif variant == "zblock":
        found.append(spelled(variant="baseline", c=None, p=None, flags=[]))
    return [other for other in dict.fromkeys(found) if other != schedule]


def climb(start, canonical, time):
    """Everything timed on the way: milliseconds by schedule. `canonical` gives a schedule's own
    spelling, or None where it is not legal; `time` takes a list and gives milliseconds by schedule
    of those that ran."""
    times, here = {}, start
    for _ in range(ROUNDS):
        fresh = [legal for other in neighbours(here) if (legal := canonical(other))]
        fresh = [other for other in dict.fromkeys(fresh) if other not in times]
        now = time([here, *(other for other in fresh if other != here)])
        if here not in now:
            break
        times.update(now)
        best = min(now, key=now.get)
        if now[best] > (1 - MARGIN) * now[here]:
            break
        here = best
    return times


class Case:
    """Builds and times schedules of one stencil, type and grid."""

    def __init__(self, tools, command, case, folder):
        self.tools, self.command, self.case, self.folder = tools, command, case, folder
        self.built, self.forecasts = {}, {}

    def canonical(self, schedule):
        try:
            entry = search.forecast(self.command, self.case, schedule)
        except lab.Failed:
            return None
        self.forecasts[entry["schedule"]] = entry
        return entry["schedule"]

    def family(self, schedule):
        """What the compiler tries of the same kind."""
        return [other["schedule"] for other in search.explained(self.command, self.case)["candidates"]
                if kind_of(other["schedule"]) == kind_of(schedule)]

    def build(self, schedule):
        example, real, _ = self.case
        entry = {"folder": str(len(self.built)), "exact": False, "schedule": schedule}
        self.built[schedule] = entry
        own = self.folder / entry["folder"]
        own.mkdir(parents=True)
        lab.run([self.command[0], onestep.ROOT / f"examples/{example}.stn", f"--real={real}",
                 f"--schedule={schedule}", "-o", own / "step.cu"])
        return entry

    def prepare(self, schedules):
        fresh = [schedule for schedule in schedules if schedule not in self.built]
        entries = [self.build(schedule) for schedule in fresh]
        for entry, done in zip(entries, lab.each(entries, functools.partial(onestep.build, self.folder))):
            if isinstance(done, lab.Failed):
                print(f"{self.case} {entry['schedule']}: {done}", flush=True)

    def time(self, schedules, repeats=1):
        """Milliseconds of a step, the median of repeats in random order."""
        self.prepare(schedules)
        built = {schedule: onestep.Interface(self.folder / self.built[schedule]["folder"])
                 for schedule in schedules if "registers" in self.built[schedule]}
        if not built:
            return {}
        with GPU:
            return self.time_built(built, repeats)

    def time_built(self, built, repeats):
        extents = self.case[2]
        arrays = onestep.Arrays(self.tools, next(iter(built.values())), extents)
        seen, turns = collections.defaultdict(list), list(built) * repeats
        random.Random(repeats).shuffle(turns)
        for schedule in turns:
            interface = built[schedule]
            args = interface.without_results(arrays.place(interface, extents))
            ms = self.tools.time_steps(*interface.calls, ctypes.byref(args), 4, 5)
            if ms > 0:
                seen[schedule].append(ms)
        arrays.free()
        return {schedule: statistics.median(times) for schedule, times in seen.items()}


def climb_case(tools, command, case, searched):
    with tempfile.TemporaryDirectory() as scratch:
        own = Case(tools, command, case, pathlib.Path(scratch))
        before = sorted(searched, key=lambda row: row["ms"])
        start, known = before[0]["schedule"], {row["schedule"] for row in before}
        family = own.time([start, *(other for other in own.family(start) if other not in known)])
        climbed = climb(min(family, key=family.get, default=start), own.canonical, own.time)
        timed = {**family, **climbed}
        fastest = sorted(timed, key=timed.get) + [row["schedule"] for row in before]
        chosen = next(row["schedule"] for row in searched if "ranking" in row["why"])
        finalists = list(dict.fromkeys([chosen, *fastest]))[:FINALISTS]
        final = own.time(finalists, REPEATS)
        return {"example": case[0], "real": case[1], "extents": list(case[2]), "chosen": chosen,
                "started": start,
                **{what: {name: round(ms, 5) for name, ms in times.items()}
                   for what, times in (("family", family), ("climbed", climbed), ("finalists", final))}}


def summary(cases):
    rows, shares = [], []
    for case in cases:
        final = case["finalists"]
        best = min(final, key=final.get)
        shares.append(final[best] / final[case["chosen"]])
        rows.append([case["example"], case["real"], "×".join(map(str, case["extents"])),
                     len(case.get("family", [])), len(case["climbed"]),
                     f"`{case['chosen']}`", f"`{case['started']}`", f"`{best}`",
                     f"{final[best] / final[case['started']]:.3f}" if case["started"] in final else "",
                     f"{shares[-1]:.3f}"])
    head = ["stencil", "type", "grid", "family", "climbed", "chosen", "fastest before", "fastest",
            "of the time before", "share of the choice"]
    return validate_report.table(head, rows) + (
        f"\nThe choice reaches {100 * statistics.median(shares):.1f} % of the fastest at the median, "
        f"{100 * sorted(shares)[len(shares) // 10]:.1f} % at the tenth percentile, "
        f"{100 * min(shares):.1f} % at worst.\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("searched", type=pathlib.Path)
    parser.add_argument("--stencilc", type=pathlib.Path, default=onestep.ROOT / "build/stencilc")
    parser.add_argument("--gpu", default="h200", help="whose profile forecasts")
    parser.add_argument("--report", action="store_true", help="make a table of what was climbed")
    parser.add_argument("--limit", type=float, default=math.inf, metavar="SECONDS",
                        help="start no case later than that")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    if options.report:
        record = json.loads(options.searched.read_text())
        options.output.write_text(f"# Whether neighbours of the fastest are faster\n\n{record['gpu']}, driver "
                                  f"{record['driver']}, CUDA {record['cuda']}, {record['date']}.\n\n"
                                  + summary(record["cases"]))
        return 0
    begin = time.monotonic()
    cases = collections.defaultdict(list)
    for row in json.loads(options.searched.read_text())["times"]:
        if "ms" in row:
            cases[row["example"], row["real"], tuple(row["extents"])].append(row)
    done = json.loads(options.output.read_text())["cases"] if options.output.exists() else []
    known = {(case["example"], case["real"], tuple(case["extents"])) for case in done}
    with tempfile.TemporaryDirectory() as scratch:
        tools = onestep.load_tools(pathlib.Path(scratch))

        def work(case):
            if time.monotonic() - begin > options.limit:
                return
            found = climb_case(tools, [options.stencilc, f"--gpu={options.gpu}"], case, cases[case])
            with GPU:
                done.append(found)
                lab.save(options.output, lab.command_line(), {"cases": done})

        failed = [f for f in lab.each([case for case in cases if case not in known], work, AT_ONCE)
                  if isinstance(f, lab.Failed)]
    for failure in failed:
        print(failure)
    print(summary(done))
    return 1 if failed else 0


if __name__ == "__main__":
    lab.leave(main)
