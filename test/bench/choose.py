"""choose.py STENCILC EXAMPLES: how long it takes to choose a schedule, and among how many.

The processor time of the whole compiler, the least of some runs; fails beyond the budget: 500 ms
for the 7-point stencil in three dimensions, 1 s for any other.
"""
import json
import pathlib
import resource
import subprocess
import sys

RUNS = 3
BUDGET_MS = {"7pt1": 500}
BUDGET_OF_OTHERS_MS = 1000

stencilc, examples = sys.argv[1], pathlib.Path(sys.argv[2])
sources = sorted(examples.glob("*.stn"))
assert sources, f"no examples in {examples}"


def milliseconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


slow = []
for source in sources:
    report = subprocess.run([stencilc, source, "--explain=json"], check=True, capture_output=True)
    report = json.loads(report.stdout)
    least = min(milliseconds([stencilc, source, "--emit=schedule"]) for _ in range(RUNS))
    print(f"{source.stem:<12}{least:7.0f} ms  {len(report['candidates']):4} candidates  "
          f"{report['schedule']}")
    if least > BUDGET_MS.get(source.stem, BUDGET_OF_OTHERS_MS):
        slow.append(source.stem)
if slow:
    sys.exit(f"over budget: {' '.join(slow)}")
