#include "frontend/driver/DependencyFile.h"

using namespace llvm;

namespace stencilc {

/// `path` as a word of a rule: blanks and `#` take a backslash, `$` doubles.
static std::string escaped(StringRef path) {
  std::string text;
  for (char c : path) {
    if (c == ' ' || c == '\t' || c == '#')
      text += '\\';
    if (c == '$')
      text += '$';
    text += c;
  }
  return text;
}

std::string dependencyRule(const DependencyOptions &options, ArrayRef<std::string> outputs,
                           ArrayRef<std::string> inputs) {
  std::string text;
  const auto word = [&](StringRef name) { text += (text.empty() ? "" : " ") + name.str(); };
  for (const std::string &target : options.targets)
    word(target);
  if (options.targets.empty())
    for (const std::string &output : outputs)
      if (output != "-")
        word(escaped(output));
  text += ":";
  for (const std::string &input : inputs)
    if (input != "-")
      word(escaped(input));
  text += "\n";
  if (options.phony)
    for (const std::string &input : inputs.drop_front())
      text += escaped(input) + ":\n";
  return text;
}

} // namespace stencilc
