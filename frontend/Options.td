// The options of stencilc: the one list that parsing, --help and hints are made from.
include "llvm/Option/OptParser.td"

// An option with a value, accepted as `--name=value` and as `--name value`.
multiclass Value<string name, string metavar, string help> {
  def NAME#_EQ : Joined<["--"], name#"=">, MetaVarName<metavar>, HelpText<help>;
  def NAME : Separate<["--"], name>, Alias<!cast<Option>(NAME#"_EQ")>, Flags<[HelpHidden]>;
}

def output_group : OptionGroup<"output">, HelpText<"Output">;
let Group = output_group in {
def output : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">,
  HelpText<"Where to write; `-` (the default) is standard output">;
defm emit : Value<"emit", "<what>",
  "ast, stencil, schedule, kernel, traffic, cuda (the default: source, and header beside it), header, main or values">;
defm target : Value<"target", "<where>", "cuda (the default) or host: C++ with OpenMP">;
defm fp : Value<"fp", "<mode>",
  "contract (the default: the compiler may fuse multiply and add) or strict: the reference's bits">;
def syntax_only : Flag<["-"], "fsyntax-only">, HelpText<"Check the input and write nothing">;
def dependencies : Flag<["-"], "MD">, HelpText<"Also write a dependency file for make or ninja">;
def dependency_file : JoinedOrSeparate<["-"], "MF">, MetaVarName<"<file>">,
  HelpText<"Its name (by default the output's, ending in .d)">;
def dependency_target : JoinedOrSeparate<["-"], "MT">, MetaVarName<"<target>">,
  HelpText<"Its target, in place of the files written">;
def dependency_phony : Flag<["-"], "MP">, HelpText<"Add an empty rule for each further input">;
}

def stencil_group : OptionGroup<"stencil">, HelpText<"Stencil">;
let Group = stencil_group in {
def define : JoinedOrSeparate<["-"], "D">, MetaVarName<"<param>=<value>">,
  HelpText<"Change the default of a param">;
defm real : Value<"real", "<type>", "What the type `real` means: f64 (the default) or f32">;
}

def schedule_group : OptionGroup<"schedule">, HelpText<"Schedule">;
let Group = schedule_group in {
defm schedule : Value<"schedule", "<text>", "The whole schedule, as --emit=schedule prints it">;
defm variant : Value<"variant", "<name>", "The variant; see --list-variants">;
defm block : Value<"block", "<BXxBYxBZ>", "Threads of a block, x first">;
defm chunk : Value<"chunk", "<n>", "Planes that a thread marches through">;
defm fuse : Value<"fuse", "<n>", "Time steps per launch">;
def list_variants : Flag<["--"], "list-variants">, HelpText<"List the variants">;
}

def values_group : OptionGroup<"values">, HelpText<"Reference run (--emit=values)">;
let Group = values_group in {
defm size : Value<"size", "<axis>=<n>,...", "Extents (16 along an axis that is not named)">;
defm steps : Value<"steps", "<n>", "Time steps (1)">;
defm input : Value<"input", "<array>=<file>.npy", "Starting values of an array, in place of its init">;
}

def general_group : OptionGroup<"general">, HelpText<"General">;
let Group = general_group in {
defm diagnostics_format : Value<"diagnostics-format", "<form>", "text (the default) or json">;
defm color : Value<"color", "<when>", "auto (the default), always or never">;
def verbose : Flag<["-"], "v">, HelpText<"Say what is done">;
def version : Flag<["--"], "version">, HelpText<"Print the version">;
def help : Flag<["--"], "help">, HelpText<"Print this text">;
def help_short : Flag<["-"], "h">, Alias<help>, Flags<[HelpHidden]>;
}
