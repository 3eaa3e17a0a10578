#include "test/mutation/TextChecks.h"

#include "test/fuzz/TextProgram.h"

#include <fmt/format.h>

#include <csignal>

using namespace stencilc;
using namespace stencilc::mutation;

/// Right texts need less than one.
static constexpr unsigned kSeconds = 5;
/// What ends a process that has had its time.
static const std::string kOutOfTime = fmt::format("signal {}:", SIGXCPU);

/// One word for what a run in the harness found.
static std::string wordFor(const fuzz::Failure &failure) {
  llvm::StringRef text = failure.text;
  if (failure.kind == fuzz::Failure::Crashed)
    return text.contains("harness: barrier") ? "barrier"
           : text.starts_with(kOutOfTime)    ? "endless"
                                             : "guard page";
  if (!text.consume_front("threads in ascending order: "))
    return "order"; // right in one order of threads, wrong in another
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> words[] = {
      {"between the rows", "padding"},
      {"beside the workspace", "padding"},
      {"the run returned", "status"},
      {"the run left step", "step"},
      {"is nan", "NaN"},
      {"should be", "value"},
      {"pointer", "pointers"},
      {"harness:", "barrier"}};
  for (const auto &[part, word] : words)
    if (text.contains(part))
      return word.str();
  llvm::report_fatal_error("no word for: " + text);
}

std::string mutation::textFinds(const Subject &subject, const std::string &folder) {
  const std::optional<fuzz::Failure> failure = fuzz::runText(
      subject.program, subject.stencil, subject.cases, subject.references, folder, kSeconds);
  return failure ? wordFor(*failure) : "";
}
