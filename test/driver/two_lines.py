"""two_lines.py STENCILC SOURCE: writes a file whose name has two lines."""
import subprocess
import sys

done = subprocess.run([sys.argv[1], sys.argv[2], "-o", "two\nlines.cu"], capture_output=True, text=True)
print(done.stderr.splitlines()[0] + f"\nexit code {done.returncode}")
