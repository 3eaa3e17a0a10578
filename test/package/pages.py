"""pages.py ROOT STENCILC FOLDER: makes man page and completion, and holds them against --help."""
import pathlib
import re
import shutil
import subprocess
import sys

root, stencilc, folder = sys.argv[1:]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


shutil.rmtree(folder, ignore_errors=True)
pathlib.Path(folder).mkdir(parents=True)
headers = run("llvm-config", "--includedir").strip()
run("llvm-tblgen", "--dump-json", "-I", headers, f"{root}/frontend/driver/Options.td", "-o",
    f"{folder}/options.json")
run(sys.executable, f"{root}/runtime/package/pages.py", f"{folder}/options.json", "0.1", folder)

told = re.findall(r"^  (-[\w-]+=?)", run(stencilc, "--help"), re.M)
page = pathlib.Path(folder, "stencilc.1").read_text()
described = [word.replace("\\", "") for word in re.findall(r"^\.TP\n\\fB(.*?)\\fR", page, re.M)]
assert told and sorted(described) == sorted(told), (told, described)
assert "\n.TP\n\\fB\\-o\\fR <file>\nWhere to write; `\\-` (the default) is standard output.\n" in page
if shutil.which("groff"):  # which makes letters bold by colours or by striking them twice
    said = subprocess.run(["groff", "-man", "-ww", "-Tutf8", f"{folder}/stencilc.1"],
                          capture_output=True, text=True)
    assert not said.stderr and "--fp=<mode>" in re.sub("\x1b[^m]*m|.\x08", "", said.stdout), said


def completed(line):
    script = (f"source {folder}/stencilc.bash; COMP_LINE=$1 COMP_POINT=${{#1}}; "
              "_stencilc $2; echo ${COMPREPLY[@]}")
    return run("bash", "-c", script, "bash", line, stencilc).split()


assert sorted(completed("stencilc -")) == sorted(told), completed("stencilc -")
assert completed("stencilc heat.stn --fp=s") == ["strict"]
assert completed("stencilc --li") == ["--list-gpus", "--list-variants"]
assert completed("stencilc --gpu=h") == ["h100", "h200"], completed("stencilc --gpu=h")
assert "zblock" in completed("stencilc --variant=")
assert completed(f"stencilc {root}/examples/heat.") == [f"{root}/examples/heat.stn"]
