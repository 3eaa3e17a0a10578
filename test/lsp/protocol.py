"""protocol.py STENCILC: what an editor should not send is answered or passed over."""
import sys

from client import Client

stencilc = sys.argv[1]
POSITION = {"textDocument": {"uri": "file:///t.stn"}, "position": {"line": 0, "character": 0}}


def code(client):
    return client.receive()["error"]["code"]


def framed(body):
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


# ---- before the first request, and after the last
client = Client(stencilc, initialize=False)
assert client.answer("textDocument/hover", POSITION)["error"]["code"] == -32002
client.ask("initialize", {"capabilities": {}})
assert client.answer("initialize", {})["error"]["code"] == -32600
client.ask("shutdown", {})
assert client.answer("textDocument/hover", POSITION)["error"]["code"] == -32600
client.tell("exit", {})
assert client.process.wait(30) == 0
client = Client(stencilc)
client.tell("exit", {})
assert client.process.wait(30) == 1
client = Client(stencilc)
client.process.stdin.close()
assert client.process.wait(30) == 1

# ---- no message, no request, no parameters
client = Client(stencilc)
for data in (b"hello\r\n\r\n", b"Content-Length: many\r\n\r\n", framed(b"{"), framed(b"\xff\xfe"),
             framed(b"[" * 100000), framed(b'{"a":"' + b"[" * 300 + b'"'), framed(b"")):
    client.send_bytes(data)
    assert code(client) == -32700, data[:40]
for data in (b"[]", b"3", b"{}", b'{"id":1}'):
    client.send_bytes(framed(data))
    assert code(client) == -32600, data
# strings may hold brackets
client.send_bytes(framed(b'{"id":"' + b"[" * 300 + b'","method":"textDocument/none"}'))
assert code(client) == -32601
assert client.answer("textDocument/hover", POSITION)["error"]["code"] == -32602
for method in ("hover", "definition", "references", "documentHighlight", "prepareRename", "rename",
               "completion", "semanticTokens/full", "documentSymbol", "formatting"):
    for params in ({}, {"textDocument": 3}, {"position": {"line": -1, "character": 0}}, None, [1]):
        assert client.answer("textDocument/" + method, params)["error"]["code"] == -32602, method
for method in ("didOpen", "didChange", "didClose", "didSave"):
    for params in ({}, {"textDocument": {"uri": "x"}}, None):
        client.tell("textDocument/" + method, params)
client.tell("$/cancelRequest", {"id": 1})
client.send({"id": 1, "result": None})  # an answer to nothing

# ---- far outside of a text, and longer than a stencil may be
client.open("stencil s(x) { field f64 u; u' = u; }")
assert client.diagnostics() == []
far = {"line": 2**31, "character": 2**40}
client.change([{"range": {"start": far, "end": {"line": 0, "character": 0}}, "text": ""},
               {"range": {"start": {"line": 0}, "end": far}, "text": "x"}, {"text": 3}, 4,
               {"range": {"start": far, "end": far}, "text": "y"}])
(fault,) = client.diagnostics()
assert "`y`" in fault["message"], fault
client.change([{"text": "// " + "x" * (1 << 20)}])
(fault,) = client.diagnostics()
assert "1048576 bytes" in fault["message"], fault
assert client.at("hover", 0, 10**6) is None
assert client.at("hover", 2**31, 2**31) is None
client.send_bytes(b"Content-Length: %d\r\n\r\n" % (65 << 20))
for _ in range(65):
    client.send_bytes(b"[" * (1 << 20))
assert code(client) == -32700
assert client.end() == 0
print("nothing was lost")
