"""The compiler as a program, and the folder where what was built stays."""
import functools
import hashlib
import inspect
import os
import pathlib
import shutil
import subprocess
import tempfile
import warnings
from typing import Callable, Sequence


class StencilError(Exception):
    """A stencil cannot be compiled or run; the text says why."""


class CompileError(StencilError):
    """stencilc refused a stencil; the text is what it says, with places."""


@functools.lru_cache(maxsize=None)
def find(variable: str, names: Sequence[str], what: str) -> str:
    """A program: that of the environment's `variable`, or the first of `names` there is."""
    named = os.environ.get(variable)
    for name in [named] if named else names:
        if found := shutil.which(name):
            return found
    raise StencilError(f"there is no {what}: {named or ', '.join(names)} cannot be run "
                       f"(the variable {variable} names another)")


def stencilc() -> str:
    """The one in the package, of the tree that the package stands in, or on the PATH."""
    here = pathlib.Path(__file__).resolve().parent
    inside = (str(here / "bin/stencilc"), str(here.parents[2] / "build/stencilc"))
    return find("STENCILC", (*inside, "stencilc"), "compiler of stencils")


def run(command: Sequence[str], text: str = "") -> str:
    """What a command writes; what it complains about, if it fails."""
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    if result.returncode:
        raise CompileError(result.stderr.strip() or f"{command[0]} gives {result.returncode}")
    return result.stdout


@functools.lru_cache(maxsize=None)
def identity(program: str) -> str:
    """Changes when the program does."""
    state = os.stat(os.path.realpath(program))
    return f"{run([program, '--version'])} {state.st_size} {state.st_mtime_ns}"


@functools.lru_cache(maxsize=1)
def cache_folder() -> pathlib.Path:
    """STENCILC_CACHE, or stencilc among the user's caches; else one that lasts as long as we do."""
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = pathlib.Path(os.environ.get("STENCILC_CACHE") or os.path.join(user, "stencilc"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryDirectory(dir=folder).cleanup()
        return folder
    except OSError as error:
        warnings.warn(f"stencilc keeps nothing: {folder}: {error.strerror}; "
                      "STENCILC_CACHE names another folder", stacklevel=_frames_of_ours())
    temporary = tempfile.TemporaryDirectory(prefix="stencilc-")
    _kept.append(temporary)
    return pathlib.Path(temporary.name)


_kept: list = []


def _frames_of_ours() -> int:
    """How far a warning has to go to stand at the line that called the package."""
    frames, frame = 0, inspect.currentframe()
    while frame and frame.f_globals.get("__package__") == __package__:
        frames, frame = frames + 1, frame.f_back
    return frames


def cached(key: Sequence[str], build: Callable[[pathlib.Path], None]) -> pathlib.Path:
    """The folder that `build` filled for this key, now or in an earlier process. It appears at
    once and whole, or not at all."""
    digest = hashlib.sha256("\0".join(key).encode()).hexdigest()[:32]
    folder = cache_folder() / digest
    if folder.is_dir():
        return folder
    try:
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix="making-") as making:
            made = pathlib.Path(making, "made")
            made.mkdir()
            build(made)
            try:
                made.rename(folder)
            except OSError:
                if not folder.is_dir():  # another process was quicker
                    raise
    except OSError as error:
        raise StencilError(f"cannot write in {folder.parent}: {error.strerror}; "
                           "STENCILC_CACHE names another folder") from error
    return folder
