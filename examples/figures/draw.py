"""draw.py --stencilc PATH -o FOLDER: what papers predicted in figures, as stencilc predicts it.

One SVG a figure; README.md says what each shows. Keys of papers: test/papers/README.md.
"""
import argparse
import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from plot import Figure, Powers, Shapes

ROOT = pathlib.Path(__file__).resolve().parents[2]
MIB = 1 << 20

# Levels of memory: key in reports, name in [su2015], colour.
LEVELS = [("smx", "SMX", "green"), ("l2", "L2", "orange"), ("dram", "GM", "blue")]
# The stencils of [su2015] and registers a thread; 36 give 19PT the occupancies of its section 4.3.
STENCILS = {"7PT-1": ("7pt1", 32), "7PT-2": ("7pt2", 32), "7PT-3": ("7pt3", 32),
            "19PT": ("19pt", 36)}
RADII = {1: "blue", 2: "green", 3: "orange", 4: "red", 5: "violet"}


class Stencilc:
    """Asks stencilc for predictions."""

    def __init__(self, program):
        self.program = program

    def text(self, *arguments):
        command = [self.program, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"draw.py: {' '.join(command)}: {done.stderr.strip()}")
        return done.stdout

    @functools.cache
    def explain(self, *arguments):
        """One report."""
        return json.loads(self.text("--explain=json", *arguments))

    @functools.cache
    def sweep(self, over, *arguments):
        """A row for each point of the range."""
        return json.loads(self.text(f"--sweep={over}", "--explain=json", *arguments))

    def gpu_without(self, gpu, constant, folder):
        """A profile with one constant set to 0."""
        changed, count = re.subn(rf"({constant}: +{{ value: )[^,]+", r"\g<1>0",
                                 self.text("--print-gpu", gpu))
        assert count == 1, f"{gpu} has no single `{constant}`"
        profile = pathlib.Path(folder, f"{gpu}-without-{constant}.yaml")
        profile.write_text(changed)
        return profile


def on_k20(stencil, gpu="k20"):
    name, registers = STENCILS[stencil]
    return (ROOT / f"examples/{name}.stn", f"--gpu={gpu}", f"--registers={registers}",
            "--size=x=256,y=256,z=256")


def shape(row):
    return tuple(map(int, row["schedule"].split("/")[1].split("x")))


def blocks(stencilc, stencil):
    """One point a thread, by block shape: powers of two, no wider than the grid."""
    forced = "--schedule=baseline/32x1x1", *on_k20(stencil)
    rows = stencilc.sweep("block", *forced) + [stencilc.explain(*forced)]
    return {shape(row): row for row in sorted(rows, key=shape) if 32 <= shape(row)[0] <= 256}


def marches(stencilc, stencil, gpu="k20"):
    """Marches along z, by rows of a block and planes of a chunk; blocks are 32 wide."""
    return {(rows, 1 << at): row
            for rows in (1, 2, 4, 8, 16, 32)
            for at, row in enumerate(stencilc.sweep(
                "chunk", f"--schedule=zblock/32x{rows}x1", *on_k20(stencil, gpu)))}


def block_axis(rows):
    return Shapes(("Bx", "By", "Bz"), list(rows))


def march_axis(rows):
    return Shapes(("By", "chunk"), list(rows))


def values(rows, of):
    return [(key, of(row)) for key, row in rows.items()]


def volumes(panel, rows):
    for level, name, colour in LEVELS:
        panel.line(values(rows, lambda row: row["volumes"][f"{level}_bytes"] / MIB), colour,
                   f"V {name}")


def su2015_fig1(stencilc):
    rows = blocks(stencilc, "7PT-1")
    figure = Figure("Bytes that cross each level, by block shape", "[su2015] Fig. 1",
                    "V SMX is the same for all; V L2 falls as blocks grow; V GM falls with Bz.")
    volumes(figure.panel("7PT-1, one point a thread, 256³ points, K20", block_axis(rows),
                         "MiB a time step", 300), rows)
    return figure


