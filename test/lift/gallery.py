"""gallery.py LIFT PAGE FOLDER [--write]: what the page shows beside C is what the C is lifted to.

Every block of C (or C++) on the page is lifted and compared with the block of stn behind it; with
--write the page is given what is lifted.
"""
import pathlib
import re
import subprocess
import sys

PAIR = re.compile(r"```(c|cpp)\n(.*?)```\n\n```stn\n(.*?)```", re.S)
lift, page, folder = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
folder.mkdir(parents=True, exist_ok=True)


def lifted(match):
    name = f"shown.{match.group(1)}"
    (folder / name).write_text(match.group(2))
    text = subprocess.run([lift, name], cwd=folder, check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    # Where a line stands in a file of the reader's says nothing on a page.
    return "".join(line + "\n" for line in text.splitlines() if not line.startswith("#line"))


text = page.read_text()
if "--write" in sys.argv:
    page.write_text(PAIR.sub(lambda match: "```{}\n{}```\n\n```stn\n{}```".format(
        match.group(1), match.group(2), lifted(match)), text))
else:
    pairs = list(PAIR.finditer(text))
    assert len(pairs) >= 6 and len(pairs) == len(re.findall(r"```(?:c|cpp)\n", text))
    for match in pairs:
        assert lifted(match) == match.group(3), lifted(match)
