#!/usr/bin/env python3
"""Stencils called from Python on a machine with two GPUs: right on each, and faults told.

    python3 test/gpu/python_devices.py [--stencilc build/stencilc] [-o results.json]

1. Bits of the reference in arrays of PyTorch and CuPy on each device, while the other is current:
   new arrays, padded rows, `out=`, `donate=True`, bound; the current device stays what it was.
2. Faults: arrays on two devices, storage that is gone, a fork in the middle, too little memory, no
   driver, no NVRTC, a cache that cannot be written. Each is told, and a call after it is right.
3. What a bound call takes beside the bare C call.
Exit status 0 if all was as it should be. Needs NVRTC and a C++ compiler; with one GPU, what needs two
is left out and said.
"""
import argparse
import array
import ctypes
import importlib.util
import json
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
parser.add_argument("--bits", action="store_true", help="the first part alone")
parser.add_argument("-o", "--output", type=pathlib.Path)
given = parser.parse_args()
os.environ["STENCILC"] = str(given.stencilc.resolve())
os.environ.setdefault("STENCILC_CACHE", tempfile.mkdtemp())

import lab
import stencilc
from stencilc._arrays import DeviceArray
from stencilc._driver import driver

STEPS, SIZES = 5, {"z": 19, "y": 37, "x": 67}
EXAMPLES = "heat", "wave", "fdtd2d", "gray_scott"
GROW = "stencil grow(x) { field f64 u; const f64 c; u' = c*u; }"
failures, results = [], {}


def expect(truth, what):
    print(("ok    " if truth else "WRONG ") + what, flush=True)
    if not truth:
        failures.append(what)


def refused(what, pattern, call):
    """The call raises an error whose text matches."""
    try:
        call()
    except Exception as error:
        told = f"{type(error).__name__}: {error}".splitlines()[0]
        expect(re.search(pattern, str(error)), f"{what}: {told}")
    else:
        expect(False, f"{what}: not refused")


class Torch:
    name = "torch"

    def __init__(self):
        import torch
        self.torch, self.count = torch, torch.cuda.device_count()

    def array(self, raw, shape, device):
        flat = self.torch.frombuffer(bytearray(raw), dtype=self.torch.float64)
        return flat.reshape(shape).to(f"cuda:{device}")

    def padded(self, a, room):
        wide = self.torch.zeros((*a.shape[:-1], room), dtype=a.dtype, device=a.device)
        wide[..., :a.shape[-1]] = a
        return wide[..., :a.shape[-1]]

    def raw(self, a):
        return a.cpu().contiguous().numpy().tobytes()

    def device_of(self, a):
        return a.device.index

    def use(self, device):
        self.torch.cuda.set_device(device)

    def current(self):
        return self.torch.cuda.current_device()

    def gone(self, a):
        a.untyped_storage().resize_(0)
        return a


class Cupy:
    name = "cupy"

    def __init__(self):
        import cupy
        self.cupy, self.count, self.kept = cupy, cupy.cuda.runtime.getDeviceCount(), []

    def array(self, raw, shape, device):
        with self.cupy.cuda.Device(device):
            return self.cupy.asarray(memoryview(bytearray(raw)).cast("d")).reshape(shape)

    def padded(self, a, room):
        with a.device:
            wide = self.cupy.zeros((*a.shape[:-1], room))
            wide[..., :a.shape[-1]] = a
            return wide[..., :a.shape[-1]]

    def raw(self, a):
        with a.device:
            return self.cupy.ascontiguousarray(a).get().tobytes()

    def device_of(self, a):
        return a.device.id

    def use(self, device):
        self.cupy.cuda.Device(device).use()

    def current(self):
        return self.cupy.cuda.runtime.getDevice()

    def gone(self, a):
        runtime = self.cupy.cuda.runtime
        with a.device:
            address = runtime.malloc(64 << 20)  # a piece of its own, which the driver takes back
            runtime.free(address)
        memory = self.cupy.cuda.UnownedMemory(address, a.nbytes, None, a.device.id)
        self.kept.append(memory)
        return self.cupy.ndarray(a.shape, a.dtype, self.cupy.cuda.MemoryPointer(memory, 0))


