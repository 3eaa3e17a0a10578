"""readme.py LIFT README FOLDER: the demo of the README does what it shows.

The C there becomes the stencil there and equals it, also where no clang is on the path.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

lift, readme, folder = sys.argv[1], pathlib.Path(sys.argv[2]).read_text(), pathlib.Path(sys.argv[3])
source, stencil = re.search("```c\n(.*?)```.*?```stn\n(.*?)```", readme, re.S).groups()
shutil.rmtree(folder, ignore_errors=True)
tools = folder / "tools"
tools.mkdir(parents=True)
(folder / "heat.c").write_text(source)
for name in ("cc", "c++", "as", "ld"):
    (tools / name).symlink_to(shutil.which(name))
assert not shutil.which("clang", path=tools) and not shutil.which("clang-19", path=tools)


def run(*options):
    return subprocess.run([lift, "heat.c", *options], cwd=folder, check=True, capture_output=True,
                          text=True, env={**os.environ, "PATH": str(tools.resolve())}).stdout


assert run() == stencil, run()
shown = "".join(line.strip() + "\n" for line in readme.splitlines() if ": equal, " in line)
assert run("--check") == shown, run("--check")
