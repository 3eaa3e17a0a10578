"""rename_all.py STENCILC FOLDER...: every name of every accepted stencil below the folders can get a
new one, which leaves the same stencil but for that name, and its old one back."""
import pathlib
import re
import subprocess
import sys

from client import Client, apply

stencilc, *folders = sys.argv[1:]
NEW = "renamed_by_the_test"
client = Client(stencilc)


def tree(text):
    done = subprocess.run([stencilc, "-", "--emit=ast"], input=text, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def rename(text, position, name):
    client.change([{"text": text}], uri="t")
    changes = client.ask("textDocument/rename", {"textDocument": {"uri": "t"}, "newName": name,
                                                 "position": position})["changes"]["t"]
    return apply(text, changes)


def declarations(text):
    """Where each name is declared, once each."""
    document = {"textDocument": {"uri": "t"}}
    data = client.ask("textDocument/semanticTokens/full", document)["data"]
    line, character, found = 0, 0, []
    for number in range(0, len(data), 5):
        down, along, length, _, modifiers = data[number:number + 5]
        line, character = line + down, along if down else character + along
        if modifiers & 1:
            found.append(({"line": line, "character": character},
                          text.split("\n")[line][character:character + length]))
    return found


files, names, faults = 0, 0, []
for path in sorted(path for folder in folders for path in pathlib.Path(folder).glob("*.stn")):
    text = path.read_text()
    before = tree(text)
    if before is None or len(text) > 20000:
        continue
    files += 1
    client.open(text, "t")
    for position, old in declarations(text):
        names += 1
        renamed = rename(text, position, NEW)
        after = tree(renamed)
        if renamed == text or after is None:
            faults.append(f"{path}: {old} cannot be renamed")
        elif re.sub(rf"\b{NEW}\b", old, after) != before:
            faults.append(f"{path}: {old} renamed is another stencil")
        elif rename(renamed, position, old) != text:
            faults.append(f"{path}: {old} does not come back")
        client.change([{"text": text}], uri="t")
    client.published.clear()
assert client.end() == 0
if files < 50 or names < 300:
    faults.append(f"only {names} names of {files} files were renamed")
print("\n".join(faults) or f"{names} names of {files} stencils")
sys.exit(bool(faults))
