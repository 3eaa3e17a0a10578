"""rooms.py ROOT: every include obeys the table of rooms."""
import pathlib
import re
import sys

from sources import ROOMS, sources

# What the files of a room may include: rooms, and libraries by the first folder of their headers.
MAY_INCLUDE = {
    "ir": {"ir", "llvm", "fmt"},
    "frontend": {"frontend", "ir", "llvm", "fmt", "boost"},
    "codegen": {"codegen", "ir", "llvm", "fmt"},
    "costmodel": {"costmodel", "ir", "llvm", "fmt"},
    "runtime": {"runtime"},
}
# The executables join the rooms; the reference run shares the .npy files of emitted programs.
FURTHER = {
    "frontend/stencilc.cpp": {"codegen", "costmodel", "runtime"},
    "frontend/ReferenceRun.cpp": {"runtime"},
    # Between stencilc and the models: a schedule is lowered, then predicted.
    "frontend/Choose.h": {"codegen", "costmodel"},
    "frontend/CommandLine.h": {"costmodel"},
    "frontend/Explain.cpp": {"costmodel"},
    "frontend/Explain.h": {"costmodel"},
    "frontend/stencilc-apsp.cpp": {"costmodel", "runtime"},
}
# The files that stencilc-apsp alone is made of.
APSP = ("frontend/Apsp", {"costmodel", "runtime"})

root = pathlib.Path(sys.argv[1])


def is_neighbour(folder, name):
    """Only made files and what ships outside the house are included without their room."""
    made = (root / folder / (name + ".in")).exists()
    return made or (folder.parts[0] == "runtime" and (root / folder / name).exists())


faults, count = [], 0
for path in sources(root):
    room = path.parts[0]
    allowed = MAY_INCLUDE[room] | FURTHER.get(path.as_posix(), set())
    if path.as_posix().startswith(APSP[0]):
        allowed |= APSP[1]
    for line in (root / path).read_text().splitlines():
        include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if not include:
            continue
        count += 1
        folder = include[2].split("/")[0] if "/" in include[2] else ""
        if folder in ROOMS or folder in {"llvm", "fmt", "boost", "clang"}:
            if folder not in allowed:
                faults.append(f"{path}: {room} may not include {include[2]}")
        elif include[1] == '"' and not is_neighbour(path.parent, include[2]):
            faults.append(f'{path}: "{include[2]}" does not start at its room')
assert count > 100, f"only {count} includes were seen"
sys.exit("\n".join(faults) or 0)
