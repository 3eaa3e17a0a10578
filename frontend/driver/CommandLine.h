// The command line: what the user asks for, as one struct, and the text that asks for it again.
//
// The options themselves stand in Options.td. Every value is checked here as far as it can be
// without the stencil; what is wrong is a usage error. Of an option given twice the last counts,
// except for -D, --size, --input and -MT, which add up.
#pragma once

#include "costmodel/model/Prediction.h"
#include "frontend/driver/UsageError.h"
#include "ir/stencil/Stencil.h"

#include <optional>
#include <string>
#include <vector>

namespace stencilc {

enum class Emit {
  Ast,
  Stencil,
  Schedule,
  Kernel,
  Traffic,
  Prediction,
  Cuda,
  Header,
  Interface,
  Main,
  Values
};
enum class Command {
  Compile,
  Calibrate,
  CheckSyntax,
  Format,
  Serve,
  ListVariants,
  ListGpus,
  PrintGpu,
  Help,
  Version
};
enum class ReportForm { Text, Json, Html };

/// What --sweep takes through its range, in the order given.
enum class SweepPart { Variant, Block, Chunk, Size, Gpu };
struct SweepOptions {
  std::vector<SweepPart> parts; ///< empty: no sweep
  std::vector<int64_t> sizes;   ///< of `size:from:to:step`; empty: as documented in SweepTable.h
};

/// -MD and its companions.
struct DependencyOptions {
  bool write = false;
  std::string file; ///< empty: the output's name ending in .d
  std::vector<std::string> targets;
  bool phony = false;
};

/// What is forced about the schedule; empty parts are left to the default.
struct ScheduleOptions {
  std::optional<std::string> text; ///< the whole, excludes all others; not read yet
  std::optional<Schedule> whole;   ///< the same, read
  std::optional<std::string> variant;
  std::vector<int> block; ///< x first
  std::optional<int> chunk, fuse;
  bool unoptimized = false; ///< -O0: what is not forced takes its default, and no model is asked
  bool tryAll = false;      ///< --try-all: whatever work that is
};

/// What the choice of a schedule is made for.
struct ModelOptions {
  std::string gpu = "h200"; ///< a name or FILE.yaml; what is plugged in only if that is asked for
  PredictOptions options;

  bool isNative() const { return gpu == "native"; } ///< to be asked of the GPU that is there
  bool isFile() const { return llvm::StringRef(gpu).ends_with(".yaml"); }
};

/// `stencilc calibrate`.
struct CalibrateOptions {
  std::string start; ///< profile to begin with; empty: one that fits the device
  std::string raw;   ///< file for all times; empty: none
  std::string from;  ///< file of such times, in place of a GPU
};

struct CommandLine {
  Command action = Command::Compile;
  std::string input;        ///< path, or "-" for standard input
  std::string output = "-"; ///< path, or "-" for standard output
  Emit emit = Emit::Cuda;
  bool host = false;         ///< --target=host
  bool strict = false;       ///< --fp=strict
  bool reassociates = false; ///< --fp=reassociate
  std::string name;          ///< of the stencil, in place of its own; empty: its own
  ScalarType real = ScalarType::F64;
  std::vector<std::pair<std::string, std::string>> defines;
  ScheduleOptions schedule;
  ModelOptions model;
  std::optional<ReportForm> explain;
  std::optional<int> measure; ///< --measure: how many candidates
  bool refine = false;        ///< --refine
  SweepOptions sweep;
  DependencyOptions dependencies;
  CalibrateOptions calibrate;
  std::vector<std::pair<std::string, int64_t>> sizes; ///< axis, extent
  bool specialize = false; ///< --specialize: the code is for these extents alone
  int64_t steps = 1;
  bool asksSteps = false; ///< --steps: the choice is for runs of so many
  std::vector<std::pair<std::string, std::string>> inputs; ///< array, file
  bool json = false;                                       ///< --diagnostics-format=json
  bool color = false;
  bool verbose = false;

  bool toStandardOutput() const { return output == "-"; }

  /// The extents that --size gives to the axes of `stencil`, and `otherwise` to those not named.
  llvm::Expected<std::vector<int64_t>> extentsOf(const Stencil &stencil, int64_t otherwise) const;

  /// With --specialize, the extents that the code is for; empty without it.
  llvm::Expected<std::vector<int64_t>> onlyExtentsOf(const Stencil &stencil) const;

  /// Whether the output depends on what a model says: a schedule that it chooses, a forecast. With
  /// -O0 it does not.
  bool printsOfModel() const;
  /// Whether a model is asked, for the output or to explain.
  bool wantsModel() const;

  /// The command that makes `output`: base names, the flags that its bytes depend on in a fixed
  /// order, and nothing else. `chosen` is the text of the schedule that a model chose, which it is
  /// to have whatever models say later.
  std::string regenerate(llvm::StringRef chosen = "") const;
  /// The same for the header, which depends on the stencil alone: the file `header`.
  std::string regenerateHeader(llvm::StringRef header) const;
};

/// Reads the arguments that follow the program's name; fails with a UsageError only.
llvm::Expected<CommandLine> parseCommandLine(llvm::ArrayRef<const char *> arguments);

/// The text of --help.
void printHelp(llvm::raw_ostream &out);

} // namespace stencilc
