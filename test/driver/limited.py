"""limited.py LIMIT=BYTES COMMAND...: the command under a limit of the system (AS, FSIZE, STACK)."""
import resource
import subprocess
import sys

name, size = sys.argv[1].split("=")
limit = (getattr(resource, f"RLIMIT_{name}"), (int(size), int(size)))
sys.exit(subprocess.run(sys.argv[2:], preexec_fn=lambda: resource.setrlimit(*limit)).returncode)
