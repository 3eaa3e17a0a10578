"""speed.py STENCILC [LINES [MILLISECONDS]]: from a keystroke in a text of so many lines (500) to its
diagnostics: median and longest of 40; fails above so many milliseconds (50)."""
import statistics
import sys
import time

from client import Client

stencilc = sys.argv[1]
lines, most = int((sys.argv[2:] or [500])[0]), float((sys.argv[3:] or [50])[0])
KEYSTROKES = 40

body = ["stencil lines(z, y, x) {", "  field real u;", "  boundary u: clamp;"]
body += [f"  let a{number} = u[x-{number % 7 + 1}] + 0.5*{'a%d[y+1]' % (number - 1) if number % 10 else 'u'};"
         for number in range(lines - 5)]
ends = [*range(9, lines - 6, 10), lines - 6]  # of chains of lets
body += ["  u' = " + " + ".join(f"a{number}" for number in ends) + ";", "}"]
text = "\n".join(body)
assert len(body) == lines, len(body)

client = Client(stencilc)
client.open(text)
found = client.diagnostics()
assert not found, found
times = []
for number in range(KEYSTROKES):
    isTyped = number % 2 == 0
    at = {"line": lines // 2, "character": 9}  # within a name, which is unknown then
    span = {"start": at, "end": {**at, "character": at["character"] + (not isTyped)}}
    start = time.perf_counter()
    client.change([{"range": span, "text": "q" if isTyped else ""}], number)
    found = client.diagnostics()
    times.append(1000 * (time.perf_counter() - start))
    assert bool(found) == isTyped, found
assert client.end() == 0
print(f"{lines} lines: median {statistics.median(times):.1f} ms, longest {max(times):.1f} ms")
sys.exit(statistics.median(times) > most)
