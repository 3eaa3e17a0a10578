"""Wave equations, whose steps read u[t-1], for fusedsteps.py: their text, and what is timed of them."""

import itertools
import json
import os
import pathlib
import re
import tempfile

import lab

# Wave equations: axes, order of the laplacian, and whether the velocity is an array. Of each, `fusedsteps.py
# write --leapfrog` emits the best tiles of some numbers of steps, and those that stand here.
WAVES = {"wave2d2o": (2, 2, False), "wave2d4o": (2, 4, False), "wave3d2o": (3, 2, False),
         "wave3d8o": (3, 8, True)}
MOST_TILES = 4
WAVE_TILES = {
    ("wave3d2o", "f32"): ["16x24x1/c64/t4/v4x2/p2/r1", "16x24x1/c73/t4/v4x2/p2/r1",
                          "16x16x1/c64/t4/v4x3/p2/r1", "16x24x1/c64/t3/v4x3/p2/r1"],
    ("wave3d2o", "f64"): ["32x8x1/c128/t4/v2x3/p2/r1", "32x12x1/c128/t3/v2x3/p2/r1",
                          "32x12x1/c128/t4/v2x2/p2/r1", "32x12x1/c86/t2/v2x3/p2/r1"],
    ("wave2d2o", "f32"): ["32x4/c656/t16/v12x2/p3/r2", "32x4/c656/t12/v8x2/p3/r3"],
    ("wave2d2o", "f64"): ["32x4/c656/t8/v13x2/p3/r2", "32x4/c656/t8/v9x2/p3/r2",
                          "32x4/c656/t12/v9x2/p3/r2", "32x4/c656/t12/v7x2/p3/r2"],
    ("wave2d4o", "f64"): ["32x4/c656/t8/v7x2/p3/r2", "32x4/c656/t4/v9x2/p3/r2"],
}


def steps_of(schedule):
    """Steps that a pass of it makes."""
    match = re.search(r"/t(\d+)/", schedule)
    return int(match.group(1)) if match else 1


def text_of(name):
    rank, order, has_velocity = WAVES[name]
    return (f"stencil {name}({', '.join('zyx'[-rank:])}) {{\n  field real u;\n"
            + ("  const real c;\n" if has_velocity else "") +
            f"  param real k = 0.05;\n  boundary u: fixed;\n"
            f"  u' = 2*u - u[t-1] + k{'*c' * has_velocity}*laplace(u, order={order});\n}}\n")


def jobs(stencilc, large, references):
    """Of each wave equation: the best single step, and the best candidates that fuse steps, of each
    number of steps one."""
    every = []
    for name, real in itertools.product(WAVES, ("f32", "f64")):
        rank = WAVES[name][0]
        with tempfile.TemporaryDirectory() as scratch:
            source = pathlib.Path(scratch) / "step.stn"
            source.write_text(text_of(name))

            size = ",".join(map("{}={}".format, "zyx"[-rank:], large[rank]))

            def ranked(option):
                said = lab.run([stencilc, source, "--gpu=h200", f"--real={real}", "--size", size,
                                "--explain=json", option, "-o", os.devnull])
                return [one["schedule"] for one in json.loads(said)["candidates"]]
            single, fusing = ranked("--fuse=1")[0], ranked("--variant=temporal")
        best = {}
        for schedule in fusing:
            best.setdefault(steps_of(schedule), schedule)
        some = [*list(best.values())[:MOST_TILES],
                *(f"temporal/{tile}" for tile in WAVE_TILES.get((name, real), []))]
        reference = references[rank]
        every += [(name, "leapfrog", real, reference, exact) for exact in (True, False)]
        every += [(name, "leapfrog", real, schedule, False) for schedule in (single, *some)]
        every.append((name, "leapfrog", real, some[0], True))
    return list(dict.fromkeys(every))
