"""everything.py does each step once, in order, over as many sittings as it takes."""
import pathlib
import tempfile

import everything
from everything import Step

# A script that makes two cases of a result, one at each call, and tells every call; and one that fails.
TWO_CASES = """
import json, pathlib, sys
out, log = map(pathlib.Path, sys.argv[1:3])
cases = json.loads(out.read_text())["cases"] if out.exists() else []
cases.append(len(cases))
out.write_text(json.dumps({"cases": cases, "left": 2 - len(cases)}))
log.write_text((log.read_text() if log.exists() else "") + f"{len(cases)} ")
"""
COPY = "import pathlib, sys\npathlib.Path(sys.argv[2]).write_text(pathlib.Path(sys.argv[1]).read_text())\n"

with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    (folder / "two_cases.py").write_text(TWO_CASES)
    (folder / "copy.py").write_text(COPY)
    (folder / "fails.py").write_text("import sys\nsys.exit(1)\n")
    everything.HERE = folder
    (folder / "source").write_text("[1]")
    steps = [
        Step("a", "a write", {"compiler"}, ["source"], "a/manifest.json", ["copy.py", "source", "a/manifest.json"]),
        Step("a", "a run", {"gpu"}, ["a/manifest.json"], "results/a.json", ["two_cases.py", "{out}", "log"]),
        Step("a", "a report", set(), ["results/a.json"], "results/a.md", ["copy.py", "results/a.json", "{out}"]),
        Step("b", "b run", {"gpu"}, [], "results/b.json", ["fails.py", "{out}"]),
    ]
    # Where the compiler is.
    left, faults = everything.sitting(steps, folder, {"compiler"}, 1e9)
    assert left == {"a run": "needs a gpu", "a report": "waits for results/a.json", "b run": "needs a gpu"}, left
    assert not faults and (folder / "a/manifest.json").read_text() == "[1]"
    # Where the GPU is, twice: the first sitting is stopped after a case, the second goes on.
    (folder / "source").write_text("[2]")
    left, faults = everything.sitting(steps, folder, {"gpu"}, 1e9)
    assert list(faults) == ["a run", "b run"] and list(left) == ["a run", "a report", "b run"], (left, faults)
    assert not (folder / "results/a.json").exists() and (folder / "results/a.json.part").exists()
    left, faults = everything.sitting(steps, folder, {"gpu"}, 1e9)
    assert list(left) == ["b run"] == list(faults), (left, faults)
    assert (folder / "log").read_text() == "1 2 ", "a case was measured again"
    assert (folder / "a/manifest.json").read_text() == "[1]", "what was there was written again"
    assert "[0, 1]" in (folder / "results/a.md").read_text()
    # What is there is skipped; what is taken away is made anew; nothing is begun after the limit.
    everything.sitting(steps, folder, {"compiler", "gpu"}, 1e9)
    assert (folder / "log").read_text() == "1 2 "
    (folder / "a/manifest.json").unlink()
    left, _ = everything.sitting(steps, folder, {"compiler", "gpu"}, -1)
    assert left == {"a write": "later", "b run": "later"}, left
    everything.sitting(steps, folder, {"compiler"}, 1e9)
    assert (folder / "a/manifest.json").read_text() == "[2]"

# Of the plan itself: what a step needs is made by one before it, and no two make the same.
made = set()
for step in everything.plan(pathlib.Path("stencilc"), "h200", 1):
    assert set(step.after) <= made and step.makes not in made, step
    made.add(step.makes)