def su2015_fig2(stencilc):
    figure = Figure("Time that each level needs; the longest is predicted", "[su2015] Fig. 2",
                    "Device memory bounds the stencils of 7 points in nearly all blocks, and by "
                    "equation (6), which counts no edges of blocks, 19PT too.")
    axis = block_axis(blocks(stencilc, "7PT-1"))
    for stencil in STENCILS:
        rows = blocks(stencilc, stencil)
        panel = figure.panel(f"{stencil}, one point a thread, 256³ points, K20", axis,
                             "ms a time step", 170)
        panel.line(values(rows, lambda row: row["predicted_ms"]), "ink", "(2)", "wide")
        for level, name, colour in LEVELS:
            panel.line(values(rows, lambda row: row["times_ms"][level]), colour, f"V {name} / BW")
    return figure


def su2015_fig3(stencilc):
    rows = marches(stencilc, "7PT-1")
    figure = Figure("Bytes that cross each level, by chunk", "[su2015] Fig. 3",
                    "All fall as chunks grow, V GM but for the longest.")
    volumes(figure.panel("7PT-1, marches along z, 256³ points, Bx = 32, K20", march_axis(rows),
                         "MiB a time step", 300), rows)
    return figure


def su2015_fig4(stencilc):
    figure = Figure("Bytes to and from device memory, with and without misses of the L2",
                    "[su2015] Fig. 4", "They part as chunks grow, most for 7PT-3.")
    axis = march_axis(marches(stencilc, "7PT-1"))
    with tempfile.TemporaryDirectory() as folder:
        without = stencilc.gpu_without("k20", "epsilon", folder)
        for stencil in STENCILS:
            panel = figure.panel(f"{stencil}, marches along z, 256³ points, Bx = 32, K20", axis,
                                 "MiB a time step", 170)
            for gpu, colour, label in (("k20", "blue", "ε = 0.01"), (without, "green", "ε = 0")):
                rows = marches(stencilc, stencil, gpu)
                panel.line(values(rows, lambda row: row["volumes"]["dram_bytes"] / MIB), colour,
                           label)
    return figure


def su2015_fig5(stencilc):
    figure = Figure("Predicted time of marches, before and after the adjustment",
                    "[su2015] Fig. 5", "Adjusted times rise with the longest chunks, which leave "
                    "few groups of blocks, and where occupancy is low.")
    axis = march_axis(marches(stencilc, "7PT-1"))
    for stencil in STENCILS:
        panel = figure.panel(f"{stencil}, marches along z, 256³ points, Bx = 32, K20", axis,
                             "ms a time step", 170)
        rows = {(rows, chunk): stencilc.explain(f"--schedule=zblock/32x{rows}x1/c{chunk}",
                                                *on_k20(stencil))["su2015"]
                for rows, chunk in axis.places}
        panel.line(values(rows, lambda row: row["unadjusted_ms"]), "red", "(2)")
        panel.line(values(rows, lambda row: row["adjusted_ms"]), "green", "(18), adjusted")
    return figure


