"""gallery.py STENCILC EXAMPLES FOLDER: pictures of the gallery, drawn again into FOLDER, are those
that are kept; beside each is the page of --explain."""
import pathlib
import subprocess
import sys

import numpy
from PIL import Image

stencilc, examples, folder = map(pathlib.Path, sys.argv[1:])
kept = examples / "gallery"
NAMES = ["heat", "heat1d", "elastic", "pressure19"]  # 3 axes, 1, 2 that are not y and x


def software(path):
    return Image.open(path).info["Software"]


def pixels(path):
    return numpy.asarray(Image.open(path).convert("RGB"), dtype=float)


subprocess.run([sys.executable, "-B", kept / "draw.py", "--stencilc", stencilc, "-o", folder,
                *NAMES], check=True)
for name in NAMES:
    drawn, expected = pixels(folder / f"{name}.png"), pixels(kept / f"{name}.png")
    assert drawn.shape == expected.shape, name
    far = numpy.abs(drawn - expected).max(axis=2)
    # Another Matplotlib has other fonts. The same one gives the same picture, but for the last bits
    # of a processor's sine, which turn a shade here and there.
    same = software(folder / f"{name}.png") == software(kept / f"{name}.png")
    assert far.mean() < (0.1 if same else 10), f"{name} is another by {far.mean()}; draw it anew"
    explained = subprocess.run([stencilc, examples / f"{name}.stn", "--explain=html"], check=True,
                               stdout=subprocess.PIPE, text=True).stdout
    assert (folder / f"{name}.html").read_text() == explained, name
assert sorted(path.name for path in folder.iterdir()) == sorted(
    f"{name}.{form}" for name in NAMES for form in ("html", "png"))
