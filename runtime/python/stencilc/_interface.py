"""The C interface of a stencil: its struct, and what each array must be."""
import ctypes
import json
from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

CTYPES = {"f32": ctypes.c_float, "f64": ctypes.c_double, "int": ctypes.c_int64}
BYTES = {"f32": 4, "f64": 8}


@dataclass(frozen=True)
class Array:
    """An array of the interface; `ghost` has the points in front of and behind each of its axes."""
    name: str
    type: str
    field: bool
    axes: Tuple[str, ...]
    ghost: Tuple[Tuple[int, int], ...]
    previous: bool
    next: bool
    over_time: bool

    @property
    def expected(self) -> str:
        """[ny + 2][nx] of f64."""
        if self.over_time:
            return f"one axis, a value a step, of {self.type}"
        sizes = "".join(f"[n{axis}{f' + {sum(ghost)}' if sum(ghost) else ''}]"
                        for axis, ghost in zip(self.axes, self.ghost))
        return f"{sizes} of {self.type}{self.ghosts}"

    @property
    def ghosts(self) -> str:
        """What to say of ghost points."""
        sides = [f"{width} {where} {axis}" for axis, ghost in zip(self.axes, self.ghost)
                 for width, where in zip(ghost, ("in front of", "behind")) if width]
        return f" (ghost points: {', '.join(sides)})" if sides else ""


class Interface:
    """What --emit=interface says."""

    def __init__(self, text: str):
        data = json.loads(text)
        if data["version"] != 1:
            raise ValueError("this stencilc and this Python package are of different versions")
        self.name: str = data["stencil"]
        self.axes: Tuple[str, ...] = tuple(data["axes"])
        self.counts_steps: bool = data["step"]
        self.arrays: List[Array] = [
            Array(a["name"], a["type"], a["field"], tuple(a["axes"]), tuple(map(tuple, a["ghost"])),
                  a["previous"], a["next"], a["over_time"]) for a in data["arrays"]]
        self.reductions: List[str] = data["reductions"]
        self.params: Dict[str, Dict[str, Any]] = {p["name"]: p for p in data["params"]}

    @property
    def fields(self) -> List[Array]:
        return [array for array in self.arrays if array.field]

    @property
    def inputs(self) -> List[str]:
        """Names that a call takes as arrays, in order; those of previous levels come last."""
        return ([array.name for array in self.arrays] +
                [array.name + "_prev" for array in self.fields if array.previous])

    @property
    def outputs(self) -> List[str]:
        """Names of what a call gives back: newest levels, those before them, reductions."""
        return ([array.name for array in self.fields] +
                [array.name + "_prev" for array in self.fields if array.previous] +
                self.reductions)

    def struct(self) -> type:
        """heat_args. Its members have the names that heat.h gives them."""
        members: List[Tuple[str, Any]] = [("n" + axis, ctypes.c_int64) for axis in self.axes]
        members += [("stride_" + axis, ctypes.c_int64) for axis in self.axes[:-1]]
        if self.counts_steps:
            members.append(("step", ctypes.c_int64))
        for array in self.arrays:
            members.append((array.name, ctypes.c_void_p))
            if array.previous:
                members.append((array.name + "_prev", ctypes.c_void_p))
            if array.next:
                members.append((array.name + "_next", ctypes.c_void_p))
            if array.over_time:
                members.append((array.name + "_steps", ctypes.c_int64))
        members += [(name, ctypes.c_void_p) for name in self.reductions]
        members += [(name, CTYPES[param["type"]]) for name, param in self.params.items()]
        return type(f"{self.name}_args", (ctypes.Structure,), {"_fields_": members})
