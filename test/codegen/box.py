"""box.py RADIUS [BOUNDARY]: a stencil in three dimensions that reads a box of so many points each way,
with a weight for each, between fixed ends or others."""
import itertools
import sys

radius, boundary = int(sys.argv[1]), (sys.argv[2:] or ["fixed"])[0]
points = list(itertools.product(range(-radius, radius + 1), repeat=3))
weights = ", ".join(f"w{number} = {(number + 1) / 1000}" for number in range(len(points)))
terms = [f"w{number}*u[" + ", ".join(f"{axis}{offset:+}" for axis, offset in zip("zyx", at)) + "]"
         for number, at in enumerate(points)]
print(f"stencil box(z, y, x) {{\n  field real u;\n  param real {weights};\n  boundary u: {boundary};\n"
      f"  init u = 1 + z*z + 0.5*y*x;\n  u' = {' + '.join(terms)};\n}}")
