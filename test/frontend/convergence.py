"""Holds runs of the reference against solutions known in closed form: with half the distance between
points the error is a fourth. convergence.py stencilc inputs work-folder"""
import math
import pathlib
import struct
import subprocess
import sys

stencilc, inputs, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
work.mkdir(parents=True, exist_ok=True)


def run(name, n, points, steps):
    out = work / f"{name}.npy"
    subprocess.run([stencilc, str(inputs / f"{name}.stn"), f"-Dn={n}", "--emit=values",
                    f"--size=x={points}", f"--steps={steps}", "-o", str(out)], check=True)
    data = out.read_bytes()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    return [value for (value,) in struct.iter_unpack("<d", data[start:])]


def error_of_heat(n):
    steps = n * n // 4  # up to the time 1/16
    exact = [math.exp(-math.pi**2 / 16) * math.sin(math.pi * x / n) for x in range(n + 1)]
    return max(abs(a - b) for a, b in zip(run("heat_mode", n, n + 1, steps), exact))


def error_of_wave(n):
    steps = n  # half a turn
    exact = [math.sin(2 * math.pi * (x - steps / 2) / n) for x in range(n)]
    return max(abs(a - b) for a, b in zip(run("wave_mode", n, n, steps), exact))


faults = []
for name, error, sizes in (("heat", error_of_heat, (16, 32, 64)), ("wave", error_of_wave, (32, 64, 128))):
    errors = [error(n) for n in sizes]
    orders = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
    print(name, " ".join(f"{order:.2f}" for order in orders))
    faults += [name for order in orders if abs(order - 2) > 0.1]
sys.exit(bool(faults))
