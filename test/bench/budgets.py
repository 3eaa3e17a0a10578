"""What choose.py and compile.py share: commands timed, and held against budgets.csv."""
import csv
import pathlib
import subprocess
import sys
import time


def arguments(kind):
    """The compiler, each example, and the milliseconds of an example by name, from the lines
    `KIND,EXAMPLE,MILLISECONDS` of budgets, where `any` stands for all others."""
    stencilc, examples, budgets = sys.argv[1:]
    sources = sorted(pathlib.Path(examples).glob("*.stn"))
    assert sources, f"no examples in {examples}"
    with open(budgets) as file:
        bounds = {row[1]: float(row[2]) for row in csv.reader(file) if row and row[0] == kind}
    return stencilc, sources, lambda source: bounds.get(source.stem, bounds["any"])


def least_time(command, budget, runs, check):
    """Milliseconds of the quickest of so many runs, or of the first within the budget; `check` is
    called with what each run printed."""
    least = None
    for _ in range(runs):
        start = time.perf_counter()
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        spent = 1000 * (time.perf_counter() - start)
        check(done.stdout)
        least = min(least or spent, spent)
        if least <= budget:
            break
    return least


def fail_over(budget_of, slowest):
    """Ends the program if an example took longer than it may; `slowest` has its milliseconds."""
    over = [source.stem for source, spent in slowest.items() if spent > budget_of(source)]
    if over:
        sys.exit(f"over budget: {' '.join(over)}")
