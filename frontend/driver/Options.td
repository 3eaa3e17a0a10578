// The options of stencilc: the one list that parsing, --help and hints are made from.
include "llvm/Option/OptParser.td"

// An option with a value, accepted as `--name=value` and as `--name value`. `words`, with commas, are
// the values that a shell may complete.
multiclass Value<string name, string metavar, string help, string words = ""> {
  def NAME#_EQ : Joined<["--"], name#"=">, MetaVarName<metavar>, HelpText<help>, Values<words>;
  def NAME : Separate<["--"], name>, Alias<!cast<Option>(NAME#"_EQ")>, Flags<[HelpHidden]>;
}

def output_group : OptionGroup<"output">, HelpText<"Output">;
let Group = output_group in {
def output : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">,
  HelpText<"Where to write; `-` (the default) is standard output">;
defm emit : Value<"emit", "<what>",
  "ast, stencil, schedule, kernel, traffic, prediction, cuda (the default: source, and header beside it), header, interface (the header as JSON), main or values",
  "ast,stencil,schedule,kernel,traffic,prediction,cuda,header,interface,main,values">;
defm target : Value<"target", "<where>", "cuda (the default) or host: C++ with OpenMP",
  "cuda,host">;
defm fp : Value<"fp", "<mode>",
  "contract (the default: the compiler may fuse multiply and add), strict: the reference's bits, or reassociate: sums plane after plane, in another order than written",
  "contract,strict,reassociate">;
def syntax_only : Flag<["-"], "fsyntax-only">, HelpText<"Check the input and write nothing">;
def format : Flag<["--"], "format">,
  HelpText<"Write the input laid out anew, nothing else; -o may name the input itself">;
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
def specialize : Flag<["--"], "specialize">,
  HelpText<"Code for the extents of --size alone, as constants in it">;
defm name : Value<"name", "<name>",
  "Call the stencil so, in place of its own name: for two of one file in a program">;
defm real : Value<"real", "<type>", "What the type `real` means: f64 (the default) or f32",
  "f64,f32">;
}

def schedule_group : OptionGroup<"schedule">, HelpText<"Schedule (what is not forced is chosen by predicted time)">;
let Group = schedule_group in {
defm schedule : Value<"schedule", "<text>", "The whole schedule, as --emit=schedule prints it">;
defm variant : Value<"variant", "<name>", "The variant; see --list-variants">;
defm block : Value<"block", "<BXxBYxBZ>", "Threads of a block, x first">;
defm chunk : Value<"chunk", "<n>", "Planes that a thread marches through">;
defm fuse : Value<"fuse", "<n>", "Time steps per launch">;
def unoptimized : Flag<["-"], "O0">, HelpText<"Ask no model: the default schedule of baseline, or of --variant">;
def try_all : Flag<["--"], "try-all">,
  HelpText<"Try every schedule of a large formula, too, which may take seconds">;
def measure : Flag<["--"], "measure">, HelpText<"The same as --measure=5">, Flags<[HelpHidden]>;
def measure_EQ : Joined<["--"], "measure=">, MetaVarName<"<n>">,
  HelpText<"Compile the n best-predicted schedules (5), check and time them on the GPU that is here, take the fastest">;
def refine : Flag<["--"], "refine">,
  HelpText<"Compile the 50 best-predicted with NVRTC, predict again with their registers, say what to keep">;
def list_variants : Flag<["--"], "list-variants">, HelpText<"List the variants">;
}

def model_group : OptionGroup<"model">, HelpText<"Prediction (the code is right for every size and device)">;
let Group = model_group in {
defm gpu : Value<"gpu", "<name>", "The device to choose for (h200); see --list-gpus. Or a <file>.yaml; native: the one here">;
defm size : Value<"size", "<axis>=<n>,...",
  "Extents to choose for (512 each in 3D, 8192 in 2D, 134217728 in 1D), or of the reference run (16)">;
defm steps : Value<"steps", "<n>", "Time steps of the reference run (1), and of the run to choose for (many)">;
defm registers : Value<"registers", "<n>", "Registers of a thread, in place of the estimate">;
defm model : Value<"model", "<name>", "su2015 (the default before compute capability 7) or geometric",
  "su2015,geometric">;
def explain : Flag<["--"], "explain">, HelpText<"The same as --explain=text">, Flags<[HelpHidden]>;
def explain_EQ : Joined<["--"], "explain=">, MetaVarName<"<form>">, Values<"text,json,html">,
  HelpText<"Say what to expect, and why, as text, json or html; without -o write nothing else">;
defm sweep : Value<"sweep", "<part>,...",
  "Predict over a range of block, chunk, variant, gpu, size or size:<from>:<to>:<step>, as CSV (or --explain=json)">;
def list_gpus : Flag<["--"], "list-gpus">, HelpText<"List the devices known">;
defm print_gpu : Value<"print-gpu", "<name>", "Print the profile of a device, each value with its source">;
}

def values_group : OptionGroup<"values">, HelpText<"Reference run (--emit=values)">;
let Group = values_group in {
defm input : Value<"input", "<array>=<file>", "Starting values (.npy) of an array, or of u_prev for u[t-1], in place of its init">;
}

def calibrate_group : OptionGroup<"calibrate">,
  HelpText<"Measuring a GPU (stencilc calibrate -o <file>.yaml, with --gpu= to begin with another profile)">;
let Group = calibrate_group in {
defm raw : Value<"raw", "<file>.json", "Also write all times that were measured">;
defm from : Value<"from", "<file>.json", "Take the times of such a file, in place of a GPU">;
}

def general_group : OptionGroup<"general">, HelpText<"General">;
let Group = general_group in {
defm diagnostics_format : Value<"diagnostics-format", "<form>", "text (the default) or json",
  "text,json">;
defm color : Value<"color", "<when>", "auto (the default), always or never",
  "auto,always,never">;
def verbose : Flag<["-"], "v">, HelpText<"Say what is done">;
def lsp : Flag<["--"], "lsp">, HelpText<"Serve an editor over standard input and output (LSP)">;
def version : Flag<["--"], "version">, HelpText<"Print the version">;
def help : Flag<["--"], "help">, HelpText<"Print this text">;
def help_short : Flag<["-"], "h">, Alias<help>, Flags<[HelpHidden]>;
}
