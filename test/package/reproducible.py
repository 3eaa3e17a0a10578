"""reproducible.py SOURCE BUILD FOLDER [--whole]: what is packed has the same bytes wherever and
whenever it is made, given SOURCE_DATE_EPOCH.

Two sources are compiled in two build folders; the Debian package is packed twice from
what BUILD holds, the wheel twice from copies of its sources where scikit-build-core is. --whole builds
all of it in two folders instead and compares the packages (two builds of everything).
"""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import time

SAMPLE = ("ir/CMakeFiles/stencilc_ir.dir/stencil/Region.cpp.o",
          "frontend/language/CMakeFiles/stencilc_language.dir/Rational.cpp.o")

source, build, folder = map(pathlib.Path, sys.argv[1:4])
is_whole = "--whole" in sys.argv
os.environ.update(SOURCE_DATE_EPOCH="1700000000", CCACHE_DISABLE="1")


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def compare(what, files):
    first, second = (file.read_bytes() for file in files)
    if not first or first != second:
        sys.exit(f"{what} differs: {files[0]}, {files[1]}")
    print(f"{what}: {len(first)} bytes, the same twice", flush=True)


def configured(name):
    made = folder / name / "build"
    run("cmake", "-S", source, "-B", made, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_CXX_FLAGS_RELEASE=-O2", "-DSTENCILC_TESTS=OFF", "-DSTENCILC_APSP_CUDA=OFF")
    return made


def package(config, name):
    made = folder / name
    run("cpack", "--config", config, "-B", made)
    return next(made.glob("*.deb"))


def wheel(name, *options):
    tree = folder / name / "tree"
    shutil.copytree(source / "runtime/python", tree, ignore=shutil.ignore_patterns("__pycache__"))
    run(sys.executable, "-m", "pip", "wheel", tree, "--no-build-isolation", "--no-deps", "--no-index",
        "-w", folder / name, *options)
    return next((folder / name).glob("*.whl"))


builds = [configured(name) for name in ("here", "there/deeper")]
if is_whole:
    for made in builds:
        run("cmake", "--build", made)
    compare("stencilc", [made / "stencilc" for made in builds])
    configs = [made / "CPackConfig.cmake" for made in builds]
else:
    for made in builds:
        run("cmake", "--build", made, "--target", *SAMPLE)
    for file in SAMPLE:
        compare(pathlib.Path(file).name, [made / file for made in builds])
    configs = [build / "CPackConfig.cmake"] * 2
packages = [package(configs[0], "packed")]
time.sleep(2)  # times are seconds
packages.append(package(configs[1], "packed-later"))
compare("the Debian package", packages)
if importlib.util.find_spec("scikit_build_core"):
    compare("the wheel", [wheel(name, "-C", "wheel.cmake=false") for name in ("wheel", "wheel/later")])
