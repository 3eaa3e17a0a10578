"""paths.py: shortest paths of random graphs against Floyd and Warshall's loops, in every type; what has
none is refused."""
import random
import re
import sys
import warnings

import numpy

import stencilc

draw = random.Random(7)
NO_EDGE = {"f4": numpy.inf, "f8": numpy.inf, "i4": 2**30 - 1, "i2": 2**14 - 1, "u2": 2**15 - 1}


def graph(n, type, share, least=0):
    weights = numpy.full((n, n), NO_EDGE[type], type)
    for i in range(n):
        for j in range(n):
            if draw.random() < share:
                weights[i, j] = draw.randint(least, 20)
    return weights


def reference(weights, none):
    distances = numpy.where(weights >= none, numpy.inf, weights.astype("f8"))
    for i in range(len(weights)):
        distances[i, i] = min(distances[i, i], 0)
    for k in range(len(weights)):
        distances = numpy.minimum(distances, distances[:, k:k + 1] + distances[k:k + 1, :])
    return distances


for type, none in NO_EDGE.items():
    for n in (0, 1, 2, 63, 64, 65, 130):
        weights = graph(n, type, 0.1)
        before = weights.copy()
        want = reference(weights, none)
        got = stencilc.shortest_paths(weights)
        assert got.dtype == weights.dtype and (weights == before).all()
        assert (numpy.where(got >= none, numpy.inf, got.astype("f8")) == want).all(), (type, n)
        distances, hops = stencilc.shortest_paths(weights, paths=True, nonnegative=True)
        assert (distances == got).all() and hops.dtype == numpy.int32
        for i in range(n):
            for j in range(n):
                length, at = 0, i
                while at != j and hops[i, j] >= 0:
                    length, at = length + float(weights[at, hops[at, j]]), hops[at, j]
                assert (length == want[i, j]) if at == j else numpy.isinf(want[i, j]), (i, j)

# rows that lie apart, columns, what has __array_interface__ or __dlpack__ alone
wide = graph(40, "f8", 0.2)
want = reference(wide[:20, :20], numpy.inf)
assert (stencilc.shortest_paths(wide[:20, :20]) == want).all()
assert (stencilc.shortest_paths(wide.T[:20, :20].T) == want).all()


class Dlpack:
    def __dlpack__(self, **options):
        return numpy.ascontiguousarray(wide[:20, :20]).__dlpack__(**options)

    def __dlpack_device__(self):
        return (1, 0)


assert (stencilc.shortest_paths(Dlpack()) == want).all()


def refused(message, weights, **options):
    try:
        stencilc.shortest_paths(weights, **options)
    except (stencilc.StencilError, TypeError) as error:
        assert re.fullmatch(message, str(error), re.DOTALL), f"not `{message}` but `{error}`"
    else:
        sys.exit(f"not refused: {message}")


cycle = numpy.array([[0, 1, 9], [9, 0, -3], [1, 9, 0]], "f4")
refused("vertex 0 is on a cycle of negative weight: there are no shortest paths", cycle)
refused("2 weights are NaN, .*", numpy.array([[0, numpy.nan], [-numpy.inf, 0]], "f4"))
refused("1 weights are negative, though nonnegative=True",
        numpy.array([[0, 2], [-1, 0]], "f4"), nonnegative=True)
refused("weights are a square matrix, and of shape .2, 3. here", numpy.zeros((2, 3)))
refused("weights are of <i8; they are of f32, f64, i32, i16, u16", numpy.zeros((2, 2), "i8"))
refused("a list is no array; .*", [[0]])
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    chain = numpy.full((3, 3), 2**14 - 1, "i2")
    chain[0, 1] = chain[1, 2] = 8000
    stencilc.shortest_paths(chain)
    assert any("beyond the range" in str(each.message) for each in told), told
