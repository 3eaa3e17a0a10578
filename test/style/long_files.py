"""long_files.py ROOT: a source file of more than 500 lines has its reason in long_files.txt."""
import pathlib
import sys

from sources import ROOMS, sources

MOST_LINES = 500

root = pathlib.Path(sys.argv[1])
listed = {line.split(":")[0] for line in
          (pathlib.Path(__file__).parent / "long_files.txt").read_text().splitlines() if line}
long = {path.as_posix() for path in sources(root, [*ROOMS, "test"])
        if len((root / path).read_text(errors="replace").splitlines()) > MOST_LINES}
faults = [f"{path} is longer than {MOST_LINES} lines: split it, or give a reason"
          for path in sorted(long - listed)]
faults += [f"{path} is listed as long and is not" for path in sorted(listed - long)]
sys.exit("\n".join(faults) or 0)
