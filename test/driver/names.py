"""names.py STENCILC FOLDER COMMAND...: what stencilc takes for a name compiles, wherever it stands.

The names tried are the macros of all headers that emitted files include, and every identifier of
emitted text itself. Each is refused as one that C++ or CUDA keep, or stands once as the name of a
stencil, axis, field, const array, param and let. Each COMMAND then compiles files that hold
many outputs: {host} OpenMP sources and programs, {cuda} CUDA sources and programs. A sample is
taken; STENCILC_ALL takes all, STENCILC_SEED repeats one."""
import itertools
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

stencilc, folder, commands = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
folder.mkdir(parents=True, exist_ok=True)
SAMPLE, IN_A_FILE = 30, 100

# Names of what a program calls, and parts that could make the same name: always tried.
FIXED = [["plain", "maximumNumber", "in", "init", "args", "v0"],
         ["init", "points", "layout", "run", "Points", "Layout"]]

# Reads neighbours and its own axis, calls, and starts from `init`, so that every name has a use.
STENCIL = """stencil {0}({1}, z9) {{
  field f64 {2};
  const f64 {3};
  param f64 {4} = 0.5, scale = 2;
  boundary: clamp;
  init {2} = {1} + {4};
  init {3} = max({1}*scale, 1);
  let {5} = {3}*sqrt({4})*exp(scale);
  {2}' = {2}[{1}+1] + {2}[z9-1]*{5} + min({2}, {3});
}}
"""


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)


def emit(number, names, target):
    """Writes source, header and program; None, or why there is no such stencil."""
    stem = f"{target}{number}"
    (folder / f"{stem}.stn").write_text(STENCIL.format(*names))
    flags = [f"--target={target}", "-O0", "--diagnostics-format=json"]
    for emitted in ([], ["--emit=main"]):
        output = folder / f"{stem}{'_main' * bool(emitted)}.cpp"
        done = run([stencilc, f"{stem}.stn", *flags, *emitted, "-o", str(output)], cwd=folder)
        if done.returncode:
            return done.stdout
    return None


def includes(text):
    return re.findall(r"^#include <.*>$", text, re.M)


def macros(headers, command):
    """What the headers define, for a preprocessor."""
    (folder / "headers.cu").write_text("\n".join(headers))
    done = run([*shlex.split(command), "headers.cu"], cwd=folder)
    assert done.returncode == 0, done.stdout
    return set(re.findall(r"^#define (\w+)", done.stdout, re.M))


def is_kept(name):
    done = run([stencilc, "-fsyntax-only", "--diagnostics-format=json", "-"],
               input=f"stencil plain(x9) {{ field f64 u9; let {name} = 1; u9' = u9; }}")
    if done.returncode == 0:
        return False
    first = json.loads(done.stdout.splitlines()[0])["name"]
    assert first in {"c_name", "reserved_word", "duplicate_name", "interface_name"}, done.stdout
    return True


plain = ["plain", "y", "u", "c", "k", "m"]
texts = ""
for target in ("host", "cuda"):
    fault = emit("plain", plain, target)
    assert not fault, fault
    for path in folder.glob(f"{target}plain*"):
        texts += path.read_text()
universe = set(re.findall(r"\b[A-Za-z_]\w*", re.sub(r"//.*|\"[^\"\n]*\"", "", texts)))
headers = {target: includes("".join(p.read_text() for p in folder.glob(f"{target}plain*")))
           for target in ("host", "cuda")}
for command in ("g++ -x c++ -std=c++17 -dM -E", "g++ -x c++ -std=c++20 -fopenmp -dM -E"):
    universe |= macros(headers["host"], command)
universe |= macros(["#include <stddef.h>", "#include <stdint.h>", "#include <math.h>"],
                   "gcc -x c -dM -E")
if any("nvcc" in command for command in commands):
    universe |= macros(headers["cuda"], "nvcc -E -Xcompiler -dM")
universe = sorted(universe - {"plain", "scale", "z9"})
assert len(universe) > 1000, f"only {len(universe)} names to try"
with ThreadPoolExecutor() as pool:
    free = [name for name, kept in zip(universe, pool.map(is_kept, universe)) if not kept]
assert len(free) > 150, f"only {len(free)} names are free"

seed = int(os.environ.get("STENCILC_SEED") or random.randrange(10**6))
random.Random(seed).shuffle(free)
rows = [[free[(number + place) % len(free)] for place in range(6)] for number in range(len(free))]
if not os.environ.get("STENCILC_ALL"):
    rows = rows[::6][:SAMPLE]
rows += [row for row in FIXED if not any(is_kept(name) for name in row)]
print(f"STENCILC_SEED={seed}: {len(free)} of {len(universe)} names are free, {len(rows)} stencils")

files, refused = [], []  # files of both targets, side by side
for first in range(0, len(rows), IN_A_FILE):
    part, made = range(first, min(first + IN_A_FILE, len(rows))), {}
    for target in ("host", "cuda"):
        with ThreadPoolExecutor() as pool:
            faults = list(pool.map(lambda number: emit(number, rows[number], target), part))
        written = [number for number, fault in zip(part, faults) if not fault]
        refused += filter(None, faults)
        # Headers first, so that what is included again inside a namespace is empty.
        text = "\n".join(headers[target]) + "\n"
        for number in written:
            # Names that differ in case alone share the guard of their headers.
            text += f'#undef {rows[number][0].upper()}_H\n'
            text += f'namespace n{number} {{\n#include "{target}{number}.cpp"\n'
            text += f'#include "{target}{number}_main.cpp"\n}}\n'
        made[target] = f"{target}_{first}.cu"
        (folder / made[target]).write_text(text)
    files.append(made)
assert len(refused) < 2 * len(rows) * 0.2, "\n".join(refused)


def compiled(pair):
    command, made = pair
    done = run(shlex.split(command.format(**made)), cwd=folder)
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stdout.splitlines() if "error" in line]
    return f"{command}\n" + "\n".join(errors[:40] or [done.stdout])


with ThreadPoolExecutor() as pool:
    faults = list(pool.map(compiled, itertools.product(commands, files)))
sys.exit("\n".join(filter(None, faults)) or 0)
