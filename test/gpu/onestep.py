#!/usr/bin/env python3
"""How fast one step is under a list of schedules, as share of a copy kernel in the same process.

    python3 test/gpu/onestep.py write --stencilc build/stencilc FOLDER     where the compiler is
    python3 test/gpu/onestep.py run FOLDER -o results.json                 where the GPU is

`write` emits a source for every example, type and schedule; with --chosen, instead of the list, for
the schedule that the compiler chooses for an H200 and the next of its ranking, and with --beside
results.json for the best that were measured before; with --cube for grids of that size in 3D, with
bands and without. `run` builds each into a shared object,
loads them one after another, and
1. compares, for the schedules to be checked, three steps on a grid that nothing divides, and on one
   of whole blocks, with those of one thread a point, bit for bit (both built with -fmad=false),
   rows aligned and not;
2. times all on the large grid, in the memory layout that the code likes best.
The share of the copy is (bytes of the points that must be read and written) / time / the rate of the
copy kernel: measured anew for each example, the most that it has reached by then, as the same copy is
slower between some buffers than others. Exit status 0 if all that was compared agreed.
"""

import collections
import ctypes
import itertools
import json
import os
import pathlib
import re
import subprocess
import tempfile

import lab

ROOT = pathlib.Path(__file__).resolve().parents[2]


def spread(*parts):
    """All schedules of alternatives, part by part."""
    return ["/".join(part for part in choice if part) for choice in itertools.product(*parts)]


# By example: its rank, then schedules for f32 and f64. The first is the yardstick of the comparison.
MARCHED = {
    "f32": ["baseline/32x4x2", "zblock/32x8x1/c16/r8", "zblock/32x8x1/c64/r8", "zblock/32x8x1/c64"],
    "f64": ["baseline/32x4x2", "zblock/32x8x1/c16/r8", "zblock/32x8x1/c64/r8", "zblock/32x8x1/c64"],
}
FLAT = {
    "f32": ["baseline/32x8", "baseline/64x4", "baseline/128x2"],
    "f64": ["baseline/32x8", "baseline/64x4", "baseline/128x2"],
}


def marched(columns, lean):
    """Marches in patches; `lean` kernels leave registers for more blocks."""
    wide, tall = (("r4", "r5", "r6"), ("r3", "r4")) if lean else (("r3",), ("r2",))
    higher = [] if lean else spread(["zblock/32x4x1"], ["c16", "c32"], [f"v{columns}x4"], ["r3", "r4"])
    return [
        *higher,
        *spread(["zblock/32x8x1"], ["c16", "c64"], [f"v{columns}x1"], ["", "p1"], wide),
        *spread(["zblock/32x8x1"], ["c16", "c64"], [f"v{columns}x2"], ["", "p1"], tall),
        *spread(["zblock/32x4x1"], ["c32"], [f"v{columns}x1", f"v{columns}x2"], ["", "p1", "p2"],
                ["r8" if lean else "r5"]),
        *spread(["zblock/64x4x1"], ["c32"], [f"v{columns}x1"], ["", "p1"], wide[:1]),
    ]


def flat(columns):
    return [
        *spread(["baseline"], ["32x8", "32x4", "64x4"],
                [f"v{columns}x1", f"v{columns}x2", f"v{columns}x4"], ["r4"]),
        *spread(["baseline/32x8"], [f"v{columns}x1", f"v{columns}x2"], ["r6"]),
        *spread(["zblock/64x1"], ["c8", "c16", "c32"], [f"v{columns}x1"], ["", "p1", "p2"], ["r16"]),
        *spread(["zblock/128x1"], ["c16"], [f"v{columns}x1"], ["", "p1"], ["r8"]),
    ]


def whole(example, real):
    """Kernels for grids of whole blocks: planes in one piece of code, tiles where stars are wide."""
    columns = 4 if real == "f32" else 2
    if example == "box27":
        return spread(["zblock/32x4x1"], ["c5", "c10"], ["v2x2", "v2x3"], ["r4"], ["flat"])
    if example not in ["star2", "star4"]:
        return []
    tall = ["zblock/32x4x1/c8/v2x4/r4/flat/tile", "zblock/32x4x1/c16/v2x4/r2/flat/tile"]
    return [
        *spread(["zblock/32x8x1", "zblock/16x16x1"], ["c8", "c16"], [f"v{columns}x2"],
                ["r3" if example == "star2" else "r2"], ["flat/tile"]),
        *(tall if real == "f64" else []),
    ]


