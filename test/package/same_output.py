"""same_output.py FILE PROGRAM ARGUMENT...: the program that FILE names writes what PROGRAM does."""
import pathlib
import subprocess
import sys

other = pathlib.Path(sys.argv[1]).read_text().strip()
texts = [subprocess.run([program, *sys.argv[3:]], capture_output=True, check=True).stdout
         for program in (other, sys.argv[2])]
if not texts[0] or texts[0] != texts[1]:
    sys.exit(f"{other} writes something else than {sys.argv[2]}")
