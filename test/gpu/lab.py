"""What the GPU scripts share: running commands, describing the machine, keeping results as data."""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import shlex
import statistics
import struct
import subprocess
import sys


class Failed(Exception):
    """A command that had to succeed did not."""


def run(command, timeout=300, cwd=None):
    """Runs a command and returns its standard output; raises Failed with all it printed."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=cwd)
    except subprocess.TimeoutExpired as late:
        raise Failed(f"{shlex.join(command)}\ntook longer than {timeout} s") from late
    if done.returncode != 0:
        raise Failed(f"{shlex.join(command)}\nexit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def each(items, work, workers=None):
    """Applies `work` to all items, several at a time; returns results, or the Failed, in order."""

    def attempt(item):
        try:
            return work(item)
        except Failed as failure:
            return failure

    with concurrent.futures.ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        return list(pool.map(attempt, items))


def write_sources(folder, jobs, emit):
    """Lets `emit` write a source for each (number, job), several at a time. What it says of those that
    could be written is the folder's manifest; of the others is told why not."""
    manifest = []
    for entry, job in zip(each(list(enumerate(jobs)), emit), jobs):
        if isinstance(entry, Failed):
            print(f"{job}: not written: {str(entry).splitlines()[-1]}")
        else:
            manifest.append(entry)
    write_manifest(folder, manifest)
    print(f"wrote {len(manifest)} of {len(jobs)} sources")


def commit():
    """What the sources of these scripts, and of the compiler beside them, are at."""
    return run(["git", "describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"],
               cwd=pathlib.Path(__file__).parent).strip()


def write_manifest(folder, entries, **more):
    """What a folder has, and the commit that wrote and forecast it."""
    record = {"commit": commit(), **more, "entries": entries}
    (folder / "manifest.json").write_text(json.dumps(record, indent=1) + "\n")


def read_manifest(folder):
    return json.loads((folder / "manifest.json").read_text())


def kept_in(path, manifest, empty):
    """What an earlier run of the same forecasts left in a result file, which another goes on with."""
    if not path or not path.exists():
        return empty
    kept = json.loads(path.read_text())
    for key in manifest.keys() - {"entries"}:
        if kept.get(key) != manifest[key]:
            raise Failed(f"{path} has results of {key} {kept.get(key)}, not {manifest[key]}: take it away")
    return {key: kept.get(key, value) for key, value in empty.items()}


def folder(name):
    """An argument that names one, wherever its reader goes."""
    return pathlib.Path(name).resolve()


def halves(description, stencilc):
    """The parser of a script that writes sources where the compiler is and runs them where the GPU
    is, its subparsers, and those of the two halves."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    writing, running = commands.add_parser("write"), commands.add_parser("run")
    writing.add_argument("--stencilc", type=pathlib.Path, default=stencilc)
    running.add_argument("-o", "--output", type=pathlib.Path)
    for command in (writing, running):
        command.add_argument("folder", type=folder)
    return parser, commands, writing, running


def leave(main):
    """Ends the script with the status of `main`, or with what failed."""
    try:
        sys.exit(main())
    except Failed as failure:
        print(failure, file=sys.stderr)
        sys.exit(1)


def write_npy(path, shape, data):
    """A file of the numbers, of type f64, that the bytes are."""
    sizes = "".join(f"{n}, " for n in shape)
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({sizes}), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def read_npy(path):
    """The bytes of the numbers in a file."""
    data = path.read_bytes()
    return data[10 + struct.unpack_from("<H", data, 8)[0]:]


def machine():
    """The GPU, its driver and the CUDA compiler, as strings."""
    gpu, driver = run(
        ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader", "-i", "0"]
    ).strip().split(", ")
    release = [line for line in run(["nvcc", "--version"]).splitlines() if "release" in line][0]
    return {"gpu": gpu, "driver": driver, "cuda": release.split("release ")[1].split(",")[0]}


def head_of_table():
    """The first line of a table: where its numbers were measured, and how."""
    measured = machine()
    return f"# {measured['gpu']}, CUDA {measured['cuda']}: {command_line()}\n"


def built(text, folder):
    """The program of a CUDA source, in the folder."""
    source, program = pathlib.Path(folder) / "program.cu", pathlib.Path(folder) / "program"
    source.write_text(text)
    run(["nvcc", "-arch=sm_90", "-O3", "-std=c++17", source, "-o", program])
    return program


def save(path, command, body):
    """Writes a result file: where and how it was measured, then the rows."""
    record = {**machine(), "date": datetime.date.today().isoformat(), "command": command, **body}
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_name(path.name + ".new")  # what stands there is whole, whenever this is stopped
    whole.write_text(json.dumps(record, indent=1) + "\n")
    whole.replace(path)
    print(f"wrote {path}")


CLOCK_AND_POWER = ["nvidia-smi", "--query-gpu=clocks.sm,power.draw", "--format=csv,noheader,nounits", "-i", "0"]


def numbers_of(lines):
    """The SM clock and the power of each line that has both."""
    seen = []
    for line in lines:
        try:
            clock, power = map(float, line.split(", "))
        except ValueError:  # a driver that does not tell
            continue
        seen.append((clock, power))
    return seen


def told_clocks(seen):
    return dict(zip(("sm_mhz", "watts"), map(statistics.median, zip(*seen))))


def clock_and_power(work):
    """What `work` returns; the SM clock and the power while its second half ran, if the driver tells."""
    with subprocess.Popen([*CLOCK_AND_POWER, "-lms", "100"], stdout=subprocess.PIPE, text=True) as watching:
        try:
            result = work()
        finally:
            watching.terminate()
        seen = numbers_of(watching.stdout)
    return result, told_clocks(seen[len(seen) // 2:])


def before_and_after(work):
    """What `work` returns; the SM clock and the power when it began and when it ended: nothing else asks the
    driver while something is timed."""
    now = lambda: told_clocks(numbers_of(run(CLOCK_AND_POWER).splitlines()))
    before = now()
    result = work()
    return result, {"before": before, "after": now()}


def command_line():
    """This script's own command, without the machine's paths."""
    script = os.path.relpath(sys.argv[0], pathlib.Path(__file__).resolve().parents[2])
    words = [os.path.relpath(word) if os.path.isabs(word) else word for word in sys.argv[1:]]
    return shlex.join(["python3", script, *words])
