"""crash.py COMMAND...: a segmentation fault while the command waits for its input."""
import signal
import subprocess
import sys
import time

process = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
# It has its handlers once it sleeps in the read of its input. One that ended is a zombie.
while open(f"/proc/{process.pid}/stat").read().rpartition(")")[2].split()[0] not in "SZ":
    time.sleep(0.01)
time.sleep(0.2)
process.send_signal(signal.SIGSEGV)
print(process.communicate()[1] + f"exit code {process.returncode}")
