"""Looks for vectors in the object code of the host target: host_vectors.py stencilc examples folder

Every loop nest of a step must add or multiply whole vectors. Asked of a CPU with masked vectors,
without which g++ leaves the choices of hdiff scalar."""
import pathlib
import re
import shutil
import subprocess
import sys

stencilc, examples, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:4])
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
STENCILS = ["heat", "wave", "star4", "hdiff", "gray_scott", "fdtd2d"]
PACKED = re.compile(r"\bv?(?:add|sub|mul|fn?m(?:add|sub)\d*)pd\b")


def functions(listing):
    """The text of each function, parts that the compiler split off beside it."""
    return re.findall(r"^[0-9a-f]+ <([^>]*)>:\n(.*?)(?=^\n|\Z)", listing, re.M | re.S)


faults, loops = [], 0
for name in STENCILS:
    source = work / f"{name}.cpp"
    subprocess.run([stencilc, str(examples / f"{name}.stn"), "--target=host", "-o", str(source)],
                   check=True)
    subprocess.run(["g++", "-std=c++17", "-O3", "-march=x86-64-v4", "-fopenmp", "-c", str(source),
                    "-o", str(source.with_suffix(".o"))], check=True)
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-C",
                              str(source.with_suffix(".o"))],
                             capture_output=True, text=True, check=True).stdout
    kernels = [(title, body) for title, body in functions(listing)
               if f"{name}_step" in title and "_omp_fn" in title]
    if not kernels:
        faults.append(f"{name}: no parallel loop found")
    for title, body in kernels:
        loops += 1
        packed = len(PACKED.findall(body))
        if packed == 0:
            faults.append(f"{title}: no vector instruction")
print("\n".join(faults) or f"vectors in all of {loops} loop nests")
sys.exit(bool(faults))
