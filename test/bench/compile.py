"""compile.py STENCILC BENCH EXAMPLES BUDGETS: how long it takes to compile what is chosen by default.

The time of the whole compiler with the schedule given, the least of at most ten runs; fails beyond
the budgets of `compile`.
"""
import pathlib
import subprocess
import tempfile

from budgets import arguments, fail_over, least_time

stencilc, sources, budget_of, slowness = arguments("compile")
slowest = {}
with tempfile.TemporaryDirectory() as folder:
    for source in sources:
        output = pathlib.Path(folder) / f"{source.stem}.cu"
        schedule = subprocess.run([stencilc, source, "--emit=schedule"], capture_output=True,
                                  text=True, check=True).stdout.strip()

        def made(_):
            assert "__global__" in output.read_text(), f"{source} made no kernel"

        slowest[source] = least_time([stencilc, source, f"--schedule={schedule}", "-o", output],
                                     budget_of(source), 10, made, slowness)
        print(f"{source.stem:<17}{slowest[source]:6.1f} ms of {budget_of(source):.0f}", flush=True)
fail_over(budget_of, slowest)
