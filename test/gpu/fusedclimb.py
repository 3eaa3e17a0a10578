#!/usr/bin/env python3
"""Climbs among schedules of fused steps, from those that fusedsteps.py times to their neighbours.

    python3 test/gpu/fusedclimb.py --stencilc build/stencilc -o results.json star3d1r:f64 box2d1r:f32:periodic

where both the compiler and the GPU are. Of each case, a stencil of fusedsteps.py, a type and the kind
of its ends (`fixed` if not said), the fastest so far is left for its fastest neighbour until none is
faster or --seconds have passed; then the four fastest are timed again, and the first is compared bit
for bit with one thread a point. A neighbour differs in one of: steps, points and rows of a thread,
threads along y, chunk, planes on their way, blocks on a multiprocessor; in 2D also in steps and points
at once, and where blocks share chunks, in how many share those at the ends. Times are bursts, as
fusedsteps.py has them.
"""

import argparse
import math
import pathlib
import re
import tempfile
import time

import fusedsteps
import lab
import onestep
from fused_schedules import SCHEDULES

AGAIN, BURSTS, BURSTS_AGAIN = 4, 2, 5
CHUNKS = 43, 51, 57, 64, 73, 86, 102, 128, 171, 255
HEIGHTS = 4, 6, 8, 10, 11, 12, 13, 14, 16, 20, 24, 28, 32
SIDE = fusedsteps.LARGE[2][0]


def parts_of(schedule):
    """The block's threads, and numbers by letter; `share` is one of them."""
    block, *rest = schedule.split("/")
    parts = {"block": block}
    for part in rest:
        letter, value = re.fullmatch(r"([a-z]+)([\dx]+)", part).groups()
        parts[letter] = value
    return parts


def text_of(parts):
    return "/".join([parts["block"], *(letter + parts[letter] for letter in ("c", "t", "v", "p", "r")
                                       if letter in parts),
                     *(["share" + parts["share"]] if "share" in parts else [])])


def shared(parts, real, reach, at_ends=None):
    """The parts, with as many tiles as a row has of them; blocks at the ends in proportion."""
    if "share" not in parts:
        return parts
    blocks, across, before = map(int, parts["share"].split("x"))
    sector = 32 // (4 if real == "f32" else 8)
    margin = math.ceil(int(parts["t"]) * reach / sector) * sector
    right = 32 * int(parts["v"].split("x")[0]) - 2 * margin
    if right <= 0:
        return None
    tiles = math.ceil((SIDE - 2 * reach) / right)
    ends = at_ends or max(1, round(before * across / tiles))
    return {**parts, "share": f"{blocks}x{tiles}x{ends}"}


def neighbours(name, real, schedule):
    parts = parts_of(schedule)
    reach = max(abs(at) for offset in fusedsteps.STENCILS[name] for at in offset)
    wide, tall = map(int, parts["v"].split("x"))
    steps, ahead, resident = int(parts["t"]), int(parts["p"]), int(parts["r"])
    width, height, *_ = map(int, parts["block"].split("x"))
    changes = [{"p": ahead + by} for by in (-1, 1, 2)]
    if len(fusedsteps.STENCILS[name][0]) == 3:
        changes += [{"v": f"{wide}x{tall + by}"} for by in (-1, 1)]
        changes += [{"block": f"{width}x{other}x1"} for other in HEIGHTS if abs(other - height) <= 4]
        changes += [{"block": f"{width}x{height + by}x1", "v": f"{wide}x{tall - by // abs(by)}"}
                    for by in (-4, -2, 4)]
        changes += [{"c": chunk} for chunk in CHUNKS]
        changes += [{"t": steps + by} for by in (-1, 1)] + [{"r": other} for other in (1, 2)]
    else:
        changes += [{"v": f"{wide + by}x{tall}"} for by in (-2, -1, 1, 2)]
        changes += [{"v": f"{wide}x{rows}"} for rows in (1, 2, 3, 4)]
        changes += [{"t": steps + height * by, "v": f"{wide + also}x{tall}"}
                    for by in (-2, -1, 1, 2) for also in (-1, 0, 1)]
        changes += [{"r": resident + by} for by in (-1, 1)]
    every = [shared({**parts, **{letter: str(value) for letter, value in change.items()}}, real, reach)
             for change in changes]
    if "share" in parts:
        ends = int(parts["share"].split("x")[2])
        every += [shared(parts, real, reach, ends + by) for by in (-2, -1, 1, 2) if ends + by > 0]
    return sorted({text_of(other) for other in every if other} - {schedule})


