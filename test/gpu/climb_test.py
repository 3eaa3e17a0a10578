"""climb.py finds what is legal beside a schedule, and stops where no neighbour is faster."""
import ctypes
import json
import pathlib
import re
import sys

import climb
import lab
import onestep

stencilc, case = pathlib.Path(sys.argv[1]), ("heat", "f64", (64, 80, 96))
command = [stencilc, "--gpu=h200"]

own = climb.Case(None, command, case, None)
start = own.canonical("zblock/32x4x1/c8/v2x2/r4/whole")
beside = climb.neighbours(start)
assert start not in beside and len(set(beside)) == len(beside)
legal = {own.canonical(other) for other in beside} - {None}
# One choice of each kind: sides, chunk, points a thread, planes ahead, residency, a flag, the variant.
for other in ["zblock/64x4x1/c8/v2x2/r4/whole", "zblock/64x2x1/c8/v2x2/r4/whole",
              "zblock/32x4x1/c16/v2x2/r4/whole", "zblock/32x4x1/c8/v2x1/r4/whole",
              "zblock/32x4x1/c8/v2x2/p1/r4/whole", "zblock/32x4x1/c8/v2x2/r5/whole",
              "zblock/32x4x1/c8/v2x2/r4", "baseline/32x4x1/v2x2/r4"]:
    assert other in legal, (other, legal)
assert len(legal) < len(beside), "all neighbours are legal?"


# Milliseconds that fall towards blocks of 64 x 2 with a chunk of 32, whatever else there is.
def milliseconds(schedule):
    x, y, chunk = map(int, re.match(r"zblock/(\d+)x(\d+)x1(?:/c(\d+))?", schedule).groups(default=1))
    return 1 + abs(x - 64) / 64 + abs(y - 2) / 2 + abs(chunk - 32) / 32


def time(schedules):
    return {schedule: milliseconds(schedule) for schedule in schedules if schedule.startswith("zblock")}


times = climb.climb(start, own.canonical, time)
best = min(times, key=times.get)
assert best.startswith("zblock/64x2x1/c32/"), best
assert times[best] == 1 and times[start] > 1
# Where it starts at the top, it times neighbours once and stays.
again = climb.climb(best, own.canonical, time)
assert min(again.values()) == 1 and len(again) <= len(climb.neighbours(best)) + 1

told = climb.summary([{"example": "heat", "real": "f64", "extents": [64, 80, 96], "chosen": "a",
                       "started": "b", "family": {"b": 2.0}, "climbed": {"b": 2.0, "c": 1.0},
                       "finalists": {"a": 4.0, "b": 2.0, "c": 1.0}}])
assert "25.0 % of the fastest" in told and "| 0.500 | 0.250 |" in told, told


# A whole case without a GPU: what is emitted is not built, and says itself how long it takes.
class Interface:
    def __init__(self, folder):
        self.calls = ["run", milliseconds(re.search(r"zblock/\S+", (folder / "step.cu").read_text())[0])]

    def without_results(self, args):
        return args


class Arrays:
    def __init__(self, tools, interface, extents):
        assert extents == case[2]

    def place(self, interface, extents):
        return ctypes.c_int()

    def free(self):
        pass


class Tools:
    def time_steps(self, run, ms, args, steps, repeats):
        return ms


def build(folder, entry):
    if not entry["schedule"].startswith("zblock"):
        raise lab.Failed("refused")
    entry["registers"] = 32


onestep.Interface, onestep.Arrays, onestep.build = Interface, Arrays, build
searched = [{"schedule": start, "ms": 2.0, "why": ["fixed"]},
            {"schedule": own.canonical("zblock/32x8x1/c8"), "ms": 3.0, "why": ["ranking"]}]
found = climb.climb_case(Tools(), command, case, searched)
assert start in found["family"]
assert all(climb.kind_of(other) == climb.kind_of(start) for other in found["family"])
alike = own.family("zblock/32x8x1/c8/r4")
assert len(alike) > 20 and all(climb.kind_of(other) == ("zblock", set()) for other in alike)
assert found["started"] == start and found["chosen"] == searched[1]["schedule"]
assert len(found["finalists"]) == climb.FINALISTS and found["chosen"] in found["finalists"]
assert min(found["finalists"].values()) == 1
assert json.loads(json.dumps(found)) == found
