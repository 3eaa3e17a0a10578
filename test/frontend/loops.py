"""Holds values of stencils against plain loops in C, bit by bit: those of the reference, of the host's
text, or of the CUDA text of every variant that takes the stencil, run on the CPU. Of those that are
compiled, a third is drawn by STENCILC_SEED; STENCILC_ALL takes all:

    loops.py stencilc stencils loops work-folder [--host | --variants harness-folder library]

The first line of a loop is the size and the number of steps of the run."""
import os
import pathlib
import random
import re
import struct
import subprocess
import sys

stencilc, examples, loops, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
through_host, through_variants = "--host" in sys.argv, "--variants" in sys.argv
work.mkdir(parents=True, exist_ok=True)
faults, held, stencils = [], [], set()


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


def values_of_program(program, example, options):
    fields = fields_of(example)
    files = [work / f"{program.name}_{field}.npy" for field in fields]
    sizes = [f"--n{size}" for size in options[1].split(",")]
    subprocess.run([str(program), *sizes, options[2],
                    *(f"--out-{f}={file}" for f, file in zip(fields, files))],
                   check=True, capture_output=True)
    return b"".join(payload(file) for file in files)


def values_of_variants(example, options):
    """Of each variant that takes the stencil, by name."""
    includes, library = sys.argv[6:]
    clang = ["clang++-19", "-std=c++20", "-ffp-contract=off", "-I", includes]
    main, start = work / f"{example.stem}_main.cu", work / f"{example.stem}_main.o"
    subprocess.run([stencilc, str(example), "--emit=main", "-o", str(main)], check=True)
    listed = subprocess.run([stencilc, "--list-variants"], capture_output=True, text=True,
                            check=True).stdout.split("\n\n")[0]
    values = {}
    for variant in re.findall(r"^(\w+)", listed, re.MULTILINE):
        if variant == "host":
            continue
        code, program = work / f"{example.stem}.cu", work / f"{example.stem}_{variant}"
        done = subprocess.run([stencilc, str(example), f"--variant={variant}", "-o", str(code)],
                              capture_output=True, text=True)
        if done.returncode == 1:  # it is refused, with a reason
            continue
        done.check_returncode()
        if not values:  # the program's other half is the same for all
            subprocess.run([*clang, "-x", "c++", "-c", str(main), "-o", str(start)], check=True)
        subprocess.run([*clang, "-x", "c++", str(code), "-x", "none", str(start), library,
                        "-lboost_context", "-o", str(program)], check=True)
        values[variant] = values_of_program(program, example, options)
    return values


def values_of_host(example, options):
    """None where the stencil is not compiled yet."""
    code, main, program = (work / f"{example.stem}{end}" for end in (".cpp", "_main.cpp", "_host"))
    for what, to in (["--fp=strict"], code), (["--emit=main"], main):
        done = subprocess.run([stencilc, str(example), "--target=host", *what, "-o", str(to)],
                              capture_output=True, text=True)
        if "is not compiled yet" in done.stderr:
            return None
        done.check_returncode()
    start = work / f"{example.stem}_main.o"  # what stands around the loops need not be fast
    subprocess.run(["g++", "-std=c++17", "-O0", "-c", str(main), "-o", str(start)], check=True)
    subprocess.run(["g++", "-std=c++17", "-O2", "-fopenmp", str(start), str(code), "-o",
                    str(program)], check=True)
    return values_of_program(program, example, options)


sources = sorted(loops.glob("*.c"))
if (through_host or through_variants) and not os.environ.get("STENCILC_ALL"):
    drawn = random.Random(os.environ.get("STENCILC_SEED", "1"))
    sources = drawn.sample(sources, -(-len(sources) // 3))
for loop in sources:
    options = loop.read_text().split("\n")[0].removeprefix("// ").split()
    example = examples / f"{loop.stem}.stn"
    if through_variants:
        seen = values_of_variants(example, options)
    else:
        seen = {"host": values_of_host(example, options)} if through_host else {
            "reference": values_of_reference(example, options)}
    expected = values_of_loop(loop)
    for name, values in seen.items():
        if values is None:
            continue
        held.append(len(expected) // 8)
        stencils.add(loop.stem)
        if values != expected:
            differ = sum(values[i:i + 8] != expected[i:i + 8] for i in range(0, len(expected), 8))
            faults.append(f"{loop.stem}, {name}: {differ} of {len(expected) // 8} numbers differ")
print("\n".join(faults) or f"{sum(held)} numbers of {len(stencils)} stencils equal"
      + f", {len(held)} programs" * through_variants)
sys.exit(bool(faults))
