"""pages.py OPTIONS.json VERSION FOLDER: stencilc.1 and stencilc.bash, from the table of options as
`llvm-tblgen --dump-json` gives it."""
import json
import pathlib
import sys

table, version, folder = json.loads(pathlib.Path(sys.argv[1]).read_text()), sys.argv[2], sys.argv[3]


class Option:
    def __init__(self, record):
        self.hidden = any(flag["def"] == "HelpHidden" for flag in record["Flags"])
        # `--emit=` takes its value in the same word, `-o` in the same or the next.
        self.spelling = (record["Prefixes"] or [""])[0] + record["Name"]
        separate = record["Kind"]["def"] == "KIND_JOINED_OR_SEPARATE"
        self.value = (" " if separate else "") + record["MetaVarName"] if record["MetaVarName"] else ""
        self.help, self.words = record["HelpText"], record["Values"]
        self.group = record["Group"] and record["Group"]["def"]


options = sorted((Option(table[name]) for name in table["!instanceof"]["Option"]),
                 key=lambda option: option.spelling.lstrip("-").lower())
shown = [option for option in options if option.group and not option.hidden]
groups = sorted((table[name]["HelpText"], name) for name in table["!instanceof"]["OptionGroup"])


def roff(text):
    """As it stands: no hyphen becomes another dash, no line a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def man_page():
    lines = [f'.TH STENCILC 1 "" "stencilc {version}" "User Commands"', ".SH NAME",
             "stencilc \\- from a stencil to CUDA that reads as if written by hand", ".SH SYNOPSIS",
             ".B stencilc", "[\\fIoptions\\fR] \\fIfile\\fR.stn|\\-", ".SH DESCRIPTION",
             "Reads a stencil from the file, or from standard input for \\-, and writes a kernel,",
             "its launcher and a C header for it. What is not forced about the schedule is chosen",
             "by a model of the device named; no GPU is needed."]
    for title, group in groups:
        lines.append(f'.SH "{title.split(" (")[0].upper()}"')
        if "(" in title:
            lines.append(f"{roff(title[title.index('('):])}")
        for option in shown:
            if option.group == group:
                lines += [".TP", f"\\fB{roff(option.spelling)}\\fR{roff(option.value)}",
                          roff(option.help) + "."]
    lines += [".SH EXIT STATUS", ".TP", "0", "done", ".TP", "1", "the input was refused", ".TP", "2",
              "the command line was", ".TP", "70", "a fault of stencilc; please report it"]
    return "\n".join(lines) + "\n"


def completion():
    values = "\n".join(f"    {option.spelling}*) words='{option.words.replace(',', ' ')}' ;;"
                       for option in shown if option.words)
    return f"""# bash completion of stencilc
_stencilc() {{
  # The word as it was typed: COMP_WORDS parts it at `=`.
  local word=${{COMP_LINE:0:COMP_POINT}} words=
  word=${{word##* }}
  case $word in
{values}
    --gpu=* | --print-gpu=*) words=$("$1" --list-gpus | awk 'NR > 1 {{ print $1 }}') ;;
    --variant=*) words=$("$1" --list-variants | awk '/^[a-z]/ {{ print $1 }}') ;;
    --*=*) ;;
    -*) words='{" ".join(option.spelling for option in shown)}' ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "${{word#--*=}}"))
    [[ ${{COMPREPLY-}} == *= ]] && compopt -o nospace 2>/dev/null
  else
    COMPREPLY=($(compgen -d -- "$word") $(compgen -f -X '!*.stn' -- "$word"))
  fi
  return 0
}}
complete -F _stencilc stencilc
"""


pathlib.Path(folder, "stencilc.1").write_text(man_page())
pathlib.Path(folder, "stencilc.bash").write_text(completion())
