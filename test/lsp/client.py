"""A client of `stencilc --lsp` for tests."""
import json
import os
import select
import subprocess


class Client:
    def __init__(self, stencilc, encodings=None, initialize=True):
        self.process = subprocess.Popen([stencilc, "--lsp"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.number, self.buffer, self.published = 0, b"", []
        if initialize:
            general = {"positionEncodings": encodings} if encodings else {}
            self.capabilities = self.ask("initialize", {"capabilities": {"general": general}})
            self.tell("initialized", {})

    # ---- messages
    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def receive(self, timeout=30):
        """The next message; none at the end."""
        while True:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if found:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return json.loads(rest[:length])
            ready, _, _ = select.select([self.process.stdout], [], [], timeout)
            assert ready, "the server is silent"
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                return None
            self.buffer += more

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def answer(self, method, params):
        """The whole answer; what is published before it is kept."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            assert message is not None, f"no answer to {method}"
            if message.get("id") == self.number:
                return message
            self.published.append(message)

    def ask(self, method, params):
        message = self.answer(method, params)
        assert "error" not in message, message
        return message["result"]

    def end(self):
        self.ask("shutdown", {})
        self.tell("exit", {})
        self.process.stdin.close()
        code = self.process.wait(30)
        self.process.stdout.close()
        return code

    # ---- documents
    def open(self, text, uri="file:///t.stn"):
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "stn",
                                                            "version": 1, "text": text}})

    def change(self, changes, version=2, uri="file:///t.stn"):
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                             "contentChanges": changes})

    def diagnostics(self):
        """Of the next publication."""
        message = self.published.pop(0) if self.published else self.receive()
        assert message["method"] == "textDocument/publishDiagnostics", message
        return message["params"]["diagnostics"]

    def at(self, method, line, character, **more):
        return self.ask("textDocument/" + method,
                        {"textDocument": {"uri": "file:///t.stn"},
                         "position": {"line": line, "character": character}, **more})


def place(text, needle, skip=0, within=0):
    """Line and character of the `skip`-th occurrence of a text, `within` characters on."""
    at = -1
    for _ in range(skip + 1):
        at = text.index(needle, at + 1)
    before = text[:at + within]
    return before.count("\n"), len(before) - before.rfind("\n") - 1


def slice_of(text, span):
    """The text of a range on one line."""
    start, end = span["start"], span["end"]
    assert start["line"] == end["line"], span
    return text.split("\n")[start["line"]][start["character"]:end["character"]]


def apply(text, edits):
    lines = [0]
    for line in text.split("\n"):
        lines.append(lines[-1] + len(line) + 1)

    def offset(position):
        return lines[position["line"]] + position["character"]
    for edit in sorted(edits, key=lambda edit: -offset(edit["range"]["start"])):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text
