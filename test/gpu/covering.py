#!/usr/bin/env python3
"""Every example under every variant and every kind of boundary, against the reference's bits.

    python3 test/gpu/covering.py write --stencilc build/stencilc FOLDER     where the compiler is
    python3 test/gpu/covering.py run FOLDER -o results.json                 where the GPU is

`write` takes each example with its own boundaries and with each kind in their place, emits it under
a variant so that every two of example, variant and kind meet in some source, and keeps what the
reference makes of two small grids. `run` builds all with -fmad=false, then
1. runs them, the sources of an example in one process, rows as the code likes them best and dense,
   and compares every bit of every field, all NaNs being one;
2. repeats some examples under each tool of compute-sanitizer, where that works.
Exit status 0 if all that was run agreed.
"""

import collections
import ctypes
import itertools
import json
import math
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

import lab
import onestep

ROOT = pathlib.Path(__file__).resolve().parents[2]

KINDS = ["own", "fixed", "halo", "clamp", "periodic", "value(0.5)", "reflect", "symmetric(-1)"]
# By the number of axes. Blocks that are no multiple of a warp, chunks that divide nothing, patches.
SCHEDULES = {
    1: {"baseline": ["baseline/96", "baseline/32/v2x1", "baseline/32/plain"],
        "shm": ["shm/64", "shm/32"]},
    2: {"baseline": ["baseline/32x4", "baseline/33x3/plain", "baseline/16x4/v2x2"],
        "zblock": ["zblock/64x1/c7", "zblock/33x1/c1", "zblock/32x1/c8/v2x1/p2"],
        "shm": ["shm/32x4", "shm/16x8", "shm/32x8"],
        "temporal": ["temporal/32x1/c64/t2/v4x1/p1", "temporal/32x1/c8/t3/v2x1",
                     "temporal/32x4/c8/t4/v6x1/p2/r1"]},
    3: {"baseline": ["baseline/16x4x2", "baseline/33x3x1/plain", "baseline/16x4x1/v2x2"],
        "zblock": ["zblock/32x4x1/c5", "zblock/16x4x1/c64/v2x1/p1", "zblock/24x5x1/c3/b2/plain"],
        "shm": ["shm/32x4x1/c5", "shm/32x8x1/c16/async/buffered/rim", "shm/32x8x1/c4/own-rows"],
        "temporal": ["temporal/32x8x1/c64/t2/v4x2/p1", "temporal/32x4x1/c8/t3/v2x4",
                     "temporal/16x8x1/c5/t2/v2x2/p2", "temporal/32x4x1/c8/t2/v2x2/p1/cluster2",
                     "temporal/8x4x1/c8/t2/v4x4/p2/apart", "temporal/32x4x1/c5/t2/tile"]},
}
# The second lies below most blocks; extents above every reach, which periodic axes and mirrors ask.
GRIDS = {1: [(40,), (11,)], 2: [(23, 39), (10, 12)], 3: [(12, 13, 37), (10, 11, 12)]}
STEPS = [5, 2]
VALUES_OVER_TIME = 16
# Fields that hold nothing but 0 and 1.
WHOLE = ["life"]
SANITIZED = ["heat", "hdiff_stages", "elastic", "gray_scott", "wave", "box27", "fdtd2d", "jacobi5", "lbm",
             "star2"]
TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]


# ---- what both sides know ------------------------------------------------------------------------

def starting_values(entry, grid, name, count):
    """The same on every machine, exact in both types."""
    draw = random.Random(f"{entry['example']} {entry['kind']} {list(grid)} {name}")
    if entry["example"] in WHOLE:
        return [float(draw.getrandbits(1)) for _ in range(count)]
    return [0.5 + draw.getrandbits(20) / 2**20 for _ in range(count)]


def extents_of(entry, array, grid):
    """Points of an array along its axes, without ghost points."""
    if array["over_time"]:
        return [VALUES_OVER_TIME]
    return [grid[entry["axes"].index(axis)] for axis in array["axes"]]


def widened(array, extents):
    return [low + n + high for (low, high), n in zip(array["ghosts"], extents)]


def packed(entry, values):
    return struct.pack(f"<{len(values)}{'f' if entry['real'] == 'f32' else 'd'}", *values)


# ---- write ---------------------------------------------------------------------------------------

def with_boundary(text, kind):
    """The example with one kind of boundary everywhere."""
    if kind == "own":
        return text
    lines = text.split("\n")
    places = [i for i, line in enumerate(lines) if re.match(r"\s*boundary\b", line)]
    lines[places[0]] = f"  boundary: {kind};"
    return "\n".join(line for i, line in enumerate(lines) if i not in places[1:])


