"""CUDA's driver and NVRTC by ctypes: devices, memory, modules, compiling kernels."""
import ctypes
import ctypes.util
import glob
import os
import shutil
import sys
from typing import Any, Dict, List, Sequence

from ._tool import StencilError

_COMPUTE_CAPABILITY_MAJOR, _COMPUTE_CAPABILITY_MINOR = 75, 76
_POINTER_DEVICE_ORDINAL = 9


class Memory:
    """Memory on a device, given back with the object."""

    def __init__(self, driver: "Driver", device: int, size: int):
        self.address, self._driver, self._device = 0, driver, device
        address = ctypes.c_uint64()
        with driver.context(device):
            driver.check("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        self.address = address.value

    def __del__(self) -> None:
        if self.address and os.getpid() == self._driver.process:
            with self._driver.context(self._device):
                self._driver.library.cuMemFree_v2(ctypes.c_uint64(self.address))


class _Context:
    """Makes the primary context of a device, which other libraries use too, current."""

    def __init__(self, driver: "Driver", context: ctypes.c_void_p):
        self._driver, self._context = driver, context

    def __enter__(self) -> None:
        self._driver.check("cuCtxPushCurrent_v2", self._context)

    def __exit__(self, *_: Any) -> None:
        self._driver.check("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))


class Driver:
    def __init__(self) -> None:
        try:
            self.library = ctypes.CDLL(os.environ.get("STENCILC_CUDA_DRIVER", "libcuda.so.1"))
        except OSError as error:
            raise StencilError(f"there is no driver of an NVIDIA GPU here ({error}); arrays of "
                               "NumPy run on the CPU") from None
        self.process = os.getpid()
        self._contexts: Dict[int, _Context] = {}
        self.check("cuInit", 0)

    def check(self, function: str, *arguments: Any) -> None:
        status = getattr(self.library, function)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.library.cuGetErrorString(status, ctypes.byref(text))
            raise StencilError(f"{function}: {(text.value or b'unknown error').decode()}")

    def check_process(self) -> None:
        if os.getpid() != self.process:
            raise StencilError("this process was forked after CUDA had started in its parent, "
                               "where CUDA stays; start it with the method `spawn`")

    def context(self, device: int) -> _Context:
        self.check_process()
        if device not in self._contexts:
            context = ctypes.c_void_p()
            self.check("cuDevicePrimaryCtxRetain", ctypes.byref(context), self._handle(device))
            self._contexts[device] = _Context(self, context)
        return self._contexts[device]

    def _handle(self, device: int) -> ctypes.c_int:
        handle = ctypes.c_int()
        self.check("cuDeviceGet", ctypes.byref(handle), device)
        return handle

    def architecture(self, device: int) -> str:
        """sm_90"""
        parts = [ctypes.c_int(), ctypes.c_int()]
        for part, what in zip(parts, (_COMPUTE_CAPABILITY_MAJOR, _COMPUTE_CAPABILITY_MINOR)):
            self.check("cuDeviceGetAttribute", ctypes.byref(part), what, self._handle(device))
        return f"sm_{parts[0].value}{parts[1].value}"

    def version(self) -> int:
        version = ctypes.c_int()
        self.check("cuDriverGetVersion", ctypes.byref(version))
        return version.value

    def device_of(self, address: int) -> int:
        """The device that holds the memory there."""
        device = ctypes.c_int()
        if address and self.library.cuPointerGetAttribute(
                ctypes.byref(device), _POINTER_DEVICE_ORDINAL, ctypes.c_uint64(address)):
            raise StencilError(f"the memory at {address:#x} is that of no GPU: it was given back, or "
                               "is the host's")
        return device.value

    def allocate(self, device: int, size: int) -> Memory:
        return Memory(self, device, size)

    def copy(self, device: int, into: int, source: int, size: int, stream: int) -> None:
        with self.context(device):
            self.check("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(into), ctypes.c_uint64(source),
                       ctypes.c_size_t(size), ctypes.c_void_p(stream))

    def read(self, into: ctypes.Structure, memory: Memory, stream: int) -> None:
        """Waits for what was started on a stream, and takes what it left."""
        self.check("cuStreamSynchronize", ctypes.c_void_p(stream))
        self.check("cuMemcpyDtoH_v2", ctypes.byref(into), ctypes.c_uint64(memory.address),
                   ctypes.c_size_t(ctypes.sizeof(into)))

    def functions(self, device: int, cubin: bytes, names: Sequence[str]) -> List[int]:
        """Loads a module for good; its functions with these names."""
        with self.context(device):
            module, functions = ctypes.c_void_p(), []
            self.check("cuModuleLoadData", ctypes.byref(module), cubin)
            for name in names:
                function = ctypes.c_void_p()
                self.check("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
                functions.append(function.value or 0)
        return functions

    def address_of(self, function: str) -> int:
        return ctypes.cast(getattr(self.library, function), ctypes.c_void_p).value or 0


_driver: List[Driver] = []


def driver() -> Driver:
    """The one of this process, started when it is first needed."""
    if not _driver:
        _driver.append(Driver())
    _driver[0].check_process()
    return _driver[0]


class Nvrtc:
    """Compiles CUDA C++ while a program runs."""

    def __init__(self) -> None:
        named = os.environ.get("STENCILC_NVRTC")
        for path in [named] if named else self._places():
            try:
                self.library = ctypes.CDLL(path)
                break
            except OSError:
                continue
        else:
            missing = f"{named} cannot be loaded; " if named else ""
            raise StencilError(f"there is no NVRTC, which compiles kernels: {missing}`pip install "
                               "nvidia-cuda-nvrtc-cu12`, or name a toolkit with CUDA_HOME")
        numbers = [ctypes.c_int(), ctypes.c_int()]
        self.library.nvrtcVersion(*map(ctypes.byref, numbers))
        self.version = ".".join(str(number.value) for number in numbers)

    @staticmethod
    def _places() -> List[str]:
        """CUDA_HOME first, then wheels, then the system."""
        toolkits = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
        nvcc = shutil.which("nvcc")
        if nvcc:
            toolkits.append(os.path.dirname(os.path.dirname(os.path.realpath(nvcc))))
        named = [f"{toolkit}/lib*" for toolkit in toolkits if toolkit]
        wheels = [f"{path}/nvidia/*/lib" for path in sys.path if path]
        patterns = named[:2] + wheels + named[2:] + ["/usr/local/cuda/lib*"]
        found = [path for pattern in patterns
                 for path in sorted(glob.glob(f"{pattern}/libnvrtc.so*"))]
        return found + [name for name in [ctypes.util.find_library("nvrtc")] if name]

    def compile(self, source: str, name: str, architecture: str,
                kernels: Sequence[str]) -> "tuple[bytes, List[str]]":
        """The cubin, and what its kernels are called there."""
        library, program = self.library, ctypes.c_void_p()
        self._check(library.nvrtcCreateProgram(ctypes.byref(program), source.encode(),
                                               name.encode(), 0, None, None), program)
        try:
            # Nothing in the file launches its kernels here: they are kept by name.
            for kernel in kernels:
                self._check(library.nvrtcAddNameExpression(program, kernel.encode()), program)
            options = [f"--gpu-architecture={architecture}".encode(), b"--std=c++17"]
            self._check(library.nvrtcCompileProgram(
                program, len(options), (ctypes.c_char_p * len(options))(*options)), program)
            lowered = []
            for kernel in kernels:
                text = ctypes.c_char_p()
                self._check(library.nvrtcGetLoweredName(program, kernel.encode(),
                                                        ctypes.byref(text)), program)
                lowered.append((text.value or b"").decode())
            return self._bytes("CUBIN", program), lowered
        finally:
            library.nvrtcDestroyProgram(ctypes.byref(program))

    def _bytes(self, what: str, program: ctypes.c_void_p) -> bytes:
        size = ctypes.c_size_t()
        getattr(self.library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        getattr(self.library, f"nvrtcGet{what}")(program, text)
        return text.raw

    def _check(self, status: int, program: ctypes.c_void_p) -> None:
        if status:
            log = self._bytes("ProgramLog", program).rstrip(b"\0").decode() if program else ""
            raise StencilError(f"NVRTC {self.version} gives {status}: {log.strip()}")


_nvrtc: List[Nvrtc] = []


def nvrtc() -> Nvrtc:
    if not _nvrtc:
        _nvrtc.append(Nvrtc())
    return _nvrtc[0]
