"""kernels.py EXAMPLES: NVRTC makes a cubin with the kernels of an emitted file, which have the names
it gives."""
import pathlib
import sys

from stencilc import StencilError, _driver, _program

for name, schedule in (("heat", "zblock/32x8x1/c32/r8"), ("heat", "shm/32x8x1/c64/r4"),
                       ("poisson_jacobi", "baseline/32x8/r4")):
    source = _program.Source((pathlib.Path(sys.argv[1]) / f"{name}.stn").read_text(), [], [])
    text = source.emit(f"--schedule={schedule}")
    kernels = [match[2] for match in _program._KERNEL.finditer(text)]
    assert kernels, text
    cubin, lowered = _driver.nvrtc().compile(text, "stencil.cu", "sm_90", kernels)
    assert cubin.startswith(b"\x7fELF"), cubin[:4]
    assert len(kernels) == text.count("__global__") and len(set(lowered)) == len(kernels)
    for kernel, low in zip(kernels, lowered):
        assert kernel in low and b".text." + low.encode() in cubin, (kernel, low)

try:
    _driver.nvrtc().compile("__global__ void k() { nothing(); }", "wrong.cu", "sm_90", ["k"])
    sys.exit("a wrong file was compiled")
except StencilError as error:
    assert 'wrong.cu(1): error: identifier "nothing" is undefined' in str(error), error
