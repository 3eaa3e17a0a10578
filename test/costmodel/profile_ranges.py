"""profile_ranges.py STENCILC SOURCE PROFILE FOLDER: a profile with any one value exchanged for an
extreme one is refused with its place, or predicts finite numbers."""
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

stencilc, source, profile, folder = *sys.argv[1:4], pathlib.Path(sys.argv[4])
EXTREMES = ["0", "-1", "1", "0.001", "1e-300", "1e-9", "100", "1000000", "2147483648", "1e15",
            "1e18", "1e300", "9223372036854775807"]
folder.mkdir(parents=True, exist_ok=True)
lines = pathlib.Path(profile).read_text().splitlines()
cases = [(number, extreme) for number, line in enumerate(lines) if re.search(r"value: [\d.]", line)
         for extreme in EXTREMES]


def fault(case):
    number, extreme = case
    path = folder / f"{number}-{extreme}.yaml"
    exchanged = re.sub(r"value: [^,]*", f"value: {extreme}", lines[number])
    path.write_text("\n".join([*lines[:number], exchanged, *lines[number + 1:]]))
    for model in ("su2015", "geometric"):
        done = subprocess.run([stencilc, source, f"--gpu={path}", f"--model={model}",
                               "--schedule=baseline/32x4", "--explain=json"],
                              capture_output=True, text=True, timeout=60)
        if done.returncode not in (0, 1):
            return f"{exchanged}: exit code {done.returncode}: {done.stderr}"
        said = done.stderr if done.returncode else done.stdout
        if not said or "internal" in said:
            return f"{exchanged}: exit code {done.returncode}, and says `{said}`"
        if re.search(r"\b(nan|inf)\b|e\+?30\d", done.stdout, re.I):
            return f"{exchanged}: predicts {re.search(r'.*(nan|inf).*', done.stdout)}"
    path.unlink()
    return None


with ThreadPoolExecutor() as pool:
    faults = [found for found in pool.map(fault, cases) if found]
assert len(cases) > 700, f"only {len(cases)} cases"
print(f"{len(cases)} profiles, {len(faults)} faults")
sys.exit("\n".join(faults) or 0)
