"""stars.py FOLDER: writes a C file for each star and box, with two time levels in one array.

Stars of radius 1 to 4 and boxes of up to 125 points, in two and three dimensions, of float and of
double, as a benchmark states them: the region is marked, and stands a second time beside it for a
compiler without the polyhedral model.
"""
import itertools
import pathlib
import sys

TEXT = """/* {points} points, radius {radius}. */
#define RADIUS {radius}
double seconds(void);
double {name}({type} *memory, int inner, int steps, int isMarked) {{
  double start = seconds();
  int size = inner + RADIUS * 2;
  {type} (*A){brackets} = ({type} (*){brackets})memory;
  if (isMarked) {{
#pragma scop
{nest}
#pragma endscop
  }} else {{
{nest}
  }}
  return seconds() - start;
}}
"""


def star(rank, radius):
    points = [(0,) * rank]
    for axis, distance in itertools.product(range(rank), range(1, radius + 1)):
        for sign in (-distance, distance):
            points.append(tuple(sign if here == axis else 0 for here in range(rank)))
    return points


def box(rank, radius):
    return list(itertools.product(range(-radius, radius + 1), repeat=rank))


def nest(points, names, suffix):
    here = "".join(f"[{name}]" for name in names)
    terms = []
    for number, point in enumerate(points):
        there = "".join(f"[{name}{offset:+d}]" if offset else f"[{name}]"
                        for name, offset in zip(names, point))
        terms.append(f"0.{371 * (number + 1) % 9000 + 100:04d}{suffix} * A[t % 2]{there}")
    lines = ["for (int t = 0; t < steps; t++)"]
    for depth, name in enumerate(names):
        lines.append("  " * (depth + 1)
                     + f"for (int {name} = RADIUS; {name} < size - RADIUS; {name}++)")
    lines.append("  " * (len(names) + 1) + f"A[(t + 1) % 2]{here} =")
    return "\n".join("    " + line for line in lines) + "\n        " + " +\n        ".join(terms) + ";"


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for shape, rank, radius, type in itertools.product((star, box), (2, 3), (1, 2, 3, 4),
                                                   ("float", "double")):
    points = shape(rank, radius)
    if len(points) > 125:
        continue
    name = f"{shape.__name__}{rank}d{radius}r_{type}"
    (folder / f"{name}.c").write_text(TEXT.format(
        name=name, type=type, radius=radius, points=len(points), brackets="[size]" * rank,
        nest=nest(points, "ijk"[:rank], "f" if type == "float" else "")))
