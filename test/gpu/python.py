#!/usr/bin/env python3
"""Stencils called from Python on a GPU: right, undisturbing, and as fast as from C.

    python3 test/gpu/python.py [--stencilc build/stencilc] [-o results.json]

1. Every kind of interface against the reference, bit for bit, on arrays of our own: new arrays,
   `out=`, `donate=True`, bound; the inputs stay as they are.
2. The same with CuPy and PyTorch where they are installed: on a stream of theirs, in their arrays.
3. An array that has nothing but __dlpack__, and shortest paths (compiled by nvcc) against loops.
4. 512^3 points of heat: GStencil/s beside the emitted stand-alone program, and what a short call
   takes beside the bare C call.
Exit status 0 if all that was compared agreed. Needs NVRTC, a C++ compiler, and nvcc for 3 and 4.
"""
import argparse
import array
import ctypes
import importlib.util
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "runtime/python"))
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--stencilc", type=pathlib.Path, default=ROOT / "build/stencilc")
parser.add_argument("-o", "--output", type=pathlib.Path)
given = parser.parse_args()
os.environ["STENCILC"] = str(given.stencilc.resolve())
os.environ.setdefault("STENCILC_CACHE", tempfile.mkdtemp())

import lab
import stencilc
from stencilc import _dlpack
from stencilc._arrays import DeviceArray
from stencilc._driver import driver, nvrtc

STEPS, SIZES = 5, {"z": 19, "y": 37, "x": 67}
failures, results = [], {}


def upload(shape, data, device=0):
    made = DeviceArray(shape, "f64", device, 0)
    with driver().context(device):
        driver().check("cuMemcpyHtoD_v2", ctypes.c_uint64(made._memory.address), data,
                       ctypes.c_size_t(len(data)))
    return made


def download(made):
    lies = made.__cuda_array_interface__
    count = int(lies["typestr"][2:])
    for extent in lies["shape"]:
        count *= extent
    room = ctypes.create_string_buffer(count)
    with driver().context(0):
        driver().check("cuCtxSynchronize")
        driver().check("cuMemcpyDtoH_v2", room, ctypes.c_uint64(lies["data"][0]),
                       ctypes.c_size_t(count))
    return room.raw


def synchronize():
    with driver().context(0):
        driver().check("cuCtxSynchronize")


def expect(truth, what):
    print(("ok    " if truth else "WRONG ") + what, flush=True)
    if not truth:
        failures.append(what)


def data_of(interface, shapes):
    draw = random.Random(1)
    count = {}
    for name, shape in shapes.items():
        count[name] = 1
        for extent in shape:
            count[name] *= extent
    return {name: array.array("d", [0.5 + draw.random() for _ in range(n)]).tobytes()
            for name, n in count.items()}


def reference(source, folder, shapes, data, fields, size):
    command = [os.environ["STENCILC"], source, "--emit=values", f"--steps={STEPS}",
               f"--size={size}", "-o", folder / "out.npy"]
    for name, shape in shapes.items():
        lab.write_npy(folder / f"{name}.npy", shape, data[name])
        command.append(f"--input={name}={folder / name}.npy")
    subprocess.run(command, check=True)
    one = folder / "out.npy"
    return {field: lab.read_npy(one if one.exists() else folder / f"out_{field}.npy")
            for field in fields}


def check_bits(name):
    """An example under all ways to call it."""
    source = ROOT / f"examples/{name}.stn"
    stencil = stencilc.compile(source, fp="strict")
    interface = stencil._interface
    shapes = {}
    for input in interface.inputs:
        declared = next(a for a in interface.arrays if input in (a.name, a.name + "_prev"))
        shapes[input] = (STEPS,) if declared.over_time else tuple(
            SIZES[axis] for axis in declared.axes)
    fields = [a.name for a in interface.fields]
    data = data_of(interface, shapes)
    with tempfile.TemporaryDirectory() as folder:
        want = reference(source, pathlib.Path(folder), shapes, data, fields,
                         ",".join(f"{axis}={SIZES[axis]}" for axis in interface.axes))
    arrays = {input: upload(shapes[input], data[input]) for input in shapes}

    def agrees(result, how):
        got = {field: getattr(result, field, result) for field in fields}
        expect(all(download(got[field]) == want[field] for field in fields), f"{name}, {how}")
        return got

    agrees(stencil(**arrays, steps=STEPS), "new arrays")
    out = {field: upload(shapes[field], data[field]) for field in fields}
    got = agrees(stencil(**arrays, steps=STEPS, out=out), "out=")
    expect(all(got[field] is out[field] for field in fields), f"{name}, out= is what comes back")
    expect(all(download(arrays[input]) == data[input] for input in arrays),
           f"{name}, inputs stay as they are")
    fresh = {input: upload(shapes[input], data[input]) for input in shapes}
    agrees(stencil(**fresh, steps=STEPS, donate=True), "donate=True")
    bound = stencil.bind(**{input: upload(shapes[input], data[input]) for input in shapes})
    bound(1)
    agrees(bound(STEPS - 1), "bound")
    return data, want


