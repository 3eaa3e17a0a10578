"""deep_formula.py STENCILC: formulas as deep as any that is accepted go through every path."""
import itertools
import subprocess
import sys

TEXT = """stencil deep(y, x) {{
  field f64 u;
  param f64 k = 2;
  boundary u: {boundary};
  init u = {init};
  u' = {update};
}}
"""


def text(boundary="fixed", init="x", update="u"):
    return TEXT.format(boundary=boundary, init=init, update=update)


def nested(operand):
    return "abs(" * 990 + operand + ")" * 990


texts = {
    "a sum of loads": text(update="sum(i=-4990:4990, u[x+i])"),
    "a sum of one number per run": text(update="u + sum(i=-4990:4990, k)"),
    "a sum outside": text(boundary="value(sum(i=-4990:4990, k))", update="u[x+1]"),
    "a sum at first": text(init="sum(i=-4990:4990, k)"),
    "nested calls": text(update=nested("u")),
    "nested calls of one number per run": text(update="u + " + nested("k")),
    "nested calls outside": text(boundary=f"value({nested('k')})", update="u[x+1]"),
    "nested calls at first": text(init=nested("k")),
}
commands = [["-O0"], ["-O0", "--target=host"], ["--variant=zblock", "-O0"], [],
            ["--emit=kernel", "-O0"], ["--emit=main"], ["--emit=stencil"],
            ["--emit=values", "--size=y=1,x=2"]]
for (name, source), flags in itertools.product(texts.items(), commands):
    done = subprocess.run([sys.argv[1], "-", *flags], input=source, capture_output=True, text=True)
    assert done.returncode == 0, f"{name}, {flags}: {done.returncode}\n{done.stderr[-2000:]}"
    assert done.stdout, f"{name}, {flags}: no output"
