"""How far the estimates of registers are from what ptxas takes for patches, tiles and fused steps.

    registers.py STENCILC ESTIMATE FOLDER... [--plain | --few] [--results FOLDER [--kept]] [--only NAME,...]

Every stencil of the folders that a schedule below can compute is compiled for compute capability 9.0,
in f32 and f64 where it leaves that open, with one block promised to a multiprocessor, so that hardly
anything but the most that a thread can have caps it: each kernel that a step launches. Constants were
fitted to some (`fit`); the others (`held`) say what an estimate is worth. compiled.py does the same
for schedules without patches, with instructions.

--plain takes one point a thread, its march and its tile in place of those schedules; --few takes some of all
kinds, for test/gpu/Inputs/programs to programs_sixth, all of which constants were fitted to (what is kept
leaves out names that stand in two of them). --results writes registers-sm90.csv, registers-plain-sm90.csv or
registers-programs-sm90.csv, a line for each kernel, and its summary beside it. With --kept nothing is
compiled: the kernels there are estimated again.
"""

import argparse
import csv
import datetime
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from statistics import mean

FIT_FOLDERS = {"programs", "programs_second"}
FIT = {"19pt", "7pt2", "box27", "gray_scott", "heat", "jacobi9", "star2", "star3", "star5"}
AT_POINT = ["v1x2", "v2x1", "v4x1", "v4x2"]
MARCHES = ["v1x2", "v2x1", "v4x1", "v2x2", "v4x2", "p1", "v4x1/p1", "v2x2/p1"]
TILED = ["v2x2", "v2x4", "v4x2"]
FUSED = ["32x8x1/c64/t2/v4x2", "32x8x1/c64/t4/v4x2", "32x8x1/c64/t2/v2x2", "32x8x1/c64/t3/v2x2",
         "32x16x1/c64/t2/v4x1", "32x8x1/c64/t2/v4x2/p1"]
