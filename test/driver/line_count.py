"""line_count.py MOST COMMAND...: passes if the command prints at most MOST lines."""
import subprocess
import sys

most = int(sys.argv[1])
lines = subprocess.run(sys.argv[2:], capture_output=True, check=True).stdout.count(b"\n")
if lines > most:
    sys.exit(f"{lines} lines, more than {most}")
