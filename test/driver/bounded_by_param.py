"""bounded_by_param.py STENCILC STENCIL: what is chosen for an untold `n` ties for the told one, too."""
import json
import subprocess
import sys

stencilc, stencil = sys.argv[1:]
TIE = 0.015  # kTie of costmodel/model/Rank.h


def report(*flags):
    done = subprocess.run([stencilc, stencil, "--explain=json", *flags], capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)


told, untold = report("-D", "n=512"), report()
again = report("-D", "n=512", f"--schedule={untold['schedule']}")
if again["predicted_ms"] > (1 + TIE) * told["predicted_ms"]:
    sys.exit(f"{untold['schedule']} takes {again['predicted_ms']} ms where n is 512, and "
             f"{told['schedule']} {told['predicted_ms']}")
