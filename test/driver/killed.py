"""killed.py STENCILC SOURCE FOLDER: ends stencilc at many moments with a signal that can be caught.
Afterwards both files are old, or both are new, and no others are there."""
import pathlib
import shutil
import signal
import subprocess
import sys
import time

stencilc, source, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
names = ["small.cu", "small.h"]


def start(here):
    here.mkdir(parents=True, exist_ok=True)
    return subprocess.Popen([stencilc, source, "-O0", "-o", "small.cu"], cwd=here)


def read(here):
    return [(here / name).read_text() for name in names]


shutil.rmtree(folder, ignore_errors=True)
begin = time.monotonic()
assert start(folder / "new").wait() == 0
whole = time.monotonic() - begin
new, ended = read(folder / "new"), 0
moments = 60
for moment in range(moments):
    here = folder / str(moment)
    here.mkdir(parents=True)
    for name in names:
        (here / name).write_text("old")
    process = start(here)
    time.sleep(whole * moment / moments)
    process.send_signal(signal.SIGTERM)
    ended += process.wait() != 0
    left = sorted(path.name for path in here.iterdir())
    assert left == names, f"moment {moment}: {left}"
    assert read(here) in (["old", "old"], new), f"moment {moment}: one file of two is new"
assert ended > 5, f"only {ended} of {moments} runs were ended"
