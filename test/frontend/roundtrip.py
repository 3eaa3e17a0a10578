"""--emit=ast of each stencil of the folders parses to the same tree and the same stencil:
roundtrip.py stencilc folder..."""
import pathlib
import subprocess
import sys

stencilc, *folders = sys.argv[1:]


def run(emit, text):
    return subprocess.run([stencilc, "-", f"--emit={emit}"], input=text, capture_output=True,
                          text=True)


tried, faults = 0, []
for path in sorted(path for folder in folders for path in pathlib.Path(folder).glob("*.stn")):
    text = path.read_text()
    tree = run("ast", text)
    if tree.returncode != 0:
        continue
    tried += 1
    if not tree.stdout:
        faults.append(f"{path}: --emit=ast prints nothing")
    for emit in ("ast", "stencil"):
        if run(emit, text).stdout != run(emit, tree.stdout).stdout:
            faults.append(f"{path}: --emit={emit} of the printed tree differs")
if tried < 20:
    faults.append(f"only {tried} stencils were accepted")
sys.exit("\n".join(faults) or 0)
