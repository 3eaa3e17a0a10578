#include "test/mutation/Results.h"

#include "test/mutation/Reasons.h"

#include <fmt/format.h>

#include <map>

using namespace stencilc;
using namespace stencilc::mutation;

/// What the verifier promises of every Program that it accepts.
static bool verifierMustKnow(llvm::StringRef word) {
  return word == "bounds" || word == "tile" || word == "barrier";
}

static char reasonFor(const Survivor &survivor) {
  for (const Reason &reason : reasons())
    if (reason.explains(survivor))
      return reason.letter;
  return 0;
}

bool mutation::needsMoreGrids(const Subject &subject, const Program *mutated,
                              const Result &result) {
  return (result.survivesRun() || result.survivesText()) && !reasonFor({subject, mutated, result});
}

std::optional<std::string> mutation::judge(const Subject &subject, const Program *mutated,
                                           Result &result) {
  auto fault = [&](llvm::StringRef what) {
    return fmt::format("{} of {}: {}: {}: {}", subject.variant, subject.stencilName, result.kind,
                       result.name, what.str());
  };
  const bool isFoundInKernel = !result.verifier.empty() || !result.audit.empty();
  if (result.isPlanted && !(isFoundInKernel && !result.run.empty() && !result.text.empty()))
    return fault("it was planted, and not every level finds it");
  if (result.verifier.empty() && (verifierMustKnow(result.audit) || verifierMustKnow(result.run)))
    return fault("the verifier accepts it");
  if (result.printsTheSame && !(result.audit.empty() && result.run.empty()))
    return fault("its text is right and its values are not");
  if (!result.survivesRun() && !result.survivesText())
    return std::nullopt;
  result.reason = reasonFor({subject, mutated, result});
  if (result.reason)
    return std::nullopt;
  const char *where = !result.survivesRun()   ? "survives as text"
                      : result.survivesText() ? "survives"
                                              : "survives its run";
  return fault(fmt::format("{} (verifier: {}, audit: {}, run: {})", where, result.verifier,
                           result.audit, result.run));
}

// ---- tables -----------------------------------------------------------------------------------

namespace {

/// The word of a level, or the reason why there is none.
struct Columns {
  std::string verifier, audit, run, text;
};

Columns columnsOf(const Result &result) {
  const std::string reason = fmt::format("({})", result.reason);
  const std::string none = result.isOfText ? "" : "-";
  Columns columns;
  columns.verifier = result.verifier.empty() ? none : result.verifier;
  columns.audit = result.audit.empty() ? none : result.audit;
  columns.run = !result.run.empty() ? result.run : result.survivesRun() ? reason : none;
  columns.text = result.printsTheSame    ? "same"
                 : !result.runsAsText    ? ""
                 : result.survivesText() ? reason
                                         : result.text;
  return columns;
}

} // namespace

static void printLine(llvm::raw_ostream &out, llvm::StringRef first, const Columns &columns,
                      llvm::StringRef mutation) {
  out << fmt::format("{:<11} {:<11} {:<10} {:<10} {:<11} {}\n", first.str(), columns.verifier,
                     columns.audit, columns.run, columns.text, mutation.str());
}

void mutation::printPlanted(llvm::raw_ostream &out, llvm::ArrayRef<Subject> subjects,
                            llvm::ArrayRef<Result> results) {
  printLine(out, "variant", {"verifier", "audit", "run", "text"}, "planted");
  for (const Result &result : results)
    if (result.isPlanted)
      printLine(out, subjects[result.subject].variant, columnsOf(result),
                result.kind + ": " + result.name);
}

void mutation::printSummary(llvm::raw_ostream &out, llvm::ArrayRef<Result> results) {
  struct Count {
    unsigned made = 0, verifier = 0, audit = 0, run = 0, text = 0, same = 0, explained = 0;
    void add(const Result &result) {
      ++made;
      verifier += !result.verifier.empty();
      audit += !result.audit.empty();
      run += !result.run.empty();
      text += !result.text.empty();
      same += result.printsTheSame;
      explained += result.reason != 0;
    }
  };
  auto line = [&](const std::string &kind, const Count &count) {
    out << fmt::format("{:<28} {:>6} {:>9} {:>6} {:>6} {:>6} {:>6} {:>10}\n", kind, count.made,
                       count.verifier, count.audit, count.run, count.text, count.same,
                       count.explained);
  };
  std::map<std::string, Count> kinds;
  Count all;
  for (const Result &result : results) {
    kinds[result.kind].add(result);
    all.add(result);
  }
  out << fmt::format("{:<28} {:>6} {:>9} {:>6} {:>6} {:>6} {:>6} {:>10}\n", "kind", "made",
                     "verifier", "audit", "run", "text", "same", "explained");
  for (const auto &[kind, count] : kinds)
    line(kind, count);
  line("all", all);
}

void mutation::printTable(llvm::raw_ostream &out, llvm::StringRef variant,
                          llvm::ArrayRef<Subject> subjects, llvm::ArrayRef<Result> results) {
  printLine(out, "stencil", {"verifier", "audit", "run", "text"}, "mutation");
  std::string used;
  for (const Result &result : results) {
    const Subject &subject = subjects[result.subject];
    if (subject.variant != variant || !result.runsAsText)
      continue;
    printLine(out, subject.stencilName, columnsOf(result), result.kind + ": " + result.name);
    if (result.reason)
      used += result.reason;
  }
  out << "\n";
  for (const Reason &reason : reasons())
    if (llvm::is_contained(used, reason.letter))
      out << fmt::format("({}) {}\n", reason.letter, reason.text.str());
}
