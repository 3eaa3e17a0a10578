"""values.py: calls with NumPy arrays give the reference's bits; inputs stay, or are given away."""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

import stencilc

examples = pathlib.Path(sys.argv[1])
STEPS = 4
SIZES = {"z": 5, "y": 7, "x": 11}
random = numpy.random.default_rng(1)


def reference(source, options, arrays, outputs):
    """What stencilc itself computes from these arrays."""
    with tempfile.TemporaryDirectory() as folder:
        command = [os.environ["STENCILC"], source, "--emit=values", f"--steps={STEPS}", "-o",
                   f"{folder}/out.npy", *options]
        for name, array in arrays.items():
            numpy.save(f"{folder}/{name}.npy", array)
            command.append(f"--input={name}={folder}/{name}.npy")
        subprocess.run(command, check=True)
        return {name: numpy.load(path) for name in outputs
                for path in (f"{folder}/out_{name}.npy", f"{folder}/out.npy")
                if os.path.exists(path)}


class Out:
    def __init__(self, arrays):
        self.__dict__.update(arrays)


def check(name, real="f64", strided=False):
    source = examples / f"{name}.stn"
    stencil = stencilc.compile(source, real=real, fp="strict")
    interface = stencil._interface
    axes = {axis: SIZES[axis] for axis in interface.axes}
    arrays = {}
    for name_given in interface.inputs:
        array = next(a for a in interface.arrays if name_given in (a.name, a.name + "_prev"))
        shape = [STEPS] if array.over_time else [axes[axis] + sum(ghost) for axis, ghost in zip(array.axes, array.ghost)]
        room = 0.5 + random.random([*shape[:-1], shape[-1] + 3 * strided])
        arrays[name_given] = room.astype(f"f{int(array.type[1:]) // 8}")[..., :shape[-1]]
    fields = [array.name for array in interface.fields]
    size = ",".join(f"{axis}={points}" for axis, points in axes.items())
    expected = reference(source, [f"--real={real}", f"--size={size}"], arrays, fields)
    assert set(expected) >= set(fields), expected.keys()

    before = {name: array.copy() for name, array in arrays.items()}

    def compare(result, how):
        for array in interface.fields:
            field, want = array.name, expected[array.name]
            got = result if isinstance(result, numpy.ndarray) else getattr(result, field)
            assert got.shape == before[field].shape, (name, how, got.shape)
            inner = tuple(slice(low, n - high) for (low, high), n in zip(array.ghost, got.shape))
            around = numpy.ones(got.shape, bool)
            around[inner] = False
            assert numpy.array_equal(got[around], before[field][around]), f"{name}: ghost points"
            got = got[inner]
            assert got.dtype == want.dtype and got.shape == want.shape, (name, how, got.dtype)
            assert numpy.array_equal(got, want), f"{name}, {how}: `{field}` has other values"
        return result

    compare(stencil(*arrays.values(), steps=STEPS), "new arrays")
    named = compare(stencil(**arrays, steps=STEPS), "by name")
    assert all(numpy.array_equal(arrays[name], before[name]) for name in arrays), "inputs changed"
    assert len(fields) == 1 or named._fields[:len(fields)] == tuple(fields)
    out = {field: numpy.empty_like(arrays[field]) for field in fields}
    compare(stencil(**arrays, steps=STEPS, out=out), "out=")
    compare(out[fields[0]] if len(fields) == 1 else Out(out), "what out= holds")
    assert all(numpy.array_equal(arrays[name], before[name]) for name in arrays), "inputs changed"
    one = stencil(**arrays, steps=1)
    two = stencil(**arrays, steps=0)
    for field in fields:
        start = two if isinstance(two, numpy.ndarray) else getattr(two, field)
        assert numpy.array_equal(start, before[field]) and start is not arrays[field]
    compare(stencil(**arrays, steps=STEPS, donate=True), "donate=True")
    given = {name: array.copy() for name, array in before.items()}
    bound = stencil.bind(**given)
    for steps in (1, 0, STEPS - 1):
        last = bound(steps)
    compare(last, "bound arrays")
    return one


check("heat")
check("heat", real="f32")
check("heat", strided=True)
check("wave")           # levels before
check("fdtd2d")         # in place, in stages
check("hdiff")          # ghost points; its coefficients are laid out anew
check("hdiff", strided=True)
check("gray_scott")     # two fields
check("heat1d")         # no strides
result = check("poisson_jacobi")
assert isinstance(result.residual, float) and result.residual > 0, result
