// The command line of stencilc-apsp: what the user asks for, as one struct. The options themselves
// stand in ApspOptions.td; every value is checked here as far as it can be without the graph.
#pragma once

#include "costmodel/apsp/ApspRuns.h"
#include "costmodel/apsp/ApspSweep.h"
#include "runtime/apsp/Apsp.h"

namespace stencilc {

enum class ApspAction { Solve, Explain, Sweep, ListGpus, PrintGpu, Help, Version };
enum class WeightType { F32, F64, S32, S16, U16 };
enum class ApspTarget { Auto, Cuda, Host };

struct ApspCommandLine {
  ApspAction action = ApspAction::Solve;
  std::string input;  ///< the graph's file; may be empty where `nodes` is given
  std::string output; ///< empty: none; "-": standard output
  WeightType type = WeightType::F32;
  ApspTarget target = ApspTarget::Auto;
  apsp::PathKind paths = apsp::PathKind::None;
  std::optional<int64_t> from; ///< counted as in the file
  std::vector<int64_t> to;

  std::optional<ApspAlgorithm> algorithm; ///< none: by forecast
  std::optional<int> block, tile;
  std::string gpu = "h200";
  std::string runs; ///< empty: those shipped
  int64_t n0 = 500;
  LaunchMode launches = LaunchMode::Graph;
  std::optional<int64_t> nodes;
  SweepRange sweep;
  bool json = false;
  bool verbose = false;

  /// A path query needs the path matrix even if nobody keeps it.
  bool wantsPaths() const { return paths != apsp::PathKind::None || from; }
};

/// "f32", "f64", "s32", "s16", "u16".
llvm::StringRef spelling(WeightType type);

/// Reads the arguments that follow the program's name; every failure is one of usage.
llvm::Expected<ApspCommandLine> parseApspCommandLine(llvm::ArrayRef<const char *> arguments);

/// The text of --help.
void printApspHelp(llvm::raw_ostream &out);

} // namespace stencilc
