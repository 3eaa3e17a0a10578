"""Drawings of .npy files: python3 -m stencilc.plot u.npy -o u.png

One axis is drawn as a line, two as a picture; of three a plane is shown. Several files of one shape
are a film (.gif). What ends in .vti is written for ParaView, all points of it. Pictures take
Matplotlib.
"""
import argparse
import base64
import pathlib
import re
import struct
import sys
from typing import Any, List, Optional, Sequence, Tuple

import numpy

from ._tool import StencilError

AXES = "zyx"


def axes_of(array: Any) -> str:
    """zyx, yx or x."""
    if not 1 <= array.ndim <= 3:
        raise StencilError(f"an array has one to three axes; this one has shape {array.shape}")
    if array.size == 0:
        raise StencilError(f"there is no point in an array of shape {array.shape}")
    return AXES[-array.ndim:]


def plane(array: Any, cut: Optional[str] = None) -> Tuple[Any, str, str]:
    """At most two axes of an array, their names, and where it was cut: `z=8`, in the middle of the
    slowest axis unless it is said."""
    axes = axes_of(array)
    if not cut:
        if array.ndim < 3:
            return array, axes, ""
        cut = f"z={array.shape[0] // 2}"
    found = re.fullmatch(r"([zyx])=(-?\d+)", cut)
    if not found or found[1] not in axes or array.ndim == 1:
        raise StencilError(f"`{cut}` is no cut; it takes an axis of {', '.join(axes)} and a point, "
                           "as in z=8")
    axis, point = axes.index(found[1]), int(found[2])
    points = array.shape[axis]
    if not -points <= point < points:
        raise StencilError(f"there is no {cut}: {found[1]} has {points} points")
    return numpy.take(array, point, axis), axes.replace(found[1], ""), f"{found[1]}={point % points}"


def show(array: Any, cut: Optional[str] = None, *, title: str = "",
         limits: Optional[Tuple[float, float]] = None) -> Any:
    """A Matplotlib figure of an array: anything that NumPy takes, or that has .get() or .cpu() to
    bring it from a GPU."""
    for name in ("detach", "cpu", "get"):
        if not hasattr(array, "__array_interface__") and hasattr(array, name):
            array = getattr(array, name)()
    shown, axes, at = plane(numpy.asarray(array), cut)
    from matplotlib.figure import Figure
    figure = Figure(layout="constrained")
    drawing = figure.add_subplot()
    drawing.set_title(", ".join(part for part in (title, at) if part))
    drawing.set_xlabel(axes[-1])
    if shown.ndim == 1:
        drawing.plot(shown)
        if limits:
            drawing.set_ylim(limits)
        return figure
    low, high = limits or limits_of([shown])
    image = drawing.imshow(shown, origin="lower", vmin=low, vmax=high, interpolation="nearest")
    drawing.set_ylabel(axes[0])
    figure.colorbar(image)
    return figure


def limits_of(arrays: Sequence[Any]) -> Tuple[float, float]:
    """The least and the greatest finite value."""
    finite = [array[numpy.isfinite(array)] for array in arrays]
    finite = [values for values in finite if values.size]
    if not finite:
        return 0.0, 1.0
    return float(min(map(numpy.min, finite))), float(max(map(numpy.max, finite)))


def film(arrays: Sequence[Any], path: "str | pathlib.Path", cut: Optional[str] = None,
         titles: Sequence[str] = (), limits: Optional[Tuple[float, float]] = None) -> None:
    """A .gif of arrays of one shape, with one scale."""
    from PIL import Image
    if len({array.shape for array in arrays}) != 1:
        raise StencilError("the frames of a film have one shape; these have "
                           + ", ".join(str(array.shape) for array in arrays))
    scale = limits or limits_of([plane(array, cut)[0] for array in arrays])
    frames: List[Any] = []
    for number, array in enumerate(arrays):
        figure = show(array, cut, title=titles[number] if titles else "", limits=scale)
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        frames.append(Image.fromarray(numpy.asarray(canvas.buffer_rgba())[..., :3]))
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=100, loop=0)


def write_vti(path: "str | pathlib.Path", arrays: "dict[str, Any]") -> None:
    """Arrays of one shape as an image of VTK, for ParaView: x runs fastest there too."""
    (shape,) = {array.shape for array in arrays.values()}
    extents = [1] * (3 - len(shape)) + list(shape)
    whole = " ".join(f"0 {points - 1}" for points in reversed(extents))
    lines = ['<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" '
             'header_type="UInt64">', f'<ImageData WholeExtent="{whole}" Origin="0 0 0" '
             'Spacing="1 1 1">', f'<Piece Extent="{whole}"><PointData>']
    for name, array in arrays.items():
        kind = {4: "Float32", 8: "Float64"}[array.dtype.itemsize]
        data = numpy.ascontiguousarray(array).tobytes()
        text = base64.b64encode(struct.pack("<Q", len(data)) + data).decode()
        lines.append(f'<DataArray type="{kind}" Name="{name}" format="binary">{text}</DataArray>')
    lines += ["</PointData></Piece></ImageData>", "</VTKFile>", ""]
    pathlib.Path(path).write_text("\n".join(lines), encoding="ascii")


def read(path: str) -> Any:
    try:
        array = numpy.load(path)
    except (OSError, ValueError) as error:
        raise StencilError(f"{path}: {error}") from None
    if array.dtype.str not in ("<f4", "<f8"):
        raise StencilError(f"{path}: holds {array.dtype}, no f32 or f64")
    axes_of(array)
    return array


def limits_from(text: str) -> Tuple[float, float]:
    low, high = text.split(":")
    return float(low), float(high)


def main(arguments: Optional[Sequence[str]] = None) -> None:
    parser = argparse.ArgumentParser(prog="python3 -m stencilc.plot", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE.npy")
    parser.add_argument("-o", "--output", required=True,
                        help="what Matplotlib writes (.png, .svg, .pdf), .gif, or .vti")
    parser.add_argument("--cut", metavar="z=8", help="the plane, or the line, to show")
    parser.add_argument("--limits", type=limits_from, metavar="LOW:HIGH",
                        help="the values at both ends of the scale")
    given = parser.parse_args(arguments)
    arrays = [read(file) for file in given.files]
    names = [pathlib.Path(file).stem for file in given.files]
    form = pathlib.Path(given.output).suffix
    if form == ".vti":
        if len({array.shape for array in arrays}) != 1:
            raise StencilError("the arrays of one .vti file have one shape")
        write_vti(given.output, dict(zip(names, arrays)))
    elif form == ".gif" or len(arrays) > 1:
        if form != ".gif":
            raise StencilError("several files are a film: let -o end in .gif")
        film(arrays, given.output, given.cut, names, given.limits)
    else:
        show(arrays[0], given.cut, title=names[0], limits=given.limits).savefig(given.output)


if __name__ == "__main__":
    try:
        main()
    except (StencilError, OSError, ImportError) as fault:
        sys.exit(f"stencilc.plot: {fault}")
