"""requests.py STENCILC: every request of the protocol that the server answers, on one text."""
import sys

from client import Client, apply, place, slice_of

TEXT = """// \u00e4 \U0001d53d waves
stencil wave(y, x) {
  field real p, q;
  const real c;
  param real k = 0.1;
  boundary p: x- clamp, fixed;  boundary: clamp;
  let mean(a) = 0.5*(a[x-1] + a[x+1]);
  let lap = sum(i=-1:1, p[x+i]) - 3*p;
  stage { let d = k*lap; p' = 2*p - p[t-1] + c*d; }
  stage { q' = mean(q) + p'[y+1]; }
  reduce max top = max(m=0:1, m*abs(p[x+2*m-1]));
}
"""

client = Client(sys.argv[1])
for provider in ("hover", "definition", "references", "documentHighlight", "rename", "completion",
                 "semanticTokens", "documentSymbol", "documentFormatting"):
    assert client.capabilities["capabilities"][provider + "Provider"], provider
assert client.capabilities["capabilities"]["positionEncoding"] == "utf-16"
client.open(TEXT)
assert client.diagnostics() == []
document = {"textDocument": {"uri": "file:///t.stn"}}


def hover(needle, skip=0, within=0):
    found = client.at("hover", *place(TEXT, needle, skip, within))
    return found and (slice_of(TEXT, found["range"]), found["contents"]["value"])


# ---- hover: an access
about, text = hover("p[t-1]")
assert about == "p[t-1]" and "field real p" in text and "one step before" in text, text
about, text = hover("p'[y+1]", within=1)
assert about == "p'[y+1]" and "earlier stages" in text and "1 point ahead along `y`" in text, text
assert "Beyond `y+`, `fixed`" in text, text
about, text = hover("p[x+i]")
assert "`i` along `x`" in text and "at the start of the step" in text, text
assert "parameter a of mean" in hover("a[x-1]")[1] and "1 point back" in hover("a[x-1]")[1]
assert "const real c" in hover("c*d")[1]
# of names, words of the language, and nothing
assert "let lap = sum(i=-1:1, p[x+i]) - 3*p" in hover("lap;")[1]
assert "param real k = 0.1" in hover("k = ")[1]
assert "Read around the point: `y` -0 .. +1, `x` -1 .. +1" in hover("p, q")[1], hover("p, q")
assert hover("mean(q)")[0] == "mean" and "let mean(a)" in hover("mean(q)")[1]
assert "nearest point" in hover("clamp")[1] and "added from left" in hover("sum(")[1]
assert "magnitude" in hover("abs(")[1] and hover("// ") is None
# of the stencil: what a step reads, and what a model expects
about, text = hover("wave(")
assert about == "wave" and "A point: 8 loads, 2 stores" in text, text
assert "y -0 .. +1, x -1 .. +1" in text and "Ghost points: none" in text, text
assert "Predicted, not measured" in text and "GStencil/s" in text and "bound by" in text, text

# ---- names
declared = client.at("definition", *place(TEXT, "lap;"))
assert slice_of(TEXT, declared["range"]) == "lap" and declared["range"]["start"]["line"] == 7
index = client.at("definition", *place(TEXT, "+i]", within=1))
assert (index["range"]["start"]["line"], index["range"]["start"]["character"]) == (7, 16), index
index = client.at("definition", *place(TEXT, "m*abs"))
assert (index["range"]["start"]["line"], index["range"]["start"]["character"]) == (10, 23), index
assert "index m from 0 to 1" in hover("m*abs")[1]
assert "`2*m-1` along `x`" in hover("p[x+2")[1]
assert client.at("definition", 0, 3) is None


def references(needle, declaration, skip=0):
    found = client.at("references", *place(TEXT, needle, skip),
                      context={"includeDeclaration": declaration})
    return [(each["range"]["start"]["line"], slice_of(TEXT, each["range"])) for each in found]


assert references("p, q", True) == [(line, "p") for line in (2, 5, 7, 7, 8, 8, 8, 9, 10)]
assert len(references("p, q", False)) == 8
assert references("d = k", True) == [(8, "d"), (8, "d")]
assert references("x) {", False) == [(line, "x") for line in (5, 6, 6, 7, 10)]
assert len(client.at("documentHighlight", *place(TEXT, "p, q"))) == 9

# ---- rename
line, character = place(TEXT, "a[x-1]")
assert slice_of(TEXT, client.at("prepareRename", line, character)) == "a"
assert client.at("prepareRename", 0, 3) is None


def renamed(needle, name):
    line, character = place(TEXT, needle)
    return client.answer("textDocument/rename", {**document, "newName": name,
                                                 "position": {"line": line, "character": character}})


