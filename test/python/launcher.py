"""launcher.py EXAMPLES FOLDER: what starts the kernels of an emitted file compiles without CUDA, and
asks the driver for the launches that the file says. The driver here only takes notes."""
import ctypes
import pathlib
import subprocess
import sys

from stencilc import _program, _tool
from stencilc._interface import Interface

examples, folder = map(pathlib.Path, sys.argv[1:])
launches, attributes = [], []


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, *[ctypes.c_uint] * 7, ctypes.c_void_p,
                  ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p)
def launch(function, *rest):
    grid, block, shared, stream, params = rest[:3], rest[3:6], rest[6], rest[7], rest[8]
    launches.append((function, grid, block, shared, stream, [
        ctypes.c_uint64.from_address(params[i]).value for i in range(2)]))
    return 0


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_int)
def set_attribute(*given):
    attributes.append(given)
    return 0


def run(name, schedule, steps, extent, *more):
    """The names of the kernels; the notes stand in `launches`."""
    source = _program.Source((examples / f"{name}.stn").read_text(), more, [])
    interface = Interface(source.emit("--emit=interface"))
    work = folder / schedule.replace("/", "_")
    work.mkdir(parents=True)
    source.write(work, "stencil.cu", f"--schedule={schedule}")
    text = (work / "stencil.cu").read_text()
    (work / "launcher.cpp").write_text(_program.launcher_of(text, interface))
    left = (work / "launcher.cpp").read_text()
    assert "threadIdx" not in left and "__device__" not in left, "device code is left"
    _program._compile(work, "launcher.cpp", ["-Wall", "-Wno-unused-function", "-Werror", "-I",
                                             str(_program._LAUNCHER)])
    kernels = [match[2] for match in _program._KERNEL.finditer(text)]
    assert text.count("__global__") == len(kernels) >= 1, kernels
    table = (_program._Kernel * (len(kernels) + 1))(
        *((kernel.encode(), 1 + i) for i, kernel in enumerate(kernels)))
    device = _program._Device(ctypes.cast(launch, ctypes.c_void_p),
                              ctypes.cast(set_attribute, ctypes.c_void_p), table)
    library = ctypes.CDLL(str(work / "stencil.so"))
    args = getattr(library, f"{interface.name}_args_default")
    args.restype = interface.struct()
    args = args()
    for axis in interface.axes:
        setattr(args, "n" + axis, extent)
    args.stride_y, args.stride_z = extent, extent * extent
    args.u, args.u_next = 1 << 32, 2 << 32
    launches.clear()
    status = library.stencilc_run(ctypes.byref(device), ctypes.byref(args), ctypes.c_int64(steps),
                                  None, ctypes.c_size_t(0), ctypes.c_void_p(77))
    assert status == 0, status
    assert args.u == (1 + steps % 2) << 32
    return kernels


kernels = run("heat", "zblock/32x8x1/c32/r8", 2, 128)
main, copy, ends = (1 + kernels.index(f"heat_{name}")
                    for name in ("zblock", "copy_frame", "ends_copy_frame"))
assert [note[0] for note in launches] == [main] + [copy] * 4 + [ends] * 2 + [main], launches
# 126 updated points an axis; along x, blocks start on the memory line in front of them.
assert launches[0][1:] == ((4, 16, 4), (32, 8, 1), 0, 77, [1 << 32, 2 << 32]), launches[0]
assert launches[-1][5] == [2 << 32, 1 << 32], "the levels change places"
assert not attributes

run("heat", "temporal/32x8x1/c64/t2/v4x2/r4", 4, 64)
large = [note[3] for note in launches if note[3]]
assert large and attributes[0][1:] == (8, large[0]), (launches, attributes)

run("heat", "shm/32x8x1/c64/r4", 1, 64, "--fp=strict", "--real=f32")
assert launches