def arrays_of(listing):
    """Fields and consts of --emit=stencil: name, axes, ghost points."""
    axes = re.search(r"^stencil \w+\((.*?)\)", listing, re.M).group(1).split(", ")
    arrays = []
    for kind, name, of in re.findall(r"^\s*(field|const) \w+ (\w+)\((.*?)\)", listing, re.M):
        facts = re.search(rf"^  {name}: reach .*ghost points ([^;\n]*)(?:; buffers (.*))?$", listing,
                          re.M)
        ghosts = dict((axis, (int(low), int(high)))
                      for axis, low, high in re.findall(r"(\w+) (\d+)\+(\d+)", facts.group(1)))
        own = of.split(", ")
        arrays.append({"name": name, "is_field": kind == "field", "axes": own,
                       "over_time": own == ["t"], "ghosts": [ghosts.get(a, (0, 0)) for a in own],
                       "has_previous": f"{name}_prev" in (facts.group(2) or "").split()})
    return axes, arrays


def save_npy(path, entry, shape, values):
    header = str({"descr": "<f4" if entry["real"] == "f32" else "<f8", "fortran_order": False,
                  "shape": tuple(shape)})
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + packed(entry, values))


def payload(path):
    data = path.read_bytes()
    return data[10 + struct.unpack("<H", data[8:10])[0]:]


def reference(stencilc, source, entry, grid, steps, folder):
    """The bytes of all fields after so many steps."""
    inputs = []
    for array in entry["arrays"]:
        shape = widened(array, extents_of(entry, array, grid))
        for name in [array["name"]] + [f"{array['name']}_prev"] * array["has_previous"]:
            save_npy(folder / f"{name}.npy", entry, shape,
                     starting_values(entry, grid, name, math.prod(shape)))
            inputs.append(f"--input={name}={folder / name}.npy")
    size = ",".join(f"{axis}={n}" for axis, n in zip(entry["axes"], grid))
    out = folder / "result.npy"
    lab.run([stencilc, source, f"--real={entry['real']}", "--emit=values", f"--size={size}",
             f"--steps={steps}", *inputs, "-o", out])
    fields = [array["name"] for array in entry["arrays"] if array["is_field"]]
    files = [out] if len(fields) == 1 else [folder / f"result_{field}.npy" for field in fields]
    return b"".join(payload(file) for file in files)


def emitted(options, source, entry, schedules, turn, out):
    """The first of these schedules, from this turn on, that is legal; None if no one is."""
    for schedule in schedules[turn % len(schedules):] + schedules[:turn % len(schedules)]:
        try:
            lab.run([options.stencilc, source, f"--real={entry['real']}",
                     f"--schedule={schedule}", "-o", out / "step.cu"])
            return schedule
        except lab.Failed as failure:
            if "exit status 1" not in str(failure):
                raise
    return None


