"""registers.py STENCILC EXAMPLES FOLDER: compiles examples for sm_90 under the default schedule of
each device variant and under those chosen, with several steps a kernel allowed and with one, in both
precisions and both floating-point modes. No kernel may spill or have a stack frame; under schedules
chosen, which forecast registers, two words may go there and back. Prints the registers of each
kernel.

What spills more is listed in spills.txt, with the most bytes that a thread of a kernel keeps in
memory. None may spill more than listed; with all combinations, none less than would be allowed.

A sample; STENCILC_SEED draws another one, STENCILC_ALL takes all."""
import itertools
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SAMPLE = 12
CHOSEN = {"chosen": [], "single": ["--fuse=1"]}
ALLOWED = [0, 8]  # bytes; a schedule chosen
REPORT = re.compile(r"Compiling entry function '(?P<kernel>\w+)'.*?(?P<stack>\d+) bytes stack frame, "
                    r"(?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads.*?"
                    r"Used (?P<registers>\d+) registers", re.DOTALL)

stencilc, examples, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
known = {tuple(words[:3]): int(words[3]) for line in
         (pathlib.Path(__file__).parent / "spills.txt").read_text().splitlines()
         if (words := line.split("#")[0].split())}


def call(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def compile_one(combination):
    """The lines to print and the faults."""
    source, schedule, real, mode = combination
    title = f"{source.stem} {schedule} {real} {mode}"
    place = folder / title.replace(" ", ".")
    shutil.rmtree(place, ignore_errors=True)  # what an earlier run left is no result of this one
    place.mkdir(parents=True)
    cuda = place / f"{source.stem}.cu"
    try:
        forced = CHOSEN.get(schedule, ["-O0", f"--variant={schedule}"])
        call(stencilc, source, *forced, f"--real={real}", f"--fp={mode}", "-o", cuda)
        report = call("nvcc", "-arch=sm_90", "-Werror", "all-warnings", "-Xptxas", "-v", "-cubin",
                      cuda, "-o", place / "cubin")
    except RuntimeError as fault:
        return [], [f"{title}: {fault}"], 0
    kernels = [match.groupdict() for match in REPORT.finditer(report)]
    allowed = known.get((source.stem, schedule, real), ALLOWED[schedule in CHOSEN])
    lines = [f"{title}: {kernel['registers']} registers in {kernel['kernel']}"
             for kernel in kernels]
    faults = [f"{title}: {kernel['stack']} bytes of stack, {kernel['stores']} and "
              f"{kernel['loads']} bytes of spills in {kernel['kernel']}"
              for kernel in kernels
              if any(int(kernel[what]) > allowed for what in ("stack", "stores", "loads"))]
    if not kernels:
        faults = [f"{title}: ptxas reports no kernel\n{report}"]
    most = max((int(kernel[what]) for kernel in kernels for what in ("stack", "stores", "loads")),
               default=0)
    return lines, faults, most


sources = sorted(examples.glob("*.stn"))
assert sources, f"no examples in {examples}"


def schedules(source):
    has_one_axis = re.search(r"^stencil \w+\(\w+\)", source.read_text(), re.MULTILINE)
    return ("baseline", *CHOSEN) if has_one_axis else ("baseline", "zblock", *CHOSEN)


combinations = [(source, *others) for source in sources for others in itertools.product(
    schedules(source), ("f32", "f64"), ("contract", "strict"))]
if not os.environ.get("STENCILC_ALL"):
    seed = int(os.environ.get("STENCILC_SEED", 1))
    print(f"STENCILC_SEED={seed}")
    combinations = random.Random(seed).sample(combinations, SAMPLE)

faults, spilled = [], {}
with ThreadPoolExecutor(2) as pool:
    for (source, schedule, real, _), (lines, wrong, most) in zip(
            combinations, pool.map(compile_one, combinations)):
        print("\n".join(lines))
        faults += wrong
        case = (source.stem, schedule, real)
        spilled[case] = max(most, spilled.get(case, 0))
if os.environ.get("STENCILC_ALL"):
    faults += [f"{' '.join(case)} is listed in spills.txt and spills {spilled.get(case, 0)} bytes"
               for case in known if spilled.get(case, 0) <= ALLOWED[case[1] in CHOSEN]]
print(f"{len(combinations)} combinations, {len(faults)} faults")
sys.exit("\n".join(faults) or 0)
