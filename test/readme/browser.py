"""browser.py BROWSER EXAMPLES FOLDER: a browser without a screen shows every picture of the gallery's
page, each as wide as it was drawn."""
import pathlib
import re
import shutil
import subprocess
import sys

browser, examples, folder = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
gallery = examples / "gallery"
sys.path.insert(0, str(gallery))
sys.dont_write_bytecode = True
import draw

folder.mkdir(parents=True, exist_ok=True)
for picture in gallery.glob("*.png"):
    shutil.copy(picture, folder)
# The page tells in its title how many pictures it shows.
page = folder / "index.html"
page.write_text(draw.page() + """<script>
onload = () => {
  document.title = [...document.images].filter(image => image.naturalWidth == 360).length;
};
</script>
""")
shown = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu",
                        f"--user-data-dir={folder.resolve() / 'browser'}", "--dump-dom",
                        page.resolve().as_uri()], check=True, capture_output=True, text=True,
                       timeout=120).stdout
title = re.search("<title>(.*?)</title>", shown)[1]
assert title == str(len(draw.RUNS)) and len(draw.RUNS) == len(list(examples.glob("*.stn"))), title
