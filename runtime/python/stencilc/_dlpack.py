"""Arrays that have nothing but __dlpack__, seen through its C struct."""
import ctypes
from typing import Any, Optional, Tuple

from ._tool import StencilError

CPU, CUDA, CUDA_MANAGED = 1, 2, 13
_LEGACY_STREAM = 1
_KINDS = {0: "i", 1: "u", 2: "f"}


class _Tensor(ctypes.Structure):
    """DLTensor."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device", ctypes.c_int32), ("rank", ctypes.c_int32), ("kind", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    """DLManagedTensor."""


_Managed._fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p),
                     ("deleter", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed)))]

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_rename = ctypes.pythonapi.PyCapsule_SetName
_rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
_USED = b"used_dltensor"  # a capsule keeps the address of its name


def device_type(array: Any) -> Optional[int]:
    """Where it says that it lies; None if it says nothing."""
    return array.__dlpack_device__()[0] if hasattr(array, "__dlpack_device__") else None


class Borrowed:
    """An array on a device that another library keeps for as long as this is there."""

    def __init__(self, array: Any):
        self._managed: Any = None
        capsule = array.__dlpack__(stream=_LEGACY_STREAM)
        self._managed = ctypes.cast(_pointer_of(capsule, b"dltensor"), ctypes.POINTER(_Managed))
        _rename(capsule, _USED)  # it is ours to give back
        self._tensor = self._managed.contents.tensor
        if self._tensor.lanes != 1 or self._tensor.kind not in _KINDS:
            raise StencilError(f"a {type(array).__name__} has elements that are no single numbers")

    def __del__(self) -> None:
        if self._managed and self._managed.contents.deleter:
            self._managed.contents.deleter(self._managed)

    @property
    def device_id(self) -> int:
        return self._tensor.device

    @property
    def __cuda_array_interface__(self) -> dict:
        tensor = self._tensor
        size = tensor.bits // 8
        shape: Tuple[int, ...] = tuple(tensor.shape[:tensor.rank])
        strides = (tuple(stride * size for stride in tensor.strides[:tensor.rank])
                   if tensor.strides else None)
        return {"version": 3, "shape": shape, "typestr": f"<{_KINDS[tensor.kind]}{size}",
                "strides": strides, "data": ((tensor.data or 0) + tensor.offset, False),
                "stream": _LEGACY_STREAM}