def check_library(module, data, want):
    """Heat on a stream of the library's, from and into its arrays."""
    heat = stencilc.compile(ROOT / "examples/heat.stn", fp="strict")
    shape = tuple(SIZES[axis] for axis in "zyx")
    raw = bytearray(data["u"])
    if module == "torch":
        import torch
        u = torch.frombuffer(raw, dtype=torch.float64).reshape(shape).cuda()
        with torch.cuda.stream(torch.cuda.Stream()):
            result = heat(u, steps=STEPS)
            padded = torch.zeros(shape[:2] + (96,), dtype=torch.float64, device="cuda")
            padded[:, :, :shape[2]] = u
            strided = heat(padded[:, :, :shape[2]], steps=STEPS)
            torch.cuda.current_stream().synchronize()
        expect(isinstance(result, torch.Tensor), "torch gives its own arrays")
        host = lambda a: a.cpu().contiguous().numpy().tobytes()
    else:
        import cupy
        u = cupy.asarray(memoryview(raw).cast("d")).reshape(shape)
        with cupy.cuda.Stream(non_blocking=True) as stream:
            result = heat(u, steps=STEPS)
            padded = cupy.zeros(shape[:2] + (96,))
            padded[:, :, :shape[2]] = u
            strided = heat(padded[:, :, :shape[2]], steps=STEPS)
            stream.synchronize()
        expect(isinstance(result, cupy.ndarray), "cupy gives its own arrays")
        host = lambda a: cupy.ascontiguousarray(a).get().tobytes()
    expect(host(result) == want["u"], f"heat, arrays of {module}")
    expect(host(strided) == want["u"], f"heat, padded rows of {module}")
    expect(host(u) == data["u"], f"heat, {module}'s input stays as it is")


class OnlyDlpack:
    """An array of ours that shows nothing else."""

    def __init__(self, made):
        self.made = made
        shape = (ctypes.c_int64 * len(made.shape))(*made.shape)
        address = made.__cuda_array_interface__["data"][0]
        self.managed = _dlpack._Managed()
        self.managed.tensor = _dlpack._Tensor(address, _dlpack.CUDA, 0, len(made.shape), 2, 64, 1, shape,
                                              None, 0)

    def __dlpack_device__(self):
        return (_dlpack.CUDA, 0)

    def __dlpack__(self, stream):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p,
                                                       ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor", None)


def check_dlpack(data, want):
    heat = stencilc.compile(ROOT / "examples/heat.stn", fp="strict")
    shape = tuple(SIZES[axis] for axis in "zyx")
    result = heat(OnlyDlpack(upload(shape, data["u"])), steps=STEPS)
    expect(download(result) == want["u"], "heat, an array with __dlpack__ alone")


def check_paths(n=150):
    draw = random.Random(2)
    weights = [[draw.randint(0, 99) if draw.random() < 0.05 else float("inf") for _ in range(n)]
               for _ in range(n)]
    want = [[0.0 if i == j else float(weight) for j, weight in enumerate(row)]
            for i, row in enumerate(weights)]
    for k in range(n):
        for i in range(n):
            through = want[i][k]
            want[i] = [min(old, through + new) for old, new in zip(want[i], want[k])]
    flat = array.array("d", [weight for row in weights for weight in row]).tobytes()
    on_device = upload((n, n), flat)
    start = time.perf_counter()
    got = stencilc.shortest_paths(on_device, nonnegative=True)
    results["paths_compile_s"] = time.perf_counter() - start
    wanted = array.array("d", [distance for row in want for distance in row]).tobytes()
    expect(download(got) == wanted, "shortest distances")
    distances, hops = stencilc.shortest_paths(on_device, paths=True)
    hops = array.array("i", download(hops))
    right = download(distances) == wanted
    for i in range(n):
        for j in range(n):
            length, at = 0.0, i
            while at != j and hops[n * i + j] >= 0:
                length, at = length + weights[at][hops[n * at + j]], hops[n * at + j]
            right &= length == want[i][j] if at == j else want[i][j] == float("inf")
    expect(right, "shortest paths")
    expect(download(on_device) == flat, "weights stay as they are")
    try:
        stencilc.shortest_paths(upload((2, 2), array.array("d", [0, -1, 0, 0]).tobytes()))
        expect(False, "a negative cycle is told")
    except stencilc.StencilError as error:
        expect("negative weight" in str(error), "a negative cycle is told")


