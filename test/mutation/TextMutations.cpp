#include "test/mutation/TextMutations.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Regex.h"

#include <fmt/format.h>

using namespace stencilc;
using namespace stencilc::mutation;

namespace {

/// Parts of an emitted file.
enum class Part { Kernels, Launchers, Run };

/// Every match of `pattern` in the part, outside comments, becomes `replacement` once.
struct Rule {
  llvm::StringLiteral kind;
  Part part;
  llvm::StringLiteral pattern, replacement;
};

constexpr Rule kRules[] = {
    {"text: guard dropped", Part::Kernels, "\n  if \\([^;]*\\) return;", ""},
    {"text: guard weakened", Part::Kernels, " \\|\\| ", " \\&\\& "},
    {"text: guard off by one", Part::Kernels, "([a-z_]+) >= ", "\\1 > "},
    {"text: guard off by one", Part::Kernels, "if \\((.*) < ", "if (\\1 <= "},
    {"text: loop end off by one", Part::Kernels, "; ([a-z]+) < ", "; \\1 <= "},
    {"text: loop begin off by one", Part::Kernels, "for \\(([^;=]*) = ([^;]*);",
     "for (\\1 = \\2 + 1;"},
    {"text: end off by one", Part::Kernels, "on_grid\\(", "on_grid(1 + "},
    {"text: end not asked", Part::Kernels, "on_grid\\([^()]*\\)", "true"},
    {"text: bound off by one", Part::Kernels, "(n[a-z]) - 1", "\\1 - 2"},
    {"text: address off by one", Part::Kernels, "here - 1", "here - 2"},
    {"text: address off by one", Part::Kernels, "here \\+ 1", "here + 2"},
    {"text: wrong stride", Part::Kernels, "\\* stride_[a-z]", "* 1"},
    {"text: wrong direction", Part::Kernels, "here \\+ stride", "here - stride"},
    {"text: wrong direction", Part::Kernels, "here - stride", "here + stride"},
    {"text: offset dropped", Part::Kernels, "here [+-] [a-z0-9_]+\\]", "here]"},
    {"text: wrong extreme", Part::Kernels, "min\\(", "max("},
    {"text: wrong extreme", Part::Kernels, "max\\(", "min("},
    {"text: wrong extreme", Part::Kernels, "lesser\\(", "greater("},
    {"text: wrong wrap", Part::Kernels, "wrap\\(([^,]*), [^)]*\\)", "\\1"},
    {"text: wrong block number", Part::Kernels, "blockIdx\\.[a-z] \\* ", ""},
    {"text: thread number dropped", Part::Kernels, " \\+ threadIdx\\.[a-z]", ""},
    {"text: store dropped", Part::Kernels, "\n *[a-z]_next\\[[^;=]*\\] = [^;]*;", "\n;"},
    {"text: register not moved", Part::Kernels, "\n +[a-z]+_[a-z0-9_]+ = [a-z]+_[a-z0-9_]+;", ""},
    {"text: branch turned", Part::Kernels, "if \\(([^;{]*)\\)( \\{)?\n", "if (!(\\1))\\2\n"},
    {"text: too few blocks", Part::Launchers, "\\(a \\+ b - 1\\) / b", "a / b"},
    {"text: first point misplaced", Part::Launchers, "- past_line", "+ past_line"},
    {"text: empty box launched", Part::Launchers, "\n  if \\(box[^;]*;", ""},
    {"text: wrong grid", Part::Launchers, "gridDim\\.y = ", "gridDim.y = 1 + 0 * "},
    {"text: too little taken", Part::Launchers, "count \\* sizeof\\(T\\);", "count;"},
    {"text: not rounded up", Part::Launchers, "/ ([0-9]+) \\* [0-9]+;", "/ \\1;"},
    {"text: launch dropped", Part::Run, "\n *launched \\&= [^;]*;", ""},
    {"text: call dropped", Part::Run, "\n *[a-z]+_copy_frame\\([^;]*;", ""},
    {"text: copy in the wrong step", Part::Run, "step == 0", "step == 1"},
    {"text: one step too few", Part::Run, "step < steps", "step + 1 < steps"},
    {"text: one step too many", Part::Run, "step < steps", "step <= steps"},
    {"text: swap dropped", Part::Run, "\n *swap\\([^;]*;", ""},
    {"text: wrong buffer", Part::Run, "state\\.([a-z]), ", "state.\\1_next, "},
    {"text: wrong box", Part::Run, "([{ ]n[a-z]) - 1", "\\1 - 2"},
    {"text: wrong box", Part::Run, "edge_([a-z])1", "edge_\\g<1>2"},
    {"text: pointers not returned", Part::Run, "\n *\\*args = state;", ""},
};

/// Where a part begins and ends in the file.
std::pair<size_t, size_t> extentOf(Part part, llvm::StringRef source) {
  const size_t kernels = std::min(source.find("// Copies a box"), source.find("// One step of"));
  const size_t kernelsEnd = std::min(source.find("}  // namespace", kernels),
                                     source.find("// Coordinates past the end", kernels));
  const size_t run = source.find("_run(");
  switch (part) {
  case Part::Kernels:
    return {kernels, kernelsEnd};
  case Part::Launchers:
    return {kernelsEnd, source.find("_args_default(void)")};
  case Part::Run:
    return {run, source.size()};
  }
  llvm_unreachable("a file has three parts");
}

bool isComment(llvm::StringRef source, size_t position) {
  return source.slice(source.rfind('\n', position) + 1, position).contains("//");
}

/// On one line, with single blanks.
std::string oneLine(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  std::string result;
  for (llvm::StringRef word : words)
    result += (result.empty() ? "" : " ") + word.trim().str();
  return result;
}

void apply(const Rule &rule, llvm::StringRef source, std::vector<TextMutation> &found) {
  const llvm::Regex pattern(rule.pattern, llvm::Regex::NoFlags);
  const auto [begin, end] = extentOf(rule.part, source);
  size_t position = begin;
  llvm::SmallVector<llvm::StringRef> matches;
  while (pattern.match(source.slice(position, end), &matches)) {
    const size_t at = matches[0].data() - source.data();
    const size_t after = at + matches[0].size();
    position = after;
    if (isComment(source, at + matches[0].size() - 1))
      continue;
    const std::string changed = pattern.sub(rule.replacement, matches[0]);
    const size_t line = source.take_front(at).count('\n') + 1 + matches[0].starts_with("\n");
    // A statement that goes leaves its place to a branch or loop around it.
    const bool isDropped = changed.empty() || oneLine(changed) == ";";
    std::string name = fmt::format("line {}: {} {}", line, oneLine(matches[0]),
                                   isDropped ? "is dropped" : "becomes " + oneLine(changed));
    found.push_back({rule.kind, std::move(name),
                     (llvm::Twine(source.take_front(at)) + changed + source.substr(after)).str()});
  }
}

} // namespace

std::vector<TextMutation> mutation::textMutationsOf(llvm::StringRef source) {
  std::vector<TextMutation> found;
  for (const Rule &rule : kRules)
    apply(rule, source, found);
  return found;
}
