"""refusals.py LIFT FILE FLAGS...: every function of the file is refused in the words before it.

The words stand behind `// REFUSED: ` in a comment before the function. A refusal is one error, with
its place in the file, and ends with status 1.
"""
import re
import subprocess
import sys

lift, path, *flags = sys.argv[1:]
text = open(path).read()
cases = re.findall(r"// REFUSED: (.*)\n(?:template.*\n)?\w[\w ]*?[ *](\w+)\(", text)
assert len(cases) == text.count("// REFUSED: "), "a comment stands before no function"
faults = []
for words, name in cases:
    run = subprocess.run([lift, path, "--function=" + name, *flags], capture_output=True,
                         text=True, timeout=60)
    errors = re.findall(r"^.+:\d+:\d+: error: (.*)$", run.stderr, re.M)
    if run.returncode != 1 or errors != [words] or run.stdout:
        faults.append(f"{name}: status {run.returncode}, expected: {words}\n{run.stdout}{run.stderr}")
print(len(cases), "functions refused")
sys.exit("\n".join(faults) or 0)
