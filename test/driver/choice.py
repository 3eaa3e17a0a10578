"""choice.py STENCILC EXAMPLES: what the choice of a schedule promises, on examples and devices.

- Its text, asked for, has the same forecast.
- It is predicted no more than 5 % slower than the best schedule of the simplest variant.
- What is left out of the candidates could not have won: `plain` where it changes no path of a load,
  and chunks longer than the axis.
"""
import json
import pathlib
import subprocess
import sys

stencilc, examples = sys.argv[1], pathlib.Path(sys.argv[2])
DEVICES = ["h200", "a100", "k20", "m2075"]
SIZES = {1: "x=1000000", 2: "y=4000,x=4000", 3: "z=200,y=200,x=200"}


def report(example, *flags):
    done = subprocess.run([stencilc, examples / example, "--explain=json", *flags],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


faults = []
for example in ("heat.stn", "19pt.stn", "gray_scott.stn", "star3.stn"):
    for device in DEVICES:
        flags = [f"--gpu={device}"]
        chosen = report(example, *flags)
        again = report(example, *flags, f"--schedule={chosen['schedule']}")
        if again["predicted_ms"] != chosen["predicted_ms"]:
            faults.append(f"{example} on {device}: {chosen['schedule']} asked for takes another time")
        simple = report(example, *flags, "--variant=baseline")
        if chosen["predicted_ms"] > 1.05 * simple["predicted_ms"]:
            faults.append(f"{example} on {device}: {chosen['schedule']} loses to the simple "
                          f"{simple['schedule']}")
        schedules = [candidate["schedule"] for candidate in chosen["candidates"]]
        assert schedules[0] == chosen["schedule"], f"{example}: the first is not the chosen one"
        served_alike = not any("plain" in schedule for schedule in schedules)
        if served_alike:
            single = report(example, *flags, "--fuse=1")  # of which alone `plain` is known
            plain = report(example, *flags, f"--schedule={single['schedule']}/plain")
            if plain["predicted_ms"] < single["predicted_ms"]:
                faults.append(f"{example} on {device}: `plain` was left out, yet it is faster")
        elif device == "h200":
            faults.append(f"{device} serves all loads from one cache; `plain` is tried for nothing")

for device in DEVICES:
    times = [report("heat.stn", f"--gpu={device}", "--size=z=60",
                    f"--schedule=zblock/32x8x1/c{chunk}")["predicted_ms"]
             for chunk in (64, 128, 256)]
    if min(times[1:]) < times[0] * (1 - 1e-9):
        faults.append(f"{device}: chunks beyond the axis were left out, yet are faster: {times}")
sys.exit("\n".join(faults) or 0)
