"""Sources of a covering design, and what the reference makes of them: `covering.py write`."""

import collections
import itertools
import math
import pathlib
import re
import struct
import tempfile

import covering_design as design
import lab
from covering_entries import extents_of, packed, planes_of, starting_values, widened

ROOT = pathlib.Path(__file__).resolve().parents[2]
STENCILS = [*sorted((ROOT / "examples").glob("*.stn")), ROOT / "test/codegen/Inputs/melting.stn"]
# Extents above every reach, which periodic axes and mirrors ask for; then how many steps.
GRIDS = {1: [((11,), 2), ((40,), 5), ((301,), 3)], 2: [((10, 12), 2), ((23, 39), 5), ((45, 133), 3)],
         3: [((10, 11, 12), 2), ((12, 13, 37), 5), ((13, 21, 139), 3)]}
FITTING, FITTING_STEPS = {1: [256], 2: [24, 128], 3: [12, 16, 128]}, 4  # points, and more till patches fit


def with_boundary(text, kind):
    """The example in the type that --real names, with one kind of boundary everywhere."""
    text = text.replace("f64", "real")
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


def fitting(listing, schedule, axes):
    """A grid of several whole blocks of patches, and what no step writes around them."""
    rank, block, patch = len(axes), schedule.split("/")[1], re.search(r"/v(\d+)x(\d+)", schedule)
    each = [int(n) for n in block.split("x")] + [1, 1]
    if patch:
        each[0] *= int(patch.group(1))
        each[1] *= int(patch.group(2))
    grid = []
    for axis, least, block in zip(axes, FITTING[rank], each[rank - 1::-1]):
        frames = [sum(map(int, frame)) for frame in re.findall(
            rf"^  update .* frame .*?\b{axis} (\d+)\+(\d+)", listing, re.M)]
        grid.append(-(-least // block) * block + max(frames, default=0))
    return grid


class Writer:
    """Makes sources of a design, and what the reference makes of them."""

    def __init__(self, options, scratch):
        self.options, self.scratch, self.kept, self.reasons = options, scratch, {}, collections.Counter()
        for stencil in options.stencils:
            for kind in design.KINDS:
                self.source(stencil.stem, kind).parent.mkdir(exist_ok=True)
                self.source(stencil.stem, kind).write_text(with_boundary(stencil.read_text(), kind))

    def source(self, example, kind):
        return self.scratch / str(design.KINDS.index(kind)) / f"{example}.stn"

    def stencilc(self, example, kind, real, *words):
        return lab.run([self.options.stencilc, self.source(example, kind), f"--real={real}", *words])

    @staticmethod
    def words(form):
        return [f"--schedule={form}"] if "/" in form else [f"--variant={form}", "-O0"]

    def legal(self, example, kind, real, form):
        try:
            return self.stencilc(example, kind, real, *self.words(form), "--emit=schedule").strip()
        except lab.Failed as failure:
            if "exit status 1" not in str(failure):
                raise
            reason = re.search(r"error: (.*)", str(failure)).group(1)
            self.reasons[re.sub(r"`[^`]*`|/\w+|\d+", "..", reason)] += 1
            return None

    def expected(self, entry, source, grid, steps):
        with tempfile.TemporaryDirectory() as folder:
            return planes_of(entry, grid, reference(self.options.stencilc, source, entry, grid, steps,
                                                    pathlib.Path(folder)))

    def write(self, numbered):
        number, (example, kind, real, form, schedule) = numbered
        listing = self.stencilc(example, kind, real, "--emit=stencil")
        axes, arrays = arrays_of(listing)
        entry = {"example": example, "kind": kind, "real": real, "axes": axes, "arrays": arrays,
                 "folder": f"{number:04}-{example}", "form": form, "schedule": schedule, "expected": []}
        out = self.options.folder / entry["folder"]
        out.mkdir(exist_ok=True)
        self.stencilc(example, kind, real, *self.words(form), "-o", out / "step.cu")
        for grid, steps in [*GRIDS[len(axes)], (fitting(listing, schedule, axes), FITTING_STEPS)]:
            of = (example, kind, real, tuple(grid), steps)
            if of not in self.kept:
                self.kept[of] = self.expected(entry, self.source(example, kind), grid, steps)
            entry["expected"].append({"grid": grid, "steps": steps, "planes": self.kept[of]})
        return entry


def write(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    options.stencils = [e for e in STENCILS if not options.only or e.stem in options.only]
    names, flags = design.names_of(lab.run([options.stencilc, "--list-variants"]))
    with tempfile.TemporaryDirectory() as scratch:
        writer = Writer(options, pathlib.Path(scratch))
        ranks = {stencil.stem: len(re.search(r"^stencil \w+\((.*?)\)", stencil.read_text(), re.M)
                                   .group(1).split(",")) for stencil in options.stencils}
        covering = design.Design(ranks, names, writer.legal, options.seed)
        covering.fill(options.sample or options.most, sample=bool(options.sample))
        entries = lab.each(list(enumerate(covering.sources)), writer.write)
    for failure in entries:
        if isinstance(failure, lab.Failed):
            raise failure
    told = covering.told()
    told["combinations that stencilc refused"] = covering.illegal
    told["flags that no source has"] = sorted("/".join(flag) for flag in flags - covering.flags())
    told["refused, most often for"] = writer.reasons.most_common(20)
    lab.write_manifest(options.folder, entries, ranks=ranks, names=names, covered=told)
    print(f"wrote {len(entries)} sources")
    for what, said in told.items():
        print(f"{what}: {said if isinstance(said, (int, str)) else len(said)}")
    return 0
