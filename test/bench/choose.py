"""choose.py STENCILC BENCH EXAMPLES BUDGETS: how long it takes to choose a schedule, for every device.

The time of the whole compiler, the least of at most five runs; fails beyond the budgets of `choice`.
"""
import subprocess

from budgets import arguments, fail_over, least_time

stencilc, sources, budget_of, slowness = arguments("choice")
listed = subprocess.run([stencilc, "--list-gpus"], check=True, capture_output=True, text=True)
gpus = [line.split()[0] for line in listed.stdout.splitlines()[1:]]  # after the head of the table
assert gpus, "no devices are listed"


def chosen(text):
    assert text, "no schedule was chosen"


slowest = {}
for source in sources:
    slowest[source], gpu = max(
        (least_time([stencilc, source, f"--gpu={gpu}", "--emit=schedule"], budget_of(source), 5,
                    chosen, slowness), gpu)
        for gpu in gpus)
    print(f"{source.stem:<17}at most {slowest[source]:6.0f} ms of {budget_of(source):.0f} ({gpu})",
          flush=True)
fail_over(budget_of, slowest)
