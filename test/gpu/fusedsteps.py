#!/usr/bin/env python3
"""How fast fused steps are, as multiples of a copy's rate, between ends of several kinds.

    python3 test/gpu/fusedsteps.py write --stencilc build/stencilc FOLDER     where the compiler is
    python3 test/gpu/fusedsteps.py run FOLDER -o results.json                 where the GPU is

The stencils are those that systems for fused steps are measured with: one weight a point, the newest
plane of the march last. `run` compares two fused passes and a single step on a grid that nothing
divides with one thread a point, bit for bit (both built with -fmad=false), then times all on the
large grid. The roofline of a
copy is its bytes a second over those of a point read once and written once. Exit status 0 if all
that was compared agreed.
"""

import collections
import ctypes
import itertools
import json
import pathlib
import re
import tempfile

import lab
import onestep

ROOT = pathlib.Path(__file__).resolve().parents[2]


def star(rank, radius):
    reaches = [tuple(at * (axis == own) for axis in range(rank))
               for own in range(rank) for at in range(-radius, radius + 1)]
    return sorted(set(reaches))


def box(rank):
    return sorted(itertools.product((-1, 0, 1), repeat=rank))


STENCILS = {"star3d1r": star(3, 1), "star3d2r": star(3, 2), "box3d1r": box(3),
            "star2d1r": star(2, 1), "star2d2r": star(2, 2), "box2d1r": box(2)}
KINDS = ["fixed", "clamp", "periodic", "value(0.5)"]

# By stencil and type, as what follows the variant's name; the first two also between ends of the
# other kinds, of those that can. Chunks of two axes are such that the last blocks to start leave few
# multiprocessors idle.
SCHEDULES = {
    ("star3d1r", "f32"): ["16x24x1/c57/t4/v4x3/p3/r1", "16x24x1/c73/t4/v4x3/p3/r1",
                          "16x32x1/c73/t4/v4x2/p2/r1", "16x16x1/c86/t4/v4x2/p2/r2",
                          "16x24x1/c47/t4/v4x3/p3/r1"],
    ("star3d1r", "f64"): ["32x12x1/c64/t4/v2x3/p1/r1", "32x8x1/c128/t4/v2x4/p1/r1",
                          "32x12x1/c128/t4/v2x3/p1/r1", "32x12x1/c43/t4/v2x3/p1/r1"],
    ("star3d2r", "f32"): ["16x24x1/c73/t2/v4x3/p2/r1", "16x24x1/c57/t2/v4x3/p2/r1",
                          "16x24x1/c57/t2/v4x3/p1/r1", "16x16x1/c86/t2/v4x2/p2/r2"],
    ("star3d2r", "f64"): ["32x8x1/c171/t2/v2x4/p1/r1", "32x8x1/c128/t2/v2x4/p1/r1",
                          "16x16x1/c128/t2/v2x3/p1/r1"],
    ("box3d1r", "f32"): ["16x24x1/c57/t2/v4x3/p2/r1", "16x24x1/c47/t2/v4x3/p2/r1",
                         "16x24x1/c57/t2/v4x3/p1/r1"],
    ("box3d1r", "f64"): ["32x8x1/c128/t2/v2x4/p2/r1", "32x8x1/c73/t2/v2x4/p1/r1",
                         "16x16x1/c128/t2/v2x3/p2/r1"],
    ("star2d1r", "f32"): ["32x4/c781/t24/v12x4/p3/r2", "32x4/c656/t16/v12x4/p3/r3",
                          "32x4/c656/t16/v12x2/p3/r3", "32x1/c191/t8/v4x1/p3/r16",
                          "32x1/c249/t12/v4x1/p3/r10", "32x1/c181/t8/v8x1/p3/r8"],
    ("star2d1r", "f64"): ["32x4/c656/t12/v13x2/p3/r2", "32x4/c529/t12/v13x2/p3/r2",
                          "32x4/c656/t12/v13x3/p3/r2", "32x8/c1490/t24/v13x4/p7/r1",
                          "32x1/c191/t8/v4x1/p3/r8", "32x1/c288/t8/v4x1/p2/r8"],
    ("star2d2r", "f32"): ["32x4/c656/t8/v12x4/p3/r3", "32x4/c863/t8/v20x2/p3/r2",
                          "32x4/c781/t12/v12x4/p3/r2", "32x1/c144/t4/v4x1/p2/r16",
                          "32x1/c181/t4/v8x1/p2/r8"],
    ("star2d2r", "f64"): ["32x4/c713/t8/v10x2/p3/r2", "32x4/c911/t8/v10x2/p3/r2",
                          "32x4/c820/t8/v9x2/p3/r2", "32x1/c191/t4/v4x1/p2/r8",
                          "32x1/c148/t3/v4x1/p2/r12"],
    ("box2d1r", "f32"): ["32x4/c656/t12/v12x4/p3/r3", "32x4/c656/t12/v12x2/p3/r3",
                         "32x4/c656/t16/v12x4/p3/r3", "32x1/c107/t4/v4x1/p3/r20",
                         "32x1/c144/t6/v4x1/p3/r16", "32x1/c87/t4/v8x1/p3/r12"],
    ("box2d1r", "f64"): ["32x4/c656/t12/v13x2/p3/r2", "32x4/c529/t12/v13x2/p3/r2",
                         "32x4/c781/t12/v11x2/p3/r2", "32x1/c185/t6/v4x1/p3/r8",
                         "32x1/c143/t4/v4x1/p3/r12", "32x1/c141/t4/v6x1/p3/r8"],
}
STEPS_TIMED = 48  # about; whole passes
# Some tiles and chunks of every schedule lie inside.
SMALL = {2: (1203, 1333), 3: (293, 95, 403)}
LARGE = {2: (16384, 16384), 3: (512, 512, 512)}


