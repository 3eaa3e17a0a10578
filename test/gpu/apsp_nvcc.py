"""apsp_nvcc.py ROOT FOLDER: nvcc compiles every file of test/gpu/apsp into FOLDER, as apsp.py does
but without optimizing, which takes most of the time. A third of them: STENCILC_SEED takes another
one, STENCILC_ALL takes all."""
import os
import pathlib
import random
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

root, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
sources = sorted(path for path in (root / "test/gpu/apsp").iterdir()
                 if path.suffix in (".cu", ".cpp"))
assert len(sources) > 8, f"only {len(sources)} files"
if not os.environ.get("STENCILC_ALL"):
    drawn = random.Random(os.environ.get("STENCILC_SEED", "1"))
    sources = drawn.sample(sources, len(sources) // 3)


def fault(source):
    done = subprocess.run(
        ["nvcc", "-std=c++17", "-I", root, "-Xcompiler", "-fopenmp", "-arch=sm_90a", "-Xcicc", "-O0",
         "-Xptxas", "-O0", "-Werror", "all-warnings", "-c", source, "-o", folder / f"{source.stem}.o"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return f"{source}\n{done.stdout}" if done.returncode else None


with ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = [found for found in pool.map(fault, sources) if found]
print(f"{len(sources)} files, {len(faults)} faults")
sys.exit("\n".join(faults) or 0)
