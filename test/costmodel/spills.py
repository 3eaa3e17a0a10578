"""Which kernels of one point a thread spill that have fewer registers than they want.

    spills.py STENCILC ESTIMATE FOLDER... [--results FOLDER [--kept]] [--only NAME,...]

Every stencil of the folders of two or three axes is compiled for compute capability 9.0 with as many
blocks promised to a multiprocessor as leave a thread 32 registers, and 64: each kernel that a step
launches. --results writes one-point-spills-sm90.csv, a line for each kernel, and a summary beside it.
With --kept nothing is compiled: the kernels there are estimated again. The summary says of how many it
is known whether they spill. What is kept leaves out names that stand in two of the folders.
"""

import argparse
import csv
import datetime
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor

import registers

CAPS = {2: {32: "baseline/32x8/r8", 64: "baseline/32x8/r4"},
        3: {32: "baseline/32x8x1/r8", 64: "baseline/32x8x1/r4"}}
LEAST_BYTES = 8  # spilled; a word or two beside a call is none


def estimates(tool, source, real, schedule):
    """Registers wanted and needed by each kernel."""
    lines = registers.run(tool, source, real, schedule).splitlines()
    return {line.split(",")[0]: list(map(int, line.split(",")[4:6])) for line in lines}


def kernels(options, job):
    source, real, cap, schedule = job
    if (log := registers.compiled(options.stencilc, source, real, schedule)) is None:
        return []
    rows = []
    for kernel, (wanted, needed) in estimates(options.estimate, source, real, schedule).items():
        took, spilled = registers.registers_of(log, kernel)
        rows.append({"stencil": os.path.basename(source)[:-4], "real": real, "kernel": kernel,
                     "registers allowed": cap, "registers": took, "spilled bytes": spilled,
                     "wanted": wanted, "needed": needed})
    return rows


def estimated_again(options, jobs, path):
    with open(path) as file:
        compiled_on = re.search(r"\d{4}-\d\d-\d\d", file.readline())[0]
        rows = list(csv.DictReader(file))
    wanted = {(row["stencil"], row["real"]) for row in rows}
    jobs = [job for job in jobs if job[2] == 32 and (os.path.basename(job[0])[:-4], job[1]) in wanted]
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        said = workers.map(lambda job: estimates(options.estimate, job[0], job[1], job[3]), jobs)
        today = {(os.path.basename(job[0])[:-4], job[1], kernel): own
                 for job, some in zip(jobs, said) for kernel, own in some.items()}
    for row in rows:
        row["wanted"], row["needed"] = today[row["stencil"], row["real"], row["kernel"]]
    return rows, compiled_on


def summary(rows):
    for cap in (32, 64):
        told = {(spills, known): 0 for spills in (True, False) for known in (True, False)}
        for row in rows:
            if int(row["registers allowed"]) == cap:
                told[int(row["spilled bytes"]) >= LEAST_BYTES, int(row["needed"]) > cap] += 1
        yield (f"{cap} registers: {sum(told.values())} kernels; {told[True, True]} spill and are known to, "
               f"{told[True, False]} spill unseen, {told[False, True]} are thought to and do not")


def main():
    options = registers.options_of(argparse.ArgumentParser())
    jobs = [(source, real, cap, schedule)
            for folder in options.folders
            for source, rank, _ in registers.examples_of(folder, options.only)
            for real in registers.reals_of(source)
            for cap, schedule in CAPS.get(rank, {}).items()]
    path = os.path.join(options.results, "one-point-spills-sm90") if options.results else None
    compiled_on = str(datetime.date.today())
    if options.kept:
        rows, compiled_on = estimated_again(options, jobs, path + ".csv")
    else:
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            rows = [row for some in workers.map(lambda job: kernels(options, job), jobs) for row in some]
    if not rows:
        sys.exit("nothing was compiled")
    lines = list(summary(rows))
    print("\n".join(lines))
    if path:
        head = f"{compiled_on}, CUDA 13.0, nvcc -arch=sm_90 -cubin -Xptxas -v; by test/costmodel/spills.py"
        with open(path + ".txt", "w") as out:
            out.write("\n".join([head] + lines) + "\n")
        registers.write_rows(path + ".csv", head, rows)


if __name__ == "__main__":
    main()
