"""equal.py LIFT LEAST PATH...: every function of the files does what its stencil does.

A PATH is a file or a folder. In a file with several functions those are meant that stand behind a
comment `EQUAL`; a file without the word is lifted as it is. All are lifted; a sample is compiled and
compared, of which STENCILC_SEED is the seed. STENCILC_ALL compares all. There are at least LEAST.
"""
import os
import pathlib
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SAMPLE = 6
lift, least, paths = sys.argv[1], int(sys.argv[2]), [pathlib.Path(path) for path in sys.argv[3:]]
seed = int(os.environ.get("STENCILC_SEED", "1"))


def functions(path):
    """The arguments that choose each function of a file."""
    text = path.read_text()
    names = re.findall(r"EQUAL.*\n(?:template.*\n)?[\w ]*?[ *](\w+)\(", text)
    assert len(names) == text.count("EQUAL"), f"{path}: a comment stands before no function"
    return [[f"--function={name}"] for name in names] or [[]]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def fault(case, check):
    path, choice = case
    result = run(lift, path, *choice, *(["--check"] if check else []))
    isEqual = ": equal, " in result.stdout and not re.search(r" 0 points|, 0 steps", result.stdout)
    if result.returncode == 0 and (isEqual or not check):
        return None
    return f"{path.name} {' '.join(choice)}: {result.stdout[-2000:] if check else ''}{result.stderr}"


files = [file for path in paths
         for file in (sorted(path.rglob("*.c*")) if path.is_dir() else [path])]
cases = [(path, choice) for path in files for choice in functions(path)]
assert len(cases) >= least, f"only {len(cases)} functions"
compared = cases if os.environ.get("STENCILC_ALL") else random.Random(seed).sample(cases, SAMPLE)
with ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = list(pool.map(lambda case: fault(case, case in compared), cases))
print(f"{len(cases)} functions lifted, {len(compared)} compared, seed {seed}")
sys.exit("\n".join(filter(None, faults)) or 0)
