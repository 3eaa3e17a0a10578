"""Holds the reference's values of stencils, or those of the host's text where it is compiled,
against plain loops in C, bit by bit: loops.py stencilc stencils loops work-folder [--host]

The first line of a loop is the size and the number of steps of the run."""
import pathlib
import re
import struct
import subprocess
import sys

stencilc, examples, loops, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
through_host = "--host" in sys.argv
work.mkdir(parents=True, exist_ok=True)
faults, held = [], []


def values_of_loop(loop):
    program = work / loop.stem
    subprocess.run(["cc", "-O1", "-ffp-contract=off", "-Wall", "-Werror", str(loop), "-o",
                    str(program), "-lm"], check=True)
    return subprocess.run([str(program)], capture_output=True, check=True).stdout


def payload(path):
    data = path.read_bytes()
    return data[10 + struct.unpack("<H", data[8:10])[0]:]


def fields_of(example):
    text = subprocess.run([stencilc, str(example), "--emit=stencil"], capture_output=True,
                          text=True, check=True).stdout
    return re.findall(r"^field f64 (\w+)\(", text, re.MULTILINE)


def values_of_reference(example, options):
    fields, out = fields_of(example), work / f"{example.stem}.npy"
    subprocess.run([stencilc, str(example), "--emit=values", *options, "-o", str(out)], check=True)
    files = [out] if len(fields) == 1 else [work / f"{example.stem}_{f}.npy" for f in fields]
    return b"".join(payload(file) for file in files)


def values_of_host(example, options):
    """None where the stencil is not compiled yet."""
    code, main, program = (work / f"{example.stem}{end}" for end in (".cpp", "_main.cpp", "_host"))
    for what, to in (["--fp=strict"], code), (["--emit=main"], main):
        done = subprocess.run([stencilc, str(example), "--target=host", *what, "-o", str(to)],
                              capture_output=True, text=True)
        if "is not compiled yet" in done.stderr:
            return None
        done.check_returncode()
    subprocess.run(["g++", "-std=c++17", "-O2", "-fopenmp", str(main), str(code), "-o",
                    str(program)], check=True)
    fields = fields_of(example)
    files = [work / f"{example.stem}_host_{field}.npy" for field in fields]
    sizes = [f"--n{size}" for size in options[1].split(",")]
    subprocess.run([str(program), *sizes, options[2],
                    *(f"--out-{f}={file}" for f, file in zip(fields, files))],
                   check=True, capture_output=True)
    return b"".join(payload(file) for file in files)


for loop in sorted(loops.glob("*.c")):
    options = loop.read_text().split("\n")[0].removeprefix("// ").split()
    example = examples / f"{loop.stem}.stn"
    seen = (values_of_host if through_host else values_of_reference)(example, options)
    if seen is None:
        continue
    expected = values_of_loop(loop)
    held.append(len(expected) // 8)
    if seen != expected:
        differ = sum(seen[i:i + 8] != expected[i:i + 8] for i in range(0, len(expected), 8))
        faults.append(f"{loop.stem}: {differ} of {len(expected) // 8} numbers differ")
print("\n".join(faults) or f"{sum(held)} numbers of {len(held)} stencils equal")
sys.exit(bool(faults))
