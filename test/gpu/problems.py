"""What validate.py measures: stencils, sizes, and kernels by the options that make them."""

import collections
import itertools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES, PAPERS, SYNTHETIC = ROOT / "examples", ROOT / "test/papers/Inputs", ROOT / "test/gpu/Inputs"

Problem = collections.namedtuple("Problem", "source name file real sizes kernels")
# How a kernel is asked for: its name in the source, and the options that make it.
Kernel = collections.namedtuple("Kernel", "name options")
CHOSEN = "chosen"


def axes_of(file):
    """The names of a stencil's axes, as its text declares them."""
    return re.search(r"^stencil \w+\(([^)]*)\)", file.read_text(), re.M)[1].split(", ")


def shapes(name, variant, blocks, chunks=(None,)):
    return [Kernel(name, [f"--variant={variant}", f"--block={block}",
                          *([f"--chunk={chunk}"] if chunk else [])])
            for block, chunk in itertools.product(blocks, chunks)]


def scheduled(*parts):
    """All schedules of alternatives, part by part."""
    texts = ("/".join(part for part in choice if part) for choice in itertools.product(*parts))
    return [Kernel(text.split("/")[0], [f"--schedule={text}"]) for text in texts]


MARUYAMA_BLOCKS = ["128x1x1", "128x2x1", "64x2x1", "64x4x1", "32x4x1", "32x8x1", "256x1x1"]
MARUYAMA = [kernel for name, variant in [
    ("Baseline", "maruyama-baseline"), ("OPT", "opt"), ("ROC", "roc"), ("SHM", "maruyama-shm"),
    ("SHM-TEX", "shm-tex"), ("SHM-WARP", "shm-warp"), ("SHM-WARP, text", "shm-warp-text")]
    for kernel in shapes(name, variant, MARUYAMA_BLOCKS, [16, 64])] + shapes(
        "TEMP", "temp", ["32x4x1", "32x6x1", "32x8x1"], [32, 64])
NASCIUTTI = [kernel for name in ["base", "comp", "csl", "base-intz", "comp-intz", "csl-intz",
                                 "base-intz-reg", "comp-intz-reg", "csl-intz-reg"]
             for kernel in shapes(name.upper(), name, ["32x16x1"])]
SU = (shapes("baseline", "su-baseline", ["32x4x1", "32x8x1", "64x2x2", "64x4x1", "128x1x1", "32x8x4"])
      + shapes("z-blocked", "su-z-blocked", ["32x4x1", "32x8x1", "64x4x1"], [8, 32]))
SU_STENCILS = ["7pt1", "7pt2", "7pt3", "19pt"]
SU_DEPTHS = shapes("baseline", "su-baseline", [f"32x4x{z}" for z in (1, 2, 4, 8)])
SU_CHUNKS = shapes("z-blocked", "su-z-blocked", ["32x4x1", "32x32x1"], [2 ** n for n in range(9)])


def is_sweep(name):
    """Of a problem: kernels of a paper's figure, beside which nothing is chosen."""
    return " " in name


# The stencil papers: every kernel of each, for its own problem and sizes, and what is chosen.
PAPER_PROBLEMS = [
    Problem("maruyama2014", "diffusion", EXAMPLES / "diffusion.stn", "f32",
            [(256,) * 3, (512,) * 3], MARUYAMA),
    *(Problem("nasciutti2017", f"star{r}", PAPERS / f"star{r}.stn", "f32",
              [(256, 256, x) for x in (128, 256, 512, 1024, 2048)], NASCIUTTI) for r in range(1, 6)),
    # Planes too large for the L2 of today: where rates and counters fall is the cliff of its figures.
    *(Problem("nasciutti2017", f"star{r} cliff", PAPERS / f"star{r}.stn", "f32",
              [(48, 2048, x) for x in range(256, 2561, 256)], NASCIUTTI[:1]) for r in range(1, 6)),
    *(Problem("su2015", name, EXAMPLES / f"{name}.stn", "f64", [(n,) * 3 for n in (64, 128, 256, 512)],
              SU) for name in SU_STENCILS),
    # Its figures: blocks of several planes, and chunks.
    *(Problem("su2015", f"{name} depths", EXAMPLES / f"{name}.stn", "f64", [(256,) * 3, (512,) * 3], SU_DEPTHS)
      for name in SU_STENCILS),
    Problem("su2015", "7pt1 chunks", EXAMPLES / "7pt1.stn", "f64", [(256,) * 3, (512,) * 3], SU_CHUNKS),
]


def marches(columns):
    return (scheduled(["baseline"], ["32x4x1", "32x8x1", "128x2x1"], ["", f"v{columns}x1"])
            + scheduled(["zblock"], ["32x8x1", "32x4x1"], ["c8", "c32", "c128"],
                        ["", f"v{columns}x1", f"v{columns}x2"])
            + scheduled(["zblock/32x8x1"], ["c8", "c32"], [f"v{columns}x1"], ["r2", "r4", "r8"]))


# Kernels that do one thing at a time: what constants of a device are found from.
SYNTHETIC_PROBLEMS = [
    Problem("synthetic", name, SYNTHETIC / f"{name}.stn", real,
            [(64,) * 3, (128,) * 3, (256,) * 3, (300, 450, 600), (512,) * 3, (256, 256, 2048)],
            marches(4 if real == "f32" else 2))
    for name in ("copy", "column", "plane", "chain") for real in ("f32", "f64")]

# Blocks whose rows are parts of lines: of arrays that are rewritten in place, and of such as are not.
NARROW_PROBLEMS = [
    Problem("narrow", name, SYNTHETIC / f"{name}.stn", real, [(512,) * 3],
            scheduled(["baseline"], blocks) + scheduled(["zblock"], blocks, ["c4", "c16", "c64"]))
    for name in ("own1", "own3", "own_consts", "apart1", "apart3", "own_around")
    for real, blocks in (("f32", ["8x2x1", "8x8x1", "16x2x1", "16x8x1", "32x8x1"]),
                         ("f64", ["8x2x1", "8x8x1", "16x2x1", "16x8x1"]))]

SETS = {"narrow": NARROW_PROBLEMS, "papers": PAPER_PROBLEMS, "synthetic": SYNTHETIC_PROBLEMS}
BY_NAME = {(p.source, p.name, p.real): p for kinds in SETS.values() for p in kinds}
