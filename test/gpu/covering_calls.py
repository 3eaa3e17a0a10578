"""Calls of built entries, with arrays on the GPU or in the process: of `covering.py run`."""

import ctypes
import itertools
import math

import lab
from covering_entries import (VALUES_OVER_TIME, extents_of, packed, planes_of, starting_values,
                              widened)


class Gpu:
    """CUDA's runtime, as far as a run needs it."""

    def __init__(self):
        self.runtime = ctypes.CDLL("libcudart.so")
        self.taken = []

    def check(self, status):
        if status != 0:
            raise lab.Failed(f"CUDA error {status}")

    def take(self, size):
        memory = ctypes.c_void_p()
        self.check(self.runtime.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(max(size, 1))))
        self.taken.append(memory)
        return memory.value

    def put(self, to, data):
        self.check(self.runtime.cudaMemcpy(ctypes.c_void_p(to), bytes(data),
                                           ctypes.c_size_t(len(data)), 1))

    def get(self, source, size):
        data = ctypes.create_string_buffer(size)
        self.check(self.runtime.cudaMemcpy(data, ctypes.c_void_p(source), ctypes.c_size_t(size), 2))
        return data.raw

    def wait(self):
        self.check(self.runtime.cudaDeviceSynchronize())

    def free(self):
        for memory in self.taken:
            self.check(self.runtime.cudaFree(memory))
        self.taken = []


class Host(Gpu):
    """The same of the harness: memory of the process."""

    def __init__(self):
        self.taken = {}

    def check(self, status):
        if status != 0:
            raise lab.Failed(f"error {status}")

    def take(self, size):
        memory = ctypes.create_string_buffer(size + 256)
        start = -(-ctypes.addressof(memory) // 256) * 256
        self.taken[start] = memory
        return start

    def put(self, to, data):
        ctypes.memmove(to, bytes(data), len(data))

    def get(self, source, size):
        return ctypes.string_at(source, size)

    def wait(self):
        pass

    def free(self):
        self.taken = {}


class Place:
    """Where the elements of an array lie: strides and the place of point 0, in elements."""

    def __init__(self, strides, origin, elements):
        self.strides, self.origin, self.elements = strides, origin, elements

    def rows(self, extents, ghosts):
        """The element that each row begins with, and how many it has."""
        ranges = [range(-low, n + high) for (low, high), n in zip(ghosts[:-1], extents)]
        for index in itertools.product(*ranges):
            first = self.origin + sum(i * s for i, s in zip(index, self.strides)) - ghosts[-1][0]
            yield first, ghosts[-1][0] + extents[-1] + ghosts[-1][1]


def dense(extents, ghosts):
    strides = [1]
    for (low, high), n in zip(ghosts[:0:-1], list(extents)[:0:-1]):
        strides.insert(0, strides[0] * (low + n + high))
    origin = sum(low * stride for (low, _), stride in zip(ghosts, strides))
    return Place(strides, origin, math.prod(low + n + high for (low, high), n in zip(ghosts, extents)))


def run_entry(gpu, interface, entry, expected, is_dense):
    """The number of planes that are not the reference's."""
    grid, size = expected["grid"], 4 if entry["real"] == "f32" else 8
    args, lead, elements = interface.layout(grid)
    full = [array for array in entry["arrays"] if array["axes"] == entry["axes"]]
    widest = [(max(a["ghosts"][i][0] for a in full), max(a["ghosts"][i][1] for a in full))
              for i in range(len(grid))]
    place = dense(grid, widest)
    if is_dense:
        for axis, stride in zip(entry["axes"][:-1], place.strides):
            setattr(args, f"stride_{axis}", stride)
    else:
        strides = [getattr(args, f"stride_{axis}") for axis in entry["axes"][:-1]] + [1]
        place = Place(strides, lead, elements)
    places = {}
    for array in entry["arrays"]:
        extents = extents_of(entry, array, grid)
        own = place if array in full else dense(extents, array["ghosts"])
        places[array["name"]] = own
        if array["over_time"]:
            setattr(args, f"{array['name']}_steps", VALUES_OVER_TIME)
        for name in (array["name"], f"{array['name']}_prev", f"{array['name']}_next"):
            if name not in interface.pointers:
                continue
            image = bytearray(b"\xff" * (own.elements * size))  # NaN wherever nobody should look
            if not name.endswith("_next") or name == array["name"]:
                values = packed(entry, starting_values(entry, grid, name,
                                                       math.prod(widened(array, extents))))
                at = 0
                for first, count in own.rows(extents, array["ghosts"]):
                    image[first * size:(first + count) * size] = values[at:at + count * size]
                    at += count * size
            memory = gpu.take(len(image))
            gpu.put(memory, image)
            setattr(args, name, memory + own.origin * size)
    bytes_of = getattr(interface.library, f"{interface.name}_workspace_bytes")
    bytes_of.restype, bytes_of.argtypes = ctypes.c_size_t, [ctypes.c_void_p, ctypes.c_int64]
    room = bytes_of(ctypes.byref(args), expected["steps"])
    start = getattr(interface.library, f"{interface.name}_run")
    start.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_size_t,
                      ctypes.c_void_p]
    status = start(ctypes.byref(args), expected["steps"], gpu.take(room) if room else None, room, None)
    gpu.wait()
    if status != 0:
        raise lab.Failed(f"status {status}")
    result = bytearray()
    for array in entry["arrays"]:
        if not array["is_field"]:
            continue
        own = places[array["name"]]
        data = gpu.get(getattr(args, array["name"]) - own.origin * size, own.elements * size)
        for first, count in own.rows(grid, [(0, 0)] * len(grid)):
            result += data[first * size:(first + count) * size]
    gpu.free()
    return sum(a != b for a, b in itertools.zip_longest(planes_of(entry, grid, result), expected["planes"]))