def maruyama2014_roofline(stencilc):
    """Blocks, chunks and registers of Table 2."""
    kernels = [("m2075", "OPT", "zblock/128x1x1/c32/plain", 28),
               ("k20x", "OPT", "zblock/128x1x1/c32/plain", 30),
               ("k20x", "ROC", "zblock/128x1x1/c32", 30)]
    models = {"su2015": "blue", "geometric": "orange"}
    figure = Figure("Diffusion in f32 against the roofline of device memory",
                    "[maruyama2014] Fig. 3, 5 and 6",
                    "Predicted rates of our kernels, and above them what device memory allows.")
    reports = {(gpu.upper(), kernel, model): stencilc.explain(
                   ROOT / "examples/diffusion.stn", "--real=f32", f"--gpu={gpu}",
                   f"--model={model}", f"--registers={registers}", f"--schedule={schedule}",
                   "--size=x=256,y=256,z=256")
               for gpu, kernel, schedule, registers in kernels for model in models}
    axis = Shapes(("card", "kernel", "model"), list(reports))
    panel = figure.panel("256³ points, kernels that stencilc has", axis, "Gflop/s", 300)
    for key, report in reports.items():
        rate = report["gstencils_per_s"] * report["facts"]["flops"]
        panel.bar(key, rate, models[key[2]], f"{float(f'{rate:.2g}'):g}")
    for _, _, group in axis.groups(1):
        facts, memory = reports[group[0]]["facts"], reports[group[0]]["levels"][-1]
        intensity = facts["flops"] / facts["compulsory_bytes"]
        bandwidth = memory["bandwidth_bytes_per_s"] / 1e9
        panel.level(group[0], group[-1], intensity * bandwidth, "ink",
                    f"{intensity} flop/B × {bandwidth:g} GB/s = {intensity * bandwidth:.0f}")
    return figure


def cut_off(radius, capacity, rows=256):
    """Width of an XY plane of f32 that a cache holds with all it reads, [nasciutti2017] 6."""
    return (capacity / 4 - 2 * radius * rows) / (rows + 2 * radius + 2 * radius * rows)


def nasciutti2017_cutoffs(stencilc):
    figure = Figure("Stars of radius 1 to 5 in f32, by width of the grid",
                    "[nasciutti2017] 6 and Fig. 4",
                    "Bytes of device memory rise to those of reading every plane anew, from below "
                    "the widths at which a plane and what it reads outgrow the L2.")
    axis = Powers("points along x; y = z = 256", 32, 2048)
    above = figure.panel("BASE: one point a thread, plain loads. Dashed: the paper's cut-offs, "
                         "from the size of the L2", axis, "bytes of device memory a point", 240)
    rates = {kernel: figure.panel(f"{kernel}: one point a thread, {loads}", axis, "Gflop/s", 170)
             for kernel, loads in (("BASE", "plain loads"), ("CSL", "read-only cache"))}
    schedules = {"BASE": "baseline/32x16x1/plain", "CSL": "baseline/32x16x1"}
    for radius, colour in RADII.items():
        for kernel, panel in rates.items():
            arguments = (ROOT / f"test/papers/Inputs/star{radius}.stn", "--real=f32", "--gpu=k80",
                         "--model=geometric", "--registers=64", f"--schedule={schedules[kernel]}",
                         "--size=y=256,z=256")
            rows = {row["size"]["x"]: row for row in stencilc.sweep("size:32:2048:32", *arguments)}
            report = stencilc.explain(*arguments)
            panel.line(values(rows, lambda row: row["gstencils_per_s"] * report["facts"]["flops"]),
                       colour, f"radius {radius}")
            if panel is rates["BASE"]:
                above.line(values(rows, lambda row: row["volumes"]["dram_bytes"] / row["points"]),
                           colour, f"radius {radius}")
                width = cut_off(radius, report["geometric"]["effective_l2_bytes"])
                above.mark(width, colour, f"{width:.0f}")
    return figure


FIGURES = [su2015_fig1, su2015_fig2, su2015_fig3, su2015_fig4, su2015_fig5, maruyama2014_roofline,
           nasciutti2017_cutoffs]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stencilc", default=ROOT / "build/stencilc", help="the program to ask")
    parser.add_argument("-o", dest="folder", type=pathlib.Path, required=True,
                        help="where the figures go")
    options = parser.parse_args()
    stencilc = Stencilc(options.stencilc)
    options.folder.mkdir(parents=True, exist_ok=True)
    for figure in FIGURES:
        path = options.folder / f"{figure.__name__.replace('_', '-')}.svg"
        path.write_text(figure(stencilc).svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
