"""One call of a stencil: steps run, levels rotated."""
import ctypes
from typing import Any, Dict

from . import _driver
from ._interface import Array, Interface
from ._layout import Arrays, place
from ._program import Programs


class Call(Arrays):
    """What is known of a call, from its arrays to its results."""

    def __init__(self, interface: Interface, programs: Programs, arrays: Dict[str, Any]):
        super().__init__(interface, arrays)
        self.program = programs.on(self.device)

    def run(self, params: Dict[str, Any], steps: int, step: int, out: Dict[str, Any],
            donate: bool) -> Dict[str, Any]:
        """The outputs by name."""
        self._check_steps(steps)
        self._begin(params, step)
        self._check_out(out)
        if donate or steps == 0 or any(array.previous or not array.next or array.name in self.owned
                                       for array in self.interface.fields):
            self._take_levels(out, donate)
        else:
            self._first_step(out, steps)
            steps -= 1
        self._make_room_for_numbers()
        self._advance(steps)
        return self._outputs(out)

    def hold(self, params: Dict[str, Any], step: int) -> None:
        """Takes the arrays for calls of advance()."""
        self._begin(params, step)
        self._take_levels({}, donate=True)
        self._make_room_for_numbers()

    def advance(self, steps: int) -> Dict[str, Any]:
        """The outputs by name; the arrays held go on from there."""
        self._check_steps(steps)
        if self.device is not None:
            _driver.driver()  # refuses to go on in a forked process
        self._advance(steps)
        return self._outputs({})

    def _begin(self, params: Dict[str, Any], step: int) -> None:
        """Fills the struct, but for the levels of fields and reductions."""
        self.args = self.program.args_default()
        self.places: Dict[int, Any] = {}  # arrays by the address of their point (0, 0, 0)
        self.numbers: Dict[str, Any] = {}
        for axis, extent in self.extents.items():
            setattr(self.args, "n" + axis, extent)
        for axis, stride in zip(self.interface.axes, self.strides[:-1]):
            setattr(self.args, "stride_" + axis, stride)
        if self.interface.counts_steps:
            self.args.step = step
        self._set_params(params)
        for array in self.interface.arrays:
            if not array.field:
                setattr(self.args, array.name, self.origin(array, self.arrays[array.name]))
            if array.over_time:
                setattr(self.args, array.name + "_steps", self.views[array.name].shape[0])

    def _check_steps(self, steps: int) -> None:
        if steps < 0:
            raise self.error(f"steps is {steps}; it takes 0 or more")

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
                                 f"{place(view.device)}; it takes {array.expected}")
            for other, known in self.views.items():
                if known.address == view.address:
                    raise self.error(f"out for `{name}` is the `{other}` given, which stays as it "
                                     "is; donate=True gives it away")

    def _level(self, member: str, array: Array, given: Any) -> None:
        address = self.origin(array, given)
        self.places[address] = given
        setattr(self.args, member, address)

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

    def _make_room_for_numbers(self) -> None:
        for name in self.interface.reductions:
            self.numbers[name] = self.library.empty((1,), "f64", self.first)
            setattr(self.args, name, self.library.view(self.numbers[name]).address)

    def _advance(self, steps: int) -> None:
        program = self.program
        size = program.workspace_bytes(ctypes.byref(self.args), ctypes.c_int64(steps))
        workspace, address = None, 0
        if size:
            workspace = self.library.empty(((size + 7) // 8,), "f64", self.first)
            address = self.library.view(workspace).address
        status = program.run(self.args, steps, address, size, self.library.stream(self.first))
        if status:
            raise self.error((program.strerror(status) or b"").decode())

    def _outputs(self, out: Dict[str, Any]) -> Dict[str, Any]:
        results: Dict[str, Any] = {}
        for array in self.interface.fields:
            for name in [array.name] + [array.name + "_prev"] * array.previous:
                made = self.places[getattr(self.args, name)]
                if name in out and made is not out[name]:
                    self.library.copy(out[name], made)
                    made = out[name]
                results[name] = made
        for name, room in self.numbers.items():
            results[name] = self.library.number(room)
        return results
