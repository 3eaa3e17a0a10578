"""Holds runs of the examples against solutions known in closed form: how the error falls with the
distance between points. convergence_examples.py stencilc examples work-folder"""
import pathlib
import re
import struct
import subprocess
import sys
from math import cos, exp, log, pi, sin, sqrt

stencilc, examples, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
work.mkdir(parents=True, exist_ok=True)


def write(path, shape, values):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = struct.pack(f"<{len(values)}d", *values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def read(path):
    data = path.read_bytes()
    return [v for (v,) in struct.iter_unpack("<d", data[10 + struct.unpack("<H", data[8:10])[0]:])]


def run(name, axes, steps, arrays, params={}):
    """The fields of an example after a run from these arrays, functions of the point's indices."""
    example, shape = examples / f"{name}.stn", list(axes.values())
    options = [f"-D{param}={value!r}" for param, value in params.items()]
    for array, value in arrays.items():
        points = [()]
        for extent in shape:
            points = [point + (i,) for point in points for i in range(extent)]
        file = work / f"{name}_in_{array}.npy"
        write(file, shape, [float(value(*point)) for point in points])
        options.append(f"--input={array}={file}")
    sizes = ",".join(f"{axis}={extent}" for axis, extent in axes.items())
    out = work / f"{name}.npy"
    subprocess.run([stencilc, str(example), "--emit=values", f"--size={sizes}", f"--steps={steps}",
                    *options, "-o", str(out)], check=True)
    declared = re.search(r"^  field real ([^;]*);", example.read_text(), re.MULTILINE)[1]
    fields = declared.split(", ")
    return {field: read(out if len(fields) == 1 else work / f"{name}_{field}.npy")
            for field in fields}


def largest(seen, exact):
    assert len(seen) == len(exact)
    return max(abs(a - b) for a, b in zip(seen, exact))


def heat1d(n):
    """A rod that is cold at one end, half a distance from the last point insulated at the other."""
    r, k = 0.25, pi / 2 / (n + 0.5)
    steps = round(0.6 / (k * k))
    seen = run("heat1d", {"x": n}, steps, {"u": lambda x: sin(k * (x + 1))}, {"left": 0, "r": r})
    return k, largest(seen["u"], [exp(-k * k * r * steps) * sin(k * (x + 1)) for x in range(n)])


def fdtd2d(n):
    """A box with conducting walls on two sides; on the others the magnetic field is held at 0."""
    ce, ch, k = 0.5, 0.7, pi / 2 / (n - 0.5)
    steps = round(3 / k)
    omega = sqrt(ce * ch * 2) * k
    def hz(y, x):
        inside = x < n - 1 and y < n - 1
        return cos(omega / 2) * cos(k * (x + 0.5)) * cos(k * (y + 0.5)) if inside else 0
    zero = lambda y, x: 0
    seen = run("fdtd2d", {"y": n, "x": n}, steps, {"hz": hz, "ex": zero, "ey": zero})
    grown = cos(omega * (steps + 0.5)) / cos(omega / 2)
    return k, largest(seen["hz"], [grown * hz(y, x) for y in range(n) for x in range(n)])


def burgers(n):
    """A wave that steepens and decays (Cole, Hopf), along x."""
    h, end, viscosity, nu = 2 * pi / n, 0.5, 0.25, 0.1
    dt = nu * h * h / viscosity
    steps = round(end / dt)
    def u(x, t):
        decay = exp(-viscosity * t)
        return 2 * viscosity * decay * sin(x * h) / (1.5 + decay * cos(x * h))
    seen = run("burgers", {"y": 1, "x": n}, steps, {"u": lambda y, x: u(x, 0), "v": lambda y, x: 0},
               {"k": dt / h, "nu": nu})
    return h, largest(seen["u"], [u(x, steps * dt) for x in range(n)])


def poisson_jacobi(n):
    """Enough sweeps that what is left is the error of the scheme."""
    k = pi / n
    solution = lambda y, x: sin(k * x) * sin(k * y) if 0 < x < n and 0 < y < n else 0
    seen = run("poisson_jacobi", {"y": n + 1, "x": n + 1}, 3 * n * n,
               {"u": lambda y, x: 0, "f": lambda y, x: -2 * k * k * solution(y, x)})
    return k, largest(seen["u"], [solution(y, x) for y in range(n + 1) for x in range(n + 1)])


def lbm(n):
    """A shear flow that its viscosity slows down; the speed falls with the distance of points."""
    omega, speed, steps = 1.2, 0.4 / n, n * n // 4
    k, viscosity = 2 * pi / n, (1 / omega - 0.5) / 3
    moves = {"f0": (4 / 9, 0), "fe": (1 / 9, 1), "fn": (1 / 9, 0), "fw": (1 / 9, -1), "fs": (1 / 9, 0),
             "fne": (1 / 36, 1), "fnw": (1 / 36, -1), "fsw": (1 / 36, -1), "fse": (1 / 36, 1)}
    def equilibrium(weight, c):
        def value(y, x):
            u = speed * sin(k * y)
            return weight * (1 + 3 * c * u + 4.5 * (c * u)**2 - 1.5 * u * u)
        return value
    seen = run("lbm", {"y": n, "x": 1}, steps,
               {name: equilibrium(*move) for name, move in moves.items()}, {"omega": omega})
    flow = [sum(c * seen[name][y] for name, (_, c) in moves.items()) / speed for y in range(n)]
    return k, largest(flow, [exp(-viscosity * k * k * steps) * sin(k * y) for y in range(n)])


faults = []
for error, sizes, due in ((heat1d, (16, 32, 64), 2), (fdtd2d, (24, 48, 96), 2),
                          (burgers, (96, 192, 384), 1), (poisson_jacobi, (8, 16, 32), 2),
                          (lbm, (16, 32, 64), 2)):
    runs = [error(n) for n in sizes]         # distance, error
    orders = [log(a[1] / b[1]) / log(a[0] / b[0]) for a, b in zip(runs, runs[1:])]
    print(f"{error.__name__}: order", " ".join(f"{order:.2f}" for order in orders))
    faults += [error.__name__ for order in orders if not abs(order - due) < 0.1]
sys.exit(bool(faults))
