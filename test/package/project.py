"""project.py BUILD STENCILC PROJECT EXAMPLES FOLDER [--cuda] [CMAKE-OPTION...]: installs BUILD under
FOLDER, and configures, builds, runs and rebuilds PROJECT against what was installed."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

build, stencilc, project, examples, folder = map(pathlib.Path, sys.argv[1:6])
options = sys.argv[6:]
cuda = "--cuda" in options
if cuda:
    options.remove("--cuda")
shutil.rmtree(folder, ignore_errors=True)
prefix, source, made = folder / "a prefix", folder / "source", folder / "made here"


def run(*command, fails=False):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert bool(result.returncode) == fails, f"{command} gives {result.returncode}:\n{result.stdout}"
    return result.stdout


def configure(*more):
    return run("cmake", "-S", source, "-B", made, f"-Dstencilc_DIR={prefix}/lib/cmake/stencilc",
               "-DCMAKE_BUILD_TYPE=Release", *options, *more)


def times():
    """When the sources that stencilc makes and the program were written."""
    files = [*made.glob("stencilc/*/*.c[pu]*"), made / "program"]
    return {path.name: path.stat().st_mtime_ns for path in files if path.suffix != ".d"}


def check_rebuilt(why, expected):
    run("cmake", "--build", made)
    rebuilt = {name for name, time in times().items() if last[name] != time}
    last.update(times())
    assert rebuilt == expected, f"after {why}, {rebuilt} is made again, not {expected}"


def values(steps):
    """The reference's values, as bytes without a header."""
    file = folder / "values.npy"
    run(stencilc, source / "heat.stn", "--emit=values", "--size=z=9,y=17,x=33",
        f"--steps={steps}", "-Dbeta=0.125", "-o", file)
    data = file.read_bytes()
    return data[10 + int.from_bytes(data[8:10], "little"):]


run("cmake", "--install", build, "--prefix", prefix)
shutil.copytree(project, source)
for name in ("heat.stn", "heat1d.stn"):
    shutil.copy(examples / name, source)

shown = configure(*["-DWITH_CUDA=ON"] * cuda)
assert f"-- header {made}/stencilc/heat/heat.h\n" in shown, shown
run("cmake", "--build", made)
(folder / "start").write_bytes(values(0))
said = run(made / "program", folder / "start", folder / "end", "5")
assert said == "no error; 0.4 0.4; an extent or the number of steps is negative\n", said
assert (folder / "end").read_bytes() == values(5), "the program's values are not the reference's"
if cuda:
    assert re.match(r"heat on H100: .* z=64 y=64 x=64",
                    (made / "stencilc/heat_cuda/heat.txt").read_text(), re.DOTALL)
    assert (made / "cuda_program").exists()

last = times()
assert len(last) == 4 + cuda, last
device = {"heat.cu"} if cuda else set()
heat = {"heat.cpp", "heat_single.cpp"} | device
check_rebuilt("no change", set())
os.utime(source / "heat.stn")
check_rebuilt("another heat.stn", heat | {"program"})
configure("-DALPHA=0.25")
check_rebuilt("another option", {"heat.cpp", "program"})
os.utime(prefix / "bin/stencilc")
check_rebuilt("another stencilc", heat | {"heat1d.cpp", "program"})

text = (source / "heat.stn").read_text()
(source / "heat.stn").write_text(text.replace("alpha*u", "alpha*v"))
assert "heat.stn:7:14: error: `v` is not" in run("cmake", "--build", made, fails=True)
(source / "heat.stn").write_text(text)
check_rebuilt("mending heat.stn", heat | {"program"})
