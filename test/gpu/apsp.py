#!/usr/bin/env python3
"""The shortest-path kernels on this machine's GPU: built, checked, timed beside their ceilings.

    python3 test/gpu/apsp.py -o test/gpu/results

1. `check`: every kernel against the CPU, in full to n = 4096.
2. `speed`: n = 1000 .. 32768, several plans each, with 64 rows against Dijkstra's algorithm and the
   triangle inequality over all third vertices on these rows.
3. `sweep`: every plan for n = 64 .. 20000; `between`: the same at other sizes; `paper`: the paper's
   two kernels as in its experiment.
4. compute-sanitizer's memcheck, racecheck and initcheck over small cases.

Leaves one CSV a part, and prints a summary. Exit status 0 if everything was right.
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile
import time

import lab

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "test" / "gpu" / "apsp"
SANITIZER_SECONDS = 300
PARTS = ("ceilings", "check", "speed", "sweep", "between",
         "paper")

# Weights, paths, n, and the least 10^12 add-min operations a second asked of the best plan.
TARGETS = [
    ("f32+", "no", 32768, 15.0),
    ("s32", "no", 32768, 16.0),
    ("s32<2^22", "no", 32768, 17.0),
    ("u16", "no", 32768, 31.0),
    ("f32+", "yes", 32768, 8.0),
    ("s32<2^22", "yes", 32768, 12.5),
    ("f32+", "no", 4000, 11.0),
    ("f32+", "no", 1000, 2.8),
]


def build(folder):
    def compile_one(source):
        target = folder / (source.stem + ".o")
        lab.run(["nvcc", "-std=c++17", "-O3", "-I", ROOT, "-Xcompiler", "-fopenmp,-O3,-march=native",
                 "-gencode=arch=compute_90a,code=sm_90a", "-c", source, "-o", target], timeout=400)
        return target

    sources = sorted([*SOURCES.glob("*.cu"), *SOURCES.glob("*.cpp")])
    objects = lab.each(sources, compile_one)
    for result in objects:
        if isinstance(result, lab.Failed):
            raise result
    program = folder / "apsp-bench"
    lab.run(["nvcc", "-Xcompiler", "-fopenmp", *objects, "-o", program])
    return program


def run_part(program, part, out):
    """Runs one part, also if some results were wrong; returns its rows and whether all were right."""
    begin = time.time()
    path = out / f"apsp_{part}.csv"
    with open(path, "w") as file:
        status = subprocess.run([program, part], stdout=file, timeout=400).returncode
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    print(f"{part}: {len(rows)} rows, {time.time() - begin:.0f} s, exit status {status}", flush=True)
    for row in [row for row in rows if row.get("result", "ok") != "ok"][:12]:
        print("  WRONG", ",".join(row.values()))
    return rows, status == 0


def sanitize(program, tools=("memcheck", "racecheck", "initcheck")):
    """All tools at once; true if none found anything."""
    command = ["compute-sanitizer", "--error-exitcode", "9", "--tool"]
    running = [(tool, subprocess.Popen([*command, tool, program, "quick"], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
               for tool in tools]
    clean = True
    for tool, process in running:
        try:
            text, _ = process.communicate(timeout=SANITIZER_SECONDS)
            last = text.strip().splitlines()[-1]
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            last = f"not finished in {SANITIZER_SECONDS} s"
        clean = clean and process.returncode == 0
        print(f"{tool}: {last}", flush=True)
    return clean


def summarize(ceilings, speed):
    for row in ceilings:
        print(f"ceiling {float(row['pairs_per_second']) / 1e12:6.2f} T  {row['ceiling']}")
    print("weight      paths      n  plan     ahead  time ms      T")
    for row in speed:
        print(f"{row['weight']:10} {row['paths']:5} {row['n']:>7}  {row['block']:>3}/{row['tile']:<4} "
              f"{row['look_ahead']:5} {1e3 * float(row['seconds']):8.2f} "
              f"{float(row['pairs_per_second']) / 1e12:6.2f} {row['result']}")
    print("target:  weight      paths      n  asked  best  plan")
    for weight, paths, n, least in TARGETS:
        rows = [row for row in speed if row["weight"] == weight and row["paths"] == paths
                and row["n"] == str(n) and row["result"] == "ok"]
        if rows:
            best = max(rows, key=lambda row: float(row["pairs_per_second"]))
            rate = float(best["pairs_per_second"]) / 1e12
            print(f"{'met' if rate >= least else 'MISSED':8} {weight:10} {paths:5} {n:7} {least:6.1f} "
                  f"{rate:5.2f}  {best['block']}/{best['tile']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-o", "--out", type=pathlib.Path, required=True, help="folder for the CSVs")
    parser.add_argument("--parts", default=",".join(PARTS), help="what to run, of " + ",".join(PARTS))
    parser.add_argument("--no-sanitizer", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.time()
        program = build(pathlib.Path(folder))
        print(f"built in {time.time() - begin:.0f} s", flush=True)
        wanted = options.parts.split(",")
        results = {part: run_part(program, part, options.out) for part in PARTS if part in wanted}
        right = all(right for _, right in results.values())
        if not options.no_sanitizer:
            right = sanitize(program) and right
    summarize(results.get("ceilings", ([], True))[0], results.get("speed", ([], True))[0])
    print(lab.machine())
    return 0 if right else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except lab.Failed as failure:
        print(failure, file=sys.stderr)
        sys.exit(2)
