"""How often a warp waits for loads in kernels that divide, by their machine code.

    division_waits.py LISTINGS [--results FOLDER --made WORDS]

LISTINGS holds what `nvdisasm -c` lists of kernels of one point a thread
(SET.PROGRAM.baseline.sass) and of marches of one (SET.PROGRAM.zblock.sass), SET a folder of
test/gpu/Inputs, as stencilc emits them by a schedule that was timed, compiled by
`nvcc -O3 -arch=sm_90 -cubin`. Of a march a row tells of its steady loop, else of
all of a kernel; those without a division, which calls for numbers that are seldom, are left out:

- calls: such divisions and other functions;
- loads: of global memory;
- waits: as march_loads.py counts them, of a kernel of one point in the order of its text.

--results writes division-waits-sm90.csv there; WORDS say when and by which compilers listings were made.
"""

import argparse
import os
import pathlib
import re

from march_loads import code_of, number_of, steady_loop, waits
from registers import write_rows


def kernels_of(listing):
    """The listing of each, by its name: a mangled one has it behind the file's and a number."""
    for part in re.split(r"^\s*\.section\s+", listing, flags=re.M)[1:]:
        if named := re.match(r"\.text\.\w*_cu_[0-9a-f]{8}\d+(\w+?)E", part):
            yield named[1], part


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("listings", type=pathlib.Path)
    parser.add_argument("--results")
    parser.add_argument("--made", default="")
    options = parser.parse_args()
    rows = []
    for file in sorted(options.listings.glob("*.sass")):
        folder, program, variant, _ = file.name.split(".")
        for kernel, listing in kernels_of(file.read_text(errors="replace")):
            if not kernel.startswith(f"{program}_{variant}"):  # a copy, or of a reduction
                continue
            code = steady_loop(listing) if variant == "zblock" else code_of(listing)[0]
            if code and number_of("CALL", code) and number_of("LDG", code):
                rows.append({"set": folder, "program": program, "variant": variant, "kernel": kernel,
                             "calls": number_of("CALL", code), "loads": number_of("LDG", code),
                             "waits": f"{waits(code):g}"})
    for variant in ("baseline", "zblock"):
        own = [float(row["waits"]) for row in rows if row["variant"] == variant]
        print(f"{variant}: {len(own)} kernels, {sum(own) / max(1, len(own)):.2f} waits in the mean")
    if options.results:
        write_rows(os.path.join(options.results, "division-waits-sm90.csv"),
                   f"{options.made}; by test/costmodel/division_waits.py", rows)


if __name__ == "__main__":
    main()
