"""edits.py STENCILC COUNT SEED FOLDER...: random sequences of edits, requests among them, from stencils
below the folders on. The server goes on, answers each request, and sees the text that the edits
make: its diagnostics are those of that text opened anew.

Each sequence has a seed of its own, which a failure names: COUNT 1 and that SEED repeat it."""
import pathlib
import random
import sys

from client import Client

stencilc, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
paths = sorted(path for folder in sys.argv[4:] for path in pathlib.Path(folder).glob("*.stn"))
texts = [text for text in (path.read_bytes().decode("utf-8", "replace") for path in paths)
         if len(text) < 3000 and "\r" not in text]
assert len(texts) > 30, f"only {len(texts)} texts to start from"
WORDS = ["u", "u'", "[x-1]", "[", "]", "(", ")", "{", "}", ";", "=", ":", ",", "'", "+", "-", "*", "/",
         " ", "\n", "\r\n", "\r", "\t", "//", "#line 3", "t-1", "1/0", "0.5f", "field f64 v;",
         "let k = 2;", "stage {", "boundary: clamp;", "sum(i=-1:1,", "where(", "stencil s(x) {", "on",
         "param int n = 3;", "reduce max m = u;", "laplace(u)", "\u00e4", "\U0001d53d", "\0", "/*",
         "x[2:-2]", "<", "&&", "!", "diff(u, x, order=4)", "init u = x;", "temp f32 d;"]
AT_PLACE = ["hover", "definition", "references", "documentHighlight", "prepareRename", "completion"]
OF_TEXT = ["semanticTokens/full", "documentSymbol", "formatting"]


def places(text):
    """The position of each index of the text, as UTF-16 counts; none between CR and LF."""
    result, line, character = [], 0, 0
    for index, letter in enumerate(text):
        isBetween = letter == "\n" and index > 0 and text[index - 1] == "\r"
        result.append(None if isBetween else {"line": line, "character": character})
        if letter == "\n" or (letter == "\r" and text[index + 1:index + 2] != "\n"):
            line, character = line + 1, 0
        elif letter != "\r":
            character += 2 if ord(letter) > 0xFFFF else 1
    return result + [{"line": line, "character": character}]


def edit(draw, text):
    """The text after a random change, and the change."""
    where = places(text)
    indices = [index for index, place in enumerate(where) if place]
    begin = draw.choice(indices)
    end = begin if draw.random() < 0.5 else draw.choice(
        [index for index in indices if begin <= index <= begin + draw.choice([1, 3, 20, 1000])])
    kind = draw.random()
    if kind < 0.5:
        new = draw.choice(WORDS)
    elif kind < 0.7:
        new = ""
    else:
        other = draw.choice(texts)
        cut = draw.randrange(len(other))
        new = other[cut:cut + draw.choice([1, 5, 30, 300])]
    return text[:begin] + new + text[end:], {"range": {"start": where[begin], "end": where[end]},
                                             "text": new}


def sequence(client, draw, uri):
    text = draw.choice(texts)
    client.open(text, uri)
    for version in range(draw.choice([1, 2, 5, 10])):
        changes = []
        for _ in range(draw.choice([1, 1, 1, 3])):
            text, change = edit(draw, text)
            changes.append(change)
        client.change(changes, version, uri)
        params = {"textDocument": {"uri": uri}}
        if draw.random() < 0.3:
            client.answer("textDocument/" + draw.choice(OF_TEXT), {**params, "options": {}})
        if draw.random() < 0.5:
            position = draw.choice([place for place in places(text) if place])
            method = draw.choice([*AT_PLACE, "rename"])
            answer = client.answer("textDocument/" + method, {
                **params, "position": position, "context": {"includeDeclaration": True},
                "newName": draw.choice(["u", "renamed", "stage", "1"])})
            assert "error" not in answer or answer["error"]["code"] == -32803, answer
    # What it made of the edits, and of the text as a whole.
    client.open(text, uri + "2")
    client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri + "2"}})
    shown = {}
    while not {uri, uri + "2"} <= shown.keys():
        message = client.published.pop(0) if client.published else client.receive()
        shown[message["params"]["uri"]] = message["params"]
        if shown.get(uri, {}).get("version") != version:
            shown.pop(uri, None)
    return [str(shown[name]["diagnostics"]).replace(uri + "2", uri) for name in (uri, uri + "2")]


client = Client(stencilc)
for number in range(count):
    own = seed + number
    try:
        edited, opened = sequence(client, random.Random(own), "t")
        assert edited == opened, "the edits make another text"
        for uri in ("t", "t2"):
            client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        while sum(not message["params"]["diagnostics"] and "version" not in message["params"]
                  for message in client.published) < 2:
            client.published.append(client.receive())
        client.published.clear()
    except (AssertionError, BrokenPipeError, ValueError, KeyError, TypeError) as fault:
        sys.exit(f"seed {own}: {type(fault).__name__}: {fault}")
assert client.end() == 0
print(f"{count} sequences of edits")