class Case:
    """An example with inputs at random and what the reference makes of them."""

    def __init__(self, name):
        source = ROOT / f"examples/{name}.stn"
        self.name, self.stencil = name, stencilc.compile(source, fp="strict")
        interface = self.stencil._interface
        self.fields = [a.name for a in interface.fields]
        draw, self.shapes, self.data = random.Random(name), {}, {}
        for input in interface.inputs:
            declared = next(a for a in interface.arrays if input in (a.name, a.name + "_prev"))
            shape = (STEPS,) if declared.over_time else tuple(SIZES[a] for a in declared.axes)
            count = 1
            for extent in shape:
                count *= extent
            self.shapes[input] = shape
            self.data[input] = array.array("d", [0.5 + draw.random() for _ in range(count)]).tobytes()
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            command = [os.environ["STENCILC"], source, "--emit=values", f"--steps={STEPS}", "--size=" +
                       ",".join(f"{axis}={SIZES[axis]}" for axis in interface.axes), "-o",
                       folder / "out.npy"]
            for input, shape in self.shapes.items():
                lab.write_npy(folder / f"{input}.npy", shape, self.data[input])
                command.append(f"--input={input}={folder / input}.npy")
            subprocess.run(command, check=True)
            one = folder / "out.npy"
            self.want = {field: lab.read_npy(one if one.exists() else folder / f"out_{field}.npy")
                         for field in self.fields}

    def arrays(self, library, device):
        return {name: library.array(self.data[name], shape, device)
                for name, shape in self.shapes.items()}

    def agrees(self, library, device, result):
        got = {field: getattr(result, field, None) if len(self.fields) > 1 else
               (result[0] if isinstance(result, tuple) else result) for field in self.fields}
        return all(library.device_of(got[field]) == device and
                   library.raw(got[field]) == self.want[field] for field in self.fields)


def check_bits(library, case, device, current):
    where = f"{case.name}, {library.name} on {device} while {current} is current"
    arrays = case.arrays(library, device)
    library.use(current)
    agrees = lambda result: case.agrees(library, device, result)
    expect(agrees(case.stencil(**arrays, steps=STEPS)), f"{where}: new arrays")
    expect(library.current() == current, f"{where}: the current device stays")
    wide = {name: library.padded(a, 96) if len(case.shapes[name]) > 1 else a
            for name, a in arrays.items()}
    expect(agrees(case.stencil(**wide, steps=STEPS)), f"{where}: padded rows")
    first = next(iter(arrays))
    expect(agrees(case.stencil(**{**arrays, first: wide[first]}, steps=STEPS)),
           f"{where}: rows padded in one of the arrays")
    fresh = case.arrays(library, device)
    out = {field: library.padded(fresh[field], 80) for field in case.fields}
    result = case.stencil(**arrays, steps=STEPS, out=out)
    expect(agrees(result), f"{where}: out= of other strides")
    expect(all(library.raw(arrays[name]) == case.data[name] for name in arrays),
           f"{where}: inputs stay as they are")
    expect(agrees(case.stencil(**case.arrays(library, device), steps=STEPS, donate=True)),
           f"{where}: donate=True")
    bound = case.stencil.bind(**case.arrays(library, device))
    bound(1)
    expect(agrees(bound(STEPS - 1)), f"{where}: bound")
    expect(library.current() == current, f"{where}: the current device stays, bound")


def check_faults(library, case):
    grow = stencilc.compile(GROW)
    ones = array.array("d", [1.0] * 4096).tobytes()
    u = library.array(ones, (4096,), 0)

    def still_right(what):
        expect(case.agrees(library, 0, case.stencil(**case.arrays(library, 0), steps=STEPS)),
               f"{library.name}: a call after {what} is right")

    library.use(0)
    if library.count > 1:
        far = library.array(ones, (4096,), 1)
        refused(f"{library.name}, arrays on two devices",
                "^grow: `c` lies on device 1, and `u` on device 0$", lambda: grow(u, far))
        refused(f"{library.name}, out= on the other device", "^grow: out for `u` is .* on device 1",
                lambda: grow(u, u, out=far))
        still_right("arrays on two devices")
    pattern = "`c` has no memory any more|is that of no GPU"
    refused(f"{library.name}, storage that is gone", pattern,
            lambda: grow(u, library.gone(library.array(ones, (4096,), 0))))
    if library.name == "torch":
        whole = library.array(ones * 2, (8192,), 0)
        part = whole[4096:]
        library.gone(whole)
        refused("torch, a part of storage that is gone", pattern, lambda: grow(u, part))
    still_right("storage that is gone")

    bound = case.stencil.bind(**case.arrays(library, 0))
    bound(1)
    arrays = case.arrays(library, 0)
    child = os.fork()
    if child == 0:
        pattern = "forked after CUDA had started in its parent"
        refused(f"{library.name}, a call in a forked process", pattern, lambda: case.stencil(**arrays))
        refused(f"{library.name}, a bound call in a forked process", pattern, lambda: bound(1))
        os._exit(1 if failures else 0)
    expect(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0,
           f"{library.name}: the forked process was told and left")
    expect(case.agrees(library, 0, bound(STEPS - 1)),
           f"{library.name}: the parent goes on where it was")


