"""One call of a stencil: arrays checked and laid out, steps run, levels rotated."""
import ctypes
from typing import Any, Dict, Optional, Tuple

from ._arrays import View, dense_strides, library_of
from ._interface import BYTES, Array, Interface
from ._program import Programs
from ._tool import StencilError


class Call:
    """What is known of a call, from its arrays to its results.

    Arrays with all axes have one set of strides: that of the caller's arrays, where they agree; any
    other is copied. `owned` names those copies, which the call may write.
    """

    def __init__(self, interface: Interface, programs: Programs, arrays: Dict[str, Any]):
        self.interface, self.arrays = interface, dict(arrays)
        missing = [array.name for array in interface.arrays if array.name not in arrays]
        if missing:
            raise self.error(
                f"`{missing[0]}` is missing, an array {self.array(missing[0]).expected}")
        first = arrays[interface.arrays[0].name]
        self.library = library_of(first)
        self.views: Dict[str, View] = {}
        for name, array in arrays.items():
            if type(library_of(array)) is not type(self.library):
                raise self.error(f"`{name}` is of another library than `{interface.arrays[0].name}`")
            self.arrays[name] = self.library.accept(array)
            self.views[name] = self.library.view(self.arrays[name])
        self.device = self.views[interface.arrays[0].name].device
        self.extents = self._check()
        self.strides = self._common_strides()
        self.owned: set = set()
        for name in list(self.arrays):
            if self.views[name].strides != self.strides_of(self.array(name)):
                self._replace(name, self._copy(name))
        self.program = programs.on(self.device)
        self.struct = programs.struct

    def error(self, text: str) -> StencilError:
        return StencilError(f"{self.interface.name}: {text}")

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
            if view.device != self.device:
                raise self.error(f"`{name}` lies on {_place(view.device)}, and "
                                 f"`{self.interface.arrays[0].name}` on {_place(self.device)}")
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
        like = self.arrays[self.interface.arrays[0].name]
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

    # ---- running -------------------------------------------------------------------------------

    def run(self, params: Dict[str, Any], steps: int, step: int, out: Dict[str, Any],
            donate: bool) -> Dict[str, Any]:
        """The outputs by name."""
        if steps < 0:
            raise self.error(f"steps is {steps}; it takes 0 or more")
        self.args = self.program.args_default()
        for axis, extent in self.extents.items():
            setattr(self.args, "n" + axis, extent)
        for axis, stride in zip(self.interface.axes, self.strides[:-1]):
            setattr(self.args, "stride_" + axis, stride)
        if self.interface.counts_steps:
            self.args.step = step
        self._set_params(params)
        self.places: Dict[int, Any] = {}  # arrays by the address of their point (0, 0, 0)
        self._check_out(out)

        for array in self.interface.arrays:
            if not array.field:
                self._point(array.name, self.origin(array, self.arrays[array.name]))
            if array.over_time:
                setattr(self.args, array.name + "_steps", self.views[array.name].shape[0])
        if donate or steps == 0 or any(array.previous or not array.next or array.name in self.owned
                                       for array in self.interface.fields):
            self._take_levels(out, donate)
        else:
            self._first_step(out, steps)
            steps -= 1
        numbers = self._make_room_for_numbers()
        self._advance(steps)
        return {**self._newest(out),
                **{name: self.library.number(room) for name, room in numbers.items()}}

    def _set_params(self, params: Dict[str, Any]) -> None:
        for name, param in self.interface.params.items():
            if name in params:
                try:
                    setattr(self.args, name, params[name])
                except TypeError:
                    raise self.error(f"`{name}` is {params[name]!r}; it takes a number of "
                                     f"{param['type']}") from None
            elif not param["has_default"]:
                raise self.error(f"`{name}` is missing, a param without a default")

    def _check_out(self, out: Dict[str, Any]) -> None:
        for name, given in out.items():
            view = self.library.view(given)
            array = self.array(name)
            if (view.shape, view.type, view.device) != (self.shape_of(array), array.type,
                                                         self.device):
                raise self.error(f"out for `{name}` is {list(view.shape)} of {view.type} on "
                                 f"{_place(view.device)}; it takes {array.expected}")
            for other, known in self.views.items():
                if known.address == view.address:
                    raise self.error(f"out for `{name}` is the `{other}` given, which stays as it "
                                     "is; donate=True gives it away")

    def _point(self, member: str, address: int) -> None:
        setattr(self.args, member, address)

    def _level(self, member: str, array: Array, given: Any) -> None:
        address = self.origin(array, given)
        self.places[address] = given
        self._point(member, address)

    def _target(self, array: Array, out: Dict[str, Any]) -> Any:
        """Where a new level of a field may be made: in `out`, if it lies as the others do."""
        given = out.get(array.name)
        if given is not None and self.library.view(given).strides == self.strides:
            return given
        return self.empty(array)

    def _take_levels(self, out: Dict[str, Any], donate: bool) -> None:
        """All levels may be written: the caller gives them, or they are copies."""
        for array in self.interface.fields:
            for name in [array.name] + [array.name + "_prev"] * array.previous:
                source = name if name in self.arrays else array.name
                mine = source == name and (donate or name in self.owned)
                self._level(name, array, self.arrays[name] if mine else self._copy(source))
            if array.next:
                self._level(array.name + "_next", array, self._target(array, out))

    def _first_step(self, out: Dict[str, Any], steps: int) -> None:
        """From the caller's arrays, which stay as they are, into new ones; those rotate from then
        on. The last step is to end in `out`."""
        others: Dict[str, Any] = {}
        for array in self.interface.fields:
            self._level(array.name, array, self.arrays[array.name])
            last = self._target(array, out)
            other = self.empty(array) if steps > 1 else last
            others[array.name] = other if steps % 2 else last
            self._level(array.name + "_next", array, last if steps % 2 else other)
        self._advance(1)
        for array in self.interface.fields if steps > 1 else []:
            self._level(array.name + "_next", array, others[array.name])

    def _make_room_for_numbers(self) -> Dict[str, Any]:
        rooms: Dict[str, Any] = {}
        like = self.arrays[self.interface.arrays[0].name]
        for name in self.interface.reductions:
            rooms[name] = self.library.empty((1,), "f64", like)
            self._point(name, self.library.view(rooms[name]).address)
        return rooms

    def _advance(self, steps: int) -> None:
        program, like = self.program, self.arrays[self.interface.arrays[0].name]
        size = program.workspace_bytes(ctypes.byref(self.args), ctypes.c_int64(steps))
        workspace, address = None, 0
        if size:
            workspace = self.library.empty(((size + 7) // 8,), "f64", like)
            address = self.library.view(workspace).address
        status = program.run(self.args, steps, address, size, self.library.stream(like))
        if status:
            raise self.error((program.strerror(status) or b"").decode())

    def _newest(self, out: Dict[str, Any]) -> Dict[str, Any]:
        results: Dict[str, Any] = {}
        for array in self.interface.fields:
            for name in [array.name] + [array.name + "_prev"] * array.previous:
                made = self.places[getattr(self.args, name)]
                if name in out and made is not out[name]:
                    self.library.copy(out[name], made)
                    made = out[name]
                results[name] = made
        return results


def _place(device: Optional[int]) -> str:
    return "the host" if device is None else f"device {device}"
