"""refined_waits.py STENCILC FORECASTS FILE REAL SCHEDULE EXTENTS: ends with 0 if --refine predicts another
time of a schedule than its registers and spills alone would, by a twentieth and more."""

import json
import subprocess
import sys
import tempfile

stencilc, forecasts, file, real, schedule, extents = sys.argv[1:]
axes = ["z", "y", "x"][-len(extents.split(",")):]
size = ",".join(f"{axis}={extent}" for axis, extent in zip(axes, extents.split(",")))
said = json.loads(subprocess.run(
    [stencilc, file, f"--real={real}", f"--schedule={schedule}", f"--size={size}", "--refine", "--explain=json",
     "-o", "/dev/null"], check=True, capture_output=True, text=True).stdout)
occupancy = said["occupancy"]
with tempfile.NamedTemporaryFile("w") as runs:
    runs.write(f"{file} {real} {extents} 1000 {schedule} "
               f"{occupancy['registers_per_thread']},{4 * occupancy['spilled_registers']}\n")
    runs.flush()
    alone = float(subprocess.run([forecasts, runs.name], check=True, capture_output=True, text=True,
                                 input="h200\n").stdout)
refined = said["predicted_ms"]
print(f"{refined} ms, by registers and spills {alone}")
sys.exit(abs(refined / alone - 1) < .05)
