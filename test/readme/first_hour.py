"""first_hour.py NOTEBOOK: its code runs from top to bottom, and shows what its words say."""
import json
import pathlib
import re
import sys
import traceback

notebook = pathlib.Path(sys.argv[1])
pages = json.loads(notebook.read_text())
assert pages["nbformat"] == 4
names = {}
for cell in pages["cells"]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        for link in re.findall(r"\]\(([^)]*)\)", source):
            assert (notebook.parent / link).exists(), f"there is no {link}"
        continue
    assert not cell["outputs"], "outputs are kept"
    try:
        exec(compile(source, cell["id"], "exec"), names)
    except Exception:
        traceback.print_exc()
        sys.exit(f"{cell['id']} fails:\n{source}")

# Device memory is what takes longest, at order 8 as long as the L2 within a twentieth; its bytes grow
# little, and it is busy nearly all the time up to order 4, less so at order 8.
reports = names["reports"]
assert [report["bottleneck"] for report in reports.values()][:2] == ["dram"] * 2
times = reports[8]["times_ms"]
assert max(times.values()) < 1.05*times["dram"], times
busy = [report["times_ms"]["dram"] / report["predicted_ms"] for report in reports.values()]
assert min(busy[:2]) > 0.9 > busy[2], busy
moved = [report["volumes"]["dram_bytes"] for report in reports.values()]
assert moved[0] < moved[-1] < 1.2*moved[0], moved
threads = [report["occupancy"] for report in reports.values()]
registers = [each["registers_per_thread"] for each in threads]
assert threads[2]["limit"] == "registers" and registers[2] > max(registers[:2]), threads
assert threads[2]["fraction"] < min(each["fraction"] for each in threads[:2]), threads

# The program and Python give one value, and the array that was given is as it was.
state, value = names["said"].rsplit(maxsplit=1)
assert 0.1 < float(value) < 1 and names["numpy"].float32(value) == names["v"][16, 16, 16], value
assert names["u"].sum() == 1 and names["u"][16, 16, 16] == 1
assert all(speed > 0 for speed in names["speeds"].values())
