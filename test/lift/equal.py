"""equal.py LIFT LEAST PATH...: every function of the files does what its stencil does.

All are lifted; a sample is compiled and compared, of which STENCILC_SEED is the seed. STENCILC_ALL
compares all. There are at least LEAST.
"""
import os
import pathlib
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from cases import cases

SAMPLE = 6
lift, least, paths = sys.argv[1], int(sys.argv[2]), [pathlib.Path(path) for path in sys.argv[3:]]
seed = int(os.environ.get("STENCILC_SEED", "1"))


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def fault(case, check):
    path, choice = case
    result = run(lift, path, *choice, *(["--check"] if check else []))
    isEqual = ": equal, " in result.stdout and not re.search(r" 0 points|, 0 steps", result.stdout)
    if result.returncode == 0 and (isEqual or not check):
        return None
    return f"{path.name} {' '.join(choice)}: {result.stdout[-2000:] if check else ''}{result.stderr}"


functions = cases(paths)
assert len(functions) >= least, f"only {len(functions)} functions"
compared = functions
if not os.environ.get("STENCILC_ALL"):
    compared = random.Random(seed).sample(functions, SAMPLE)
with ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = list(pool.map(lambda case: fault(case, case in compared), functions))
print(f"{len(functions)} functions lifted, {len(compared)} compared, seed {seed}")
sys.exit("\n".join(filter(None, faults)) or 0)
