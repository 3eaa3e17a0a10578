"""Runs the fail_ and warn_ tests of a folder with JSON diagnostics and compares the names of the
messages with Diagnostics.def: diagnostics_coverage.py Diagnostics.def stencilc folder"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

table, stencilc, folder = sys.argv[1:]
declared = re.findall(r"^DIAGNOSTIC\((\w+),", pathlib.Path(table).read_text(), re.MULTILINE)


def shown_by(test):
    """The names of the messages that the test's own command line shows."""
    options = re.search(r"RUN: (?:not )?%stencilc (.*?)%s", test.read_text()).group(1)
    command = [stencilc, "--diagnostics-format=json", *shlex.split(options), str(test)]
    names = set()
    for line in subprocess.run(command, capture_output=True, text=True).stderr.splitlines():
        message = json.loads(line)
        names.add(message["name"])
        names.update(note["name"] for note in message["notes"])
    return names


seen, faults = set(), []
for test in sorted(pathlib.Path(folder).glob("*_*.stn")):
    kind, name = test.stem.split("_", 1)
    if kind not in ("fail", "warn"):
        continue
    shown = shown_by(test)
    seen |= shown
    if name in declared and name not in shown:
        faults.append(f"{test.name} does not show {name}")
faults += [f"no test shows {name}" for name in declared if name not in seen]
print("\n".join(faults) or f"{len(declared)} messages, each shown by a test")
sys.exit(bool(faults))