def write_example(options, number, example):
    """All entries of an example: each kind once, each variant that can at least once."""
    text = example.read_text()
    entries, met = [], collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        source = folder / example.name
        jobs = [(kind, turn + number) for turn, kind in enumerate(KINDS)]
        while jobs:
            kind, turn = jobs.pop(0)
            source.write_text(with_boundary(text, kind))
            real = ("f64", "f32")[turn % 2]
            listing = lab.run([options.stencilc, source, f"--real={real}", "--emit=stencil"])
            axes, arrays = arrays_of(listing)
            of_variants = SCHEDULES[len(axes)]
            entry = {"example": example.stem, "kind": kind, "real": real, "axes": axes,
                     "arrays": arrays, "folder": f"{example.stem}-{len(entries):02}"}
            out = options.folder / entry["folder"]
            out.mkdir(exist_ok=True)
            # The variant that this example met least; of those, another for each kind.
            variants = list(of_variants)
            variants = variants[turn % len(variants):] + variants[:turn % len(variants)]
            for variant in sorted(variants, key=lambda each: met[each]):
                schedule = emitted(options, source, entry, of_variants[variant], turn // 2, out)
                if schedule:
                    break
            met[variant] += 1
            entry["schedule"], entry["expected"] = schedule, []
            for grid, steps in zip(GRIDS[len(axes)], STEPS):
                name = "x".join(map(str, grid)) + ".bin"
                (out / name).write_bytes(
                    reference(options.stencilc, source, entry, grid, steps, folder))
                entry["expected"].append({"grid": grid, "steps": steps, "file": name})
            entries.append(entry)
    return entries


def write(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    examples = sorted((ROOT / "examples").glob("*.stn"))
    examples = [e for e in examples if not options.only or e.stem in options.only]
    entries = lab.each(list(enumerate(examples)), lambda job: write_example(options, *job))
    for failure in entries:
        if isinstance(failure, lab.Failed):
            raise failure
    entries = list(itertools.chain(*entries))
    (options.folder / "manifest.json").write_text(json.dumps(entries) + "\n")
    met = collections.defaultdict(set)
    for entry in entries:
        variant = entry["schedule"].split("/")[0]
        met["examples with variants"].add((entry["example"], variant))
        met["variants with kinds"].add((variant, entry["kind"]))
        met["examples with kinds"].add((entry["example"], entry["kind"]))
    print(f"wrote {len(entries)} sources:", ", ".join(f"{len(p)} {name}" for name, p in met.items()))
    return 0


# ---- run -----------------------------------------------------------------------------------------

def build(folder, entry, arch):
    own = folder / entry["folder"]
    lab.run(["nvcc", "-O3", f"-arch={arch}", "-std=c++17", "-shared", "-cudart=shared", "-Xcompiler",
             "-fPIC", "-fmad=false", own / "step.cu", "-o", own / "step.so"])


class Gpu:
    """CUDA's runtime, as far as a run needs it."""

    def __init__(self):
        self.runtime = ctypes.CDLL("libcudart.so")
        self.taken = []

    def check(self, status):
        if status != 0:
            raise lab.Failed(f"CUDA error {status}")

    def take(self, size):
        memory = ctypes.c_void_p()
        self.check(self.runtime.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(max(size, 1))))
        self.taken.append(memory)
        return memory.value

    def put(self, to, data):
        self.check(self.runtime.cudaMemcpy(ctypes.c_void_p(to), bytes(data),
                                           ctypes.c_size_t(len(data)), 1))

    def get(self, source, size):
        data = ctypes.create_string_buffer(size)
        self.check(self.runtime.cudaMemcpy(data, ctypes.c_void_p(source), ctypes.c_size_t(size), 2))
        return data.raw

    def free(self):
        for memory in self.taken:
            self.check(self.runtime.cudaFree(memory))
        self.taken = []


class Place:
    """Where the elements of an array lie: strides and the place of point 0, in elements."""

    def __init__(self, strides, origin, elements):
        self.strides, self.origin, self.elements = strides, origin, elements

    def rows(self, extents, ghosts):
        """The element that each row begins with, and how many it has."""
        ranges = [range(-low, n + high) for (low, high), n in zip(ghosts[:-1], extents)]
        for index in itertools.product(*ranges):
            first = self.origin + sum(i * s for i, s in zip(index, self.strides)) - ghosts[-1][0]
            yield first, ghosts[-1][0] + extents[-1] + ghosts[-1][1]


def dense(extents, ghosts):
    strides = [1]
    for (low, high), n in zip(ghosts[:0:-1], list(extents)[:0:-1]):
        strides.insert(0, strides[0] * (low + n + high))
    origin = sum(low * stride for (low, _), stride in zip(ghosts, strides))
    return Place(strides, origin, math.prod(low + n + high for (low, high), n in zip(ghosts, extents)))


def differing(ours, theirs, size):
    """How many elements differ, all NaNs being one."""
    if ours == theirs:
        return 0
    kind = f"<{len(ours) // size}{'f' if size == 4 else 'd'}"
    return sum(a != b and not (x != x and y != y) for a, b, x, y in zip(
        *(struct.unpack(kind.upper().replace("F", "I").replace("D", "Q"), data)
          for data in (ours, theirs)), *(struct.unpack(kind, data) for data in (ours, theirs))))


def run_entry(gpu, interface, entry, expected, folder, is_dense):
    """The number of elements that are not the reference's."""
    grid, size = expected["grid"], 4 if entry["real"] == "f32" else 8
    args, lead, elements = interface.layout(grid)
    full = [array for array in entry["arrays"] if array["axes"] == entry["axes"]]
    widest = [(max(a["ghosts"][i][0] for a in full), max(a["ghosts"][i][1] for a in full))
              for i in range(len(grid))]
    place = dense(grid, widest)
    if is_dense:
        for axis, stride in zip(entry["axes"][:-1], place.strides):
            setattr(args, f"stride_{axis}", stride)
    else:
        strides = [getattr(args, f"stride_{axis}") for axis in entry["axes"][:-1]] + [1]
        place = Place(strides, lead, elements)
    places = {}
    for array in entry["arrays"]:
        extents = extents_of(entry, array, grid)
        own = place if array in full else dense(extents, array["ghosts"])
        places[array["name"]] = own
        if array["over_time"]:
            setattr(args, f"{array['name']}_steps", VALUES_OVER_TIME)
        for name in (array["name"], f"{array['name']}_prev", f"{array['name']}_next"):
            if name not in interface.pointers:
                continue
            image = bytearray(b"\xff" * (own.elements * size))  # NaN wherever nobody should look
            if not name.endswith("_next") or name == array["name"]:
                values = packed(entry, starting_values(entry, grid, name,
                                                       math.prod(widened(array, extents))))
                at = 0
                for first, count in own.rows(extents, array["ghosts"]):
                    image[first * size:(first + count) * size] = values[at:at + count * size]
                    at += count * size
            memory = gpu.take(len(image))
            gpu.put(memory, image)
            setattr(args, name, memory + own.origin * size)
    bytes_of = getattr(interface.library, f"{interface.name}_workspace_bytes")
    bytes_of.restype, bytes_of.argtypes = ctypes.c_size_t, [ctypes.c_void_p, ctypes.c_int64]
    room = bytes_of(ctypes.byref(args), expected["steps"])
    start = getattr(interface.library, f"{interface.name}_run")
    start.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_size_t,
                      ctypes.c_void_p]
    status = start(ctypes.byref(args), expected["steps"], gpu.take(room) if room else None, room, None)
    gpu.check(gpu.runtime.cudaDeviceSynchronize())
    if status != 0:
        raise lab.Failed(f"status {status}")
    result = bytearray()
    for array in entry["arrays"]:
        if not array["is_field"]:
            continue
        own = places[array["name"]]
        data = gpu.get(getattr(args, array["name"]) - own.origin * size, own.elements * size)
        for first, count in own.rows(grid, [(0, 0)] * len(grid)):
            result += data[first * size:(first + count) * size]
    gpu.free()
    return differing(bytes(result), (folder / expected["file"]).read_bytes(), size)


