"""figures.py STENCILC FIGURES FOLDER: drawn again into FOLDER, the figures are as they are kept."""
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

stencilc, kept, drawn = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
shutil.rmtree(drawn, ignore_errors=True)
subprocess.run([sys.executable, "-B", kept / "draw.py", "--stencilc", stencilc, "-o", drawn],
               check=True)

names = sorted(path.name for path in drawn.iterdir())
assert names == sorted(path.name for path in kept.glob("*.svg")), names
said = re.findall(r"\((\S+\.svg)\)", (kept / "README.md").read_text(encoding="utf-8"))
assert names == sorted(said), said
moved = []
for name in names:
    image = (drawn / name).read_bytes()
    parts = [element.tag.split("}")[1] for element in xml.etree.ElementTree.fromstring(image)]
    assert parts[:3] == ["title", "desc", "style"] and len(image) < 60000, name
    if image != (kept / name).read_bytes():
        moved.append(name)
sys.exit(f"predictions moved in {', '.join(moved)}; if they were meant to, draw them again:\n"
         f"  python3 examples/figures/draw.py --stencilc build/stencilc -o examples/figures"
         if moved else 0)
