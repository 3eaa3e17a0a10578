// The options of stencilc-apsp: the one list that parsing, --help and hints are made from.
include "llvm/Option/OptParser.td"

// An option with a value, accepted as `--name=value` and as `--name value`.
multiclass Value<string name, string metavar, string help> {
  def NAME#_EQ : Joined<["--"], name#"=">, MetaVarName<metavar>, HelpText<help>;
  def NAME : Separate<["--"], name>, Alias<!cast<Option>(NAME#"_EQ")>, Flags<[HelpHidden]>;
}

def run_group : OptionGroup<"run">, HelpText<"Run">;
let Group = run_group in {
def output : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">,
  HelpText<"Distances, a .npy file; with --explain and --sweep the report, - for standard output">;
def paths : Flag<["--"], "paths">,
  HelpText<"Also write the path matrix, beside -o: dist.npy, dist_paths.npy">;
def paths_kind_EQ : Joined<["--"], "paths=">, MetaVarName<"<what>">,
  HelpText<"What it holds: first-hop (the default: the node after the first) or predecessor">;
defm type : Value<"type", "<type>",
  "Type of distances: f32 (the default; exact for whole numbers below 2^24), f64 (below 2^53), "
  "s32 (below 2^29), s16 (below 2^13), u16 (below 2^15 - 1)">;
defm target : Value<"target", "<where>", "auto (the default: a GPU if there is one), cuda or host">;
defm from : Value<"from", "<node>", "Print the shortest path from this node, counted as in the file">;
defm to : Value<"to", "<node>", "... to this one; may be repeated">;
}

def model_group : OptionGroup<"model">, HelpText<"Choice and forecast">;
let Group = model_group in {
defm algorithm : Value<"algorithm", "<name>",
  "auto (the default: by forecast), min-plus, floyd-warshall or blocked">;
defm block : Value<"block", "<n>",
  "Width of a block: 8, 16 or 32; of blocked, pivots taken at once: 64, 128 or 256">;
defm tile : Value<"tile", "<n>", "Of blocked, words across a tile of 64 rows: 64 or 128">;
def explain : Flag<["--"], "explain">, HelpText<"Say what to expect, and run nothing">;
def explain_form_EQ : Joined<["--"], "explain=">, MetaVarName<"<form>">,
  HelpText<"... as text (the default) or json">;
defm sweep : Value<"sweep", "<n>:<n>[:<step>]",
  "Forecast a range of sizes as CSV, or as a drawing if -o ends in .svg">;
defm nodes : Value<"nodes", "<n>", "Size to explain, in place of a graph">;
defm gpu : Value<"gpu", "<name>|<file>.yaml", "The device to forecast for (h200)">;
defm runs : Value<"runs", "<file>.csv", "Measured runs to calibrate by, in place of those shipped">;
defm n0 : Value<"n0", "<n>", "The run that calibrates the interval (500)">;
defm launches : Value<"launches", "<how>", "graph (the default): in one CUDA graph, or stream">;
def list_gpus : Flag<["--"], "list-gpus">, HelpText<"List the devices known">;
defm print_gpu : Value<"print-gpu", "<name>", "Print a device's profile">;
}

def general_group : OptionGroup<"general">, HelpText<"General">;
let Group = general_group in {
def verbose : Flag<["-"], "v">, HelpText<"Say what is done">;
def version : Flag<["--"], "version">, HelpText<"Print the version">;
def help : Flag<["--"], "help">, HelpText<"Print this text">;
def help_short : Flag<["-"], "h">, Alias<help>, Flags<[HelpHidden]>;
}