LEAN = ["7pt1", "heat", "hdiff"]
FAT = ["19pt", "box27", "star2", "star4"]
STAGED = ["hdiff_stages"]  # temps stored, and computed again
PLANE = ["gray_scott", "jacobi5", "star2d2"]


def schedules(example, real):
    columns = 4 if real == "f32" else 2
    if example in PLANE:
        return FLAT[real] + flat(columns)
    if example in STAGED:
        return spread([*MARCHED[real], *marched(columns, lean=True)], ["", "recompute"])
    return MARCHED[real] + marched(columns, example in LEAN) + whole(example, real)


# What is compared bit for bit, beside the first schedule.
def checked(example, real):
    columns = 4 if real == "f32" else 2
    if example in PLANE:
        return [f"baseline/32x8/v{columns}x2", f"baseline/32x4/v2x1", f"zblock/64x1/c8/v{columns}x1/p2"]
    if example in STAGED:
        return [f"zblock/32x4x1/c5/v{columns}x2/recompute", "shm/32x8x1/c4/recompute"]
    return [f"zblock/32x8x1/c16/v{columns}x1", f"zblock/32x4x1/c5/v{columns}x2/p1",
            "baseline/32x4x1/v2x2", *whole(example, real)[-2:]]


SMALL = {2: (203, 333), 3: (37, 45, 203)}
DIVIDED = {2: (128, 512), 3: (64, 96, 256)}
DIVIDED_IN_FRAMES = {3: (62, 98, 258)}  # of one point
LARGE = {2: (8192, 8192), 3: (512, 512, 512)}
NEXT, BEST_BEFORE = 4, 2  # of the ranking, the choice among them; of earlier results
BANDS = 16, 32  # blocks
STEPS_TIMED = 24  # of a run; the first one also brings the frames, which no step writes, to both buffers


def ranked(stencilc, example, real):
    """Schedules of the compiler's ranking for the large grid, the chosen one first."""
    extents = LARGE[2 if example in PLANE else 3]
    size = ",".join(f"{axis}={extent}" for axis, extent in zip("zyx"[-len(extents):], extents))
    report = lab.run([stencilc, ROOT / "examples" / f"{example}.stn", f"--real={real}", "--gpu=h200",
                      "--size", size, "--fuse=1", "--explain=json", "-o", os.devnull])
    return [candidate["schedule"] for candidate in json.loads(report)["candidates"]]


def chosen(options, example, real):
    """The yardstick, the choice and what came next, the first with one point a thread, and what was
    fastest before."""
    ranking = ranked(options.stencilc, example, real)
    plain = next(schedule for schedule in ranking if "/v" not in schedule)
    before = []
    for path in options.beside:
        times = [row for row in json.loads(path.read_text())["times"]
                 if (row["example"], row["real"]) == (example, real) and "ms" in row]
        before += [row["schedule"] for row in sorted(times, key=lambda row: row["ms"])[:BEST_BEFORE]]
    best = [*ranking[:NEXT], *before]
    if options.cube:  # layers of other sizes: with and without bands
        best = [re.sub(r"/b\d+", "", schedule) for schedule in best]
        best += [re.sub(r"(?=/r\d)", f"/b{band}", schedule) for schedule in best for band in BANDS]
    return list(dict.fromkeys([schedules(example, real)[0], *ranking[:NEXT], plain, *best]))


def write(options):
    jobs = []
    for example in options.only or [*LEAN, *FAT, *STAGED, *PLANE]:
        for real in ("f32", "f64"):
            if options.chosen:
                every = chosen(options, example, real)
                compared = every[:2]
            else:
                every = schedules(example, real)
                compared = [every[0], *checked(example, real)]
            ways = [(s, False) for s in every] + [(s, True) for s in compared]
            jobs += [(example, real, schedule, exact) for schedule, exact in ways]
    options.folder.mkdir(parents=True, exist_ok=True)

    def emit(numbered):
        number, (example, real, schedule, exact) = numbered
        folder = options.folder / f"{number:04}"
        folder.mkdir(exist_ok=True)
        lab.run([options.stencilc, ROOT / "examples" / f"{example}.stn", f"--real={real}",
                 f"--schedule={schedule}", "-o", folder / "step.cu"])
        return {"folder": folder.name, "example": example, "real": real, "schedule": schedule,
                "exact": exact}

    lab.write_sources(options.folder, jobs, emit)
    return 0


