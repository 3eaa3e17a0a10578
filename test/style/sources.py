"""The sources of the house, for the checks beside this file."""
import pathlib

ROOMS = ["frontend", "ir", "codegen", "costmodel", "runtime"]


def sources(root, folders=ROOMS, suffixes=(".h", ".cpp", ".cu", ".def")):
    """The source files below the folders, as paths relative to the root, in a fixed order."""
    root = pathlib.Path(root)
    found = [path.relative_to(root) for folder in folders for path in (root / folder).rglob("*")
             if path.suffix in suffixes and path.is_file()]
    assert found, f"no sources below {root}"
    return sorted(found)
