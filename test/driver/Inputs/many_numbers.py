"""many_numbers.py COUNT: a stencil with so many numbers of a run, each an argument of its kernel."""
import sys

numbers = [f"exp(k + {i})" for i in range(int(sys.argv[1]))]
fields = [numbers[i:i + 100] for i in range(0, len(numbers), 100)]
print("stencil many(x) {\n  param f64 k = 1;")
for number, own in enumerate(fields):
    print(f"  field f64 u{number};\n  u{number}' = {' + '.join(f'u{number}*{each}' for each in own)};")
print("}")
