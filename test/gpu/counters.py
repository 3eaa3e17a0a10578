"""What ncu counts of kernels of shared objects that onestep.py loads: the counters, and a process under it."""

import collections
import csv
import ctypes
import io
import pathlib
import re
import sys

import lab
import onestep
import waves

STALLS = ["barrier", "long_scoreboard", "short_scoreboard", "lg_throttle", "mio_throttle", "math_pipe_throttle",
          "wait", "no_instruction", "dispatch_stall", "not_selected", "selected"]
# All are sums, of which a pass of several kernels or steps can be made.
METRICS = {
    "load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l2_read_sectors": "lts__t_sectors_srcunit_tex_op_read.sum",
    "l2_write_sectors": "lts__t_sectors_srcunit_tex_op_write.sum",
    "l2_read_hits": "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum",
    "l2_read_misses": "lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum",
    "dram_read_bytes": "dram__bytes_read.sum",
    "dram_write_bytes": "dram__bytes_write.sum",
    "instructions": "smsp__inst_executed.sum",
    "fp32_instructions": "smsp__inst_executed_pipe_fma.sum",
    "fp64_instructions": "smsp__inst_executed_pipe_fp64.sum",
    "shared_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "nanoseconds": "gpu__time_duration.sum",
    # Occupancy is warps a cycle; why warps wait, a share of them.
    "sm_active_cycles": "sm__cycles_active.sum",
    "sm_elapsed_cycles": "sm__cycles_elapsed.sum",
    "warps_active": "sm__warps_active.sum",
    **{f"stalled_{reason}": f"smsp__warps_issue_stalled_{reason}.sum" for reason in STALLS},
}
WARM = 3  # passes
# A mark stands before the kernels of a pass; what else a run launches brings frames and rows to and fro.
MARK, KERNELS = "fillWith", re.compile("fillWith|_(baseline|zblock|shm|temporal|fused)")


class Seen:
    """In the process under ncu: passes that it counts, each behind a mark."""

    def __init__(self, tools):
        self.tools, self.mark = tools, tools.take(1024)
        self.cudart = ctypes.CDLL("libcudart.so")

    def run(self, interface, args, schedule):
        """Some passes of a schedule, of which the last is seen."""
        steps = waves.steps_of(schedule)
        self.tools.run_steps(*interface.calls, ctypes.byref(args), WARM * steps)
        self.cudart.cudaProfilerStart()
        self.tools.fill(self.mark, 1, 4, 0)
        self.tools.run_steps(*interface.calls, ctypes.byref(args), steps)
        self.cudart.cudaProfilerStop()


def profiled(command, *options):
    """What ncu counts of a Python process between cudaProfilerStart and -Stop: a row for each kernel."""
    text = lab.run(["ncu", "--profile-from-start", "off", "--clock-control", "none", *options, "--csv", "--page",
                    "raw", "--print-units", "base", "--kernel-name", f"regex:{KERNELS.pattern}", "--metrics",
                    ",".join(METRICS.values()), sys.executable, "-B", *command], timeout=540)
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise lab.Failed(f"ncu counted nothing:\n{text[-1500:]}")
    rows = csv.DictReader(io.StringIO("\n".join(lines[start:])))
    return [row for row in rows if row["ID"]]  # the first has the units


def marked(rows):
    """Rows of ncu after each mark."""
    passes = []
    for row in rows:
        if MARK in row["Kernel Name"]:
            passes.append([])
        elif KERNELS.search(row["Kernel Name"]):
            passes[-1].append(row)
    return passes


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:  # a counter that this GPU has not
        return None


def of_step(rows, schedule):
    """Counters of a step of a pass whose kernels these are."""
    steps, sums = waves.steps_of(schedule), collections.Counter()
    missing = {name for row in rows for name, metric in METRICS.items() if number(row[metric]) is None}
    for row in rows:
        for name, metric in METRICS.items():
            if name not in missing:
                sums[name] += number(row[metric]) / steps
    return {name: round(value, 3) for name, value in sums.items()}


def count(command, schedules, cold=False):
    """Counters of a step of each schedule, in the order in which the process runs them; `cold`: with caches
    that are flushed before each pass, otherwise as the passes before left them."""
    passes = marked(profiled(command, "--cache-control", "all" if cold else "none"))
    if len(passes) != len(schedules):
        raise lab.Failed(f"{len(passes)} passes were counted of {len(schedules)}")
    return [(of_step(rows, schedule), [row["Kernel Name"].partition("(")[0] for row in rows])
            for rows, schedule in zip(passes, schedules)]


def tools_in(folder):
    return onestep.load_tools(pathlib.Path(folder))
