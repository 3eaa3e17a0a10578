"""apsp_table.py ROOT [--update]: the speeds that runtime/apsp/README.md shows are those measured.

Of each kind of weights and each n, the fastest of the library's own plans, in 10^12 pairs of an
addition and a minimum a second; beside it what the arithmetic alone allows, of the same run.
"""
import csv
import pathlib
import sys

root = pathlib.Path(sys.argv[1]).resolve()
results = root / "test/gpu/results"
ROWS = (  # what it is called, weights and paths in the CSV, its ceiling
    ("float, not negative", "f32+", "no", "f32 non-negative: 2 add, min of 3 bits"),
    ("float", "f32", "no", "f32 any sign: add, min"),
    ("int32", "s32", "no", "s32: 2 multiply-add, min of 3; add-min"),
    ("int32 below 2^22", "s32<2^22", "no", "below 2^22: tensor cores, min of 3"),
    ("uint16", "u16", "no", "u16: as s32, of two"),
    ("float, not negative, with paths", "f32+", "yes", "f32 non-negative: 2 add, min of 3 bits"),
    ("int32, with paths", "s32", "yes", "s32: 2 multiply-add, min of 3; add-min"),
    ("int32 below 2^22, with paths", "s32<2^22", "yes", "s32: 2 multiply-add, min of 3; add-min"),
)


def read(name):
    with open(results / f"h200_apsp_{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


speed = [row for row in read("speed") if row["look_ahead"] == "yes" and row["result"] == "ok"]
ceilings = {row["ceiling"]: float(row["pairs_per_second"]) for row in read("ceilings")}
sizes = sorted({int(row["n"]) for row in speed})


def best(weight, paths, n):
    rates = [float(row["pairs_per_second"]) for row in speed
             if (row["weight"], row["paths"], int(row["n"])) == (weight, paths, n)]
    return f"{max(rates) / 1e12:.1f}" if rates else ""


lines = ["| | " + " | ".join(f"n = {n}" for n in sizes) + " | arithmetic |",
         "|---" * (len(sizes) + 2) + "|"]
lines += [f"| {name} | " + " | ".join(best(weight, paths, n) for n in sizes)
          + f" | {ceilings[ceiling] / 1e12:.1f} |" for name, weight, paths, ceiling in ROWS]
made = "\n".join(lines) + "\n"

readme = root / "runtime/apsp/README.md"
text = readme.read_text()
begin = text.index("| | n = ")
end = text.index("\n\n", begin) + 1
if "--update" in sys.argv:
    readme.write_text(text[:begin] + made + text[end:])
elif text[begin:end] != made:
    sys.exit("runtime/apsp/README.md shows other speeds; run this script with --update")
