"""kept_macros.py > KeptMacros.inc: every macro that the headers included by emitted files define.

A macro replaces a name wherever it stands, so that no stencil may declare one. Needs gcc, clang and
nvcc, whose lists differ; run it when a header is added to an emitted file, or when
test/driver/names.test finds a name that a newer header has."""
import re
import subprocess
import textwrap

# heat.h is C too; the rest of what emitted files include is C++.
C = ["stddef", "stdint", "math"]
CPP = ["algorithm", "cctype", "cerrno", "chrono", "cmath", "cstdint", "cstdio", "cstdlib", "cstring",
       "initializer_list", "limits", "new", "optional", "string", "variant", "vector"]
COMPILERS = [("c", "gcc -x c -E -dM -"), ("c", "clang-19 -x c -E -dM -"),
             ("c++", "g++ -x c++ -std=c++17 -E -dM -"), ("c++", "g++ -x c++ -std=c++20 -E -dM -"),
             ("c++", "clang++-19 -x c++ -std=c++17 -E -dM -"),
             ("cuda", "nvcc -x cu -std=c++17 -E -Xcompiler -dM /dev/stdin")]
# What a pattern in CNames.cpp keeps already.
PATTERN = re.compile(r"^_|__|^cuda|^CUDA|^CU_")

names = set()
for language, command in COMPILERS:
    headers = [f"{header}.h" for header in C] + CPP * (language != "c")
    headers += ["cuda_runtime.h"] * (language == "cuda")
    text = "".join(f"#include <{header}>\n" for header in headers)
    done = subprocess.run(command.split(), input=text, capture_output=True, text=True, check=True)
    names |= {name for name in re.findall(r"^#define (\w+)", done.stdout, re.M)
              if not PATTERN.search(name)}
print("// Made by kept_macros.py: macros of the headers that emitted files include, sorted.")
print("\n".join(textwrap.wrap(" ".join(f'"{name}",' for name in sorted(names)), 100)))
