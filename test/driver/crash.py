"""crash.py COMMAND...: a segmentation fault while the command waits for its input."""
import signal
import subprocess
import sys
import time

process = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
# It has its handlers once it sleeps in the read of its input.
while open(f"/proc/{process.pid}/wchan").read() in ("", "0") and \
        open(f"/proc/{process.pid}/stat").read().split()[2] != "S":
    time.sleep(0.01)
time.sleep(0.2)
process.send_signal(signal.SIGSEGV)
print(process.communicate()[1] + f"exit code {process.returncode}")
