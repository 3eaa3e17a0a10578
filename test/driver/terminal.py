"""terminal.py COMMAND...: runs the command on a terminal of its own and prints what it shows."""
import os
import pty
import sys

os.environ["TERM"] = "xterm"
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
shown = b""
while True:
    try:
        shown += os.read(terminal, 4096)
    except OSError:  # the other end is closed
        break
os.waitpid(pid, 0)
sys.stdout.buffer.write(shown)
