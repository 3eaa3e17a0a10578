# lit over the whole tree of tests; one file per idea, run by `./dev test`.
import os
import shutil
import subprocess

import lit.formats

config.name = "stencilc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".stn"]
config.excludes = ["Inputs", "results"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.stencilc_build, "test")


def prepend_path(folder):
    config.environment["PATH"] = folder + os.pathsep + config.environment["PATH"]


def works(*command):
    try:
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


# FileCheck, not and split-file stand beside the LLVM that we link.
prepend_path(config.llvm_tools)
if not shutil.which("nvcc") and os.path.exists("/usr/local/cuda/bin/nvcc"):
    prepend_path("/usr/local/cuda/bin")

source = os.path.dirname(config.test_source_root)
harness = os.path.join(config.test_source_root, "harness")
config.substitutions += [
    ("%stencilc", os.path.join(config.stencilc_build, "stencilc")),
    ("%python", config.python),
    ("%examples", os.path.join(source, "examples")),
    ("%source", source),
    ("%build", config.stencilc_build),
    # Type check of emitted CUDA without a toolkit: both passes of a real CUDA compilation.
    ("%check-device", "clang++-19 -x cuda -std=c++17 --cuda-gpu-arch=sm_90 -nocudainc -nocudalib "
     "--cuda-device-only -fsyntax-only -Wall -Werror -isystem " + os.path.join(harness, "typecheck")),
    ("%check-host", "clang++-19 -x cuda -std=c++17 --cuda-gpu-arch=sm_90 -nocudainc -nocudalib "
     "--cuda-host-only -fsyntax-only -Wall -Werror -isystem " + os.path.join(harness, "typecheck")),
]

path = config.environment["PATH"]
features = {
    "clang19": bool(shutil.which("clang++-19", path=path)),
    "clang-format-19": bool(shutil.which("clang-format-19", path=path)),
    "nvcc": bool(shutil.which("nvcc", path=path)),
    "gpu": works("nvidia-smi", "-L"),
    # A sanitized stencilc is neither static nor quick.
    "release": not config.sanitize,
}
for name, present in features.items():
    if present:
        config.available_features.add(name)
    else:
        lit_config.note(f"no {name} here: tests that need it are skipped")
