"""cache.py FOLDER: what was compiled stays for later processes, and anything that matters compiles
anew; what cannot be kept is kept for as long as the process lasts."""
import os
import pathlib
import subprocess
import sys

CALL = """import numpy, stencilc, sys
grow = stencilc.compile("stencil grow(x) { field real u; param real k = 2; u' = k*u; }",
                        **eval(sys.argv[1]))
print(*grow(numpy.ones(3, sys.argv[2]), steps=3))
"""
cache = pathlib.Path(sys.argv[1])


def call(options="{}", type="f8", fails=False, **variables):
    result = subprocess.run([sys.executable, "-c", CALL, options, type], capture_output=True,
                            text=True, env={**os.environ, "STENCILC_CACHE": str(cache), **variables})
    assert bool(result.returncode) == fails, result.stderr
    return result


def kept():
    return {folder: (folder / "stencil.so").stat().st_mtime_ns for folder in cache.iterdir()}


assert call().stdout == "8.0 8.0 8.0\n"
first = kept()
assert len(first) == 1, first
assert call().stdout == "8.0 8.0 8.0\n" and kept() == first, "compiled again"
assert call("dict(defines=dict(k=3))").stdout == "27.0 27.0 27.0\n" and len(kept()) == 2
assert call("dict(real='f32')", "f4").stdout == "8.0 8.0 8.0\n" and len(kept()) == 3
assert first.items() <= kept().items()

nowhere = call(STENCILC_CACHE="/dev/null/folder")
assert nowhere.stdout == "8.0 8.0 8.0\n"
assert "stencilc keeps nothing: /dev/null/folder: Not a directory" in nowhere.stderr, nowhere
assert "_program.py" not in nowhere.stderr, "the warning stands in the package, not where it is called"
lost = call(fails=True, CXX="/nowhere/c++").stderr
assert "there is no C++ compiler: /nowhere/c++ cannot be run (the variable CXX names" in lost, lost
lost = call(fails=True, STENCILC="/nowhere/stencilc").stderr
assert "there is no compiler of stencils: /nowhere/stencilc" in lost, lost
broken = cache / "compiler"
broken.write_text("#!/bin/sh\n[ $1 = --version ] && echo broken && exit\necho no room >&2; exit 1\n")
broken.chmod(0o755)
before = set(cache.iterdir())
lost = call(fails=True, CXX=str(broken)).stderr
assert "no room" in lost and set(cache.iterdir()) == before, "something is left of a failed build"