# Of arrays over time: more than any run makes steps.
VALUES_OVER_TIME = 1 << 20


def names_in(header):
    """The stencil's in an emitted header, and those of what a run reduces."""
    return (re.search(r"(\w+)_args_default\(void\)", header).group(1),
            re.findall(r"\*(\w+); +/\* where a run leaves the number", header))


class Interface:
    """A built shared object: its argument struct by the names in the emitted header."""

    def __init__(self, folder):
        header = (folder / "step.h").read_text()
        self.name, self.results = names_in(header)
        members = re.search(r"typedef struct \{\n(.*?)\n\} \w+_args;", header, re.S).group(1)
        self.named_extents = re.search(r"int64_t ([^;]*); +/\* extents?\b", members)[1].split(", ")
        members = re.sub(r"/\*.*?\*/", "", members, flags=re.S)
        self.fields, self.pointers = [], {}
        for kind, names in re.findall(r"^\s*(?:const )?(int64_t|float|double)\s+([^;]+);", members,
                                      re.M):
            for name in (name.strip() for name in names.split(",")):
                if name.startswith("*"):
                    self.pointers[name[1:]] = 4 if kind == "float" else 8
                    self.fields.append((name[1:], ctypes.c_void_p))
                else:
                    number = {"int64_t": ctypes.c_int64, "float": ctypes.c_float,
                              "double": ctypes.c_double}[kind]
                    self.fields.append((name, number))
        self.Args = type("Args", (ctypes.Structure,), {"_fields_": self.fields})
        self.library = ctypes.CDLL(str(folder / "step.so"))
        # What the tools take of it: how it runs, and the workspace that a run needs.
        self.calls = [ctypes.cast(getattr(self.library, f"{self.name}_{what}"), ctypes.c_void_p)
                      for what in ("run", "workspace_bytes")]

    def without_results(self, args):
        """Arguments of a run that makes steps only: what is reduced at its end is not wanted."""
        for name in self.results:
            setattr(args, name, None)
        return args

    def extents(self):
        return self.named_extents

    def layout(self, extents):
        """Arguments for a grid, pointers left out; elements before point 0, and of an array."""
        default = getattr(self.library, f"{self.name}_args_default")
        default.restype = self.Args
        args = default()
        for name, extent in zip(self.extents(), extents):
            setattr(args, name, extent)
        for name, kind in self.fields:
            if name.endswith("_steps") and kind is ctypes.c_int64:
                setattr(args, name, VALUES_OVER_TIME)
        lead, elements = ctypes.c_int64(), ctypes.c_int64()
        getattr(self.library, f"{self.name}_layout")(ctypes.byref(args), ctypes.byref(lead),
                                                     ctypes.byref(elements))
        return args, lead.value, elements.value


def load_tools(folder):
    if not (folder / "tools.so").exists():
        lab.run(["nvcc", "-O3", "-shared", "-Xcompiler", "-fPIC", f"-arch={ARCH}",
                 ROOT / "test/gpu/onestep.cu", "-o", folder / "tools.so"])
    tools = ctypes.CDLL(str(folder / "tools.so"))
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    tools.take.restype, tools.take.argtypes = pointer, [size]
    tools.give_back.argtypes = [pointer]
    tools.fill.argtypes = [pointer, size, ctypes.c_int, ctypes.c_uint64]
    tools.differences.restype, tools.differences.argtypes = ctypes.c_uint64, [pointer, pointer, size]
    tools.copy_rate.restype, tools.copy_rate.argtypes = ctypes.c_double, [pointer, pointer, size]
    for time in (tools.time_steps, tools.time_bursts):
        time.restype = ctypes.c_double
        time.argtypes = [pointer, pointer, pointer, ctypes.c_int64, ctypes.c_int]
    tools.time_swept.restype = ctypes.c_double
    tools.time_swept.argtypes = [pointer, pointer, pointer, ctypes.c_int, ctypes.c_int]
    tools.time_sustained.restype = ctypes.c_double
    tools.time_sustained.argtypes = [pointer, pointer, pointer, ctypes.c_int64, ctypes.c_double]
    tools.run_steps.argtypes = [pointer, pointer, pointer, ctypes.c_int64]
    return tools


