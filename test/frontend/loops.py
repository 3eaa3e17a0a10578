"""Holds the reference's values of examples against plain loops in C, bit by bit:
loops.py stencilc examples loops work-folder

The first line of a loop is the size and the number of steps of the run."""
import pathlib
import re
import struct
import subprocess
import sys

stencilc, examples, loops, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
work.mkdir(parents=True, exist_ok=True)
faults, held = [], 0


def values_of_loop(loop):
    program = work / loop.stem
    subprocess.run(["cc", "-O1", "-ffp-contract=off", "-Wall", "-Werror", str(loop), "-o",
                    str(program), "-lm"], check=True)
    return subprocess.run([str(program)], capture_output=True, check=True).stdout


def payload(path):
    data = path.read_bytes()
    return data[10 + struct.unpack("<H", data[8:10])[0]:]


def values_of_reference(example, options):
    text = subprocess.run([stencilc, str(example), "--emit=stencil"], capture_output=True,
                          text=True, check=True).stdout
    fields = re.findall(r"^field f64 (\w+)\(", text, re.MULTILINE)
    out = work / f"{example.stem}.npy"
    subprocess.run([stencilc, str(example), "--emit=values", *options, "-o", str(out)], check=True)
    files = [out] if len(fields) == 1 else [work / f"{example.stem}_{f}.npy" for f in fields]
    return b"".join(payload(file) for file in files)


for loop in sorted(loops.glob("*.c")):
    options = loop.read_text().split("\n")[0].removeprefix("// ").split()
    expected, seen = values_of_loop(loop), values_of_reference(examples / f"{loop.stem}.stn", options)
    held += len(expected) // 8
    if seen != expected:
        differ = sum(seen[i:i + 8] != expected[i:i + 8] for i in range(0, len(expected), 8))
        faults.append(f"{loop.stem}: {differ} of {len(expected) // 8} numbers differ")
print("\n".join(faults) or f"{held} numbers equal")
sys.exit(bool(faults))
