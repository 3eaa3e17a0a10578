"""Stencils as functions of arrays.

    heat = stencilc.compile("heat.stn")
    u = heat(u, steps=100, alpha=0.4)

and distances = stencilc.shortest_paths(weights).

NumPy arrays run on the cores of this machine, arrays on a GPU (CuPy, PyTorch, Numba, JAX) there.
"""
from ._paths import ShortestPaths, shortest_paths
from ._report import Report
from ._stencil import Stencil, compile
from ._tool import CompileError, StencilError

__all__ = ["CompileError", "Report", "ShortestPaths", "Stencil", "StencilError", "compile",
           "shortest_paths"]


def load_ipython_extension(shell: object) -> None:
    """%load_ext stencilc: cells that start with %%stencil."""
    from ._magic import register
    register(shell)