edits = renamed("a[x-1]", "of")["result"]["changes"]["file:///t.stn"]
assert "mean(of) = 0.5*(of[x-1] + of[x+1])" in apply(TEXT, edits)
for name, reason in (("2a", "no name"), ("", "no name"), ("a b", "no name"), ("stage", "word of"),
                     ("double", "C"), ("q", "q"), ("n" * 64, "64")):
    answer = renamed("p, q", name)
    assert answer["error"]["code"] == -32803 and reason in answer["error"]["message"], answer
# An axis called as a parameter of a function would be caught by it.
assert "error" in renamed("x) {", "a")


# ---- completion, also in a text that cannot be read
def labels(text, needle, within=0, fresh=True):
    client.change([{"text": text}])
    if fresh:
        client.diagnostics()
    found = client.at("completion", *place(text, needle, 0, within))
    assert all(each["detail"] for each in found), found
    return {each["label"] for each in found}


assert labels(TEXT, "[x-1]", 1) == {"y", "x", "t"}
assert labels(TEXT, "[x+i]", 1) >= {"i"} and "i" not in labels(TEXT, "3*p", 2)
assert {"field", "param", "p'", "q'"} <= labels(TEXT, "  reduce", 2)
assert labels(TEXT, "x- clamp") == labels(TEXT, "clamp,") >= {"fixed", "periodic", "x", "y"}
assert labels(TEXT, "p: x-") == {"p", "q", "c"}
assert labels(TEXT, "real p") == {"f32", "f64", "real", "int"}
assert {"p", "c", "k", "lap", "mean", "sqrt", "where"} <= labels(TEXT, "3*p", 2)
assert "d" in labels(TEXT, "c*d", 2) and "d" not in labels(TEXT, "mean(q)")
assert "a" in labels(TEXT, "a[x-1]") and "a" not in labels(TEXT, "3*p", 2)
half = TEXT[:TEXT.index("*d; }")] + "*"
assert {"p", "c", "k", "lap"} <= labels(half, "c*", 2)

# ---- the text as a whole
client.change([{"text": TEXT}])
client.diagnostics()
data = client.ask("textDocument/semanticTokens/full", document)["data"]
legend = client.capabilities["capabilities"]["semanticTokensProvider"]["legend"]
line, character, seen = 0, 0, []
for number in range(0, len(data), 5):
    down, along, length, kind, modifiers = data[number:number + 5]
    line, character = line + down, along if down else character + along
    seen.append((TEXT.split("\n")[line][character:character + length], legend["tokenTypes"][kind],
                 [name for bit, name in enumerate(legend["tokenModifiers"]) if modifiers >> bit & 1]))
assert seen[:3] == [("wave", "class", ["declaration"]), ("y", "enumMember", ["declaration"]),
                    ("x", "enumMember", ["declaration"])], seen
assert ("c", "variable", ["readonly"]) in seen and ("k", "property", []) in seen
assert ("mean", "function", []) in seen and ("abs", "function", ["defaultLibrary"]) in seen
assert ("i", "parameter", []) in seen and ("lap", "macro", ["declaration"]) in seen
(outline,) = client.ask("textDocument/documentSymbol", document)
assert outline["name"] == "wave"
assert [child["name"] for child in outline["children"]] == ["p", "q", "c", "k", "mean", "lap",
                                                            "stage 1", "stage 2", "top"]
assert [child["name"] for child in outline["children"][6]["children"]] == ["d", "p'"]
assert client.ask("textDocument/formatting", {**document, "options": {}}) == []
untidy = TEXT.replace(" + c*d", "+c * d").replace("  field", "field")
client.change([{"text": untidy}])
client.diagnostics()
(edit,) = client.ask("textDocument/formatting", {**document, "options": {}})
assert apply(untidy, [edit]) == TEXT, apply(untidy, [edit])
client.change([{"text": "stencil s("}])
client.diagnostics()
assert client.ask("textDocument/formatting", {**document, "options": {}}) is None
assert client.ask("textDocument/documentSymbol", document) == []
assert client.end() == 0

# ---- changes count characters as the editor does
for encodings, wide in ((None, 2), (["utf-8", "utf-16"], 4)):
    client = Client(sys.argv[1], encodings)
    client.open("//\U0001d53d\r\nstencil s(x) { field f64 u; u' = v; } // \u00e4")
    (fault,) = client.diagnostics()
    assert fault["range"]["start"] == {"line": 1, "character": 33}, fault
    start = {"line": 0, "character": 2}
    client.change([{"range": {"start": start, "end": {"line": 0, "character": 2 + wide}},
                    "text": " a\n\n"},
                   {"range": {"start": {"line": 3, "character": 33},
                              "end": {"line": 3, "character": 34}}, "text": "2*u"}])
    assert client.diagnostics() == []
    client.tell("textDocument/didClose", {"textDocument": {"uri": "file:///t.stn"}})
    assert client.diagnostics() == []
    assert client.end() == 0
print("every request was answered")
