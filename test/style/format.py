"""format.py ROOT: clang-format changes nothing in our sources."""
import subprocess
import sys

from sources import ROOMS, sources

files = sources(sys.argv[1], [*ROOMS, "test"], (".h", ".cpp"))
sys.exit(subprocess.run(["clang-format-19", "--dry-run", "-Werror", *map(str, files)],
                        cwd=sys.argv[1]).returncode)
