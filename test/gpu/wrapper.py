"""wrapper.py write FOLDER STENCILC LIFT | run FOLDER: a C program whose function moves to the GPU.

`write` needs the compilers of this house and no GPU: it leaves the program, its loops, the wrapper and
the CUDA text in the folder. `run` needs nvcc, a C compiler and a GPU, nothing else: it links the program
with its loops and with the wrapper, runs both and compares what they print, bit for bit; and so a
program that calls the function often, with a wrapper that keeps the arrays on the GPU.
"""
import pathlib
import shutil
import subprocess
import sys

INPUTS = pathlib.Path(__file__).parent.parent / "lift" / "Inputs"
EXACT = "-ffp-contract=off"


def run(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def write(folder, stencilc, lift):
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("buffers.c", "program.c", "calls.c"):
        shutil.copy(INPUTS / name, folder)
    shutil.copy(__file__, folder)
    loops = str(folder / "buffers.c")
    run(lift, loops, "--function=heat_swap", "-o", str(folder / "heat.stn"))
    run(lift, loops, "--function=heat_swap", "--emit=wrapper", "-o", str(folder / "wrapper.cu"))
    run(lift, loops, "--function=heat_swap", "--emit=wrapper", "--keep", "-o", str(folder / "kept.cu"))
    run(stencilc, str(folder / "heat.stn"), "-o", str(folder / "heat_swap.cu"))


def compare(folder):
    at = lambda name: str(folder / name)
    run("cc", EXACT, "-c", at("buffers.c"), "-o", at("original.o"))
    for program, wrapper, kept in (("program", "wrapper", []), ("calls", "kept", ["-DKEPT"])):
        run("cc", EXACT, at(f"{program}.c"), at("original.o"), "-lm", "-o", at("original"))
        run("cc", EXACT, *kept, "-c", at(f"{program}.c"), "-o", at(f"{program}.o"))
        run("nvcc", "-arch=native", "-fmad=false", at(f"{wrapper}.cu"), at("heat_swap.cu"),
            at(f"{program}.o"), "-o", at("lifted"))
        original, lifted = run(at("original")), run(at("lifted"))
        assert original == lifted and original, f"{original}\n{lifted}"
        print(f"{wrapper} is equal: {len(original.splitlines())} lines")


folder = pathlib.Path(sys.argv[2]).absolute()
write(folder, *sys.argv[3:]) if sys.argv[1] == "write" else compare(folder)
