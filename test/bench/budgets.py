"""What choose.py and compile.py share: commands timed, and held against budgets.csv."""
import csv
import math
import pathlib
import subprocess
import sys
import time


def arguments(kind):
    """The compiler, each example, the milliseconds of an example by name, from the lines
    `KIND,EXAMPLE,MILLISECONDS` of budgets, where `any` stands for all others, and what tells how
    slow the machine is."""
    stencilc, bench, examples, budgets = sys.argv[1:]
    sources = sorted(pathlib.Path(examples).glob("*.stn"))
    assert sources, f"no examples in {examples}"
    with open(budgets) as file:
        bounds = {row[1]: float(row[2]) for row in csv.reader(file) if row and row[0] == kind}

    def slowness():
        told = subprocess.run([bench, budgets, "--slowness"], check=True, capture_output=True,
                              text=True)
        return float(told.stdout)

    return stencilc, sources, lambda source: bounds.get(source.stem, bounds["any"]), slowness


def least_time(command, budget, runs, check, slowness):
    """Milliseconds of the quickest of so many runs, or of the first within the budget; `check` is
    called with what each run printed. If none is within it, of as many more in turns with
    `slowness`, as if the machine were as fast as the one where budgets were set, if it is slower."""
    def once():
        start = time.perf_counter()
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        spent = 1000 * (time.perf_counter() - start)
        check(done.stdout)
        return spent

    least = math.inf
    for _ in range(runs):
        least = min(least, once())
        if least <= budget:
            return least
    slow = math.inf
    for _ in range(runs):
        slow = min(slow, slowness())
        least = min(least, once())
    return least / max(1, slow)


def fail_over(budget_of, slowest):
    """Ends the program if an example took longer than it may; `slowest` has its milliseconds."""
    over = [source.stem for source, spent in slowest.items() if spent > budget_of(source)]
    if over:
        sys.exit(f"over budget: {' '.join(over)}")
