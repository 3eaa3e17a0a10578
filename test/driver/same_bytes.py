"""same_bytes.py STENCILC EXAMPLES FOLDER: outputs of every example, twice, from two folders.

A sample of the outputs of each, of which STENCILC_SEED is the seed; every one with STENCILC_ALL.
"""
import os
import pathlib
import random
import subprocess
import sys

stencilc, examples, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
outputs = ["ast", "stencil", "schedule", "kernel", "prediction", "cuda", "header", "main", "values"]
SAMPLE = len(outputs) if os.environ.get("STENCILC_ALL") else 1
drawn = random.Random(os.environ.get("STENCILC_SEED", "1"))
sources = sorted(examples.glob("*.stn"))
assert sources, f"no examples in {examples}"


def write(here, source, what):
    here.mkdir(parents=True, exist_ok=True)
    subprocess.run([stencilc, source, f"--emit={what}", "-o", f"{source.stem}.{what}.out"], cwd=here,
                   check=True)


for source in sources:
    for what in drawn.sample(outputs, SAMPLE):
        write(folder / "examples", source, what)
        write(folder / "again" / "elsewhere", source, what)
first = {p.name: p.read_bytes() for p in (folder / "examples").iterdir()}
second = {p.name: p.read_bytes() for p in (folder / "again" / "elsewhere").iterdir()}
assert first.keys() == second.keys(), "different files"
differing = [name for name in first if first[name] != second[name]]
if differing:
    sys.exit("different bytes: " + " ".join(differing))
