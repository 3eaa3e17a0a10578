"""readme.py ROOT STENCILC BUILD [--update]: what the README shows is what happens.

The CUDA it shows is the kernel of examples/heat.stn by SCHEDULE, the text what --explain says of it up to its
rivals (--update puts both there), its stencils compile, and its `build/stencilc` lines run as they
stand; those that want a GPU get the stand-ins of test/runtime/session.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SCHEDULE = "zblock/32x8x1/c32"
root, stencilc, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
readme = root / "README.md"
text = readme.read_text()


def blocks(language):
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert found, f"no {language} block in the README"
    return found


def heat(*flags):
    return subprocess.run([stencilc, root / "examples/heat.stn", *flags], capture_output=True,
                          text=True, check=True).stdout


kernel = subprocess.run(["awk", "-f", root / "test/readme/kernel.awk"], input=heat(f"--schedule={SCHEDULE}"),
                        capture_output=True, text=True, check=True).stdout
assert "__global__" in kernel, "no kernel was extracted"
report, what_else, _ = heat("--explain").partition("\nnext best")
assert what_else, "--explain gives no rivals"
assert f"`--schedule={SCHEDULE}`" in text, "the README does not say whose kernel it shows"
for language, made in (("cuda", kernel), ("text", report)):
    (shown,) = blocks(language)
    if "--update" in sys.argv:
        text = text.replace(f"```{language}\n{shown}```", f"```{language}\n{made}```")
    else:
        assert shown == made, f"the README shows other {language}; run this script with --update"
if "--update" in sys.argv:
    readme.write_text(text)
    sys.exit()

for stencil in blocks("stn"):
    subprocess.run([stencilc, "-fsyntax-only", "-"], input=stencil.encode(), check=True)

commands = [line for block in blocks("sh") for line in block.splitlines()
            if line.startswith("build/stencilc")]
assert commands, "no command in the README"
stand_ins = build / "test/runtime/session"
with tempfile.TemporaryDirectory() as folder:
    os.environ.update(STENCILC_CUDA_DRIVER=str(stand_ins / "libstencilc_stand_in_driver.so"),
                      STENCILC_NVRTC=str(stand_ins / "libstencilc_stand_in_nvrtc.so"),
                      STENCILC_CACHE=f"{folder}/cache")
    here = pathlib.Path(folder)
    (here / "build").mkdir()
    for program in ("stencilc", "stencilc-apsp"):
        (here / "build" / program).symlink_to(stencilc.with_name(program))
    (here / "examples").symlink_to(root / "examples")
    for command in commands:
        subprocess.run(command, shell=True, cwd=here, check=True)
