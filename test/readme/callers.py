"""callers.py cmake|python ROOT BUILD STENCILC FOLDER: the lines of the README in that language, run
as they stand; those of CMake in a project that has a program beside them."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

language = sys.argv[1]
root, build, stencilc, folder = (pathlib.Path(word).resolve() for word in sys.argv[2:])
(lines,) = re.findall(rf"^```{language}\n(.*?)^```$", (root / "README.md").read_text(),
                      re.DOTALL | re.MULTILINE)
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def run(*command, **variables):
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, **variables}).stdout


if language == "python":
    (folder / "examples").symlink_to(root / "examples")
    said = run(sys.executable, "-c", lines + "\nprint(v.shape, abs(v).max() <= abs(u).max())",
               PYTHONPATH=str(root / "runtime/python"), STENCILC=str(stencilc),
               STENCILC_CACHE=str(folder / "cache"), OMP_NUM_THREADS="2",
               OMP_WAIT_POLICY="passive")
    assert said.startswith("heat on H200: ") and said.endswith("\n(64, 64, 64) True\n"), said
else:
    run("cmake", "--install", build, "--prefix", folder / ".local")
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.20)\n"
                                           "project(mine LANGUAGES CXX)\n"
                                           "add_executable(program main.cpp)\n" + lines)
    (folder / "main.cpp").write_text('#include "heat.h"\nint main() { return HEAT_ABI_VERSION; }\n')
    shutil.copy(root / "examples/heat.stn", folder)
    run("cmake", "-G", "Ninja", "-B", "made", f"-DCMAKE_PREFIX_PATH={folder}/.local")
    run("cmake", "--build", "made")
    assert subprocess.run([folder / "made/program"]).returncode == 1
    made = (folder / "made/stencilc/heat/heat.h").read_text()
    expected = run(stencilc, "heat.stn", "--emit=header")
    assert made.splitlines()[1:] == expected.splitlines()[1:], "another header"
