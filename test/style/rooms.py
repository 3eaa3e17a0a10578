"""rooms.py ROOT: every include obeys the table of rooms."""
import pathlib
import re
import sys

from sources import ROOMS, sources

# What the files of a room may include, apart from that room: other rooms, whole or in part, and
# libraries by the first folder of their headers. A file belongs to the innermost room listed.
TOOLS = {"llvm", "fmt"}
IR = TOOLS | {"ir"}
MAY_INCLUDE = {
    "ir/stencil": TOOLS | {"ir/run/Grid.h"},
    "ir/kernel": TOOLS | {"ir/stencil"},
    # The walk and the runs are two readings of one meaning: neither sees the other.
    "ir/walk": TOOLS | {"ir/stencil", "ir/kernel"},
    "ir/run": TOOLS | {"ir/stencil", "ir/kernel"},
    "ir/verify": TOOLS | {"ir/stencil", "ir/kernel", "ir/walk"},
    "frontend/language": IR | {"boost"},
    "frontend/lift": IR | {"frontend/language", "clang"},
    "frontend/driver": IR | {"frontend/language", "frontend/lsp/Server.h", "codegen", "costmodel",
                             "frontend/measure", "runtime"},
    "frontend/measure": IR | {"codegen", "costmodel", "runtime/session"},
    "frontend/lsp": IR | {"frontend/language", "frontend/driver", "costmodel"},
    "frontend/apsp": TOOLS | {"frontend/driver/FileOutput.h", "costmodel/Quantity.h",
                              "costmodel/apsp", "runtime"},
    "codegen/lower": IR,
    "codegen/variants": IR | {"codegen/lower"},
    "codegen/print": IR,
    "costmodel": TOOLS,
    "costmodel/device": IR,
    "costmodel/count": IR,
    "costmodel/compiled": IR | {"costmodel/device"},
    "costmodel/model": IR | {"costmodel/device", "costmodel/count", "costmodel/compiled"},
    "costmodel/report": IR | {"costmodel"},
    "costmodel/calibrate": IR | {"costmodel/device", "costmodel/model/GeometricTraffic.h"},
    "costmodel/apsp": IR | {"costmodel/Quantity.h", "costmodel/device"},
    "runtime": set(),
}
LIBRARIES = {"llvm", "fmt", "boost", "clang"}

root = pathlib.Path(sys.argv[1])


def is_below(path, folder):
    return path == folder or path.startswith(folder + "/")


def room_of(path):
    """The innermost room of a file; none for a file outside all of them."""
    return max((room for room in MAY_INCLUDE if is_below(path, room)), key=len, default=None)


def is_neighbour(folder, name):
    """Only made files and what ships outside the house are included without their room."""
    made = (root / folder / (name + ".in")).exists()
    return made or (folder.parts[0] == "runtime" and (root / folder / name).exists())


faults, count = [], 0
for path in sources(root):
    room = room_of(path.as_posix())
    if not room:
        faults.append(f"{path}: is in no room")
        continue
    for line in (root / path).read_text().splitlines():
        include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if not include:
            continue
        count += 1
        name = include[2]
        folder = name.split("/")[0] if "/" in name else ""
        if folder in ROOMS or folder in LIBRARIES:
            if not any(is_below(name, allowed) for allowed in {room} | MAY_INCLUDE[room]):
                faults.append(f"{path}: {room} may not include {name}")
        elif include[1] == '"' and not is_neighbour(path.parent, name):
            faults.append(f'{path}: "{name}" does not start at its room')
assert count > 100, f"only {count} includes were seen"
sys.exit("\n".join(faults) or 0)
