"""What marches of one warp need that load const arrays in each step, beside the estimate.

    const_marches.py STENCILC ESTIMATE EXAMPLES RESULTS.csv

Each is compiled (compute capability 9.0) with 8, 12, 16 and 20 blocks promised to a multiprocessor:
it needs the registers that it takes with the most of them for which ptxas spills nothing. One
constant, `loading-beside-patches`, was fitted to all of these kernels: nothing is held out.
"""

import datetime
import itertools
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from statistics import mean

from registers import compiled, registers_of, run, write_rows

STENCILS = {
    "source": "field real u; const real f; boundary u: clamp;"
              " u' = 0.2*u + 0.21*u[x-1] + 0.19*u[x+1] + 0.18*u[y-1] + 0.1*u[y+1] + f;",
    "coefficient": "field real u; const real k; boundary u: value(0.5);"
                   " u' = u + k*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u);",
    "both": "field real u; const real k, f; boundary u: periodic;"
            " u' = u + k*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u) + f;",
}


def needs(stencilc, estimate, name, source, real, steps, points):
    march = f"temporal/32x1/c192/t{steps}/v{points}x1/p{1 if steps == 2 else 3}"
    estimated = run(estimate, source, real, f"{march}/r1").split(",")
    found = None
    for blocks in (8, 12, 16, 20):
        log = compiled(stencilc, source, real, f"{march}/r{blocks}")
        registers, spilled = registers_of(log, estimated[0])
        if spilled:
            break
        found = registers, blocks
    if not found:
        return None
    return {"stencil": name, "real": real, "schedule": march, "promised blocks": found[1],
            "registers needed": found[0], "needed by estimate": int(estimated[5])}


def main():
    stencilc, estimate, examples, results = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        sources = {"jacobi5": os.path.join(examples, "jacobi5.stn")}
        for name, text in STENCILS.items():
            sources[name] = os.path.join(folder, f"{name}.stn")
            with open(sources[name], "w") as file:
                file.write(f"stencil {name}(y, x) {{ {text} }}\n")
        jobs = itertools.product(sources.items(), ("f32", "f64"), (2, 4, 6, 8), (2, 4))
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            rows = [row for row in workers.map(
                lambda job: needs(stencilc, estimate, *job[0], *job[1:]), jobs) if row]
    off = [row["needed by estimate"] / row["registers needed"] - 1 for row in rows]
    head = (f"{datetime.date.today()}, CUDA 13.0, nvcc -arch=sm_90 -cubin -Xptxas -v; by "
            f"test/costmodel/const_marches.py; {len(rows)} kernels, estimates {100 * mean(off):+.1f} % "
            f"in the mean, {100 * mean(map(abs, off)):.1f} % off, at most {100 * max(map(abs, off)):.0f} %")
    print(head)
    write_rows(results, head, rows)


if __name__ == "__main__":
    main()
