"""notebook.py EXAMPLES: what explain() gives, and cells that start with %%stencil."""
import pathlib
import sys

import stencilc

heat = stencilc.compile(pathlib.Path(sys.argv[1], "heat.stn"), gpu="h100")
report = heat.explain(size={"z": 64, "y": 64, "x": 64})
assert str(report).startswith("heat on H100: "), str(report)
assert report["extents"] == {"z": 64, "y": 64, "x": 64} and report.data["version"] == 1
page = report._repr_html_()
assert page.startswith("<iframe srcdoc=\"&lt;!DOCTYPE html&gt;") and page.count('"') == 4, page[:80]
assert str(heat.explain(gpu="v100")).startswith("heat on V100: ")


class Shell:
    user_ns = {}

    def register_magic_function(self, function, kind, name):
        assert (kind, name) == ("cell", "stencil")
        self.magic = function


shell, cell = Shell(), "stencil grow(x) { field real u; u' = 2*u; }"
stencilc.load_ipython_extension(shell)
shell.magic("", cell)
shell.magic("single real=f32", cell)
assert repr(shell.user_ns["grow"]) == "<stencil grow(u[nx] of f64)>"
assert repr(shell.user_ns["single"]) == "<stencil grow(u[nx] of f32)>"
