"""Stencil: a stencil of the language as a function."""
import collections
import os
import pathlib
from typing import Any, Callable, Dict, List, Mapping, Optional, Union

from ._call import Call
from ._interface import Interface
from ._program import Programs, Source
from ._report import Report
from ._tool import StencilError

_CALL_OPTIONS = {"steps", "out", "donate", "step"}


def compile(source: Union[str, "os.PathLike[str]"], *, real: Optional[str] = None,
            fp: Optional[str] = None, defines: Mapping[str, Any] = {}, gpu: Optional[str] = None,
            size: Mapping[str, int] = {}, schedule: Optional[str] = None,
            fuse: Optional[int] = None) -> "Stencil":
    """The stencil of a file, or of a text (that has a brace). `real`, `fp` and `defines` are of its
    meaning; `gpu`, `size`, `schedule` and `fuse` of its code for a GPU alone. CompileError if it is wrong."""
    if isinstance(source, str) and "{" in source:
        text = source
    else:
        path = pathlib.Path(source)
        text = f'#line 1 "{path.name}"\n' + path.read_text(encoding="utf-8")
    meaning = [f"--{option}={value}" for option, value in (("real", real), ("fp", fp)) if value]
    meaning += [f"-D{param}={value}" for param, value in defines.items()]
    device = [f"--{option}={value}" for option, value in
              (("gpu", gpu), ("schedule", schedule), ("fuse", fuse)) if value]
    device += [f"--size={axis}={points}" for axis, points in size.items()]
    return Stencil(Source(text, meaning, device))


class Bound:
    """A stencil with its arrays; what a call gives stands until the next one."""

    def __init__(self, call: Call, shown: Callable[[Dict[str, Any]], Any]):
        self._call, self._shown = call, shown

    def __call__(self, steps: int = 1) -> Any:
        return self._shown(self._call.advance(steps))


class Stencil:
    """Called with arrays in the order of their declaration, or by name; with params by name."""

    def __init__(self, source: Source):
        self._source = source
        self._interface = Interface(source.emit("--emit=interface"))
        self._programs = Programs(source, self._interface)
        self._result = collections.namedtuple("Result", self._interface.outputs)  # type: ignore
        if taken := _CALL_OPTIONS.intersection([*self._interface.inputs, *self._interface.params]):
            raise StencilError(f"{self.name}: `{taken.pop()}` is an option of a call and cannot "
                               "name an array or a param of it; rename it")

    @property
    def name(self) -> str:
        return self._interface.name

    def __repr__(self) -> str:
        takes = [f"{array.name}{array.expected}" for array in self._interface.arrays]
        return f"<stencil {self.name}({', '.join([*takes, *self._interface.params])})>"

    def __call__(self, *arrays: Any, steps: int = 1, out: Any = None, donate: bool = False,
                 step: int = 0, **named: Any) -> Any:
        """The fields after `steps` steps, in new arrays of the caller's library; of several results
        a named tuple: newest levels, levels before (`p_prev`), reductions.

        out     arrays for the newest levels: one, or a dict by name
        donate  the arrays given may be written; of field and result one may be the other's memory
        step    steps completed before, for stencils that count
        """
        given = self._bind(arrays, named)
        params = {name: named[name] for name in self._interface.params if name in named}
        results = Call(self._interface, self._programs, given).run(
            params, steps, step, self._outputs(out), donate)
        return self._shown(results)

    def bind(self, *arrays: Any, step: int = 0, **named: Any) -> "Bound":
        """The stencil with its arrays, for many short runs: bound(steps) advances them, looking at
        nothing anew. The arrays are given away as by donate=True."""
        given = self._bind(arrays, named)
        call = Call(self._interface, self._programs, given)
        call.hold({name: named[name] for name in self._interface.params if name in named}, step)
        return Bound(call, self._shown)

    def _shown(self, results: Dict[str, Any]) -> Any:
        return next(iter(results.values())) if len(results) == 1 else self._result(**results)

    def _bind(self, arrays: Any, named: Dict[str, Any]) -> Dict[str, Any]:
        inputs = self._interface.inputs
        if len(arrays) > len(inputs):
            raise TypeError(f"{self.name} takes {len(inputs)} arrays ({', '.join(inputs)}), "
                            f"and {len(arrays)} are given")
        given = dict(zip(inputs, arrays))
        for name, value in named.items():
            if name in given:
                raise TypeError(f"{self.name}: `{name}` is given twice")
            if name in inputs:
                given[name] = value
            elif name not in self._interface.params:
                known = [*inputs, *self._interface.params, *sorted(_CALL_OPTIONS)]
                raise TypeError(f"{self.name} takes no `{name}`; it takes {', '.join(known)}")
        return given

    def _outputs(self, out: Any) -> Dict[str, Any]:
        if out is None:
            return {}
        fields: List[str] = [array.name for array in self._interface.fields]
        if not isinstance(out, Mapping):
            out = {fields[0]: out} if len(fields) == 1 else dict(zip(fields, out))
        unknown = set(out).difference(self._interface.outputs)
        if unknown:
            raise TypeError(f"{self.name}: out names `{unknown.pop()}`; its fields are "
                            f"{', '.join(fields)}")
        return dict(out)

    def explain(self, *, gpu: Optional[str] = None, size: Mapping[str, int] = {}) -> Report:
        """What its code for a GPU is expected to do, and why; it takes no GPU."""
        more = [f"--gpu={gpu}"] * bool(gpu) + [f"--size={a}={n}" for a, n in size.items()]
        return Report(self._source, more)
