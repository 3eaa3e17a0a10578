"""words.py ROOT STENCILC: the words that editors colour are those of the compiler: what its server
proposes, what it refuses as names, and what its sources list."""
import json
import pathlib
import re
import subprocess
import sys

root, stencilc = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(root / "test/lsp"))
from client import Client, place  # noqa: E402

LATER = {"sweep", "step", "size", "mirror"}  # kept by the language, which does not have them
TEXT = "stencil s(x) {\n  param f64 k = 1;\n  boundary: clamp;\n  u' = 1 + 2;\n}\n"


def proposed(needle, within=0):
    items = client.at("completion", *place(TEXT, needle, 0, within))
    return {item["label"] for item in items if item["documentation"]}


client = Client(stencilc)
client.open(TEXT)
KINDS = {"item": proposed("  param", 2), "type": proposed("f64"),
         "boundary": proposed("clamp"), "function": proposed("2;")}
assert client.end() == 0
ours = set.union(*KINDS.values())
assert len(ours) == sum(map(len, KINDS.values())) > 50, KINDS

# ---- the compiler refuses them as names; `on` and `int` are words in their places alone
for word in sorted(ours):
    text = f"stencil s(x) {{ field f64 {word}; {word}' = 1; }}"
    done = subprocess.run([stencilc, "-fsyntax-only", "-"], input=text, capture_output=True, text=True)
    assert (f"`{word}` is a word of the language" in done.stderr) == (word not in {"on", "int"}), word
listed = (root / "ir/stencil/Words.cpp").read_text() + (root / "ir/stencil/Builtin.cpp").read_text()
missing = set(re.findall(r'"(\w+)"', listed)) - ours - LATER
assert not missing, missing

# ---- VS Code
folder = root / "frontend/editors/vscode"
grammar = json.loads((folder / "syntaxes/stn.tmLanguage.json").read_text())
scopes = {"item": "keyword.control.stn", "type": "storage.type.stn",
          "boundary": "constant.language.boundary.stn", "function": "support.function.stn"}
coloured = {pattern["name"]: pattern["match"] for pattern in grammar["repository"]["words"]["patterns"]}
assert set(coloured) == set(scopes.values()), coloured
for kind, scope in scopes.items():
    words = re.fullmatch(r"\\b\(([\w|]+)\)\\b", coloured[scope])[1].split("|")
    assert sorted(words) == sorted(KINDS[kind]), (kind, set(words) ^ KINDS[kind])
for rule in grammar["repository"].values():
    for pattern in rule["patterns"]:
        re.compile(pattern["match"])
used = {pattern["include"][1:] for pattern in grammar["patterns"]}
assert used == set(grammar["repository"]), used
package = json.loads((folder / "package.json").read_text())
assert package["contributes"]["grammars"][0]["scopeName"] == grammar["scopeName"]
json.loads((folder / "language-configuration.json").read_text())

# ---- Vim
rules = (root / "frontend/editors/vim/syntax/stn.vim").read_text()
for kind, words in KINDS.items():
    found = re.findall(rf"^syntax keyword stn{kind.capitalize()} (.*)$", rules, re.MULTILINE)
    assert set(" ".join(found).split()) == words, kind
print(f"{len(ours)} words, the same in all editors")
