"""kernel_lines_ends.py STENCILC FILE KIND=MOST...: with this kind of boundary at all ends, no kernel that is
chosen for an H200, of f32 or f64, is longer than so many lines."""
import pathlib
import re
import subprocess
import sys

stencilc, file, *bounds = sys.argv[1:]
text = pathlib.Path(file).read_text()
for kind, most in (bound.rsplit("=", 1) for bound in bounds):
    bounded, count = re.subn(r"(boundary [^:]*:)[^;]*;", rf"\1 {kind};", text)
    assert count > 0, "no boundary is found"
    for real in ["f32", "f64"]:
        kernels = subprocess.run([stencilc, "-", "--gpu=h200", "--fuse=1", f"--real={real}", "-o", "-"],
                                 input=bounded, check=True, capture_output=True, text=True).stdout
        print(kind, real, flush=True)
        subprocess.run([sys.executable, pathlib.Path(__file__).with_name("kernel_lines.py"), most],
                       input=kernels, check=True, text=True)
