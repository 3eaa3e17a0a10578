"""What binds a kernel: what the model names, and what its counters say."""

import collections
import functools

from counters import STALLS
from runs import SECTOR, WARPS, step_ms, table, value_of

WAITS = ["latency", "barrier", "dispatch", "launch"]  # as the model names what is no unit


def rates(gpu):
    """What a device does at most in a millisecond, by the names of the model's bounds."""
    value = functools.partial(value_of, gpu)
    clocks = value("sms", 0) * value("clock-hertz", 0) / 1e3
    return {"dram": value("dram-bandwidth") / 1e3, "l2": value("l2-bandwidth") / 1e3,
            "issue": value("issue-rate") * clocks, "smx": 128 / value("wavefront-clocks") * clocks}


def rates_of_all(gpu, real):
    """Of shared memory and of arithmetic on numbers of a type, too, where those were counted."""
    value, lanes = functools.partial(value_of, gpu), 32
    clocks = value("sms", 0) * value("clock-hertz", 0) / 1e3
    return {**rates(gpu), "shared": clocks / value("wavefront-clocks"),
            "flops": value("fp32-rate" if real == "f32" else "fp64-rate") / lanes * clocks}


BUSY = .6  # of its peak: below, no unit is what a kernel is bound by
ALIKE = .15  # of the longer: predicted times that do not tell two units apart


def peaks_of(entry, run, gpu):
    """What units do at most; of shared memory and arithmetic where those were counted."""
    return rates_of_all(gpu, entry["real"]) if "shared_wavefronts" in run["counters"] else rates(gpu)


def wait_of(run):
    """What a kernel waits for that keeps no unit busy, by its counters: "launch" where SMs have nothing to do for
    half of a step, "dispatch" where they hold few of the warps that there is room for, "barrier" where
    warps stand at barriers for longer than for anything else; "waiting" where none of that was counted."""
    c = run["counters"]
    if "stalled_barrier" not in c:
        return "waiting"
    at_work = c["nanoseconds"] / 1e6 / step_ms(run) * c["sm_active_cycles"] / max(1, c["sm_elapsed_cycles"])
    if at_work < .5:
        return "launch"
    if c["warps_active"] / max(1, c["sm_active_cycles"]) / WARPS < BUSY * run["geometric"]["occupancy"]:
        return "dispatch"
    waits = {reason: c[f"stalled_{reason}"] for reason in STALLS if not reason.endswith("selected")}
    return "barrier" if max(waits, key=waits.get) == "barrier" else "latency"


def bound_by(run, peaks):
    """The busiest unit by the counters; what is waited for where none is busy."""
    c = run["counters"]
    done = {"dram": c["dram_read_bytes"] + c["dram_write_bytes"],
            "l2": SECTOR * (c["l2_read_sectors"] + c["l2_write_sectors"]),
            "smx": SECTOR * (c["load_sectors"] + c["store_sectors"]), "issue": c["instructions"],
            "shared": c.get("shared_wavefronts", 0),
            "flops": c.get("fp64_instructions") or c.get("fp32_instructions", 0)}
    share, unit = max((done[unit] / peaks[unit] / step_ms(run), unit) for unit in peaks)
    return unit if share > BUSY else wait_of(run)


def said_bounds(run, peaks):
    """What the model names; both units where their predicted times are alike."""
    said = run["geometric"]
    named = said["bottleneck"]
    if named not in peaks:
        return [named]
    times = sorted(((said["times"].get(unit, 0), unit) for unit in peaks), reverse=True)
    near = [unit for time, unit in times if time > (1 - ALIKE) * times[0][0]][:2]
    return [named, *(unit for unit in near if unit != named)]


def bottlenecks(entries, gpu):
    """A row for what the model names, a column for what the counters say; how many are right, and how many
    waits by name."""
    counts, right, waits, alike, units = collections.Counter(), 0, 0, 0, {}
    for entry in entries:
        for run in entry["runs"]:
            if "counters" in run and "times" in run["geometric"]:
                peaks = peaks_of(entry, run, gpu)
                units |= dict.fromkeys(peaks)
                said, found = said_bounds(run, peaks), bound_by(run, peaks)
                right += found in said or (found not in peaks and said[0] in WAITS)
                if found in WAITS and said[0] in WAITS:
                    waits, alike = waits + 1, alike + (found == said[0])
                counts[found if found in said else said[0], found] += 1
    rows_of = [*units, *WAITS, *sorted({said for said, _ in counts} - {*units, *WAITS})]
    columns = [*units, *WAITS, "waiting"]
    columns = [name for name in columns if name in units or any(counts[said, name] for said in rows_of)]
    rows = [[name, *(counts[name, found] for found in columns)] for name in rows_of]
    total = sum(counts.values())
    return (table(["named \\ counted", *columns], rows)
            + f"\n{right} of {total} runs, {100 * right / max(1, total):.0f} %, are right: the unit, or that none is "
            + "busy." + (f" Of {waits} waits that the counters tell apart, {alike} have the name that those give."
                         if waits else "") + "\n")
