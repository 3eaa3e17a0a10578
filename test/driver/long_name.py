"""long_name.py COMMAND...: the command with a further word, a file name longer than any system has."""
import subprocess
import sys

sys.exit(subprocess.run([*sys.argv[1:], "long" * 100]).returncode)
