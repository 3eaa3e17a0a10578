"""How far the estimates of instructions and registers are from what nvcc makes.

    compiled.py STENCILC ESTIMATE EXAMPLES [--results FOLDER] [--only NAME,...]
                [--at-most WHAT=PERCENT ...]

Every example is compiled in f32 and f64 under a few schedules for compute capability 9.0. ptxas
tells registers and spills. Instructions are counted by pipe in the machine code that `cuobjdump`
lists ($CUOBJDUMP, or on the PATH; without it they are left out, and cannot be bounded): all of a kernel without a loop,
and one turn of the loop of those that march, whose unrolled body counts as many turns as it has
stores; "around" is what else such a kernel runs. Constants were fitted to some examples (`fit`); the
others (`held`) say what an estimate is worth.

--results writes compiled-sm90.csv, a line for each kernel, and its summary compiled-sm90.txt;
--at-most fails if the mean error of `registers` or `instructions` over all kernels is larger.
"""

import argparse
import datetime
import os
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from statistics import mean

from registers import cap, examples_of, log_of_nvcc, part_of, run, write_rows

PIPES = ["fp32", "fp64", "integer", "multiply-add", "special", "load-store", "control", "uniform"]

# By rank. /r1 leaves the compiler its wish; without r the promise that stencilc chooses may cap it;
# the last one caps it so tightly that some kernels spill.
SCHEDULES = {
    1: ["baseline/128/r1", "baseline/128"],
    3: ["baseline/32x4x2/r1", "baseline/128x2x1", "zblock/32x8x1/c64/r1", "zblock/64x4x1/c64",
        "zblock/32x4x1/c16/r4", "zblock/32x8x1/c64/r6"],
    2: ["baseline/32x8/r1", "baseline/128x1", "zblock/128x1/c64/r1", "zblock/128x1/c64",
        "zblock/64x1/c16/r8", "zblock/128x1/c64/r16"],
}

INSTRUCTION = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+ +)?([A-Z]\w*)(\S*)\s*([^;]*);")
OPCODES = {
    "fp32": "FADD FMUL FFMA FADD32I FMUL32I FFMA32I FCHK",
    "fp64": "DADD DMUL DFMA DSETP",
    "multiply-add": "IMAD IMAD32I",
    "special": "MUFU F2F F2I I2F FRND",
    "load-store": "LDG STG LDS STS LDL STL",
    "control": "BRA EXIT BAR CALL RET BSSY BSYNC WARPSYNC",
    "uniform": "LDC S2R CS2R",  # and all that begins with U
}
PIPE_OF = {opcode: pipe for pipe, opcodes in OPCODES.items() for opcode in opcodes.split()}


class Code:
    """The machine code of one kernel."""

    def __init__(self, listing):
        self.code = []
        for line in listing.splitlines():
            if match := INSTRUCTION.match(line):
                address, predicate, opcode, _, operands = match.groups()
                target = re.search(r"0x([0-9a-f]+)", operands) if opcode == "BRA" else None
                self.code.append((int(address, 16), opcode, int(target[1], 16) if target else None,
                                  bool(predicate)))
        loops = [(target, address) for address, _, target, _ in self.code
                 if target is not None and target < address]
        self.loops = loops
        self.main = max(loops, key=lambda loop: stores(self.within(loop)), default=None)
        # Subroutines for rare operands, and padding, follow the exit that all threads take.
        begin = self.main[1] if self.main else 0
        self.end = next(address for address, opcode, _, predicated in self.code
                        if opcode == "EXIT" and not predicated and address > begin)

    def within(self, loop):
        return [one for one in self.code if loop[0] <= one[0] <= loop[1]]

    def around(self):
        """What runs outside the loop when no turns are left over: what a branch leaps that has
        stores, and not the loop, is for those."""
        left = [(address, target) for address, _, target, _ in self.code
                if target is not None and target > address
                and not address < self.main[0] < target
                and stores(self.within((address, target - 1)))]
        return [one for one in self.within((0, self.end))
                if not any(start <= one[0] <= end for start, end in self.loops)
                and not any(start < one[0] < end for start, end in left)]


def by_pipe(code):
    counts = dict.fromkeys(PIPES, 0)
    for _, opcode, _, _ in code:
        counts[PIPE_OF.get(opcode, "uniform" if opcode.startswith("U") else "integer")] += 1
    return counts


def stores(code):
    return sum(opcode == "STG" for _, opcode, _, _ in code)


