"""Stencils as functions of arrays.

    heat = stencilc.compile("heat.stn")
    u = heat(u, steps=100, alpha=0.4)

and distances = stencilc.shortest_paths(weights).

NumPy arrays run on the cores of this machine, arrays on a GPU (CuPy, PyTorch, Numba, JAX) there.
"""
from typing import Any, Optional, Tuple

from ._paths import ShortestPaths, shortest_paths
from ._report import Report
from ._stencil import Stencil, compile
from ._tool import CompileError, StencilError

__all__ = ["CompileError", "Report", "ShortestPaths", "Stencil", "StencilError", "compile",
           "shortest_paths", "show"]


def show(array: Any, cut: Optional[str] = None, *, title: str = "",
         limits: Optional[Tuple[float, float]] = None) -> Any:
    """A Matplotlib figure of an array; of three axes, of the plane `cut`: "z=8"."""
    from . import plot  # which takes NumPy
    return plot.show(array, cut, title=title, limits=limits)


def load_ipython_extension(shell: object) -> None:
    """%load_ext stencilc: cells that start with %%stencil."""
    from ._magic import register
    register(shell)
