"""agreement.py STENCILC FOLDER...: an editor sees the same diagnostics as the command line, of every
stencil below the folders, those that are refused among them."""
import json
import pathlib
import subprocess
import sys

from client import Client

stencilc, *folders = sys.argv[1:]


def position(message, ends):
    if "line" not in message:
        return (0, 0)
    return (message["endLine" if ends else "line"] - 1, message["endColumn" if ends else "column"] - 1)


def of_command(path):
    """(severity, name, begin, end, text, related) of each message."""
    done = subprocess.run([stencilc, "-fsyntax-only", "--diagnostics-format=json", str(path)],
                          capture_output=True)
    result = []
    for message in map(json.loads, done.stderr.splitlines()):
        hints = [note["message"] for note in message["notes"] if "line" not in note]
        related = [(position(note, False), note["message"]) for note in message["notes"]
                   if "line" in note]
        result.append(({"error": 1, "warning": 2, "note": 3}[message["severity"]], message["name"],
                       position(message, False), position(message, True),
                       "\n".join([message["message"], *hints]), related))
    return result


def of_editor(client, path):
    def at(place):
        return (place["line"], place["character"])
    client.open(path.read_bytes().decode("utf-8", "replace"), path.name)
    return [(each["severity"], each["code"], at(each["range"]["start"]), at(each["range"]["end"]),
             each["message"], [(at(note["location"]["range"]["start"]), note["message"])
                               for note in each.get("relatedInformation", [])])
            for each in client.diagnostics()]


client = Client(stencilc, ["utf-8"])
seen, faults = 0, []
for path in sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.stn")):
    text = path.read_bytes()
    try:
        text.decode()
    except UnicodeDecodeError:
        continue  # JSON carries text
    if b"#line" in text:
        continue  # an editor is told where a fault stands in its own text
    command, editor = of_command(path), of_editor(client, path)
    seen += path.name.startswith("fail_") and bool(command)
    if command != editor:
        faults.append(f"{path}:\n  {command}\n  {editor}")
assert client.end() == 0
if seen < 100:
    faults.append(f"only {seen} refused stencils were seen")
print("\n".join(faults) or f"{seen} refused stencils, and no difference")
sys.exit(bool(faults))