class Case:
    """Schedules of a stencil, a type and a kind of ends, built and timed when they are asked for."""

    def __init__(self, stencilc, folder, tools, name, real, kind):
        self.stencilc, self.folder, self.tools = stencilc, folder, tools
        self.name, self.real, self.kind = name, real, kind
        rank = len(fusedsteps.STENCILS[name][0])
        self.reference = fusedsteps.REFERENCE[rank]
        self.extents = fusedsteps.TALL.get((real, rank), fusedsteps.LARGE[rank])
        self.arrays, self.rates, self.rows = None, {}, []

    def build(self, schedule, is_exact=False):
        folder = re.sub(r"\W", "_", f"{self.name}_{self.real}_{self.kind}_{schedule}_{is_exact}")
        own = self.folder / folder
        own.mkdir(exist_ok=True)
        (own / "step.stn").write_text(fusedsteps.text_of(self.name, self.kind))
        lab.run([self.stencilc, own / "step.stn", f"--real={self.real}", f"--schedule={schedule}", "-o",
                 own / "step.cu"])
        entry = {"folder": folder, "example": self.name, "kind": self.kind, "real": self.real,
                 "schedule": schedule, "exact": is_exact}
        onestep.build(self.folder, entry)
        return entry

    def time(self, schedules, bursts=BURSTS):
        """GStencil/s of each, 0 of those that are not legal."""
        entries = lab.each(schedules, lambda schedule: self.build(f"temporal/{schedule}"))
        for schedule, entry in zip(schedules, entries):
            self.rates[schedule] = 0
            if isinstance(entry, lab.Failed):
                continue
            interface = onestep.Interface(self.folder / entry["folder"])
            self.arrays = self.arrays or onestep.Arrays(self.tools, interface, self.extents)
            ms = fusedsteps.ms_of_step(interface, self.arrays, self.extents, fusedsteps.fused(entry),
                                       self.tools.time_bursts, bursts)
            self.rates[schedule] = round(math.prod(self.extents) / ms / 1e6, 1)
            self.rows.append({key: entry[key] for key in ("example", "kind", "real", "schedule",
                                                          "registers", "spilled")}
                             | {"extents": self.extents, "gstencils_per_s": self.rates[schedule]})

    def ranking(self):
        return sorted(self.rates, key=self.rates.get, reverse=True)

    def climb(self, seconds):
        end = time.monotonic() + seconds
        self.time(SCHEDULES[self.name, self.real])
        best = None
        while best != self.ranking()[0] and time.monotonic() < end:
            best = self.ranking()[0]
            print(f"{self.name} {self.real} {self.kind}: {best} {self.rates[best]} GStencil/s", flush=True)
            self.time([other for other in neighbours(self.name, self.real, best)
                       if other not in self.rates])
        tried = len(self.rates)
        first = self.ranking()[:AGAIN]
        self.rates = {}
        self.time(first, BURSTS_AGAIN)
        print(f"  the fastest of {tried}: "
              + ", ".join(f"{one} {self.rates[one]}" for one in self.ranking()), flush=True)
        self.arrays.free()

    def differing(self):
        entries = [self.build(schedule, is_exact=True)
                   for schedule in (self.reference, f"temporal/{self.ranking()[0]}")]
        steps = 2 * fusedsteps.fused(entries[1]) + 1
        return {f"{self.name} {self.real} {self.kind} {schedule}": count
                for grids in (fusedsteps.SMALL, fusedsteps.FITTING)
                for schedule, count in onestep.compare(self.tools, entries, self.folder, steps,
                                                       grids).items() if count}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+", metavar="CASE")
    parser.add_argument("--stencilc", type=pathlib.Path, default=onestep.ROOT / "build/stencilc")
    parser.add_argument("--seconds", type=float, default=90, help="of a case, at most")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    rows, wrong = [], {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        tools = onestep.load_tools(folder)
        for named in options.cases:
            name, real, *kind = named.split(":")
            case = Case(options.stencilc.resolve(), folder, tools, name, real, *(kind or ["fixed"]))
            case.climb(options.seconds)
            wrong |= case.differing()
            rows += case.rows
    for case, count in wrong.items():
        print(f"{case}: {count} words DIFFER")
    if options.output:
        lab.save(options.output, lab.command_line(), {"differing": wrong, "times": rows})
    return 1 if wrong else 0


if __name__ == "__main__":
    lab.leave(main)
