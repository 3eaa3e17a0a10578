"""variant_names.py ROOT STENCILC: no identifier or string in the cost model or in a printer is the
name of a variant: both know programs, not where they came from."""
import pathlib
import re
import subprocess
import sys

from sources import sources

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*', re.DOTALL)

root = pathlib.Path(sys.argv[1])
listing = subprocess.run([sys.argv[2], "--list-variants"], capture_output=True, text=True,
                         check=True).stdout
# Each begins a line; what papers call their kernels comes after an empty one.
names = {line.split()[0] for line in listing.split("\n\n")[0].splitlines() if line[0] != " "}
assert names, "no variant is listed"

printers = [path for path in sources(root, ["codegen"]) if "Printer" in path.name]
assert printers, "no printer was found"
faults = []
for path in printers + ([*sources(root, ["costmodel"])] if (root / "costmodel").is_dir() else []):
    for token in TOKEN.findall((root / path).read_text()):
        if not token.startswith(("//", "/*")) and token.strip('"') in names:
            faults.append(f"{path}: {token}")
sys.exit("\n".join(faults) or 0)
