"""variants.py LIFT FUZZ FOLDER PATH...: what is lifted has one meaning in all variants.

Every function of the files is lifted into the folder; the stencils of a sample are lowered by every
variant, and run by both interpreters on random data, sizes and schedules, which leave the same bits. A
few of these are also printed as CUDA and as C++, compiled, and run in the harness. STENCILC_ALL takes all
for both.
"""
import os
import pathlib
import random
import shutil
import subprocess
import sys

from cases import cases

INTERPRETED, COMPILED = 120, 3
lift, fuzz, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
texts = []
for number, (path, choice) in enumerate(cases([pathlib.Path(path) for path in sys.argv[4:]])):
    texts.append(str(folder / f"{number}_{path.stem}.stn"))
    subprocess.run([lift, path, *choice, "-o", texts[-1]], check=True, timeout=60)
seed = os.environ.get("STENCILC_SEED", "1")
interpreted = compiled = texts
if not os.environ.get("STENCILC_ALL"):
    interpreted = random.Random(seed).sample(texts, INTERPRETED)
    compiled = interpreted[:COMPILED]
for options, files in ([], interpreted), (["--through-text"], compiled):
    run = subprocess.run([fuzz, f"--seed={seed}", *options, *files], text=True,
                         stdout=subprocess.PIPE)
    print(run.stdout)
    assert run.returncode == 0 and "no difference" in run.stdout