def check_jax():
    """Its arrays say themselves that they were deleted."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    jax.config.update("jax_enable_x64", True)
    u = jax.device_put(jax.numpy.ones(4096), jax.devices("gpu")[0])
    gone = u + 1
    gone.delete()
    refused("jax, an array that was deleted", "`c` has no memory any more: it was deleted", lambda: stencilc.compile(GROW)(u, gone))


def run_apart(script, changes):
    return subprocess.run([sys.executable, "-c", script], env={**os.environ, **changes},
                          capture_output=True, text=True)


def check_missing():
    """What may not be there, each in a process of its own."""
    refused("too little memory", "cuMemAlloc_v2: out of memory",
            lambda: DeviceArray((1 << 40,), "f64", 0, 0))
    script = (f"import sys; sys.path.insert(0, {str(ROOT / 'runtime/python')!r}); import stencilc\n"
              "from stencilc._arrays import DeviceArray\n"
              f"grow = stencilc.compile({GROW!r})\n"
              "u = DeviceArray((8,), 'f64', 0, 0); grow(u, u)")
    for what, changes, told in (
            ("no driver", {"STENCILC_CUDA_DRIVER": "/nowhere/libcuda.so"},
             "there is no driver of an NVIDIA GPU here"),
            ("no NVRTC", {"STENCILC_NVRTC": "/nowhere/libnvrtc.so"}, "there is no NVRTC"),
            ("no device to see", {"CUDA_VISIBLE_DEVICES": ""}, "no CUDA-capable device")):
        done = run_apart(script, changes)
        last = (done.stderr.splitlines() or [""])[-1]
        expect(done.returncode == 1 and told in last, f"{what}: {last}")
    done = run_apart(script, {"STENCILC_CACHE": "/proc/cache"})
    told = "stencilc keeps nothing: /proc/cache"
    expect(done.returncode == 0 and told in done.stderr,
           f"a cache that cannot be written is a warning: {done.stderr.strip()}")


def check_cost(library, case):
    """Microseconds of a bound call of heat, and of the C call in it."""
    shape = (16,) * 3
    ones = array.array("d", [1.0] * 4096).tobytes()
    bound = case.stencil.bind(library.array(ones, shape, 0))
    program, args = bound._call.program, bound._call.args
    library.use(0)

    def each(call, count=2000):
        best = float("inf")
        for _ in range(7):
            bound(1)
            library.raw(library.array(ones, shape, 0))  # waits
            start = time.perf_counter()
            for _ in range(count):
                call()
            best = min(best, time.perf_counter() - start)
        return best / count * 1e6

    with driver().context(0):
        bare = (program._run, ctypes.byref(program._device), ctypes.byref(args), ctypes.c_int64(1),
                None, ctypes.c_size_t(0), None)
        plain = each(lambda: bare[0](*bare[1:]))
    own = each(lambda: bound(1))
    results[f"{library.name}_call_us"] = {"c": round(plain, 2), "bound": round(own, 2)}
    expect(own - plain < 20, f"{library.name}: a bound call takes {own:.1f} us, its C call {plain:.1f}")


libraries = [made() for made in (Torch, Cupy) if importlib.util.find_spec(made.name)]
cases = [Case(name) for name in EXAMPLES]
devices = min(2, libraries[0].count) if libraries else 0
print(f"libraries: {', '.join(l.name for l in libraries) or 'none'}; {devices} devices are used")
for library in libraries:
    for device in range(devices):
        for case in cases:
            check_bits(library, case, device, devices - 1 - device)
if not given.bits:
    for library in libraries:
        check_faults(library, cases[0])
        check_cost(library, cases[0])
    if importlib.util.find_spec("jax"):
        check_jax()
    check_missing()
    if importlib.util.find_spec("torch"):
        done = subprocess.run([sys.executable, __file__, "--bits", f"--stencilc={given.stencilc}"],
                              env={**os.environ, "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"},
                              capture_output=True, text=True)
        expect(done.returncode == 0, "bits where PyTorch's memory grows in segments")
        if done.returncode:
            print(done.stdout[-2000:] + done.stderr[-2000:])
results.update(libraries=[l.name for l in libraries], devices=devices, failures=failures)
if given.output:
    lab.save(given.output, lab.command_line(), results)
print(json.dumps(results))
sys.exit(f"{len(failures)} failures" if failures else 0)
