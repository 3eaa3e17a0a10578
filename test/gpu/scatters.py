"""Predicted over measured, as drawings."""

import collections

import drawings
from bottlenecks import rates
from runs import OUTGROWN, SECTOR, grid_bytes, predicted_ms, variant

QUANTITIES_DRAWN = {"requested": "MiB between registers and L1", "L2": "MiB of the L2",
                    "device memory": "MiB of device memory", "instructions": "million instructions", "time": "ms"}


def pairs_of(entry, run, gpu):
    """Predicted and measured of a step, by quantity."""
    found = {"time": (predicted_ms(run["geometric"]), run["ms"])}
    counted, said, mib = run.get("counters"), run["geometric"], 1 << 20
    if counted:
        found["requested"] = (sum(run["requested_bytes"].values()) / mib,
                              SECTOR * (counted["load_sectors"] + counted["store_sectors"]) / mib)
        found["L2"] = (said["l2_bytes"] / mib,
                       SECTOR * (counted["l2_read_sectors"] + counted["l2_write_sectors"]) / mib)
        if grid_bytes(entry, run) > OUTGROWN:
            found["device memory"] = (said["dram_bytes"] / mib,
                                      (counted["dram_read_bytes"] + counted["dram_write_bytes"]) / mib)
        if "times" in said:
            found["instructions"] = (said["times"].get("issue", 0) * rates(gpu)["issue"] / 1e6,
                                     counted["instructions"] / 1e6)
    return found


def draw(entries, gpu, folder, name):
    """Predicted over measured, a drawing for each quantity; the links to them."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for entry in entries:
        for run in entry["runs"]:
            for quantity, pair in pairs_of(entry, run, gpu).items():
                if min(pair) > 0:
                    groups[quantity][variant(entry)].append(pair)
    links = []
    for quantity, unit in QUANTITIES_DRAWN.items():
        if groups[quantity]:
            path = folder / f"{name}-{quantity.replace(' ', '-')}.svg"
            drawings.scatter(path, f"{name}: {unit} a step", (f"predicted {unit}", f"measured {unit}"),
                             dict(sorted(groups[quantity].items())))
            links.append(f"![{quantity}]({path.name})")
    return "\n".join(links) + "\n"
