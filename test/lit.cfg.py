# lit over the whole tree of tests; one file per idea, run by `./dev test`.
import os
import shutil
import subprocess
import sys

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


# Tests that take a sample take all, or that of a given seed, if told so; a disassembler may stand
# anywhere.
for variable in ("STENCILC_ALL", "STENCILC_SEED", "CUOBJDUMP"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

# FileCheck, not and split-file stand beside the LLVM that we link.
prepend_path(config.llvm_tools)
if not shutil.which("nvcc") and os.path.exists("/usr/local/cuda/bin/nvcc"):
    prepend_path("/usr/local/cuda/bin")

source = os.path.dirname(config.test_source_root)
# Type check of emitted CUDA in clang's CUDA mode, with our declarations in place of a toolkit.
typecheck = ("clang++-19 -x cuda -std=c++17 --cuda-path=/nonexistent --cuda-gpu-arch=sm_90 "
             "-nocudainc -nocudalib -fsyntax-only -Wall -Werror -isystem " +
             os.path.join(config.test_source_root, "harness", "typecheck") + " ")
config.substitutions += [
    ("%analytic_driver", f"{config.stencilc_build}/test/driver/libstencilc_analytic_driver.so"),
    # guard/guard.py puts a program there that does nothing.
    ("%stencilc", lit_config.params.get("stencilc",
                                        os.path.join(config.stencilc_build, "stencilc"))),
    ("%lift", lit_config.params.get("stencilc",
                                    os.path.join(config.stencilc_build, "stencilc-lift"))),
    ("%python", sys.executable),
    ("%examples", os.path.join(source, "examples")),
    ("%source", source),
    ("%build", config.stencilc_build),
    ("%check-device", typecheck + "--cuda-device-only"),
    ("%check-host", typecheck + "--cuda-host-only"),
]

path = config.environment["PATH"]
browser = next(filter(None, (shutil.which(name, path=path) for name in
                             ("chromium", "chromium-browser", "google-chrome"))), None)
config.substitutions.append(("%chromium", str(browser)))
config.substitutions.append(("%nvim", str(shutil.which("nvim", path=path))))
config.substitutions.append(("%node", str(shutil.which("node", path=path))))
features = {
    "lift": os.path.exists(os.path.join(config.stencilc_build, "stencilc-lift")),
    "clang19": bool(shutil.which("clang++-19", path=path)),
    "clang-format-19": bool(shutil.which("clang-format-19", path=path)),
    "chromium": bool(browser),
    "nvim": bool(shutil.which("nvim", path=path)),
    "vim": bool(shutil.which("vim", path=path)),
    "node": bool(shutil.which("node", path=path)),
    "make": bool(shutil.which("make", path=path)),
    "dpkg-dev": bool(shutil.which("dpkg-shlibdeps", path=path)),
    "pkg-config": bool(shutil.which("pkg-config", path=path)),
    "nvcc": bool(shutil.which("nvcc", path=path)),
    "cuobjdump": bool(os.environ.get("CUOBJDUMP") or shutil.which("cuobjdump", path=path)),
    "numpy": works(sys.executable, "-c", "import numpy"),
    "matplotlib": works(sys.executable, "-c", "import matplotlib, PIL"),
    "vtk9": works(sys.executable, "-c",
                  "import vtkmodules.vtkIOXML, vtkmodules.util.numpy_support"),
    "scikit-build-core": works(sys.executable, "-c", "import pip, scikit_build_core"),
    "nvrtc": works(sys.executable,
                   os.path.join(config.test_source_root, "codegen", "nvrtc.py")),
    "gpu": works("nvidia-smi", "-L"),
    "release": config.release,
    # Sanitized code takes more stack.
    "unsanitized": not config.sanitized,
    # Tests that take more than five seconds of one core; ./dev check leaves them out.
    "slow": bool(os.environ.get("STENCILC_SLOW")),
}
for name, present in features.items():
    if present:
        config.available_features.add(name)
    else:
        lit_config.note(f"no {name} here: tests that need it are skipped")
