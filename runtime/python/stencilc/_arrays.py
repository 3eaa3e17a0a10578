"""Arrays of several libraries, seen alike: where they lie, and how to make more of them.

A library is known by the module of an array's type; none is imported here before the caller did.
"""
import sys
from dataclasses import dataclass
from typing import Any, Optional, Tuple

from . import _dlpack, _driver
from ._tool import StencilError

TYPESTR = {"f32": "<f4", "f64": "<f8", "i32": "<i4", "i16": "<i2", "u16": "<u2"}
NUMPY_TYPES = {typestr: type for type, typestr in TYPESTR.items()}
TORCH_TYPES = {"float32": "f32", "float64": "f64", "int32": "i32", "int16": "i16", "uint16": "u16"}


@dataclass(frozen=True)
class View:
    """Where an array lies. Strides count elements."""
    address: int
    shape: Tuple[int, ...]
    strides: Tuple[int, ...]
    type: str
    device: Optional[int]  # None: the memory of the host


def dense_strides(shape: Tuple[int, ...]) -> Tuple[int, ...]:
    strides = [1] * len(shape)
    for axis in range(len(shape) - 1, 0, -1):
        strides[axis - 1] = strides[axis] * max(shape[axis], 1)
    return tuple(strides)


def _view_of_interface(interface: dict, device: Optional[int]) -> View:
    """Of __array_interface__ or __cuda_array_interface__, which are alike."""
    shape, typestr = tuple(interface["shape"]), interface["typestr"]
    strides = interface.get("strides")
    bytes_each = int(typestr[2:])
    return View(interface["data"][0] or 0, shape,
                tuple(stride // bytes_each for stride in strides) if strides
                else dense_strides(shape),
                NUMPY_TYPES.get(typestr, typestr), device)


class Numpy:
    """NumPy; also what it can look at without a copy."""

    @property
    def module(self) -> Any:
        import numpy
        return numpy

    def accept(self, array: Any) -> Any:
        if isinstance(array, self.module.ndarray):
            return array
        if hasattr(array, "__array_interface__"):
            return self.module.asarray(array)
        return self.module.from_dlpack(array)

    def view(self, array: Any) -> View:
        return _view_of_interface(array.__array_interface__, None)

    def empty(self, shape: Tuple[int, ...], type: str, like: Any) -> Any:
        return self.module.empty(shape, TYPESTR[type])

    def copy(self, into: Any, source: Any) -> None:
        into[...] = source

    def number(self, array: Any) -> Any:
        return array[0].item()

    def stream(self, like: Any) -> int:
        return 0


class Cupy(Numpy):
    @property
    def module(self) -> Any:
        return sys.modules["cupy"]

    def accept(self, array: Any) -> Any:
        return array

    def view(self, array: Any) -> View:
        bytes_each = array.dtype.itemsize
        return View(array.data.ptr, array.shape,
                    tuple(stride // bytes_each for stride in array.strides),
                    NUMPY_TYPES.get(array.dtype.str, array.dtype.str), array.device.id)

    def empty(self, shape: Tuple[int, ...], type: str, like: Any) -> Any:
        with like.device:
            return self.module.empty(shape, TYPESTR[type])

    def copy(self, into: Any, source: Any) -> None:
        with into.device:  # CuPy copies on the current device
            into[...] = source

    def number(self, array: Any) -> Any:
        return array[0]

    def stream(self, like: Any) -> int:
        with like.device:
            return self.module.cuda.get_current_stream().ptr


class Torch:
    """PyTorch, on the host or a device."""

    @property
    def module(self) -> Any:
        return sys.modules["torch"]

    def accept(self, array: Any) -> Any:
        if array.device.type not in ("cpu", "cuda"):
            raise StencilError(f"a tensor on `{array.device.type}` cannot be reached: it takes "
                               "tensors of the host or of an NVIDIA GPU")
        return array.detach().resolve_neg()

    def view(self, array: Any) -> View:
        name = str(array.dtype).replace("torch.", "")
        shape, strides = tuple(array.shape), tuple(array.stride())
        return View(array.data_ptr() if self._is_there(array, shape, strides) else 0, shape,
                    strides, TORCH_TYPES.get(name, name),
                    array.device.index if array.is_cuda else None)

    @staticmethod
    def _is_there(array: Any, shape: Tuple[int, ...], strides: Tuple[int, ...]) -> bool:
        """Whether its storage, which may be resized under it, holds all of it."""
        last = array.storage_offset() + sum(
            (points - 1) * stride for points, stride in zip(shape, strides))
        return 0 in shape or (last + 1) * array.element_size() <= array.untyped_storage().nbytes()

    def empty(self, shape: Tuple[int, ...], type: str, like: Any) -> Any:
        name = next(name for name, own in TORCH_TYPES.items() if own == type)
        return self.module.empty(shape, dtype=getattr(self.module, name), device=like.device)

    def copy(self, into: Any, source: Any) -> None:
        into.copy_(source)

    def number(self, array: Any) -> Any:
        return array[0] if array.is_cuda else array[0].item()

    def stream(self, like: Any) -> int:
        return self.module.cuda.current_stream(like.device).cuda_stream if like.is_cuda else 0


class DeviceArray:
    """Memory on a device, for callers whose library makes none that we know how to ask for. Any
    library takes it by its __cuda_array_interface__."""

    def __init__(self, shape: Tuple[int, ...], type: str, device: int, stream: int):
        self.shape, self.type, self.device, self._stream = shape, type, device, stream
        count = 1
        for extent in shape:
            count *= extent
        self._memory = _driver.driver().allocate(device, count * int(TYPESTR[type][2:]))

    @property
    def __cuda_array_interface__(self) -> dict:
        return {"version": 3, "shape": self.shape, "typestr": TYPESTR[self.type],
                "strides": None, "data": (self._memory.address, False),
                "stream": self._stream or 1}


class AnyCuda:
    """Whatever has a __cuda_array_interface__, or __dlpack__ alone: Numba's and JAX's arrays, ours."""

    def accept(self, array: Any) -> Any:
        return array if hasattr(array, "__cuda_array_interface__") else _dlpack.Borrowed(array)

    def view(self, array: Any) -> View:
        array = self.accept(array)
        interface = array.__cuda_array_interface__
        device = (array.device_id if isinstance(array, _dlpack.Borrowed)
                  else _driver.driver().device_of(interface["data"][0]))
        return _view_of_interface(interface, device)

    def empty(self, shape: Tuple[int, ...], type: str, like: Any) -> Any:
        return DeviceArray(shape, type, self.view(like).device or 0, self.stream(like))

    def copy(self, into: Any, source: Any) -> None:
        to, start = self.view(into), self.view(source)
        if start.strides != dense_strides(start.shape):
            raise StencilError("an array of this library must be contiguous where it is copied")
        count = int(TYPESTR[to.type][2:])
        for extent in to.shape:
            count *= extent
        _driver.driver().copy(to.device or 0, to.address, start.address, count, self.stream(source))

    def number(self, array: Any) -> Any:
        return array

    def stream(self, like: Any) -> int:
        return like.__cuda_array_interface__.get("stream") or 0


def is_deleted(array: Any) -> bool:
    """JAX's arrays say so; asked anything else then, they fail somehow."""
    asked = getattr(type(array), "is_deleted", None)
    return callable(asked) and bool(asked(array))


def library_of(array: Any) -> Any:
    """The library that made an array; a TypeError for what is none."""
    root = type(array).__module__.partition(".")[0]
    if root == "torch":
        return Torch()
    if root == "cupy":
        return Cupy()
    where = _dlpack.device_type(array)
    if (hasattr(array, "__cuda_array_interface__") or
            where in (_dlpack.CUDA, _dlpack.CUDA_MANAGED)):
        return AnyCuda()
    if hasattr(array, "__array_interface__") or where == _dlpack.CPU:
        return Numpy()
    raise TypeError(f"a {type(array).__name__} is no array; it takes arrays of NumPy, CuPy, "
                    "PyTorch, or what has a __cuda_array_interface__ or __dlpack__")
