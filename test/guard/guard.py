"""guard.py BUILD [TESTS]: no test may pass without stencilc.

Runs lit over TESTS (all tests, if not given) with programs in place of stencilc that do nothing:
one ends with 0, one with 1. A test that passes nevertheless would pass whatever stencilc did, so it
is reported, unless the file independent.txt of TESTS names it: those test something else.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

LIT = "/usr/lib/llvm-19/build/utils/lit/lit.py"

build = pathlib.Path(sys.argv[1]).resolve()
source = pathlib.Path(__file__).resolve().parent.parent
tests = build / "test" if len(sys.argv) < 3 else pathlib.Path(sys.argv[2]).resolve()
listed = (source / "guard" if tests == build / "test" else tests) / "independent.txt"
independent = listed.read_text().split() if listed.exists() else []

faults = []
for name in independent:
    if not (source / name).exists():
        faults.append(f"{listed.name}: there is no test {name}")
    elif re.search(r"%stencilc\b", (source / name).read_text()):
        faults.append(f"{listed.name}: {name} runs stencilc")


def passing(folder, status):
    """The names of the tests that pass with a stencilc that ends with `status`."""
    stub = pathlib.Path(folder, f"ends-with-{status}")
    stub.write_text(f"#!/bin/sh\nexit {status}\n")
    stub.chmod(0o755)
    results = pathlib.Path(folder, f"{status}.json")
    command = [sys.executable, LIT, "-qq", f"--param=stencilc={stub}", f"--output={results}",
               "--ignore-fail"]
    if independent:
        command.append(f"--filter-out=({'|'.join(map(re.escape, independent))})$")
    subprocess.run(command + [tests], check=True, stdout=subprocess.DEVNULL, timeout=600)
    outcomes = [(test["name"].removeprefix("stencilc :: "), test["code"])
                for test in json.loads(results.read_text())["tests"]]
    ran = [code for _, code in outcomes if code in ("PASS", "FAIL")]
    print(f"a stencilc that ends with {status}: {ran.count('FAIL')} of {len(ran)} tests fail")
    if not ran:
        sys.exit(f"no test ran in {tests}")
    return [name for name, code in outcomes if code not in ("FAIL", "UNSUPPORTED", "EXCLUDED")]


with tempfile.TemporaryDirectory() as folder:
    for status in (0, 1):
        faults += [f"{name} does not fail with a stencilc that does nothing and ends with {status}"
                   for name in passing(folder, status)]
sys.exit("\n".join(faults) or 0)
