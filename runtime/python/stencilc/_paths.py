"""Shortest paths between all pairs of vertices, by the templates of runtime/apsp."""
import collections
import ctypes
import functools
import os
import pathlib
import shutil
import warnings
from typing import Any, Optional

from . import _driver, _tool
from ._arrays import View, library_of
from ._program import _compiler, _processor, compile_shared
from ._tool import StencilError

_CTYPES = {"f32": "float", "f64": "double", "i32": "int32_t", "i16": "int16_t", "u16": "uint16_t"}
_ALIGNMENT = 256  # of a workspace
_SOURCE = """#include "{header}"
using namespace stencilc::apsp;

// Without a workspace it says how much it takes.
extern "C" const char *stencilc_paths(int64_t n, const {type} *weights, int64_t weightsPitch,
    {type} *distances, int32_t *paths, bool nonNegative, Report *report, void *workspace,
    size_t *bytes, void *stream) {{
  Problem<{type}> problem;
  problem.n = n;
  problem.weights = weights;
  problem.weightsPitch = weightsPitch;
  problem.distances = distances;
  problem.distancesPitch = problem.pathsPitch = n;
  problem.kind = paths ? PathKind::FirstHop : PathKind::None;
  problem.paths = paths;
  problem.report = report;
  Plan plan;
  plan.range = nonNegative ? WeightRange::NonNegative : WeightRange::Any;
  Status status = workspace ? {solve} : {bytes};
  return status == Status::Ok ? nullptr : describe(status);
}}
"""
_SOLVE = "{place}::solve<MinPlus, {type}>(problem, plan, workspace, *bytes{stream})"
_BYTES = "{place}::workspaceBytes<MinPlus, {type}>(n, problem.kind, plan, *bytes)"


class _Found(ctypes.Structure):
    """Report of runtime/apsp/Apsp.h."""
    _fields_ = [("on_negative_cycle", ctypes.c_int32), ("refused_weights", ctypes.c_uint32),
                ("broken_range", ctypes.c_uint32), ("saturated", ctypes.c_uint32),
                ("greatest_weight", ctypes.c_uint32), ("improving_weights", ctypes.c_uint32)]


ShortestPaths = collections.namedtuple("ShortestPaths", ["distances", "next"])


def _templates() -> pathlib.Path:
    """In the package, or in the tree that it stands in."""
    here = pathlib.Path(__file__).resolve().parent
    for folder in (here / "apsp", here.parents[1] / "apsp"):
        if (folder / "Apsp.h").exists():
            return folder
    raise StencilError(f"the templates of shortest paths are not beside {here}")


def _nvcc() -> str:
    toolkits = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    for place in [*(f"{toolkit}/bin/nvcc" for toolkit in toolkits), "nvcc",
                  "/usr/local/cuda/bin/nvcc"]:
        if found := shutil.which(place):
            return found
    raise StencilError("shortest paths on a GPU are compiled by nvcc, which is not here: name a "
                       "toolkit with CUDA_HOME, or give arrays of NumPy")


@functools.lru_cache(maxsize=None)
def _library(type: str, device: Optional[int]) -> ctypes.CDLL:
    """The solver for a type of weights, compiled when it is first wanted."""
    folder = _templates()
    if device is None:
        header, place, stream = "Host.h", "host", ""
        compiler, key = _compiler(), _processor()
        flags = ["-O3", "-march=native", "-fopenmp", "-fPIC", "-shared"]
    else:
        architecture = _driver.driver().architecture(device)
        header, place, stream = "Instantiate.h", "device", ", (cudaStream_t)stream"
        compiler, key = _nvcc(), architecture
        flags = ["-O3", f"-arch={architecture}", "-Xcompiler", "-fPIC", "-shared"]
    filled = {"type": _CTYPES[type], "place": place, "stream": stream}
    source = _SOURCE.format(header=header, solve=_SOLVE.format(**filled),
                            bytes=_BYTES.format(**filled), **filled)
    texts = [path.read_text() for path in sorted(folder.glob("*.h"))]

    def build(made: pathlib.Path) -> None:
        file = made / ("paths.cpp" if device is None else "paths.cu")
        file.write_text(source)
        compile_shared(compiler, file, [*flags, "-I", str(folder)])

    made = _tool.cached(["paths", source, *flags, _tool.identity(compiler), key, *texts], build)
    library = ctypes.CDLL(str(made / "stencil.so"))
    library.stencilc_paths.restype = ctypes.c_char_p
    return library


