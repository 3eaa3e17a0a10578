"""The arrays of a call: checked against the interface, and laid out alike."""
from typing import Any, Dict, Optional, Tuple

from . import _driver
from ._arrays import View, dense_strides, is_deleted, library_of
from ._interface import BYTES, Array, Interface
from ._tool import StencilError


class Arrays:
    """Those with all axes have one set of strides: that of the caller's arrays, where they agree; any
    other is copied. `owned` names those copies, which the call may write."""

    def __init__(self, interface: Interface, arrays: Dict[str, Any]):
        self.interface, self.arrays = interface, dict(arrays)
        missing = [array.name for array in interface.arrays if array.name not in arrays]
        if missing:
            raise self.error(
                f"`{missing[0]}` is missing, an array {self.array(missing[0]).expected}")
        for name, array in arrays.items():
            if is_deleted(array):
                raise self.error(f"`{name}` has no memory any more: it was deleted")
        first = arrays[interface.arrays[0].name]
        self.library = library_of(first)
        self.views: Dict[str, View] = {}
        for name, array in arrays.items():
            if type(library_of(array)) is not type(self.library):
                raise self.error(f"`{name}` is of another library than `{interface.arrays[0].name}`")
        for name, array in arrays.items():
            self.arrays[name] = self.library.accept(array)
            self.views[name] = self.library.view(self.arrays[name])
        self.device = self.views[interface.arrays[0].name].device
        self.extents = self._check()
        self.strides = self._common_strides()
        self.owned: set = set()
        for name in list(self.arrays):
            if self.views[name].strides != self.strides_of(self.array(name)):
                self._replace(name, self._copy(name))

    def error(self, text: str) -> StencilError:
        return StencilError(f"{self.interface.name}: {text}")

    @property
    def first(self) -> Any:
        """New arrays are made like it, on its stream."""
        return self.arrays[self.interface.arrays[0].name]

    def array(self, name: str) -> Array:
        """That of a name, which may be one of a previous level."""
        return next(array for array in self.interface.arrays
                    if name in (array.name, array.name + "_prev"))

    # ---- checks --------------------------------------------------------------------------------

    def _check(self) -> Dict[str, int]:
        """The extents, on which all arrays agree."""
        extents: Dict[str, Tuple[int, str]] = {}
        for name, view in self.views.items():
            array = self.array(name)
            rank = 1 if array.over_time else len(array.axes)
            if len(view.shape) != rank:
                raise self.error(f"`{name}` has {len(view.shape)} axes; it takes {array.expected}")
            if view.type != array.type:
                raise self.error(f"`{name}` is of {view.type}; it takes {array.expected}")
            if view.address == 0 and 0 not in view.shape:
                raise self.error(f"`{name}` has no memory any more: it was deleted")
            if view.device is not None and 0 not in view.shape:
                _driver.driver().device_of(view.address)
            if view.device != self.device:
                raise self.error(f"`{name}` lies on {place(view.device)}, and "
                                 f"`{self.interface.arrays[0].name}` on {place(self.device)}")
            for axis, ghost, points in zip(array.axes, array.ghost, view.shape):
                extent = points - sum(ghost)
                if extent < 0:
                    raise self.error(f"`{name}` has {points} points along {axis}; it takes "
                                     f"{array.expected}")
                known, other = extents.setdefault(axis, (extent, name))
                if known != extent:
                    raise self.error(
                        f"`{name}` has {points} points along {axis}, where `{other}` makes "
                        f"n{axis} = {known}; it takes {array.expected}")
        return {axis: extent for axis, (extent, _) in extents.items()}

    def shape_of(self, array: Array) -> Tuple[int, ...]:
        return tuple(self.extents[axis] + sum(ghost)
                     for axis, ghost in zip(array.axes, array.ghost))

    def _has_all_axes(self, array: Array) -> bool:
        return array.axes == self.interface.axes

    def strides_of(self, array: Array) -> Tuple[int, ...]:
        if self._has_all_axes(array):
            return self.strides
        return (1,) if array.over_time else dense_strides(self.shape_of(array))

    def _common_strides(self) -> Tuple[int, ...]:
        """Of an array whose rows and planes have room for those of all."""
        full = [array for array in self.interface.arrays if self._has_all_axes(array)]
        widest = tuple(max(extents) for extents in zip(*map(self.shape_of, full)))
        for array in full:
            strides = self.views[array.name].strides
            rooms = [outer // inner for outer, inner in zip(strides, strides[1:]) if inner > 0]
            whole = all(outer % inner == 0 for outer, inner in zip(strides, strides[1:]) if inner)
            if (strides[-1] == 1 and whole and len(rooms) == len(strides) - 1 and
                    all(room >= points for room, points in zip(rooms, widest[1:]))):
                return strides
        return dense_strides(widest)

    # ---- arrays --------------------------------------------------------------------------------

    def empty(self, array: Array) -> Any:
        """A new array of the caller's library, laid out as all."""
        like = self.first
        shape = (self.shape_of(array) if array.axes else
                 self.views[array.name].shape)
        if not self._has_all_axes(array):
            return self.library.empty(shape, array.type, like)
        rooms = tuple(outer // inner for outer, inner in zip(self.strides, self.strides[1:]))
        base = self.library.empty(shape[:1] + rooms, array.type, like)
        return base if shape[1:] == rooms else base[tuple(map(slice, shape))]

    def _copy(self, name: str) -> Any:
        copy = self.empty(self.array(name))
        self.library.copy(copy, self.arrays[name])
        return copy

    def _replace(self, name: str, array: Any) -> None:
        """What is replaced is a copy of ours, which the call may write."""
        self.arrays[name] = array
        self.views[name] = self.library.view(array)
        self.owned.add(name)

    def origin(self, array: Array, given: Any) -> int:
        """The address of its point (0, 0, 0)."""
        before = sum(ghost[0] * stride for ghost, stride in zip(array.ghost,
                                                                self.strides_of(array)))
        return self.library.view(given).address + before * BYTES[array.type]


def place(device: Optional[int]) -> str:
    return "the host" if device is None else f"device {device}"
