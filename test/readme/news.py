"""news.py ROOT STENCILC: the news begin with the version that is built, and name what there is."""
import pathlib
import re
import subprocess
import sys

root, stencilc = map(pathlib.Path, sys.argv[1:])
news = (root / "NEWS.md").read_text()


def says(*flags):
    return subprocess.run([stencilc, *flags], check=True, text=True, stdout=subprocess.PIPE).stdout


newest = re.search(r"^## (.*)$", news, re.MULTILINE)[1]
assert says("--version").strip() == newest, newest
for option in re.findall(r"`(--[a-z-]+)[=`]", news):
    assert re.search(rf"^ *{option}\b", says("--help"), re.MULTILINE), f"there is no {option}"
for link in re.findall(r"\]\(([^)]*)\)", news):
    assert (root / link).exists(), f"there is no {link}"
count = "zero one two three four five six seven eight nine ten eleven twelve".split()
gpus = says("--list-gpus").splitlines()[1:]
variants = re.findall(r"^([a-z]+) ", says("--list-variants").partition("\n\n")[0], re.MULTILINE)
assert variants.pop() == "host", variants
for number, what in ((len(gpus), "GPUs"), (len(variants), "variants for a GPU")):
    assert f" {count[number]} {what}" in news.replace("\n", " "), f"there are {number} {what}"
assert "## Limits now" in (root / "README.md").read_text()