def _checked(view: View) -> int:
    """The number of vertices."""
    if len(view.shape) != 2 or view.shape[0] != view.shape[1]:
        raise StencilError(f"weights are a square matrix, and of shape {view.shape} here")
    if view.type not in _CTYPES:
        raise StencilError(f"weights are of {view.type}; they are of {', '.join(_CTYPES)}")
    return view.shape[0]


def _tell(found: _Found) -> None:
    """What keeps the distances from being right."""
    if found.refused_weights:
        raise StencilError(f"{found.refused_weights} weights are NaN, -infinity, or beyond the range "
                           "of their type")
    if found.broken_range:
        raise StencilError(f"{found.broken_range} weights are negative, though nonnegative=True")
    if found.on_negative_cycle >= 0:
        raise StencilError(f"vertex {found.on_negative_cycle} is on a cycle of negative weight: "
                           "there are no shortest paths")
    if found.saturated:
        warnings.warn("some distances may be beyond the range of their type, and look as if there "
                      "were no path", stacklevel=3)


def shortest_paths(weights: Any, *, paths: bool = False, nonnegative: bool = False) -> Any:
    """The shortest distance from each vertex i to each j, from the matrix of the weights of edges;
    with `paths`, also the vertex after i on the way (-1 where there is none), as int32.

    weights      f32, f64, i32, i16 or u16. No edge is infinity; of whole numbers what is at least
                 2^30 - 1, 2^14 - 1, 2^15 - 1. No path is the same
    nonnegative  a promise, which is faster on a GPU

    The results are new arrays of the caller's library. It returns when they are there.
    """
    library = library_of(weights)
    weights = library.accept(weights)
    view = library.view(weights)
    n = _checked(view)
    if n > 0 and (view.strides[1] != 1 or view.strides[0] < n):
        copy = library.empty(view.shape, view.type, weights)
        library.copy(copy, weights)
        weights, view = copy, library.view(copy)
    distances = library.empty((n, n), view.type, weights)
    hops = library.empty((n, n), "i32", weights) if paths else None
    solve = _library(view.type, view.device).stencilc_paths
    hops_at = library.view(hops).address if paths else 0

    def run(report: int, workspace: int, size: int, stream: int) -> int:
        needed = ctypes.c_size_t(size)
        fault = solve(ctypes.c_int64(n), ctypes.c_void_p(view.address),
                      ctypes.c_int64(view.strides[0] if n > 0 else 0),
                      ctypes.c_void_p(library.view(distances).address), ctypes.c_void_p(hops_at),
                      ctypes.c_bool(nonnegative), ctypes.c_void_p(report),
                      ctypes.c_void_p(workspace), ctypes.byref(needed), ctypes.c_void_p(stream))
        if fault:
            raise StencilError(f"shortest paths: {fault.decode()}")
        return needed.value

    found = _Found()
    if view.device is None:
        size = run(ctypes.addressof(found), 0, 0, 0)
        workspace = ctypes.create_string_buffer(size + _ALIGNMENT)
        begin = -(-ctypes.addressof(workspace) // _ALIGNMENT) * _ALIGNMENT
        run(ctypes.addressof(found), begin, size, 0)
    else:
        driver, stream = _driver.driver(), library.stream(weights)
        with driver.context(view.device):
            report = driver.allocate(view.device, ctypes.sizeof(_Found))
            size = run(report.address, 0, 0, stream)
            memory = driver.allocate(view.device, size)
            run(report.address, memory.address, size, stream)
            driver.read(found, report, stream)  # waits for the stream
    _tell(found)
    return ShortestPaths(distances, hops) if paths else distances