def run_example(options):
    """Of the process of one example: a line of JSON for each entry."""
    gpu = Gpu()
    for entry in json.loads((options.folder / "manifest.json").read_text()):
        folder = options.folder / entry["folder"]
        if entry["example"] != options.example or not (folder / "step.so").exists():
            continue
        row = {key: entry[key] for key in ("example", "kind", "real", "schedule")}
        try:
            interface = onestep.Interface(folder)
            row["differing"] = sum(
                run_entry(gpu, interface, entry, expected, folder, is_dense)
                for expected in entry["expected"] for is_dense in (False, True))
        except lab.Failed as failure:
            row["failure"] = str(failure)
        print(json.dumps(row), flush=True)
    return 0


def run(options):
    manifest = json.loads((options.folder / "manifest.json").read_text())
    if options.only:
        manifest = [entry for entry in manifest if entry["example"] in options.only]
    broken = [result for result in lab.each(
        manifest, lambda entry: build(options.folder, entry, options.arch))
        if isinstance(result, lab.Failed)]
    for failure in broken[:3]:
        print(f"does not build: {failure}")
    print(f"{len(manifest) - len(broken)} of {len(manifest)} built", flush=True)

    examples = sorted({entry["example"] for entry in manifest})
    command = [sys.executable, "-B", __file__, "example", options.folder]
    rows, failures = [], []
    for example, lines in zip(examples, lab.each(
            examples, lambda example: lab.run([*command, example]), 4)):
        if isinstance(lines, lab.Failed):
            failures.append(f"{example}: {lines}")
        else:
            rows += [json.loads(line) for line in lines.splitlines()]
    wrong = [row for row in rows if row.get("differing") != 0]
    for row in wrong:
        print(row, flush=True)
    print(f"{len(rows) - len(wrong)} of {len(manifest)} sources agree", flush=True)

    sanitized = [] if options.skip_sanitizer else [
        (example, tool) for example in SANITIZED if example in examples for tool in TOOLS]
    for (example, tool), said in zip(sanitized, lab.each(sanitized, lambda pair: lab.run(
            ["compute-sanitizer", "--tool", pair[1], "--error-exitcode", "9", *command, pair[0]]), 4)):
        if isinstance(said, lab.Failed):
            failures.append(f"compute-sanitizer --tool {tool}, {example}: {said}")
        else:
            print(f"compute-sanitizer --tool {tool}: {example} is clean", flush=True)
    for failure in failures:
        print(failure[-2000:], flush=True)
    if options.output:
        lab.save(options.output, lab.command_line(),
                 {"agreeing": len(rows) - len(wrong), "sources": len(manifest), "wrong": wrong,
                  "sanitized": [list(pair) for pair in sanitized], "failures": [f[-300:] for f in failures],
                  "covered": [[r["example"], r["kind"], r["real"], r["schedule"]] for r in rows]})
    return 1 if wrong or failures or broken or len(rows) != len(manifest) else 0


def main():
    parser, commands, writing, running = lab.halves(__doc__, ROOT / "build/stencilc")
    one = commands.add_parser("example", help="of `run`: the process of one example")
    running.add_argument("--arch", default="sm_90", help="nvcc's -arch")
    running.add_argument("--skip-sanitizer", action="store_true")
    one.add_argument("folder", type=lab.folder)
    for command in (writing, running):
        command.add_argument("--only", nargs="*", help="examples, by name")
    one.add_argument("example")
    options = parser.parse_args()
    return {"write": write, "run": run, "example": run_example}[options.command](options)


if __name__ == "__main__":
    lab.leave(main)