ARCH = "sm_90"
MOST_GHOSTS = 16


class Arrays:
    """Buffers for one example and type, refilled alike for every run."""

    def __init__(self, tools, interface, extents):
        self.tools = tools
        _, self.lead, self.elements = interface.layout(extents)
        # Arrays of fewer axes may have more rows before point 0 than those with all of them.
        self.margin = 64 if len(extents) == 1 else (max(extents) + MOST_GHOSTS) * MOST_GHOSTS // 64 * 64
        self.room = self.margin + self.elements + 64  # to be shifted
        fields = {name for name, _ in interface.fields}
        over_time = {name: VALUES_OVER_TIME if f"{name}_steps" in fields else 0
                     for name in interface.pointers}
        self.memory = {name: tools.take((self.room + over_time[name]) * size)
                       for name, size in interface.pointers.items()}

    def place(self, interface, extents, shift=0):
        """Arguments that name them, all `shift` elements further; their contents as at first."""
        args, _, _ = interface.layout(extents)
        for number, (name, size) in enumerate(interface.pointers.items()):
            self.tools.fill(self.memory[name], self.room, size, 1000003 * number)
            setattr(args, name, self.memory[name] + (self.margin + self.lead + shift) * size)
        return args

    def free(self):
        for memory in self.memory.values():
            self.tools.give_back(memory)


def compare(tools, entries, folder, steps=3, grids=SMALL):
    """Some steps of each entry against the first; the number of differing words by schedule."""
    interfaces = {e["schedule"]: Interface(folder / e["folder"]) for e in entries}
    first = next(iter(interfaces.values()))
    extents = grids[len(first.extents())]
    wanted, own = Arrays(tools, first, extents), Arrays(tools, first, extents)
    wrong = {}
    for schedule, interface in interfaces.items():
        total = 0
        for shift in (0, 1, 4):
            ours = own.place(interface, extents, shift)
            theirs = wanted.place(first, extents, shift)
            status = tools.run_steps(*first.calls, ctypes.byref(theirs), steps)
            status |= tools.run_steps(*interface.calls, ctypes.byref(ours), steps)
            total += status
            for name, size in interface.pointers.items():
                if not name.endswith("_next"):
                    before = own.lead * size
                    total += tools.differences(getattr(ours, name) - before,
                                               getattr(theirs, name) - before, own.elements * size)
        wrong[schedule] = total
    wanted.free()
    own.free()
    return wrong


def compulsory(interface, extents):
    """Bytes of the points that a step must read, once, and write: of u[t-1], both."""
    points = 1
    for extent in extents:
        points *= extent
    return sum(size * points * (2 if name.endswith("_prev") else 1)
               for name, size in interface.pointers.items())


def copy_rate(tools):
    """Bytes a second that a copy kernel reads and writes, between buffers taken for it."""
    room = 1 << 31
    yard = [tools.take(room), tools.take(room)]
    rate = tools.copy_rate(yard[0], yard[1], room)
    for memory in yard:
        tools.give_back(memory)
    return rate


def measure(tools, entries, folder, rate):
    rows = []
    first = Interface(folder / entries[0]["folder"])
    extents = LARGE[len(first.extents())]
    arrays = Arrays(tools, first, extents)
    for entry in entries:
        interface = Interface(folder / entry["folder"])
        args = interface.without_results(arrays.place(interface, extents))
        ms = tools.time_steps(*interface.calls, ctypes.byref(args), STEPS_TIMED, 9)
        if ms < 0:
            rows.append({**entry, "status": -ms})
            continue
        share = compulsory(interface, extents) / (ms / 1e3) / rate
        rows.append({"example": entry["example"], "real": entry["real"],
                     "schedule": entry["schedule"], "registers": entry["registers"],
                     "spilled": entry["spilled"], "ms": round(ms, 4),
                     "share_of_copy": round(share, 4)})
    arrays.free()
    rows.sort(key=lambda row: row.get("ms", 1e9))
    for row in rows:
        print(f"{row['example']:11} {row['real']} {row['schedule']:32} "
              f"{100 * row.get('share_of_copy', 0):5.1f} % of {rate / 1e9:.0f} GB/s, "
              f"{row.get('registers')} registers, {row.get('spilled')} bytes spilled", flush=True)
    return rows


