"""Holds stencils against the formulas of their schemes: formulas.py formulas folder...

A formula is the scheme as mathematics, as it would stand in a paper: an equation or a definition a
line, however long. Of a stencil those lines count that say the same: of every `let` and every
update, each as many as it takes at 100 columns. On neither side counts what declares: arrays, params,
walls, initial values, reductions, and braces. A stencil has at most 1.2 times the lines of its
formula."""
import pathlib
import re
import sys

COLUMNS = 100
formulas, *folders = map(pathlib.Path, sys.argv[1:])
faults = []


def lines_of_stencil(text):
    text = re.sub(r"(//|#).*", "", text)
    text = text[text.index("{") + 1:]
    text = re.sub(r"\bstage\b|[{}]", "", text)
    statements = [" ".join(statement.split()) + ";" for statement in text.split(";")]
    said = [s for s in statements if re.match(r"let\b|\w+'", s)]
    return sum(-(-(len(s) + 2) // COLUMNS) for s in said)  # two columns of indentation


for formula in sorted(formulas.glob("*.txt")):
    stencil = next(f for folder in folders if (f := folder / f"{formula.stem}.stn").exists())
    said = lines_of_stencil(stencil.read_text())
    due = len([line for line in formula.read_text().splitlines() if line.strip()])
    print(f"{formula.stem}: {said} lines for {due}")
    if said > 1.2 * due:
        faults.append(formula.stem)
sys.exit(bool(faults))
