"""each_example.py [--one-in=N] STENCILC EXAMPLES FOLDER FLAGS COMMAND...: writes every example as
FOLDER/{stem}.cu with the flags and runs each command there, {stem} standing for its name. An example
that marches cannot take is passed over: those of one axis.

With --one-in=N, one example in N: STENCILC_SEED draws others, STENCILC_ALL takes all."""
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

arguments = sys.argv[1:]
one_in = int(arguments.pop(0).removeprefix("--one-in=")) if arguments[0].startswith("--one-in=") else 1
stencilc, examples, folder = arguments[0], pathlib.Path(arguments[1]), pathlib.Path(arguments[2])
flags, commands = shlex.split(arguments[3]), arguments[4:]
shutil.rmtree(folder, ignore_errors=True)  # what an earlier run left is no result of this one
folder.mkdir(parents=True)
ONE_AXIS = "marches along the slowest axis while threads stand along the others"
sources = sorted(examples.glob("*.stn"))
assert sources, f"no examples in {examples}"
if one_in > 1 and not os.environ.get("STENCILC_ALL"):
    drawn = random.Random(f"{os.environ.get('STENCILC_SEED', 1)} {shlex.join(flags)}")
    sources = drawn.sample(sources, len(sources) // one_in)


def check(source):
    steps = [[stencilc, str(source), *flags, "-o", f"{source.stem}.cu"]]
    steps += [shlex.split(command.format(stem=source.stem)) for command in commands]
    for step in steps:
        done = subprocess.run(step, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        if step is steps[0] and ONE_AXIS in done.stdout:
            return None
        if done.returncode:
            return f"{source.stem}: {shlex.join(step)}\n{done.stdout}"
    return None


with ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = [fault for fault in pool.map(check, sources) if fault]
print(f"{len(sources)} examples, {len(faults)} faults")
sys.exit("\n".join(faults) or 0)
