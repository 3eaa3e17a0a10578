"""What `covering.py` knows of an entry both where it is written and where it is run."""

import hashlib
import math
import random
import struct
from array import array as Numbers

VALUES_OVER_TIME = 16
# Fields that hold nothing but 0 and 1.
WHOLE = ["life"]


def starting_values(entry, grid, name, count):
    """The same on every machine, exact in both types."""
    draw = random.Random(f"{entry['example']} {entry['kind']} {list(grid)} {name}")
    if entry["example"] in WHOLE:
        return [float(draw.getrandbits(1)) for _ in range(count)]
    return [0.5 + draw.getrandbits(20) / 2**20 for _ in range(count)]


def extents_of(entry, array, grid):
    """Points of an array along its axes, without ghost points."""
    if array["over_time"]:
        return [VALUES_OVER_TIME]
    return [grid[entry["axes"].index(axis)] for axis in array["axes"]]


def widened(array, extents):
    return [low + n + high for (low, high), n in zip(array["ghosts"], extents)]


def packed(entry, values):
    return struct.pack(f"<{len(values)}{'f' if entry['real'] == 'f32' else 'd'}", *values)


def planes_of(entry, grid, data):
    """A hash of each plane of each field."""
    values = Numbers("f" if entry["real"] == "f32" else "d", data)
    if sum(values) != sum(values):
        values = Numbers(values.typecode, (v if v == v else math.nan for v in values))
    bytes_of, plane = memoryview(values.tobytes()), math.prod(grid[1:]) * values.itemsize
    return [hashlib.blake2b(bytes_of[at:at + plane], digest_size=6).hexdigest()
            for at in range(0, len(bytes_of), plane)]
