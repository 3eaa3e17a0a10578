"""plot.py FOLDER: what is drawn of an array, read back from the drawings."""
import base64
import pathlib
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy
from PIL import Image

import stencilc
from stencilc import plot

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True)
z, y, x = numpy.meshgrid(range(4), range(6), range(8), indexing="ij")
u = (100*z + 10*y + x).astype("f8")


def run(*arguments, fails=""):
    done = subprocess.run([sys.executable, "-m", "stencilc.plot", *map(str, arguments)], cwd=folder,
                          capture_output=True, text=True)
    assert bool(done.returncode) == bool(fails) and fails in done.stderr, done.stderr
    assert "Traceback" not in done.stderr, done.stderr


# ---- cuts
shown, axes, at = plot.plane(u)
assert (shown == u[2]).all() and (axes, at) == ("yx", "z=2")
shown, axes, at = plot.plane(u, "x=-1")
assert (shown == u[:, :, 7]).all() and (axes, at) == ("zy", "x=7")
shown, axes, at = plot.plane(u[0], "y=1")
assert (shown == u[0, 1]).all() and (axes, at) == ("x", "y=1")

# ---- figures: the values are there, with the points where they belong
figure = stencilc.show(u, "y=3", title="u")
image = figure.axes[0].get_images()[0]
assert (image.get_array() == u[:, 3, :]).all() and image.get_clim() == (30, 337)
assert figure.axes[0].get_title() == "u, y=3" and image.origin == "lower"
assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("x", "z")
line = stencilc.show(u[0, 0], limits=(0, 5)).axes[0]
assert (line.get_lines()[0].get_ydata() == u[0, 0]).all() and line.get_ylim() == (0, 5)
broken = u[0].copy()
broken[0, 0], broken[0, 1] = numpy.nan, numpy.inf
assert stencilc.show(broken).axes[0].get_images()[0].get_clim() == (2, 57)


class OnDevice:
    def get(self):
        return u[0]


assert (stencilc.show(OnDevice()).axes[0].get_images()[0].get_array() == u[0]).all()

# ---- files
for number in range(3):
    numpy.save(folder / f"u{number}.npy", u + 1000*number)
numpy.save(folder / "v.npy", u[0].astype("f4"))
run("u0.npy", "-o", "u.png", "--cut", "z=1", "--limits=0:400")
assert Image.open(folder / "u.png").size[0] > 100
run("v.npy", "-o", "v.svg")
assert "<svg" in (folder / "v.svg").read_text()
run("u0.npy", "u1.npy", "u2.npy", "-o", "u.gif")
movie = Image.open(folder / "u.gif")
assert movie.n_frames == 3
frames = []
for number in range(3):
    movie.seek(number)
    frames.append(numpy.asarray(movie.convert("RGB")).copy())
assert (frames[0] != frames[1]).any() and (frames[1] != frames[2]).any()

# ---- for ParaView, read as VTK's format says
run("u0.npy", "u1.npy", "-o", "u.vti")
root = ET.parse(folder / "u.vti").getroot()
assert root.get("byte_order") == "LittleEndian" and root.get("header_type") == "UInt64"
assert root.find("ImageData").get("WholeExtent") == "0 7 0 5 0 3"
found = {}
for data in root.iter("DataArray"):
    raw = base64.b64decode(data.text)
    assert struct.unpack("<Q", raw[:8])[0] == len(raw) - 8 and data.get("type") == "Float64"
    found[data.get("Name")] = numpy.frombuffer(raw[8:], "<f8").reshape(u.shape)
assert (found["u0"] == u).all() and (found["u1"] == u + 1000).all()
run("v.npy", "-o", "v.vti")
assert re.search('WholeExtent="0 7 0 5 0 0".*Float32', (folder / "v.vti").read_text(), re.DOTALL)

# ---- what cannot be drawn
(folder / "text.npy").write_text("nothing")
numpy.save(folder / "whole.npy", numpy.zeros((2, 2), "i4"))
numpy.save(folder / "empty.npy", numpy.zeros((0, 2)))
run("none.npy", "-o", "a.png", fails="stencilc.plot: none.npy: ")
run("text.npy", "-o", "a.png", fails="stencilc.plot: text.npy: ")
run("whole.npy", "-o", "a.png", fails="whole.npy: holds int32, no f32 or f64")
run("empty.npy", "-o", "a.png", fails="there is no point in an array of shape (0, 2)")
run("u0.npy", "-o", "a.png", "--cut", "z=4", fails="there is no z=4: z has 4 points")
run("u0.npy", "-o", "a.png", "--cut", "t=4", fails="`t=4` is no cut; it takes an axis of z, y, x")
run("u0.npy", "u1.npy", "-o", "a.png", fails="several files are a film: let -o end in .gif")
run("u0.npy", "v.npy", "-o", "a.gif", fails="the frames of a film have one shape")
run("u0.npy", "v.npy", "-o", "a.vti", fails="the arrays of one .vti file have one shape")
run("u0.npy", "-o", "none/a.png", fails="stencilc.plot: ")
assert not (folder / "a.png").exists()
