"""project.py write FOLDER | run FOLDER: a C++ project that has stencils for sources, on a GPU.

`write` needs the compiler built (`--build`, a build folder to install from) and no GPU: it leaves what is
installed, the project, values of the reference and an emitted stand-alone program in the folder. `run`
needs CMake, nvcc and a GPU: it configures and builds the project against what was installed, compares
the bits of a strict variant with the reference, and the speed at 512^3 with that of the program.
"""
import json
import pathlib
import re
import shutil
import struct
import sys

import lab

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = ROOT / "test/gpu/Inputs/project"
GRID, STEPS = "z=23,y=25,x=41", 5
LARGE = "--nx=512 --ny=512 --nz=512 --steps=200"


def data(path):
    contents = path.read_bytes()
    return contents[10 + struct.unpack("<H", contents[8:10])[0]:]


def write(options):
    folder, stencilc = options.folder, options.stencilc
    folder.mkdir(parents=True, exist_ok=True)
    lab.run(["cmake", "--install", stencilc.parent, "--prefix", folder / "prefix"])
    shutil.copytree(PROJECT, folder / "project", dirs_exist_ok=True)
    shutil.copy(ROOT / "examples/heat.stn", folder / "project")
    for name, steps in (("start", 0), ("end", STEPS)):
        lab.run([stencilc, ROOT / "examples/heat.stn", "--emit=values", f"--size={GRID}",
                 f"--steps={steps}", "-o", folder / f"{name}.npy"])
    for what, name in ((["--emit=main"], "main.cu"), ([], "heat.cu")):
        lab.run([stencilc, ROOT / "examples/heat.stn", *what, "-o", folder / name])
    return 0


def run(options):
    folder = options.folder
    prefix, made = folder / "prefix", folder / "made"
    shutil.rmtree(made, ignore_errors=True)
    lab.run(["cmake", "-S", folder / "project", "-B", made, f"-DCMAKE_PREFIX_PATH={prefix}",
             "-DCMAKE_BUILD_TYPE=Release"])
    lab.run(["cmake", "--build", made])
    lab.run(["nvcc", "-O3", "-arch=native", folder / "main.cu", folder / "heat.cu", "-o", folder / "main"])
    (folder / "start").write_bytes(data(folder / "start.npy"))
    lab.run([made / "program", folder / "start", folder / "seen", STEPS])
    same = (folder / "seen").read_bytes() == data(folder / "end.npy")
    print("bits of the reference:", same)
    speeds = {"project": [], "emitted": []}
    for _ in range(3):
        speeds["project"].append(float(lab.run([made / "program"])))
        said = lab.run([folder / "main", *LARGE.split()])
        speeds["emitted"].append(float(re.search(r"([\d.]+) GStencil/s", said)[1]))
    results = {"same_bits": same, **{f"{name}_gstencil_s": max(s) for name, s in speeds.items()}}
    print(json.dumps(results))
    if options.output:
        lab.save(options.output, lab.command_line(), results)
    return 0 if same and results["project_gstencil_s"] >= 0.99 * results["emitted_gstencil_s"] else 1


def main():
    parser, _, _, _ = lab.halves(__doc__, ROOT / "build/stencilc")
    options = parser.parse_args()
    return {"write": write, "run": run}[options.command](options)


if __name__ == "__main__":
    lab.leave(main)
