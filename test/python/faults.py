"""faults.py DRIVER.c FOLDER: what may be missing or go wrong around a call, by a driver that is none:
the error says what it is, nothing is lost, and a later call works."""
import ctypes
import gc
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import types

folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
DRIVER = folder / "libcuda.so"
subprocess.run(["cc", "-shared", "-fPIC", sys.argv[1], "-o", DRIVER], check=True)
cache = folder / "cache"
os.environ.update(STENCILC_CUDA_DRIVER=str(DRIVER), STENCILC_NVRTC="/nowhere/libnvrtc.so",
                  STENCILC_CACHE=str(cache))

import stencilc  # noqa: E402
from stencilc import _arrays, _dlpack, _driver, _tool  # noqa: E402

grow = stencilc.compile("stencil grow(x) { field f64 u; const f64 c; u' = c*u; }")


class OnDevice:
    def __init__(self, address=4096, extent=8):
        self.lies = {"shape": (extent,), "typestr": "<f8", "data": (address, False),
                     "strides": None, "version": 3}

    @property
    def __cuda_array_interface__(self):
        return self.lies


def refused(message, call, error=stencilc.StencilError):
    try:
        call()
    except error as caught:
        assert re.fullmatch(message, str(caught), re.DOTALL), f"not `{message}` but `{caught}`"
    else:
        sys.exit(f"not refused: {message}")


# ---- driver and NVRTC
os.environ["FAKE_FAILS"] = "cuInit"
refused("cuInit: no CUDA-capable device is detected", lambda: grow(OnDevice(), OnDevice()))
os.environ["FAKE_FAILS"] = ""
refused("there is no NVRTC, which compiles kernels: /nowhere/libnvrtc.so .*",
        lambda: grow(OnDevice(), OnDevice()))
refused("grow: `c` lies on device 1, and `u` on device 0",
        lambda: grow(OnDevice(), OnDevice(1 << 40)))
refused("the memory at 0x20000000000 is that of no GPU: it was given back, or is the host's",
        lambda: grow(OnDevice(2 << 40), OnDevice()))
refused("grow: `c` has no memory any more: it was deleted", lambda: grow(OnDevice(), OnDevice(0)))


class Tensor:
    """What is asked of a tensor of PyTorch."""
    __module__ = "torch"
    dtype, shape, requires_grad = "torch.float64", (8,), False

    def __init__(self, storage, where="cuda", address=4096 + 8):
        self.storage, self.address, self.is_cuda = storage, address, where == "cuda"
        self.device = types.SimpleNamespace(type=where, index=0)

    def detach(self):
        return self

    resolve_neg = detach

    def stride(self):
        return (1,)

    def data_ptr(self):
        return self.address

    def storage_offset(self):
        return 1

    def element_size(self):
        return 8

    def untyped_storage(self):
        return types.SimpleNamespace(nbytes=lambda: self.storage)


for storage in 0, 8 * 8:
    for where in "cuda", "cpu":
        refused("grow: `c` has no memory any more: it was deleted",
                lambda: grow(Tensor(9 * 8, where), Tensor(storage, where)))
refused("the memory at 0x20000000000 is that of no GPU: .*",
        lambda: grow(Tensor(9 * 8), Tensor(9 * 8, address=2 << 40)))
refused("a tensor on `meta` cannot be reached: .*",
        lambda: grow(Tensor(9 * 8), Tensor(9 * 8, "meta")))
refused("there is no NVRTC, .*", lambda: grow(Tensor(9 * 8), Tensor(9 * 8)))


class Deleted(OnDevice):
    """As JAX has them: they know it, and fail at any other question."""
    def is_deleted(self):
        return True

    def __dlpack_device__(self):
        return len(None)


refused("grow: `c` has no memory any more: it was deleted", lambda: grow(OnDevice(), Deleted()))

# ---- memory of the device
driver = _driver.driver()
library = _arrays.AnyCuda()
made = library.empty((8,), "f64", OnDevice())
assert driver.library.fake_allocated() == 1
os.environ["FAKE_FAILS"] = "cuMemAlloc_v2"
refused("cuMemAlloc_v2: out of memory", lambda: library.empty((8,), "f64", OnDevice()))
os.environ["FAKE_FAILS"] = ""

# ---- a fork in the middle: the child says why it cannot go on, and gives back nothing
child = os.fork()
if child == 0:
    try:
        refused("this process was forked after CUDA had started in its parent, .*",
                lambda: library.empty((8,), "f64", OnDevice()))
        refused("this process was forked .*", lambda: grow(Tensor(9 * 8), Tensor(9 * 8)))
        del made
        gc.collect()
        os._exit(0 if driver.library.fake_allocated() == 1 else 3)
    except BaseException as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(4)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
del made
gc.collect()
assert driver.library.fake_allocated() == 0


# ---- an array that has nothing but __dlpack__
class Producer:
    """A matrix whose rows lie apart, on device 1."""
    def __init__(self, kind=2, lanes=1):
        self.given_back = 0
        self.shape, self.strides = (ctypes.c_int64 * 2)(3, 4), (ctypes.c_int64 * 2)(6, 1)
        self.managed = _dlpack._Managed()
        self.managed.tensor = _dlpack._Tensor(4096, _dlpack.CUDA, 1, 2, kind, 64, lanes, self.shape,
                                              self.strides, 16)
        self.managed.deleter = type(self.managed.deleter)(self.give_back)

    def give_back(self, _):
        self.given_back += 1

    def __dlpack_device__(self):
        return (_dlpack.CUDA, 1)

    def __dlpack__(self, stream):
        assert stream == 1, stream
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p,
                                                       ctypes.c_void_p]
        self.capsule = new(ctypes.addressof(self.managed), b"dltensor", None)
        return self.capsule


producer = Producer()
library = _arrays.library_of(producer)
borrowed = library.accept(producer)
view = library.view(borrowed)
assert view == _arrays.View(4112, (3, 4), (6, 1), "f64", 1), view
assert "used_dltensor" in repr(producer.capsule) and producer.given_back == 0
del borrowed
gc.collect()
assert producer.given_back == 1
refused("grow: `u` has 2 axes; .*", lambda: grow(producer, OnDevice(1 << 40)))
gc.collect()
assert producer.given_back == 2
refused("a Producer has elements that are no single numbers", lambda: grow(Producer(lanes=4), producer))
refused("grow: `u` has 2 axes; .*", lambda: grow(Producer(kind=0), producer))


# ---- a full disk, and a cache that is gone
def build(place):
    (place / "half").write_text("x" * 100000)


kept = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, kept[1]))
import signal  # noqa: E402
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
refused("cannot write in .*cache: File too large; STENCILC_CACHE names another folder",
        lambda: _tool.cached(["full"], build))
resource.setrlimit(resource.RLIMIT_FSIZE, kept)
assert not list(cache.iterdir()), "something is left of a failed build"
assert (_tool.cached(["full"], build) / "half").stat().st_size == 100000
shutil.rmtree(cache)
refused("cannot write in .*cache: No such file or directory; STENCILC_CACHE names another folder",
        lambda: _tool.cached(["gone"], build))
print("every fault was told")
