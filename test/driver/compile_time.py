"""compile_time.py STENCILC EXAMPLES FOLDER: prints and bounds the time to compile each example."""
import pathlib
import subprocess
import sys
import time

LIMIT_MS = 100
RUNS = 20

stencilc, examples, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
folder.mkdir(parents=True, exist_ok=True)
sources = sorted(examples.glob("*.stn"))
assert sources, f"no examples in {examples}"


def milliseconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True)
    return 1000 * (time.perf_counter() - start)


slow = []
for source in sources:
    schedule = subprocess.run([stencilc, source, "--emit=schedule"], capture_output=True, text=True,
                              check=True).stdout.strip()
    output = folder / (source.stem + ".cu")
    command = [stencilc, source, f"--schedule={schedule}", "-o", output]
    output.unlink(missing_ok=True)
    least = min(milliseconds(command) for _ in range(RUNS))
    assert "__global__" in output.read_text(), f"{output} holds no kernel"
    print(f"{source.stem:<12} {least:6.1f} ms")
    if least >= LIMIT_MS:
        slow.append(source.stem)
if slow:
    sys.exit(f"slower than {LIMIT_MS} ms: {' '.join(slow)}")
