#!/usr/bin/env python3
"""Runs that CUDA graphs capture and replay, against the same steps made one call after another.

    python3 test/gpu/graph.py write --stencilc build/stencilc FOLDER     where the compiler is
    python3 test/gpu/graph.py run FOLDER -o results.json                 where the GPU is

Every example under the simple and the chosen schedule, for its grid of EXTENTS. A graph has the
pointers of its capture for good, so it captures whole rotations of buffers: the fewest steps after
which every pointer is back where it was. It is replayed, and all arrays are compared bit for bit
with those of a run of as many steps. A step number is frozen too: examples whose steps depend on
theirs are left out. Exit status 0 if all agreed.
"""

import ctypes
import pathlib
import tempfile

import lab
import onestep

EXTENTS = {1: (100003,), 2: (203, 333), 3: (37, 45, 203)}
MOST_STEPS, REPLAYS = 48, 3


def write(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    manifest = []
    for source in sorted((onestep.ROOT / "examples").glob("*.stn")):
        for how in ([], ["-O0"]):
            folder = options.folder / f"{len(manifest):03}"
            folder.mkdir(exist_ok=True)
            schedule = lab.run([options.stencilc, source, *how, "--emit=schedule"]).strip()
            lab.run([options.stencilc, source, f"--schedule={schedule}", "-o", folder / "step.cu"])
            manifest.append({"folder": folder.name, "example": source.stem, "schedule": schedule,
                             "exact": True})
    lab.write_manifest(options.folder, manifest)
    print(f"wrote {len(manifest)} sources")
    return 0


def pointers(interface, args):
    return [getattr(args, name) for name in interface.pointers]


def rotation(tools, interface, arrays, extents):
    """The fewest steps that leave all pointers as they were."""
    for steps in range(1, MOST_STEPS + 1):
        args = arrays.place(interface, extents)
        before = pointers(interface, args)
        if tools.run_steps(*interface.calls, ctypes.byref(args), steps):
            raise lab.Failed(f"a run of {steps} steps fails")
        if pointers(interface, args) == before:
            return steps
    raise lab.Failed(f"{MOST_STEPS} steps do not bring every pointer back")


def check(tools, interface):
    """Steps of the graph, and the words that differ."""
    extents = EXTENTS[len(interface.extents())]
    one, other = (onestep.Arrays(tools, interface, extents) for _ in range(2))
    steps = rotation(tools, interface, one, extents)
    called, replayed = one.place(interface, extents), other.place(interface, extents)
    status = 0
    for _ in range(REPLAYS):
        status |= tools.run_steps(*interface.calls, ctypes.byref(called), steps)
    status |= tools.replay_steps(*interface.calls, ctypes.byref(replayed), steps, REPLAYS)
    if status:
        raise lab.Failed(f"a run ends with status {status}")
    words = sum(tools.differences(one.memory[name], other.memory[name], one.room * size)
                for name, size in interface.pointers.items() if not name.endswith("_next"))
    one.free()
    other.free()
    return steps, words


def run(options):
    entries, failures = onestep.build_all(options.folder)
    rows, wrong = [], len(failures)
    with tempfile.TemporaryDirectory() as scratch:
        tools = onestep.load_tools(pathlib.Path(scratch))
        for entry in entries:
            interface = onestep.Interface(options.folder / entry["folder"])
            row = {"example": entry["example"], "schedule": entry["schedule"]}
            if "step" in dict(interface.fields):
                print(f"{entry['example']:15} depends on the number of a step")
                continue
            row["steps"], row["differing"] = check(tools, interface)
            wrong += row["differing"] > 0
            rows.append(row)
            print(f"{row['example']:15} {row['schedule']:40} {row['steps']:2} steps, "
                  f"{row['differing']} words differ", flush=True)
    if options.output:
        lab.save(options.output, lab.command_line(), {"replays": REPLAYS, "graphs": rows})
    return 1 if wrong or not rows else 0


def main():
    parser, *_ = lab.halves(__doc__, onestep.ROOT / "build/stencilc")
    options = parser.parse_args()
    return write(options) if options.command == "write" else run(options)


if __name__ == "__main__":
    lab.leave(main)
