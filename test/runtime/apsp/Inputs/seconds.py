"""seconds.py LIMIT COMMAND...: runs the command; fails if it does or takes more processor time."""
import resource
import subprocess
import sys

subprocess.run(sys.argv[2:], check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = usage.ru_utime + usage.ru_stime
print(f"{seconds:.1f} s")
sys.exit(0 if seconds <= float(sys.argv[1]) else f"more than {sys.argv[1]} s")
