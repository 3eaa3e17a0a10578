"""headers.py LIFT FOLDER...: single-header libraries of C go through the tool without crash or hang.

Every header of the folders is read as a file of its own, with the macro that brings its bodies, and
every function with loops that it then has is lifted or refused.
"""
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

lift, folders = sys.argv[1], sys.argv[2:]


def run(header, *options):
    """What the tool says, and what is wrong with how it ended."""
    bodies = header.stem.upper() + "_IMPLEMENTATION"
    command = [lift, header, "-o", "/dev/null", *options, "--", "-xc", "-D" + bodies,
               "-I" + str(header.parent)]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "", "hangs"
    return result.stderr, "" if result.returncode in (0, 1) else f"status {result.returncode}"


def functions(header):
    said, fault = run(header)
    names = re.search("several functions with loops here: (.*)", said)
    found = [("", fault)]
    for name in re.findall("`(.*?)`", names.group(1)) if names else []:
        found.append((name, run(header, "--function=" + name)[1]))
    return header, found


headers = [path for folder in folders for path in sorted(pathlib.Path(folder).rglob("*.h"))]
with ThreadPoolExecutor(3) as pool:
    results = list(pool.map(functions, headers))
faults = [f"{header} {name}: {fault}" for header, found in results for name, fault in found if fault]
print(f"{len(results)} headers, {sum(len(found) - 1 for _, found in results)} functions with loops, "
      f"{len(faults)} findings")
sys.exit("\n".join(faults) or 0)
