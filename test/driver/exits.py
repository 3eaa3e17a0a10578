"""exits.py CODE COMMAND...: passes if the command exits with exactly CODE; its output goes through."""
import subprocess
import sys

wanted = int(sys.argv[1])
got = subprocess.run(sys.argv[2:], stderr=subprocess.STDOUT).returncode
if got != wanted:
    sys.exit(f"exit code {got}, not {wanted}: {' '.join(sys.argv[2:])}")
