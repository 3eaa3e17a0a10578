"""What runs: a stencil compiled for the host, or for a kind of device."""
import ctypes
import functools
import pathlib
import re
import subprocess
from typing import Any, Dict, List, Optional, Sequence

from . import _driver, _tool
from ._interface import Interface
from ._tool import StencilError

_LAUNCHER = pathlib.Path(__file__).resolve().parent / "launcher"
# In emitted text only the end of a function is a brace at the start of a line.
_DEVICE_FUNCTION = re.compile(r"^(template <[^\n]*>\n)?__device__ .*?\n\}\n\n?", re.M | re.S)
_KERNEL = re.compile(r"^(__global__ void (?:__launch_bounds__\([^)]*\)\s+)?(\w+)\([^{]*\)) \{\n"
                     r".*?\n\}\n", re.M | re.S)


class Source:
    """A stencil's text with the options of its meaning, and those of its code for a device."""

    def __init__(self, text: str, options: Sequence[str], device: Sequence[str]):
        self.text, self.options, self.device = text, options, device

    @property
    def key(self) -> List[str]:
        return [self.text, *self.options, _tool.identity(_tool.stencilc())]

    def emit(self, *more: str) -> str:
        """What stencilc writes to standard output."""
        return _tool.run([_tool.stencilc(), "-", *self.options, *more], self.text)

    def write(self, folder: pathlib.Path, file: str, *more: str) -> None:
        """Writes the file and its header into a folder."""
        _tool.run([_tool.stencilc(), "-", *self.options, *more, "-o", str(folder / file)],
                  self.text)


@functools.lru_cache(maxsize=1)
def _compiler() -> str:
    return _tool.find("CXX", ("c++", "g++", "clang++"), "C++ compiler")


@functools.lru_cache(maxsize=1)
def _processor() -> str:
    """Code for the processor here is for no other."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return "".join(line for line in file.read().split("\n\n")[0].splitlines()
                       if line.startswith(("model name", "flags", "Features")))


def compile_shared(compiler: str, file: pathlib.Path, flags: Sequence[str]) -> None:
    """stencil.so beside a file, of it."""
    command = [compiler, "-std=c++17", *flags, str(file), "-o", str(file.with_name("stencil.so"))]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        raise StencilError(f"{' '.join(command)}:\n{result.stderr.strip()}")


def _compile(folder: pathlib.Path, file: str, flags: Sequence[str]) -> None:
    compile_shared(_compiler(), folder / file, [*flags, "-fPIC", "-shared"])


class Host:
    """On the cores of this machine."""

    FLAGS = ("-O3", "-march=native", "-fopenmp")

    def __init__(self, source: Source, interface: Interface):
        def build(folder: pathlib.Path) -> None:
            source.write(folder, "stencil.cpp", "--target=host")
            _compile(folder, "stencil.cpp", self.FLAGS)

        folder = _tool.cached(["host", *source.key, *self.FLAGS, _tool.identity(_compiler()),
                               _processor()], build)
        self.library = ctypes.CDLL(str(folder / "stencil.so"))
        self._run = getattr(self.library, interface.name + "_run")

    def run(self, args: Any, steps: int, workspace: int, size: int, stream: int) -> int:
        return self._run(ctypes.byref(args), ctypes.c_int64(steps), ctypes.c_void_p(workspace),
                         ctypes.c_size_t(size), None)


class _Kernel(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("function", ctypes.c_void_p)]


class _Device(ctypes.Structure):
    """StencilcDevice in launcher/cuda_runtime.h."""
    _fields_ = [("launch", ctypes.c_void_p), ("set_attribute", ctypes.c_void_p),
                ("kernels", ctypes.POINTER(_Kernel))]


def launcher_of(source: str, interface: Interface) -> str:
    """The host's part of an emitted file; its kernels are declared only."""
    text = _KERNEL.sub(r"\1;\n", _DEVICE_FUNCTION.sub("", source))
    name = interface.name
    return text + f"""
extern "C" int stencilc_run(const StencilcDevice *device, {name}_args *args, int64_t steps,
    void *workspace, size_t workspace_bytes, void *stream) {{
  stencilc::device = device;
  return {name}_run(args, steps, workspace, workspace_bytes, stream);
}}
"""


class Cuda:
    """On a device. The launcher is compiled here, the kernels by NVRTC."""

    FLAGS = ("-O2",)

    def __init__(self, source: Source, interface: Interface, device: int):
        driver, nvrtc = _driver.driver(), _driver.nvrtc()
        architecture = driver.architecture(device)

        def build(folder: pathlib.Path) -> None:
            source.write(folder, "stencil.cu", *source.device)
            text = (folder / "stencil.cu").read_text()
            (folder / "launcher.cpp").write_text(launcher_of(text, interface))
            _compile(folder, "launcher.cpp", [*self.FLAGS, "-I", str(_LAUNCHER)])
            names = [match[2] for match in _KERNEL.finditer(text)]
            cubin, lowered = nvrtc.compile(text, f"{interface.name}.cu", architecture, names)
            (folder / "kernels.cubin").write_bytes(cubin)
            (folder / "kernels.txt").write_text(
                "".join(f"{name} {low}\n" for name, low in zip(names, lowered)))

        folder = _tool.cached(["cuda", *source.key, *source.device, *self.FLAGS, architecture, nvrtc.version,
                               str(driver.version()), _tool.identity(_compiler())], build)
        self.library = ctypes.CDLL(str(folder / "stencil.so"))
        self._run = self.library.stencilc_run
        self._context = driver.context(device)

        names = [line.split() for line in (folder / "kernels.txt").read_text().splitlines()]
        functions = driver.functions(device, (folder / "kernels.cubin").read_bytes(),
                                     [lowered for _, lowered in names])
        self._kernels = (_Kernel * (len(names) + 1))(
            *(_Kernel(name.encode(), function) for (name, _), function in zip(names, functions)))
        self._device = _Device(driver.address_of("cuLaunchKernel"),
                               driver.address_of("cuFuncSetAttribute"), self._kernels)
        self._driver, self._ordinal = driver, device

    def run(self, args: Any, steps: int, workspace: int, size: int, stream: int) -> int:
        with self._driver.context(self._ordinal):
            return self._run(ctypes.byref(self._device), ctypes.byref(args),
                             ctypes.c_int64(steps), ctypes.c_void_p(workspace),
                             ctypes.c_size_t(size), ctypes.c_void_p(stream))


class Programs:
    """Those of a stencil, made when they are first needed."""

    def __init__(self, source: Source, interface: Interface):
        self._source, self._interface = source, interface
        self._made: Dict[Optional[int], Any] = {}
        self.struct = interface.struct()

    def on(self, device: Optional[int]) -> Any:
        if device not in self._made:
            program = (Host(self._source, self._interface) if device is None
                       else Cuda(self._source, self._interface, device))
            for function, result in (("args_default", self.struct), ("strerror", ctypes.c_char_p),
                                     ("workspace_bytes", ctypes.c_size_t)):
                named = getattr(program.library, f"{self._interface.name}_{function}")
                named.restype = result
                setattr(program, function, named)
            self._made[device] = program
        return self._made[device]
