"""What reports ask of a run that validate.py or counted.py kept, of a profile, and for a table."""

import math
import re

import problems

SECTOR, WARPS = 32, 64  # bytes; warps that an SM holds
OUTGROWN = 4 * 60e6  # bytes of a grid read and written: several times an H200's L2


def grid_bytes(entry, run):
    return 2 * math.prod(run["extents"]) * (4 if entry["real"] == "f32" else 8)


def predicted_ms(said):
    """Of a step of the run that was timed; of a step alone where no more is known."""
    return said.get("run_ms", said["ms"])


def step_ms(run):
    """Of a step alone; where only runs were timed, less what is predicted of launches beside its steps."""
    said = run["geometric"]
    return run.get("step_ms", run["ms"] - (predicted_ms(said) - said["ms"]))


def variant(entry):
    family = entry["schedule"].split("/")[0]
    if "/reload" in entry["schedule"]:
        return family + ", reload"
    return family + (", patches" if "/v" in entry["schedule"] else "")


def compiled_as(record, schedule):
    """The schedule that is compiled now as one was for a kept record. Before kernels waited for the one before,
    it made no difference whether arrays are promised to be only read (`plain`)."""
    return schedule if record["date"] >= "2026-11-25" else schedule.replace("/plain", "")


def value_of(gpu, key, part=1):
    """Of a device's profile: of the device itself (part 0), or of its geometric model."""
    text = (problems.ROOT / f"costmodel/device/devices/{gpu}.yaml").read_text().split("geometric:")
    return float(re.search(rf"\n *{key}: *\{{ value: ([^,]*),", text[part])[1])


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"
