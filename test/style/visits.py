"""visits.py ROOT: the cost model asks no statement or value whether it is of one kind: it visits
all kinds, so that a new one meets a rule, or one for the rest that stands beside."""
import pathlib
import re
import sys

from sources import sources

root = pathlib.Path(sys.argv[1])
kernel = (root / "ir/kernel/Kernel.h").read_text()
variants = {struct: re.search(rf"struct {struct} {{[^}}]*?std::variant<([^>]*)>", kernel)
            for struct in ("ValueNode", "Statement")}
assert all(variants.values()), "Kernel.h declares values and statements in another way"
nodes = {node.strip() for found in variants.values() for node in found[1].split(",")}
assert {"LoadGlobal", "StoreGlobal"} <= nodes, nodes

ASKS = re.compile(r"\b(?:get_if|holds_alternative|get)<(\w+)>")
faults = []
for path in sources(root, ["costmodel"]):
    for number, line in enumerate((root / path).read_text().splitlines(), 1):
        faults += [f"{path}:{number}: {node}" for node in ASKS.findall(line) if node in nodes]
sys.exit("\n".join(faults) or 0)
