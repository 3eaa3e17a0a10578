"""Runs every block of code of the language's reference: reference.py README.md Parser.h stencilc.

What is marked `stn` is accepted without a word, what is marked `stn refused` shows the message that
stands below it, and so does each row of a table of refusals; the grammar is that of the parser."""
import re
import subprocess
import sys

readme, parser, stencilc = sys.argv[1:]
text, header = open(readme).read(), open(parser).read()
blocks = re.findall(r"^```([^\n]*)\n(.*?)^```\n(?:> ([^\n]*))?", text, re.MULTILINE | re.DOTALL)
rows = re.findall(r"^\| `([^`]*)` \| (.*) \|$", "\n".join(
    re.findall(r"^\| refused \| message \|\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)), re.MULTILINE)
faults = []


def whole(code):
    return code if code.startswith("stencil") else f"stencil s(y, x) {{\n  field f64 u;\n{code}}}\n"


def messages(code):
    run = subprocess.run([stencilc, "-fsyntax-only", "-"], input=whole(code), text=True,
                         capture_output=True)
    return run.returncode, run.stderr


for kind, code, message in blocks:
    if kind == "grammar":
        if "".join(f"//   {line}\n" for line in code.splitlines()) not in header:
            faults.append("the grammar is not that of the parser")
    elif kind == "stn":
        status, shown = messages(code)
        if status != 0 or shown:
            faults.append(f"not accepted in silence:\n{code}{shown}")
    elif kind == "stn refused":
        status, shown = messages(code)
        if status != 1 or not message or message not in shown:
            faults.append(f"{message or 'no message'}\nis not what is said of\n{code}{shown}")
    else:
        faults.append(f"a block marked `{kind}`")
for code, message in rows:
    status, shown = messages(code + "\n")
    if status != 1 or f": error: {message}\n" not in shown or shown.count("error:") != 1:
        faults.append(f"{message}\nis not all that is said of\n{code}\n{shown}")
kinds = [kind for kind, _, _ in blocks]
print("\n".join(faults) or f"{kinds.count('stn')} stencils and {kinds.count('stn refused') + len(rows)} refusals")
sys.exit(bool(faults))
