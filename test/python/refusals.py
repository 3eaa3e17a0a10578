"""refusals.py: what is wrong in a call is said with what was expected, and how to help oneself."""
import re
import sys

import numpy

import stencilc

TEXT = """stencil all(y, x) {
  field f32 p;  field f64 u;  const f64 strip(x), g;  const f32 c(t);
  param f64 k = 0.25, m;  param int n = 3;
  boundary: clamp;  boundary u: halo;
  stage { u' = u + k*(u[x+1] - u[x-2]) + strip[x+1] + g[x-1]; }
  stage { p' = 2*p - p[t-1] + f32(m)*c + where(x == n, 1, 0); }
  reduce max speed = abs(u);
}
"""
stencil = stencilc.compile(TEXT)
assert repr(stencil).startswith("<stencil all(p[ny][nx] of f32, u[ny][nx + 3] of f64 (ghost "
                                "points: 2 in front of x, 1 behind x), strip[nx] of f64"), stencil
p, g, strip = numpy.ones((6, 7), "f4"), numpy.ones((6, 7)), numpy.ones(7)
u, c = numpy.ones((6, 10)), numpy.ones(5, "f4")


def refused(message, *arrays, error=stencilc.StencilError, **named):
    try:
        stencil(*arrays, **named)
    except error as caught:
        assert re.fullmatch(message, str(caught), re.DOTALL), f"not `{message}` but `{caught}`"
    else:
        sys.exit(f"not refused: {message}")


result = stencil(p, u, strip, g, c, m=1, steps=2, step=3)
assert result._fields == ("p", "u", "p_prev", "speed") and result.speed == abs(result.u).max()
refused("all: `m` is missing, a param without a default", p, u, strip, g, c)
refused("all: `g` is missing, an array .ny..nx. of f64", p, u, strip, c=c, m=1)
refused("all: `u` has 9 points along x, where `p` makes nx = 7; it takes .ny..nx . 3. of f64 "
        ".ghost points: 2 in front of x, 1 behind x.", p, u[:, 1:], strip, g, c, m=1)
refused("all: `strip` has 2 axes; it takes .nx. of f64", p, u, strip[None], g, c, m=1)
refused("all: `p` is of f64; it takes .ny..nx. of f32", g, u, strip, g, c, m=1)
refused("all: `c` has 2 axes; it takes one axis, a value a step, of f32", p, u, strip, g, p, m=1)
refused("all: an array over time has no value for a step of the run", p, u, strip, g, c, m=1,
        steps=6)
refused("all: `n` is 1.5; it takes a number of int", p, u, strip, g, c, m=1, n=1.5)
refused("all: steps is -1; it takes 0 or more", p, u, strip, g, c, m=1, steps=-1)
refused("all: out for `u` is .6, 7. of f64 on the host; it takes .ny..nx . 3. .*", p, u, strip, g,
        c, m=1, out={"u": g})
refused("all: out for `u` is the `u` given, which stays as it is; donate=True gives it away", p, u,
        strip, g, c, m=1, out={"u": u})
refused("all takes no `q`; it takes p, u, strip, g, c, p_prev, k, m, n, .*", p, q=1,
        error=TypeError)
refused("all: `p` is given twice", p, p=p, error=TypeError)
refused("all takes 6 arrays .*, and 7 are given", *[p] * 7, error=TypeError)
refused("all: out names `g`; its fields are p, u", p, u, strip, g, c, m=1, out={"g": g},
        error=TypeError)
refused("a list is no array; .*", [1.0], u, strip, g, c, m=1, error=TypeError)


class OnDevice:
    __cuda_array_interface__ = {"shape": (6, 7), "typestr": "<f4", "data": (4096, False),
                                "strides": None, "version": 3}


refused("all: `u` is of another library than `p`", OnDevice(), u, strip, g, c, m=1)
refused("there is no driver of an NVIDIA GPU here .*; arrays of NumPy run on the CPU",
        *[OnDevice()] * 5, m=1)
try:
    stencilc.compile("stencil a(x) { field f32 u; u' = v; }")
    sys.exit("a wrong stencil was compiled")
except stencilc.CompileError as error:
    assert ":1:34: error: `v` is not declared\n" in str(error), error
try:
    stencilc.compile("stencil a(x) { field f32 out; out' = 1; }")
    sys.exit("a name was taken twice")
except stencilc.StencilError as error:
    assert "a: `out` is an option of a call" in str(error), error
