"""stencils.py STENCILC FOLDER: stencilc --format changes nothing in the stencils of the folder."""
import pathlib
import subprocess
import sys

stencilc, folder = sys.argv[1:]
paths = sorted(pathlib.Path(folder).glob("*.stn"))
assert paths, f"no stencils in {folder}"
faults = []
for path in paths:
    done = subprocess.run([stencilc, "--format", str(path)], capture_output=True, text=True)
    if done.stdout != path.read_text():
        faults.append(f"{path} is laid out otherwise: stencilc --format {path} -o {path}")
sys.exit("\n".join(faults) or 0)
