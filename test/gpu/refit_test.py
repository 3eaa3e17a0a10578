"""Forecasts of refit.py are --explain's, follow what is edited, and rank what was timed."""
import json
import math
import os
import pathlib
import sys

import lab
import refit

stencilc, tool, examples = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
UNAWAITED = refit.WITHOUT["latency of device memory"]


def run(name, real, extents, schedule, ms=1.0, case=0, steps=4):
    return refit.Run("searched", case, examples / f"{name}.stn", real, extents, steps, schedule, ms, 0, False)


def explained(run):
    sizes = ",".join(f"{axis}={n}" for axis, n in zip("zyx"[-len(run.extents):], run.extents))
    return json.loads(lab.run([stencilc, run.file, f"--real={run.real}", "--gpu=h200", "--size", sizes,
                               f"--schedule={run.schedule}", f"--steps={run.steps}", "--model=geometric",
                               "--explain=json", "-o", os.devnull]))["run"]["predicted_ms"] / run.steps


runs = [run("heat", "f32", (64, 80, 96), "zblock/32x8x1/c8/r4"),
        run("jacobi5", "f64", (1000, 1200), "baseline/32x8/r8"),
        run("heat", "f32", (512, 512, 512), "zblock/32x4x1/c32/v2x2/r4")]
forecasts = refit.Forecasts(tool, "h200", runs)
shipped = forecasts({})
for one, said in zip(runs, shipped):
    assert math.isclose(said, explained(one), rel_tol=1e-5), (one, said)
assert all(less < said for less, said in zip(forecasts(UNAWAITED), shipped))
# A march of one point a thread waits more often where turns issue no loads together, no other does.
turn_by_turn = forecasts(refit.WITHOUT["loads of four turns that become one, issued together"])
assert turn_by_turn[0] > shipped[0] and turn_by_turn[1:] == shipped[1:], (turn_by_turn, shipped)
assert forecasts({}) == shipped
assert forecasts.shipped("norm") > 1
try:
    forecasts({"no-such-constant": 1})
    assert False, "took a constant that is none"
except lab.Failed:
    pass

# The frames that the first step brings weigh less in longer runs.
short, long = refit.Forecasts(tool, "h200", [run("heat", "f32", (64,) * 3, "baseline/32x4x2", steps=steps)
                                             for steps in (4, 400)])({})
assert long < .9 * short, (short, long)

# Whole chunks of five planes were another kernel on 512 of them when the draws were timed.
assert not refit.is_emitted({"schedule": "zblock/32x4x1/c5/v4x2/r4/flat", "extents": (512,) * 3})
assert refit.is_emitted({"schedule": "zblock/32x4x1/c8/v4x2/r4/flat", "extents": (512,) * 3})

# Two cases: one in which the least predicted is the fastest, one in which it takes twice as long.
timed = [(run("heat", "f32", (), "", 1.0, 0), 5.0), (run("heat", "f32", (), "", 2.0, 0), 6.0),
         (run("heat", "f32", (), "", 1.0, 1), 8.0), (run("heat", "f32", (), "", 2.0, 1), 7.0)]
shares, tau = refit.chosen_among(timed)
assert shares == [.5, 1] and tau == 0
