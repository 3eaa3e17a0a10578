"""long_files.py ROOT: no source file has more than 500 lines."""
import pathlib
import sys

from sources import ROOMS, sources

MOST_LINES = 500

root = pathlib.Path(sys.argv[1])
long = [path.as_posix() for path in sources(root, [*ROOMS, "test"])
        if len((root / path).read_text(errors="replace").splitlines()) > MOST_LINES]
sys.exit("\n".join(f"{path} is longer than {MOST_LINES} lines: split it" for path in long) or 0)