def speed():
    """GStencil/s from Python and of the emitted program; microseconds a short call."""
    n, steps = 512, 200
    fill = stencilc.compile("stencil fill(z, y, x) { field f64 u; u' = 1 + 0.01*x + 0.02*y + 0.03*z"
                            " + sin(0.7*x + 0.5*y + 0.3*z); }")
    heat = stencilc.compile(ROOT / "examples/heat.stn")
    bound = heat.bind(fill(DeviceArray((n,) * 3, "f64", 0, 0)))
    bound(steps)
    best = float("inf")
    for _ in range(7):
        synchronize()
        start = time.perf_counter()
        bound(steps)
        synchronize()
        best = min(best, time.perf_counter() - start)
    results["python_gstencil_s"] = n ** 3 * steps / best / 1e9

    with tempfile.TemporaryDirectory() as folder:
        for what, file in ((), "heat.cu"), (("--emit=main",), "heat_main.cu"):
            subprocess.run([os.environ["STENCILC"], ROOT / "examples/heat.stn", *what, "-o",
                            f"{folder}/{file}"], check=True)
        subprocess.run(["nvcc", "-O3", "-arch=native", "heat.cu", "heat_main.cu", "-o", "heat"],
                       cwd=folder, check=True)
        rates = []
        for _ in range(3):
            said = subprocess.run(["./heat", f"--nz={n}", f"--ny={n}", f"--nx={n}",
                                   f"--steps={steps}"], cwd=folder, check=True,
                                  capture_output=True, text=True).stdout
            rates.append(float(re.search(r"([\d.]+) GStencil/s", said)[1]))
        results["program_gstencil_s"] = max(rates)

    def each(call, count=2000):
        best = float("inf")
        for _ in range(5):
            synchronize()
            start = time.perf_counter()
            for _ in range(count):
                call()
            best = min(best, time.perf_counter() - start)
            synchronize()
        return best / count * 1e6

    small = heat.bind(fill(DeviceArray((16,) * 3, "f64", 0, 0)))
    call = small._call
    program, args = call.program, call.args
    with driver().context(0):
        bare = (program._run, ctypes.byref(program._device), ctypes.byref(args),
                ctypes.c_int64(1), None, ctypes.c_size_t(0), None)
        results["bare_call_us"] = each(lambda: bare[0](*bare[1:]))
    results["bound_call_us"] = each(lambda: small(1))
    u = fill(DeviceArray((16,) * 3, "f64", 0, 0))
    results["call_us"] = each(lambda: heat(u, donate=True), 500)
    for key in ("python_gstencil_s", "program_gstencil_s", "bare_call_us", "bound_call_us",
                "call_us"):
        print(f"{key:20} {results[key]:10.2f}")
    expect(results["python_gstencil_s"] >= 0.99 * results["program_gstencil_s"],
           "Python reaches 99 % of the emitted program")
    expect(results["bound_call_us"] - results["bare_call_us"] < 20,
           "a bound call takes less than 20 us more than the C call")


driver()
results["architecture"], results["nvrtc"] = driver().architecture(0), nvrtc().version
data, want = check_bits("heat")
for name in ("wave", "fdtd2d", "gray_scott", "heat1d", "poisson_jacobi"):
    check_bits(name)
found = [module for module in ("torch", "cupy") if importlib.util.find_spec(module)]
results["libraries"] = found
print("libraries:", ", ".join(found) or "none of torch, cupy")
for module in found:
    check_library(module, data, want)
check_dlpack(data, want)
check_paths()
speed()
results["failures"] = failures
if given.output:
    lab.save(given.output, lab.command_line(), results)
sys.exit(f"{len(failures)} failures" if failures else 0)
