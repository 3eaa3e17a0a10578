"""choose.py STENCILC EXAMPLES BUDGETS: how long it takes to choose a schedule, for every device.

The time of the whole compiler, the least of at most five runs; fails beyond the budgets, lines
`choice,EXAMPLE,MILLISECONDS` where `any` stands for all other examples.
"""
import csv
import pathlib
import subprocess
import sys
import time

RUNS = 5

stencilc, examples = sys.argv[1], pathlib.Path(sys.argv[2])
sources = sorted(examples.glob("*.stn"))
assert sources, f"no examples in {examples}"
with open(sys.argv[3]) as file:
    budgets = {row[1]: float(row[2]) for row in csv.reader(file) if row and row[0] == "choice"}
listed = subprocess.run([stencilc, "--list-gpus"], check=True, capture_output=True, text=True)
gpus = [line.split()[0] for line in listed.stdout.splitlines()[1:]]  # after the head of the table
assert gpus, "no devices are listed"


def milliseconds(command):
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True)
    assert done.stdout, "no schedule was chosen"
    return 1000 * (time.perf_counter() - start)


over = []
for source in sources:
    budget = budgets.get(source.stem, budgets["any"])
    slowest = (0, "")
    for gpu in gpus:
        command = [stencilc, source, f"--gpu={gpu}", "--emit=schedule"]
        least = milliseconds(command)
        for _ in range(RUNS - 1):
            if least <= budget:
                break
            least = min(least, milliseconds(command))
        slowest = max(slowest, (least, gpu))
    print(f"{source.stem:<17}at most {slowest[0]:6.0f} ms of {budget:.0f} ({slowest[1]})",
          flush=True)
    if slowest[0] > budget:
        over.append(source.stem)
if over:
    sys.exit(f"over budget: {' '.join(over)}")
