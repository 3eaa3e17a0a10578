"""render.py BROWSER HTML FOLDER: a browser without a screen draws the page, in light and in dark."""
import pathlib
import struct
import subprocess
import sys
import zlib

WIDTH, HEIGHT = 820, 1200


def draw(browser, page, picture, *flags):
    """Pixels of the first row, and how many bytes the picture takes."""
    subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--user-data-dir={picture.parent / 'browser'}",
                    f"--window-size={WIDTH},{HEIGHT}", *flags, f"--screenshot={picture}",
                    page.resolve().as_uri()], check=True, capture_output=True, timeout=120)
    data, at, pixels = picture.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            pixels += data[at + 8:at + 8 + size]
        at += size + 12
    # Whatever the filter of the first row, its first pixel stands there as it is.
    return zlib.decompress(pixels)[1:4].hex(), len(data)


browser, page, folder = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
folder.mkdir(parents=True, exist_ok=True)
for name, flags in (("light", []), ("dark", ["--force-dark-mode"])):
    corner, size = draw(browser, page, (folder / name).with_suffix(".png").resolve(), *flags)
    # An empty page of this size takes about 5 KB.
    assert size > 40000, f"the {name} picture has only {size} bytes"
    print(f"{name}: #{corner}")
