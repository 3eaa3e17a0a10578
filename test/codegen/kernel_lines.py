"""kernel_lines.py MOST < TEXT: no kernel of the text is longer than so many lines."""
import re
import sys

most, text = int(sys.argv[1]), sys.stdin.read()
kernels = re.findall(r"^(__global__ .*\n(\w+)\((?:.*\n)*?\})", text, re.M)
assert kernels and len(kernels) == text.count("__global__ "), "a kernel is not found"
lines = {name: kernel.count("\n") + 1 for kernel, name in kernels}
print(", ".join(f"{name} {count}" for name, count in lines.items()))
sys.exit(", ".join(name for name, count in lines.items() if count > most) or 0)
