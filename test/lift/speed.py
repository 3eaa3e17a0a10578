"""speed.py LIFT FOLDER: a file of 300 lines is lifted in far less than a second of one processor."""
import pathlib
import resource
import subprocess
import sys

LINES, LIMIT = 300, 1.0  # seconds
NEST = """  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      {to}[i][j] = 0.2 * ({of}[i][j] + {of}[i - 1][j] + {of}[i + 1][j]) +
                   0.1 * ({of}[i][j - 1] + {of}[i][j + 1]);
"""
lift, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
count = LINES // NEST.count("\n")
names = [f"u{number}" for number in range(count)]
text = "void many(int n, {}) {{\n{}}}\n".format(
    ", ".join(f"double {name}[n][n]" for name in ["first", *names]),
    "".join(NEST.format(to=to, of=of) for to, of in zip(names, ["first", *names])))
assert text.count("\n") >= LINES
(folder / "many.c").write_text(text)
lifted = subprocess.run([lift, folder / "many.c"], check=True, text=True, stdout=subprocess.PIPE)
assert f"{names[-1]}' =" in lifted.stdout
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = used.ru_utime + used.ru_stime
print(f"{text.count(chr(10))} lines: {seconds:.2f} s")
assert seconds < LIMIT
