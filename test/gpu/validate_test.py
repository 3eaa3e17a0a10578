"""A run of validate.py that was stopped goes on at the problem where it was, cold grids among what is counted."""
import ctypes
import json
import pathlib
import sys
import tempfile

import counters
import lab
import onestep
import validate


class Interface:
    calls, pointers = [0, 0], {"u": 4}

    def __init__(self, folder):
        pass


class Arrays:
    def __init__(self, tools, interface, extents):
        pass

    def place(self, interface, extents):
        return ctypes.c_int()

    def free(self):
        pass


class Tools:
    def time_steps(self, run, needed, args, steps, samples):
        return .5

    def time_swept(self, run, needed, args, again, samples):
        return .1 if again else .2


class Stopped(Exception):
    pass


def entry(problem, schedule):
    runs = [{"extents": [n] * 3, "schedule": schedule} for n in (64, 512)]
    return {"folder": problem, "source": "papers", "problem": problem, "real": "f32", "kernel": "k",
            "schedule": schedule, "runs": runs, "exact": False}


counted, stop_at = [], [3]


def count(command, schedules, cold=False):
    if len(counted) == stop_at[0]:
        raise Stopped
    counted.append((command[command.index("--case") + 1], len(schedules), cold))
    return [({"load_sectors": 8.0 if cold else 1.0}, ["kernel"])] * len(schedules)


onestep.Interface, onestep.Arrays = Interface, Arrays
onestep.load_tools, onestep.copy_rate = lambda folder: Tools(), lambda tools: 1e12
onestep.build_all = lambda folder: (lab.read_manifest(folder)["entries"], [])
validate.compare = lambda tools, entries, folder: {one["schedule"]: 0.0 for one in entries}
counters.count = count
lab.machine = lambda: {"gpu": "none"}
lab.before_and_after = lambda work: (work(), {"before": {}, "after": {}})

with tempfile.TemporaryDirectory() as scratch:
    folder, results = pathlib.Path(scratch), pathlib.Path(scratch) / "results.json"
    lab.write_manifest(folder, [entry("one", "baseline/32x8x1"), entry("two", "temporal/32x8x1/c32/t2/r1")])
    sys.argv = ["validate.py", "run", scratch, "-o", str(results), "--counted", "papers", "--cold", "papers"]
    try:
        validate.main()
        raise AssertionError("was not stopped")
    except Stopped:
        pass
    kept = json.loads(results.read_text())
    assert kept["left"] == 1 and [one["problem"] for one in kept["entries"]] == ["one"], kept
    stop_at[0] = 9
    assert validate.main() == 0
    # Of each problem, both grids as they are and the small one cold; the first of the second was stopped after.
    assert counted == [(0, 2, False), (0, 1, True), (1, 2, False), (1, 2, False), (1, 1, True)], counted
    kept = json.loads(results.read_text())
    assert kept["left"] == 0 and kept["commit"] == lab.commit() and set(kept["clocks"]) == {
        "papers one f32", "papers two f32"}, kept
    small, large = kept["entries"][1]["runs"]
    assert small["steps_a_launch"] == 2 and small["cold_ms"] == .2 and small["warm_ms"] == .1
    assert small["cold_counters"] == {"load_sectors": 8.0} and small["counters"] == {"load_sectors": 1.0}
    assert "cold_ms" not in large and "cold_counters" not in large and "counters" in large
    # Results of other forecasts are not gone on with.
    lab.write_manifest(folder, [], commit="other")
    try:
        validate.main()
        raise AssertionError("went on with results of other forecasts")
    except lab.Failed as failure:
        assert "results.json" in str(failure), failure
