"""gallery.py EXAMPLES: the index of the gallery names every example, with its own words; each has a
small picture."""
import pathlib
import sys

examples = pathlib.Path(sys.argv[1])
gallery = examples / "gallery"
sys.path.insert(0, str(gallery))
sys.dont_write_bytecode = True
import draw

names = sorted(path.stem for path in examples.glob("*.stn"))
assert names and sorted(draw.RUNS) == names, set(names).symmetric_difference(draw.RUNS)
index = (gallery / "README.md").read_text()
assert index == draw.markdown(), "README.md is another; write it anew, as it says"
page = draw.page()
for name in names:
    assert f"![{name}]({name}.png)" in index and f"](../{name}.stn): " in index, name
    assert f'<a href="{name}.html"><img src="{name}.png"' in page, name
pictures = {path.stem: path.stat().st_size for path in gallery.glob("*.png")}
assert sorted(pictures) == names, set(names).symmetric_difference(pictures)
assert max(pictures.values()) <= 30_000 and sum(pictures.values()) <= 1_000_000, pictures