# By rank.
SCHEDULES = {
    3: [f"baseline/32x4x1/{points}/r1" for points in AT_POINT]
       + [f"zblock/32x4x1/c64/{points}/r1" for points in MARCHES]
       + [f"zblock/32x4x1/c4/{points}/r1/flat/tile" for points in TILED]
       + ["shm/32x8x1/c64/r1", "shm/32x8x1/r1", "shm/32x16x1/r1/plain/rim",
          "shm/32x8x1/c64/r1/buffered", "shm/32x8x1/c64/r1/async"]
       + [f"temporal/{text}/r1" for text in FUSED],
    2: [f"baseline/32x4/{points}/r1" for points in AT_POINT]
       + [f"zblock/64x1/c64/{points}/r1" for points in ("v2x1", "v4x1", "p1", "v4x1/p1")]
       + ["shm/32x8/r1", "shm/64x1/c64/r1", "shm/64x1/c64/r1/buffered"]
       + [f"temporal/32x1/c192/{text}/r1" for text in ("t2/v4x1", "t4/v4x1", "t4/v2x1/p1")],
    1: ["baseline/128/r1", "baseline/128/v2/r1", "baseline/128/v4/r1", "shm/128/r1"],
}
PLAIN = {
    3: ["baseline/32x4x1/r1", "zblock/32x8x1/c64/r1", "shm/32x8x1/c32/r1"],
    2: ["baseline/32x8/r1", "zblock/128x1/c64/r1", "shm/32x8/r1"],
    1: ["baseline/128/r1", "shm/128/r1"],
}
FEW = {
    3: ["shm/32x8x1/r1", "shm/32x16x1/r1/plain/rim", "shm/32x8x1/c64/r1", "shm/32x8x1/c64/r1/buffered",
        "shm/32x8x1/c64/r1/async", "zblock/32x8x1/c64/r1", "zblock/32x8x1/c64/p1/r1",
        "zblock/32x4x1/c64/v2x1/r1", "baseline/32x8x1/r1", "baseline/32x4x1/v2x2/r1",
        "baseline/32x4x1/v4x2/r1", "baseline/32x8x1/v2x1/r4"],
    2: ["shm/32x8/r1", "shm/64x1/c64/r1", "shm/64x1/c64/r1/buffered", "shm/64x1/c64/r1/async",
        "zblock/64x1/c64/r1", "zblock/64x1/c64/p1/r1", "zblock/64x1/c64/v2x1/r1", "baseline/32x8/r1",
        "baseline/32x4/v2x2/r1", "baseline/32x4/v4x2/r1", "baseline/32x8/v2x1/r4"],
}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def log_of_nvcc(source, *options):
    """Beside a binary of the source, what ptxas says of each kernel."""
    done = subprocess.run(["nvcc", "-arch=sm_90", "-cubin", "-Xptxas", "-v", source, *options],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{source}\n{done.stderr}")
    return done.stdout + done.stderr


def part_of(listing, separator, kernel):
    """What a listing says of a kernel: names are mangled, each behind its length."""
    return next(part for part in listing.split(separator)[1:]
                if f"{len(kernel)}{kernel}" in part.splitlines()[0])


def compiled(stencilc, source, real, schedule):
    """What ptxas says of the kernels, or none if the schedule cannot compute the stencil."""
    with tempfile.TemporaryDirectory() as folder:
        emitted = os.path.join(folder, "k.cu")
        if subprocess.run([stencilc, source, f"--real={real}", f"--schedule={schedule}", "-o",
                           emitted], capture_output=True).returncode != 0:
            return None
        return log_of_nvcc(emitted, "-o", os.path.join(folder, "k.cubin"))


def registers_of(log, kernel):
    """Registers, and bytes spilled."""
    said = part_of(log, "Compiling entry function", kernel)
    return (int(re.search(r"Used (\d+) registers", said)[1]),
            int(re.search(r"(\d+) bytes spill stores", said)[1]))


def cap(threads, residency):
    """The most registers that so many blocks of so many threads leave each."""
    return min(255, 65536 // (int(residency) * int(threads)) // 8 * 8)


def kernels(stencilc, estimate, source, real, schedules, group):
    rows = []
    for schedule in schedules:
        if (log := compiled(stencilc, source, real, schedule)) is None:
            continue
        for line in run(estimate, source, real, schedule).splitlines():
            kernel, text, threads, residency, wanted, *_ = line.split(",")
            registers, spilled = registers_of(log, kernel)
            rows.append({"stencil": os.path.basename(source)[:-4], "real": real, "schedule": text,
                         "kernel": kernel, "group": group, "registers": registers,
                         "spilled bytes": spilled,
                         "registers estimated": min(int(wanted), cap(threads, residency))})
    return rows


def estimated_again(estimate, sources, path):
    """Kept kernels of these sources with what is estimated today, and when they were compiled."""
    with open(path) as file:
        head = file.readline()
        rows = list(csv.DictReader(file))
    ways = sorted({(row["stencil"], row["real"], row["schedule"]) for row in rows})
    wanted = {}
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for way, said in zip(ways, workers.map(lambda way: run(estimate, sources[way[0]], *way[1:]), ways)):
            for line in said.splitlines():
                kernel, _, threads, residency, registers, *_ = line.split(",")
                wanted[(*way, kernel)] = min(int(registers), cap(threads, residency))
    for row in rows:
        row["registers"] = int(row["registers"])
        row["registers estimated"] = wanted[row["stencil"], row["real"], row["schedule"], row["kernel"]]
    return rows, re.search(r"\d{4}-\d\d-\d\d", head)[0]


def examples_of(folder, only):
    """The file, its number of axes and its group, of each example or of those named."""
    fits = os.path.basename(os.path.normpath(folder)) in FIT_FOLDERS
    for name in sorted(name for name in os.listdir(folder) if name.endswith(".stn")):
        if only and name[:-4] not in only.split(","):
            continue
        source = os.path.join(folder, name)
        with open(source) as file:
            rank = len(re.search(r"stencil \w+\(([^)]*)\)", file.read())[1].split(","))
        yield source, rank, "fit" if fits or name[:-4] in FIT else "held"


def reals_of(source):
    """Both where the stencil does not say itself which it takes."""
    with open(source) as file:
        said = set(re.findall(r"^\s*field (real|f32|f64)", file.read(), re.M))
    return ("f32", "f64") if "real" in said else (min(said),)


def off(row):
    return abs(row["registers estimated"] / row["registers"] - 1)


def summary(rows):
    for group in ("fit", "held"):
        chosen = [row for row in rows if row["group"] == group]
        for kind in ["", *dict.fromkeys(row["schedule"].split("/")[0] for row in chosen)]:
            some = [row for row in chosen if row["schedule"].startswith(kind)]
            if not some:
                continue
            worst = max(some, key=off)
            yield (f"{group}, {kind or 'all'}: {len(some)} kernels of "
                   f"{len({row['stencil'] for row in some})} stencils, "
                   f"mean {100 * mean(map(off, some)):.1f} %, worst {100 * off(worst):.1f} % "
                   f"({worst['stencil']} {worst['real']} {worst['schedule']})")


def write_rows(path, head, rows):
    with open(path, "w", newline="") as out:
        out.write(f"# {head}\n")
        writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def options_of(parser):
    """What a script asks that compiles the stencils of folders, and keeps what it finds."""
    parser.add_argument("stencilc")
    parser.add_argument("estimate")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--results")
    parser.add_argument("--kept", action="store_true")
    parser.add_argument("--only", help="examples by name, separated by commas")
    options = parser.parse_args()
    if options.kept and (options.only or not options.results):
        parser.error("--kept estimates all that --results has")
    return options


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--few", action="store_true")
    options = options_of(parser)
    schedules, name = ((FEW, "registers-programs-sm90") if options.few
                       else (PLAIN, "registers-plain-sm90") if options.plain
                       else (SCHEDULES, "registers-sm90"))
    jobs = [(source, real, schedules.get(rank, []), "fit" if options.few else group)
            for folder in options.folders
            for source, rank, group in examples_of(folder, options.only)
            for real in reals_of(source)]
    today = compiled_on = str(datetime.date.today())
    if options.kept:
        sources = {os.path.basename(source)[:-4]: source for source, *_ in jobs}
        rows, compiled_on = estimated_again(options.estimate, sources,
                                            os.path.join(options.results, f"{name}.csv"))
    else:
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            rows = [row for some in workers.map(
                lambda job: kernels(options.stencilc, options.estimate, *job), jobs) for row in some]
    if not rows:
        sys.exit("nothing was compared")
    lines = list(summary(rows))
    print("\n".join(lines))
    if not options.results:
        return
    head = (f"{compiled_on}, CUDA 13.0, nvcc -arch=sm_90 -cubin -Xptxas -v; "
            f"by test/costmodel/registers.py{f', estimated on {today}' if options.kept else ''}")
    with open(os.path.join(options.results, f"{name}.txt"), "w") as out:
        out.write("\n".join([head] + lines) + "\n")
    write_rows(os.path.join(options.results, f"{name}.csv"), head, rows)


if __name__ == "__main__":
    main()
