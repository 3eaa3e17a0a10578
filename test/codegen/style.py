"""style.py STYLE FILE...: fails if clang-format would change a file or a line passes 100 columns."""
import difflib
import pathlib
import subprocess
import sys

style, faults = sys.argv[1], []
for name in sys.argv[2:]:
    text = pathlib.Path(name).read_text()
    lines = text.splitlines()
    faults += [f"{name}:{number}: {len(line)} columns: {line}"
               for number, line in enumerate(lines, 1) if len(line) > 100]
    kind = "style.c" if name.endswith(".h") else "style.cpp"
    formatted = subprocess.run(
        ["clang-format-19", f"--style=file:{style}", f"--assume-filename={kind}"], input=text,
        capture_output=True, text=True, check=True).stdout
    faults += difflib.unified_diff(lines, formatted.splitlines(), name, "formatted", lineterm="")
sys.exit("\n".join(faults) or 0)
