"""draw.py --stencilc PATH -o FOLDER [NAME...]: the examples in pictures.

Writes into FOLDER a picture of each example's result, by the reference interpreter, and the page of
its --explain=html; of all of them also index.html, and README.md, which shows the pictures alone.
Takes NumPy, Matplotlib and Pillow; no GPU.
"""
import argparse
import html
import io
import json
import pathlib
import subprocess
import sys
import tempfile
from typing import List, NamedTuple

EXAMPLES = pathlib.Path(__file__).resolve().parents[1]
COMMAND = "python3 examples/gallery/draw.py --stencilc build/stencilc -o examples/gallery"


class Run(NamedTuple):
    """What is drawn of an example."""
    array: str
    steps: int
    cut: str = ""  # of three axes; the middle plane


# By the number of axes: wide enough to see something, small enough for the interpreter.
EXTENTS = {1: {"x": 128}, 2: {"z": 64, "y": 64, "x": 96}, 3: {"z": 24, "y": 48, "x": 64}}
RUNS = {
    "19pt": Run("u", 2),
    "7pt1": Run("u", 20),
    "7pt2": Run("u", 20),
    "7pt3": Run("u", 20),
    "box27": Run("u", 5),
    "burgers": Run("u", 100),
    "diffusion": Run("f", 20),
    "elastic": Run("vz", 300),
    "fdtd2d": Run("hz", 40),
    "gray_scott": Run("v", 100),
    "hdiff": Run("u", 20),
    "hdiff_stages": Run("u", 20),
    "heat": Run("u", 20),
    "heat1d": Run("u", 400),
    "jacobi5": Run("u", 400),
    "jacobi9": Run("u", 10),
    "lbm": Run("fe", 60),
    "life": Run("alive", 60),
    "maxwell3d": Run("ez", 30),
    "poisson_jacobi": Run("u", 400),
    "pressure19": Run("p", 20, "y=24"),
    "shallow_water": Run("h", 60),
    "srad": Run("image", 60),
    "star1": Run("u", 10),
    "star2": Run("u", 10),
    "star2d2": Run("u", 40),
    "star3": Run("u", 10),
    "star4": Run("u", 10),
    "star5": Run("u", 10),
    "wave": Run("p", 70, "z=6"),
}


def ask(program: pathlib.Path, name: str, *flags: str) -> str:
    return subprocess.run([program, EXAMPLES / f"{name}.stn", *flags], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def about(name: str) -> str:
    """The comment that an example opens with."""
    lines = (EXAMPLES / f"{name}.stn").read_text().splitlines()
    comment = next(i for i, line in enumerate(lines) if not line.startswith("//"))
    return " ".join(line[2:].strip() for line in lines[:comment])


def draw(program: pathlib.Path, name: str, into: pathlib.Path) -> None:
    import numpy
    from PIL import Image, PngImagePlugin
    sys.path.insert(0, str(EXAMPLES.parent / "runtime/python"))
    from stencilc import plot

    run = RUNS[name]
    axes: List[str] = json.loads(ask(program, name, "--emit=interface"))["axes"]
    extents = {axis: EXTENTS[len(axes)][axis] for axis in axes}
    with tempfile.TemporaryDirectory() as folder:
        flags = [f"--size={axis}={points}" for axis, points in extents.items()]
        ask(program, name, "--emit=values", f"--steps={run.steps}", *flags, "-o", f"{folder}/v.npy")
        one = pathlib.Path(folder, "v.npy")
        values = numpy.load(one if one.exists() else one.with_name(f"v_{run.array}.npy"))
    figure = plot.show(values, run.cut or None, title=f"{run.array} after {run.steps} steps")
    if len(axes) == 2:
        figure.axes[0].set_ylabel(axes[0])
    figure.set_size_inches(3.6, 2.7)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=100)
    picture = Image.open(drawn)
    drawn_by = PngImagePlugin.PngInfo()
    drawn_by.add_text("Software", picture.info["Software"])
    picture.convert("RGB").quantize(128).save(into, optimize=True, pnginfo=drawn_by)


def markdown() -> str:
    """The index that shows pictures."""
    rows = [f"| ![{name}]({name}.png) | [{name}](../{name}.stn): {about(name)} |"
            for name in sorted(RUNS)]
    return "\n".join(["# The examples in pictures", "", f"    {COMMAND}", "",
                      "draws them anew, and writes beside them, for a browser, `index.html` with",
                      "the page of each one's `--explain=html`. Those follow from the model of",
                      "today and are not kept.", "", "| | |", "|---|---|", *rows, ""])


def page() -> str:
    """The index that has the pages too."""
    parts = [f'<figure><a href="{name}.html"><img src="{name}.png" alt="{name}"></a>'
             f'<figcaption><a href="{name}.html">{name}</a>: {html.escape(about(name))}'
             "</figcaption></figure>" for name in sorted(RUNS)]
    return "\n".join(["<!DOCTYPE html>", '<html lang="en"><meta charset="utf-8">',
                      "<title>Examples of stencilc</title>", "<style>body { font: 15px sans-serif; "
                      "display: flex; flex-wrap: wrap } figure { width: 360px }</style>",
                      *parts, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stencilc", type=pathlib.Path, required=True, help="the compiler")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, help="a folder")
    parser.add_argument("names", nargs="*", metavar="NAME", help="an example (all, with an index)")
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    for name in given.names or RUNS:
        draw(given.stencilc.resolve(), name, given.output / f"{name}.png")
        (given.output / f"{name}.html").write_text(
            ask(given.stencilc.resolve(), name, "--explain=html"))
    if not given.names:
        (given.output / "README.md").write_text(markdown())
        (given.output / "index.html").write_text(page())


if __name__ == "__main__":
    main()
