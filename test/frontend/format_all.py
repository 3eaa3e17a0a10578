"""format_all.py stencilc FOLDER...: of each .stn below the folders whose form is right, --format
changes blanks alone, keeps the meaning, and has nothing left to do the second time."""
import pathlib
import subprocess
import sys

stencilc, *folders = sys.argv[1:]


def run(text, *flags):
    return subprocess.run([stencilc, "-", *flags], input=text, capture_output=True)


tried, faults = 0, []
for path in sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.stn")):
    text = path.read_bytes()
    made = run(text, "--format")
    if made.returncode != 0:
        if not made.stderr or made.stdout:
            faults.append(f"{path}: is refused without a word")
        continue
    tried += 1
    if b"".join(made.stdout.split()) != b"".join(text.split()):
        faults.append(f"{path}: more than blanks changed")
    if run(made.stdout, "--format").stdout != made.stdout:
        faults.append(f"{path}: changes again")
    if run(made.stdout, "--emit=ast").stdout != run(text, "--emit=ast").stdout:
        faults.append(f"{path}: has another tree")
if tried < 100:
    faults.append(f"only {tried} texts were laid out")
sys.exit("\n".join(faults) or 0)
