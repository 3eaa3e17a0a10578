"""Which functions of which files the tests lift.

A path is a file or a folder. In a file with several functions those are meant that stand behind a
comment `EQUAL`; a file without the word is lifted as it is.
"""
import re


def functions(path):
    """The arguments that choose each function of a file."""
    text = path.read_text()
    names = re.findall(r"EQUAL.*\n(?:template.*\n)?[\w ]*?[ *](\w+)\(", text)
    assert len(names) == text.count("EQUAL"), f"{path}: a comment stands before no function"
    return [[f"--function={name}"] for name in names] or [[]]


def cases(paths):
    files = [file for path in paths
             for file in (sorted(path.rglob("*.c*")) if path.is_dir() else [path])]
    return [(path, choice) for path in files for choice in functions(path)]
