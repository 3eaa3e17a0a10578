"""neovim.py NVIM STENCILC SOURCE FOLDER: runs neovim.lua in Neovim without a window, with our syntax
and detection of files."""
import os
import pathlib
import subprocess
import sys

nvim, stencilc, source, folder = sys.argv[1:]
folder = pathlib.Path(folder)
folder.mkdir(parents=True, exist_ok=True)
(folder / "s.stn").write_text("stencil s(x) {\n  field f64 u;\n  boundary u: clamp;\n  u' = w[x-1];\n}\n")
environment = {**os.environ, "STENCILC": stencilc, "STENCIL": str(folder / "s.stn"),
               "XDG_STATE_HOME": str(folder), "XDG_DATA_HOME": str(folder), "NVIM_LOG_FILE": "/dev/null"}
done = subprocess.run([nvim, "--clean", "--headless", "--cmd", f"set rtp+={source}/frontend/editors/vim",
                       "-c", "syntax on", "-c", f"luafile {pathlib.Path(__file__).with_name('neovim.lua')}"],
                      env=environment, capture_output=True, text=True, timeout=120)
print(done.stdout + done.stderr)
sys.exit(done.returncode)
