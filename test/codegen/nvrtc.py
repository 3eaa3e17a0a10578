"""nvrtc.py FILE.cu KERNEL...: compiles the file for sm_90 with NVRTC, no header being there; fails
unless the PTX has an entry for each kernel. Without arguments: whether NVRTC is here at all."""
import ctypes
import ctypes.util
import pathlib
import re
import shutil
import sys


def load():
    """The library, or None."""
    nvcc = shutil.which("nvcc")
    toolkits = [pathlib.Path(nvcc).resolve().parents[1]] if nvcc else []
    names = [str(path) for toolkit in toolkits + [pathlib.Path("/usr/local/cuda")]
             for path in sorted(toolkit.glob("lib*/libnvrtc.so*"))]
    for name in names + [ctypes.util.find_library("nvrtc")]:
        try:
            return ctypes.CDLL(name) if name else None
        except OSError:
            continue
    return None


def text_of(library, what, program):
    """A text that NVRTC keeps about a program: its ProgramLog or its PTX."""
    size = ctypes.c_size_t()
    getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{what}")(program, text)
    return text.value.decode()


def compile_with(library, path, kernels):
    """The PTX, with an entry for each kernel."""
    program = ctypes.c_void_p()
    if library.nvrtcCreateProgram(ctypes.byref(program), path.read_bytes(), path.name.encode(), 0,
                                  None, None):
        sys.exit("NVRTC makes no program")
    # Nothing in the file launches its kernels here: they are kept by name.
    for kernel in kernels:
        library.nvrtcAddNameExpression(program, kernel.encode())
    options = [b"--gpu-architecture=compute_90", b"--std=c++17"]
    failed = library.nvrtcCompileProgram(program, len(options),
                                         (ctypes.c_char_p * len(options))(*options))
    log = text_of(library, "ProgramLog", program).strip()
    if failed or log:
        sys.exit(f"{path}: {log}")
    return text_of(library, "PTX", program)


nvrtc = load()
if not nvrtc:
    sys.exit("there is no libnvrtc")
if len(sys.argv) > 1:
    kernels = sys.argv[2:]
    entries = re.findall(r"\.entry (\w+)", compile_with(nvrtc, pathlib.Path(sys.argv[1]), kernels))
    print("\n".join(entries))
    missing = [name for name in kernels if not any(name in entry for entry in entries)]
    sys.exit(f"no entry for {', '.join(missing)}" if missing else 0)
