"""carried.py BINARY: the shared libraries and symbol versions that the binary asks for."""
import re
import subprocess
import sys


def objdump(flag):
    return subprocess.run(["objdump", flag, sys.argv[1]], capture_output=True, text=True,
                          check=True).stdout


libraries = re.findall(r"NEEDED\s+(\S+)", objdump("-p"))
assert libraries, "no dynamic section was found"
foreign = set(libraries) - {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
assert not foreign, f"not part of glibc: {foreign}"
versions = {tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([0-9.]+)", objdump("-T"))}
assert versions, "no versioned symbol was found"
assert max(versions) <= (2, 35), f"asks for glibc {max(versions)}"
