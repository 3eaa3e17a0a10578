// The command line: what the user asks for, as one struct, and the text that asks for it again.
//
// The options themselves stand in Options.td. Every value is checked here as far as it can be
// without the stencil; what is wrong is a usage error. Of an option given twice the last counts,
// except for -D, --size, --input and -MT, which add up.
#pragma once

#include "ir/Scalar.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace stencilc {

enum class Emit { Ast, Stencil, Schedule, Kernel, Traffic, Cuda, Header, Main, Values };
enum class Action { Compile, CheckSyntax, ListVariants, Help, Version };

/// -MD and its companions.
struct DependencyOptions {
  bool write = false;
  std::string file; ///< empty: the output's name ending in .d
  std::vector<std::string> targets;
  bool phony = false;
};

/// What is forced about the schedule; empty parts are left to the default.
struct ScheduleOptions {
  std::optional<std::string> text; ///< the whole, excludes all others
  std::optional<std::string> variant;
  std::vector<int> block; ///< x first
  std::optional<int> chunk, fuse;
};

struct CommandLine {
  Action action = Action::Compile;
  std::string input;        ///< path, or "-" for standard input
  std::string output = "-"; ///< path, or "-" for standard output
  Emit emit = Emit::Cuda;
  bool host = false;   ///< --target=host
  bool strict = false; ///< --fp=strict
  ScalarType real = ScalarType::F64;
  std::vector<std::pair<std::string, std::string>> defines;
  ScheduleOptions schedule;
  DependencyOptions dependencies;
  std::vector<std::pair<std::string, int64_t>> sizes; ///< axis, extent
  int64_t steps = 1;
  std::vector<std::pair<std::string, std::string>> inputs; ///< array, file
  bool json = false;                                       ///< --diagnostics-format=json
  bool color = false;
  bool verbose = false;

  bool toStandardOutput() const { return output == "-"; }

  /// The command that makes `output`: base names, the flags that its bytes depend on in a fixed
  /// order, and nothing else.
  std::string regenerate() const;
  /// The same for the header, which depends on the stencil alone: the file `header`.
  std::string regenerateHeader(llvm::StringRef header) const;
};

/// A fault in how stencilc was called; exit code 2.
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static char ID;
  explicit UsageError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &out) const override { out << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  std::string message;
};

/// Reads the arguments that follow the program's name; fails with a UsageError only.
llvm::Expected<CommandLine> parseCommandLine(llvm::ArrayRef<const char *> arguments);

/// The text of --help.
void printHelp(llvm::raw_ostream &out);

} // namespace stencilc