def can(schedule, kind):
    """Warps that hold successive steps keep no points beyond ends that see the grid."""
    return kind != "clamp" or not re.match(r"32x([2-9]|\d\d)/", schedule)


def text_of(name, kind):
    offsets = STENCILS[name]
    axes = "zyx"[-len(offsets[0]):]
    weights = [(2 + (5 * number) % 7) / (5 * len(offsets)) for number in range(len(offsets))]
    terms = []
    for number, offset in enumerate(offsets):
        shifts = [f"{axis}{by:+d}" for axis, by in zip(axes, offset) if by]
        terms.append(f"w{number}*u" + (f"[{', '.join(shifts)}]" if shifts else ""))
    params = ", ".join(f"w{number} = {weight:.4f}" for number, weight in enumerate(weights))
    return (f"stencil {name}({', '.join(axes)}) {{\n  field real u;\n  param real {params};\n"
            f"  boundary u: {kind};\n  u' = {' + '.join(terms)};\n}}\n")


def write(options):
    jobs = []
    for (name, real), every in SCHEDULES.items():
        reference = "baseline/32x4x2" if len(STENCILS[name][0]) == 3 else "baseline/32x8"
        for kind in KINDS:
            chosen = [f"temporal/{s}" for s in every if can(s, kind)]
            chosen = chosen if kind == "fixed" else chosen[:2]
            jobs += [(name, kind, real, reference, exact) for exact in (True, False)]
            jobs += [(name, kind, real, schedule, False) for schedule in chosen]
            jobs.append((name, kind, real, chosen[0], True))
    options.folder.mkdir(parents=True, exist_ok=True)

    def emit(numbered):
        number, (name, kind, real, schedule, exact) = numbered
        folder = options.folder / f"{number:04}"
        folder.mkdir(exist_ok=True)
        (folder / "step.stn").write_text(text_of(name, kind))
        lab.run([options.stencilc, folder / "step.stn", f"--real={real}", f"--schedule={schedule}",
                 "-o", folder / "step.cu"])
        return {"folder": folder.name, "example": name, "kind": kind, "real": real,
                "schedule": schedule, "exact": exact}

    manifest = []
    for entry, job in zip(lab.each(list(enumerate(jobs)), emit), jobs):
        if isinstance(entry, lab.Failed):
            print(f"{job}: not written: {str(entry).splitlines()[-1]}")
        else:
            manifest.append(entry)
    (options.folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    print(f"wrote {len(manifest)} of {len(jobs)} sources")
    return 0


def fused(entry):
    """Steps that a pass of its schedule makes."""
    match = re.search(r"/t(\d+)/", entry["schedule"])
    return int(match.group(1)) if match else 1


def measure(tools, entries, folder):
    first = onestep.Interface(folder / entries[0]["folder"])
    extents = LARGE[len(first.extents())]
    points = 1
    for extent in extents:
        points *= extent
    arrays = onestep.Arrays(tools, first, extents)
    room = 1 << 31
    yard = [tools.take(room), tools.take(room)]
    rate = tools.copy_rate(yard[0], yard[1], room)
    for memory in yard:
        tools.give_back(memory)
    roofline = rate / (2 * (4 if entries[0]["real"] == "f32" else 8))
    rows = []
    for entry in entries:
        interface = onestep.Interface(folder / entry["folder"])
        args = arrays.place(interface, extents)
        passes = max(1, STEPS_TIMED // fused(entry))
        ms = tools.time_steps(*interface.calls, ctypes.byref(args), passes * fused(entry), 7)
        row = {key: entry[key] for key in ("example", "kind", "real", "schedule", "registers", "spilled")}
        row |= {"gstencils_per_s": round(points / ms / 1e6, 1),
                "of_roofline": round(points / (ms / 1e3) / roofline, 3)}
        rows.append(row)
        print(f"{row['example']} {row['kind']:10} {row['real']} {row['schedule']:36} "
              f"{row['gstencils_per_s']:7} GStencil/s, {row['of_roofline']} of the copy's, "
              f"{row['registers']} registers, {row['spilled']} bytes spilled", flush=True)
    arrays.free()
    return rows


def run(options):
    folder = options.folder
    manifest, failures = onestep.build_all(folder)
    cases = collections.defaultdict(list)
    for entry in manifest:
        cases[entry["example"], entry["kind"], entry["real"]].append(entry)
    rows, wrong = [], {}
    with tempfile.TemporaryDirectory() as scratch:
        tools = onestep.load_tools(pathlib.Path(scratch))
        for case, entries in cases.items():
            exact = [entry for entry in entries if entry["exact"]]
            # An odd number of passes, as of steps: both end in the buffer that began as the next one.
            steps = 2 * fused(exact[-1]) + 1
            for schedule, count in onestep.compare(tools, exact, folder, steps, SMALL).items():
                if count:
                    wrong[f"{' '.join(case)} {schedule}"] = count
                    print(f"{case} {schedule}: {count} words DIFFER", flush=True)
            rows += measure(tools, [entry for entry in entries if not entry["exact"]], folder)
    if options.output:
        lab.save(options.output, lab.command_line(), {"differing": wrong, "times": rows})
    return 1 if wrong or failures else 0


def main():
    options = lab.halves(__doc__, ROOT / "build/stencilc")[0].parse_args()
    return write(options) if options.command == "write" else run(options)


if __name__ == "__main__":
    lab.leave(main)
