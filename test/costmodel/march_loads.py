"""In which order the machine code of a march loads, and how often a warp waits for it.

    march_loads.py STENCILC ESTIMATE EXAMPLES [--results FOLDER] [--only NAME,...]
                   [--nvdisasm PROGRAM]

Every example of two or three axes is compiled for compute capability 9.0, in f32 and f64 where it
leaves that open, with ever more blocks promised to a multiprocessor, so that ptxas has ever fewer
registers to load ahead into, and with loads that the text itself has a plane ahead. What ptxas does
not spill is listed by `nvdisasm` (on the PATH, unless said otherwise). A row tells of one kernel's
steady loop, the one with the most stores:

- turns: how many of the loop that stencilc wrote are in a pass of the compiled one;
- loads: of global memory, in a pass;
- before_first_use: those before the first instruction that names a register that the same pass loaded;
- waits: how often a warp waits in a pass, once all passes are alike, if every load takes equally long
  and all else no time. Instructions are taken in the order of the text: branches within are not.

--results writes march-loads-sm90.csv there.
"""

import argparse
import datetime
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

from registers import examples_of, log_of_nvcc, part_of, reals_of, registers_of, run, write_rows

BLOCKS = {2: "256x1", 3: "32x8x1"}  # by rank
CAPS = [f"r{blocks}" for blocks in (1, 2, 3, 4, 5, 6, 8)] + ["p1/r1", "p1/r4"]

LINE = re.compile(r"(\.L_x_\d+):|\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ +)?([A-Z][\w.]*)\s*([^;]*);")
PREDICATE = re.compile(r"!?U?P[T\d]")
ACCESSES = {"LDG", "STG", "LDS", "STS", "LDL", "STL", "LDC"}

# All registers that it names; of those, which a load fills; where a branch goes.
Instruction = namedtuple("Instruction", "opcode named loaded target")


def widths(opcode, count):
    """How many registers each operand takes: doubles, addresses and pairs are named by their first."""
    kind, *parts = opcode.split(".")
    width = [1] * count
    if kind in ACCESSES:
        width = [4 if "128" in parts else 2 if "64" in parts else 1] * count
    elif kind in ("DADD", "DMUL", "DFMA", "DSETP"):
        width = [2] * count
    elif kind == "IMAD" and "WIDE" in parts:
        width[0] = width[-1] = 2
    elif kind == "F2F":
        width = [2 if part == "F64" else 1 for part in parts[:2]]
    elif kind == "CS2R" and "32" not in parts:
        width[0] = 2
    return width


def registers_in(operand, width):
    """Brackets hold an address, which says itself how wide it is."""
    if "[" in operand:
        width = 1
    return frozenset(int(first) + word for first, pair in re.findall(r"\bR(\d+)(\.64)?", operand)
                     for word in range(2 if pair else width))


def instruction(opcode, text):
    target = re.search(r"\.L_x_\d+", text) if opcode.startswith("BRA") else None
    operands = [operand for operand in text.strip().split(", ") if not PREDICATE.fullmatch(operand)]
    named = [registers_in(*pair) for pair in zip(operands, widths(opcode, len(operands)))]
    return Instruction(opcode.split(".")[0], frozenset().union(*named),
                       named[0] if opcode.startswith("LDG") else frozenset(), target and target[0])


def number_of(opcode, code):
    return sum(one.opcode == opcode for one in code)


def code_of(listing):
    """The instructions of a kernel, and how many stand before each label."""
    code, labels = [], {}
    for label, opcode, text in (match.groups() for match in map(LINE.match, listing.splitlines()) if match):
        if label:
            labels[label] = len(code)
        else:
            code.append(instruction(opcode, text))
    return code, labels


def steady_loop(listing):
    """The loop of a kernel that stores the most, if it also loads."""
    code, labels = code_of(listing)
    loops = [code[labels[one.target]:end] for end, one in enumerate(code)
             if labels.get(one.target, end + 1) <= end]
    loops = [loop for loop in loops if number_of("STG", loop) and number_of("LDG", loop)]
    return max(loops, key=lambda loop: (number_of("STG", loop), number_of("LDG", loop)), default=None)


def before_first_use(loop):
    loads, loaded = 0, set()
    for one in loop:
        if one.named & loaded:
            break
        loaded |= one.loaded
        loads += one.opcode == "LDG"
    return loads


def waits(loop):
    """All loads take equally long, so whoever awaits the last of them has all that came before. What a
    pass awaits follows from the loads that it finds on their way, so that passes recur in the end."""
    on_their_way, passes, waited = frozenset(), {}, 0
    while on_their_way not in passes:
        passes[on_their_way] = len(passes), waited
        for one in loop:
            if one.named & on_their_way:
                waited += 1
                on_their_way = frozenset()
            on_their_way |= one.loaded
    first, waited_before = passes[on_their_way]
    return (waited - waited_before) / (len(passes) - first)


def kernels(options, source, real, schedule):
    """A row for each kernel that loops, or none if the schedule cannot compute the stencil."""
    with tempfile.TemporaryDirectory() as folder:
        emitted, binary = os.path.join(folder, "k.cu"), os.path.join(folder, "k.cubin")
        if subprocess.run([options.stencilc, source, f"--real={real}", f"--schedule={schedule}", "-o",
                           emitted], capture_output=True).returncode != 0:
            return []
        log = log_of_nvcc(emitted, "-o", binary)
        listing = run(options.nvdisasm, "-c", binary)
    rows = []
    for line in run(options.estimate, source, real, schedule).splitlines():
        kernel, _, _, _, _, _, stored, *_ = line.split(",")
        registers, spilled = registers_of(log, kernel)
        loop = steady_loop(part_of(listing, ".section\t.text.", kernel))
        if loop and not spilled:
            rows.append({"example": os.path.basename(source)[:-4], "real": real, "schedule": schedule,
                         "kernel": kernel, "registers": registers,
                         "turns": f"{number_of('STG', loop) / float(stored):g}",
                         "loads": number_of("LDG", loop), "before_first_use": before_first_use(loop),
                         "waits": f"{waits(loop):g}"})
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stencilc")
    parser.add_argument("estimate")
    parser.add_argument("examples")
    parser.add_argument("--results")
    parser.add_argument("--only", help="examples by name, separated by commas")
    parser.add_argument("--nvdisasm", default=shutil.which("nvdisasm"))
    options = parser.parse_args()
    if not options.nvdisasm:
        sys.exit("there is no nvdisasm here")
    jobs = [(options, source, real, f"zblock/{BLOCKS[rank]}/c32/{cap}")
            for source, rank, _ in examples_of(options.examples, options.only) if rank in BLOCKS
            for real in reals_of(source) for cap in CAPS]
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        rows = [row for some in workers.map(lambda job: kernels(*job), jobs) for row in some]
    print(f"{len(rows)} kernels of {len({row['example'] for row in rows})} examples")
    if options.results:
        builds = [run(program, "--version").splitlines()[-1] for program in ("nvcc", options.nvdisasm)]
        head = (f"{datetime.date.today()}, nvcc -arch=sm_90 -cubin -Xptxas -v ({builds[0]}), nvdisasm -c "
                f"({builds[1]}); by test/costmodel/march_loads.py: waits of a pass, once all are alike, if "
                "loads take equally long and all else no time")
        write_rows(os.path.join(options.results, "march-loads-sm90.csv"), head, rows)


if __name__ == "__main__":
    main()
