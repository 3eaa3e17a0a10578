"""%%stencil: a cell of a notebook that holds a stencil.

    %%stencil [NAME] [option=value]...

compiles the cell, with the options of stencilc.compile, and calls the result NAME, or as the stencil
is called.
"""
import shlex
from typing import Any

from ._stencil import compile


def register(shell: Any) -> None:
    def stencil(line: str, cell: str) -> None:
        words = shlex.split(line)
        options: Any = dict(word.split("=", 1) for word in words if "=" in word)
        names = [word for word in words if "=" not in word]
        made = compile(cell, **options)
        shell.user_ns[names[0] if names else made.name] = made

    shell.register_magic_function(stencil, "cell", "stencil")