def build(folder, entry):
    own = folder / entry["folder"]
    built = own / "built.json"
    if built.exists() and built.stat().st_mtime > (own / "step.cu").stat().st_mtime:
        entry.update(json.loads(built.read_text()))  # in an earlier sitting
        return
    unfused = ["-fmad=false"] if entry["exact"] else []
    # Of some large formulas that spill, nvcc makes nothing for many minutes.
    command = ["timeout", "60", "nvcc", "-O3", f"-arch={ARCH}", "-std=c++17", "-shared",
               "-cudart=shared", "-Xcompiler", "-fPIC", "-Xptxas", "-v", *unfused, own / "step.cu", "-o", own / "step.so"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise lab.Failed(f"{entry}\nexit status {done.returncode}\n{done.stderr}")
    # Of the kernels that make the step where rows are aligned.
    stencil, results = names_in((own / "step.h").read_text())
    beside = ["copy_frame", "unaligned", *(f"{stencil}_{result}" for result in results)]
    kernels = re.findall(r"entry function '(\S+)'.*?(\d+) bytes spill stores.*?Used (\d+) registers",
                         done.stderr, re.S)
    used = [(int(spilled), int(registers)) for name, spilled, registers in kernels
            if not any(other in name for other in beside)]
    counts = dict(zip(("spilled", "registers"), map(max, zip(*used))))
    entry.update(counts)
    built.write_text(json.dumps(counts))


def build_all(folder, only=None):
    """The entries that build, of all or of some examples, and what the others fail of."""
    manifest = lab.read_manifest(folder)["entries"]
    if only:
        manifest = [entry for entry in manifest if entry["example"] in only]
    failures = [f for f in lab.each(manifest, lambda entry: build(folder, entry))
                if isinstance(f, lab.Failed)]
    for failure in failures[:3]:
        print(f"does not build: {failure}")
    print(f"{len(manifest) - len(failures)} of {len(manifest)} built", flush=True)
    return [entry for entry in manifest if "registers" in entry], failures


def run(options):
    folder = options.folder
    manifest, failures = build_all(folder, options.only)
    cases = collections.defaultdict(list)
    for entry in manifest:
        cases[entry["example"], entry["real"]].append(entry)
    rows, wrong, clocks = [], {}, {}
    with tempfile.TemporaryDirectory() as scratch:
        tools = load_tools(pathlib.Path(scratch))
        rate = 0
        for (example, real), entries in cases.items():
            rate = max(rate, copy_rate(tools))
            framed = example in ["box27", "heat"]
            for grids in (SMALL, DIVIDED_IN_FRAMES if framed else DIVIDED):
                exact = [e for e in entries if e["exact"]]
                for schedule, count in compare(tools, exact, folder, grids=grids).items():
                    if count:
                        wrong[f"{example} {real} {schedule}"] = count
                        print(f"{example} {real} {schedule}: {count} words DIFFER", flush=True)
            timed, clocks[f"{example} {real}"] = lab.before_and_after(
                lambda: measure(tools, [e for e in entries if not e["exact"]], folder, rate))
            rows += timed
    best = {}
    for row in rows:
        key = (row["example"], row["real"])
        if "share_of_copy" in row and key not in best:
            best[key] = row
    print("\nbest of each:")
    for (example, real), row in best.items():
        print(f"{example:11} {real} {100 * row['share_of_copy']:5.1f} %  {row['schedule']}")
    if options.output:
        lab.save(options.output, lab.command_line(), {
            "commit": lab.read_manifest(folder)["commit"], "differing": wrong, "clocks": clocks, "times": rows})
    return 1 if wrong or failures else 0


def main():
    parser, _, writing, running = lab.halves(__doc__, ROOT / "build/stencilc")
    for command in (writing, running):
        command.add_argument("--only", nargs="*", help="examples, by name")
        command.add_argument("--cube", type=int, help="points along each axis of the large grid in 3D")
    writing.add_argument("--chosen", action="store_true", help="what the compiler chooses")
    writing.add_argument("--beside", type=pathlib.Path, nargs="*", default=[],
                         help="results with schedules to add")
    options = parser.parse_args()
    if options.cube:
        LARGE[3] = (options.cube,) * 3
    return write(options) if options.command == "write" else run(options)


if __name__ == "__main__":
    lab.leave(main)
