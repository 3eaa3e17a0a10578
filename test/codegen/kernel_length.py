"""kernel_length.py MOST KERNEL FILE: passes if the kernel, from the comment above it to its closing
brace, has at most MOST lines."""
import pathlib
import re
import sys

most, kernel, path = int(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
text = re.search(rf"(?:^//.*\n)*^__global__.*\n{kernel}\((?:.*\n)+?^\}}$", path.read_text(),
                 re.MULTILINE)
if not text:
    sys.exit(f"no kernel {kernel} in {path}")
lines = text.group().count("\n") + 1
print(f"{kernel}: {lines} lines")
sys.exit(f"more than {most}" if lines > most else 0)