class Compiler:
    def __init__(self, stencilc, estimate, cuobjdump):
        self.stencilc, self.estimate, self.cuobjdump = stencilc, estimate, cuobjdump

    def compile(self, source, real, schedule, folder):
        """What ptxas says of the kernels, and a listing of their machine code."""
        emitted, binary = os.path.join(folder, "k.cu"), os.path.join(folder, "k.cubin")
        run(self.stencilc, source, f"--real={real}", f"--schedule={schedule}", "-o", emitted)
        log = log_of_nvcc(emitted, "-o", binary)
        return log, run(self.cuobjdump, "-sass", binary) if self.cuobjdump else None

    def kernels(self, source, real, schedules, group):
        by_schedule = {}
        for line in run(self.estimate, source, real, *schedules).splitlines():
            kernel, schedule, *numbers = line.split(",")
            by_schedule.setdefault(schedule, []).append((kernel, *map(float, numbers)))
        for schedule, estimates in by_schedule.items():
            with tempfile.TemporaryDirectory() as folder:
                log, listing = self.compile(source, real, schedule, folder)
            for kernel, threads, residency, wanted, needed, stored, *counts in estimates:
                said = part_of(log, "Compiling entry function", kernel)
                code = Code(part_of(listing, "Function :", kernel)) if listing else None
                yield self.row(source, real, schedule, group, kernel, said, code,
                               cap(threads, residency), wanted, needed, stored, counts)

    @staticmethod
    def row(source, real, schedule, group, kernel, said, code, most, wanted, needed, stored, counts):
        outside, turn = counts[:len(PIPES)], counts[len(PIPES):]
        row = {
            "stencil": os.path.basename(source)[:-4], "real": real, "schedule": schedule,
            "kernel": kernel, "group": group, "kind": "loop" if sum(turn) else "straight",
            "cap": most, "registers": int(re.search(r"Used (\d+) registers", said)[1]),
            "registers estimated": min(int(wanted), most), "wanted": int(wanted),
            "spilled": int(re.search(r"(\d+) bytes stack frame", said)[1]) // 4,
            "spilled estimated": max(0, int(needed) - most),
        }
        if code:
            body = code.within(code.main or (0, code.end))
            turns = stores(body) / stored if code.main else 1
            row["unrolled"] = int(turns) if code.main else 0
            row["around"] = len(code.around()) if code.main else 0
            row["around estimated"] = sum(outside) if code.main else 0
            estimated = turn if code.main else outside
            for (pipe, count), expected in zip(by_pipe(body).items(), estimated):
                row[pipe], row[pipe + " estimated"] = count / turns, expected
        return row


def deviations(rows, columns):
    """|estimated - compiled| / compiled of the sum of `columns`, where there is any."""
    off = []
    for row in rows:
        compiled = sum(row[column] for column in columns)
        estimated = sum(row[column + " estimated"] for column in columns)
        if compiled:
            off.append((abs(estimated - compiled) / compiled, row))
    return off


def text_of(name, off):
    worst, row = max(off, key=lambda pair: pair[0])
    return (f"  {name:13} mean {100 * mean(value for value, _ in off):5.1f} %  "
            f"worst {100 * worst:5.1f} % ({row['stencil']} {row['real']} {row['schedule']})")


def instructions(rows):
    """Spills bring instructions of their own."""
    return [row for row in rows if row["spilled"] == 0] if "fp32" in rows[0] else []


def summary(rows):
    for group in ("fit", "held"):
        for kind in ("straight", "loop"):
            chosen = [row for row in rows if row["group"] == group and row["kind"] == kind]
            if not chosen:
                continue
            yield f"{group}, {kind}: {len(chosen)} kernels"
            yield text_of("registers", deviations(chosen, ["registers"]))
            free = [row for row in chosen if max(row["wanted"], row["registers"]) <= row["cap"] - 8]
            if free:
                yield text_of("  uncapped", deviations(free, ["registers"]))
            spilling = [row for row in chosen if row["spilled"] + row["spilled estimated"]]
            if spilling:
                off = mean(abs(row["spilled estimated"] - row["spilled"]) for row in spilling)
                yield (f"  spills        {len(spilling)} kernels, compiled or estimated; mean "
                       f"{mean(row['spilled'] for row in spilling):.1f} words, {off:.1f} off")
            if not (counted := instructions(chosen)):
                continue
            for name, columns in ([("instructions", PIPES), ("around", ["around"])]
                                  + [(pipe, [pipe]) for pipe in PIPES]
                                  + [("both integer", ["integer", "multiply-add"])]):
                if off := deviations(counted, columns):
                    yield text_of(name, off)


def write(folder, rows, lines):
    head = (f"{datetime.date.today()}, {run('nvcc', '--version').splitlines()[-1]}, "
            "nvcc -arch=sm_90 -cubin -Xptxas -v; by test/costmodel/compiled.py")
    with open(os.path.join(folder, "compiled-sm90.txt"), "w") as out:
        out.write("\n".join([head] + lines) + "\n")
    write_rows(os.path.join(folder, "compiled-sm90.csv"), head,
               [{key: round(value, 2) if isinstance(value, float) else value
                 for key, value in row.items()} for row in rows])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("stencilc")
    parser.add_argument("estimate")
    parser.add_argument("examples")
    parser.add_argument("--results")
    parser.add_argument("--only", help="examples by name, separated by commas")
    parser.add_argument("--at-most", action="append", default=[])
    options = parser.parse_args()
    cuobjdump = os.environ.get("CUOBJDUMP") or shutil.which("cuobjdump")
    if not cuobjdump and any(bound.startswith("instructions=") for bound in options.at_most):
        sys.exit("instructions cannot be bounded: there is no cuobjdump here")
    compiler = Compiler(options.stencilc, options.estimate, cuobjdump)

    jobs = [(source, real, SCHEDULES[rank], group)
            for source, rank, group in examples_of(options.examples, options.only)
            for real in ("f32", "f64")]
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        rows = [row for some in workers.map(lambda job: list(compiler.kernels(*job)), jobs)
                for row in some]

    lines = list(summary(rows))
    print("\n".join(lines))
    if options.results:
        write(options.results, rows, lines)
    for bound in options.at_most:
        what, most = bound.split("=")
        off = (deviations(rows, ["registers"]) if what == "registers"
               else deviations(instructions(rows), PIPES))
        if not off:
            sys.exit(f"no {what} were compared")
        if 100 * mean(value for value, _ in off) > float(most):
            sys.exit(f"{what} are further off than {most} % in the mean")


main()
