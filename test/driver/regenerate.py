"""regenerate.py STENCILC INPUT OUTPUT: runs the command that stands in OUTPUT's banner and compares."""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

stencilc, source, output = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
# A long command goes on in further lines, which stand deeper.
command = re.search(r"^//   stencilc (\S+\.stn .*(?:\n//     .*)*)", output.read_text(),
                    re.MULTILINE)
assert command, f"no command in {output}"
with tempfile.TemporaryDirectory() as folder:
    shutil.copy(source, folder)
    words = shlex.split(command.group(1).replace("\n//", ""))
    subprocess.run([stencilc] + words, cwd=folder, check=True)
    again = (pathlib.Path(folder) / output.name).read_bytes()
if again != output.read_bytes():
    sys.exit("the command in the banner makes another file")
