#include "codegen/print/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <vector>

namespace stencilc {
namespace {

constexpr size_t kContinuation = 4;
/// Marks of greater depth are one level: nothing that deep is broken.
constexpr char kDeepest = '\10';

bool isMark(char character) { return character >= kBreak && character <= kDeepest; }

/// The outermost mark of `text`, or none.
std::optional<char> outermost(llvm::StringRef text) {
  std::optional<char> least;
  for (char character : text)
    if (isMark(character) && (!least || character < *least))
      least = character;
  return least;
}

/// True if every parenthesis, bracket and brace of `text` closes within it.
bool isBalanced(llvm::StringRef text) {
  int open = 0;
  for (char character : text) {
    open += llvm::StringRef("([{").contains(character);
    open -= llvm::StringRef(")]}").contains(character);
    if (open < 0)
      return false;
  }
  return open == 0;
}

/// Fills lines from a first column on.
class Filler {
public:
  /// Breaks `text` at its outermost marks; lines after the first start at `next`. False if a part
  /// does not fit and cannot be broken further.
  bool fill(llvm::StringRef text, size_t first, size_t next) {
    lines.push_back(std::string(first, ' '));
    // Operators line up with the first operand; arguments stand further in than the call.
    if (const std::optional<char> mark = outermost(text);
        first == next && mark && !isBalanced(text.split(*mark).first))
      next += kContinuation;
    return fillBelow(text, next);
  }

  std::string take() const { return llvm::join(lines, "\n") + "\n"; }

private:
  std::vector<std::string> lines;

  bool isFresh() const { return llvm::StringRef(lines.back()).trim(' ').empty(); }

  /// `reserve` columns stay free for what closes the enclosing text.
  bool fillBelow(llvm::StringRef text, size_t next) {
    const std::optional<char> mark = outermost(text);
    if (!mark)
      return false;
    bool startLine = false;
    while (!text.empty()) {
      const auto [part, rest] = text.split(*mark);
      text = rest;
      const std::string line = flat(part.str());
      const bool fitsHere = lines.back().size() + !isFresh() + line.size() <= kColumns;
      if (!startLine && fitsHere) {
        lines.back() += (isFresh() ? "" : " ") + line;
        continue;
      }
      if (!isFresh())
        lines.push_back(std::string(next, ' '));
      startLine = false;
      if (lines.back().size() + line.size() <= kColumns) {
        lines.back() += line;
        continue;
      }
      // Only a part that is whole may be broken inside: what a broken part leaves open would be
      // indented by the brackets around it.
      const bool isLast = text.empty();
      if (!(isBalanced(part) || isLast) || !fillBelow(part, lines.back().size() + kContinuation))
        return false;
      startLine = true;
    }
    return true;
  }
};

} // namespace

std::string deeper(std::string marked) {
  for (char &character : marked) {
    if (isMark(character) && character != kDeepest)
      ++character;
    if (character == kChoice || character == kCondition)
      character = ' ';
  }
  return marked;
}

std::string flat(std::string marked) {
  for (char &character : marked)
    if (isMark(character) || character == kChoice || character == kCondition)
      character = ' ';
  return marked;
}

std::string markTerms(std::string sum) {
  int open = 0;
  for (size_t at = 0; at + 2 < sum.size(); ++at) {
    open += llvm::StringRef("([").contains(sum[at]);
    open -= llvm::StringRef(")]").contains(sum[at]);
    const llvm::StringRef operation = llvm::StringRef(sum).substr(at, 3);
    if (open == 0 && (operation == " + " || operation == " - "))
      sum[at + 2] = kBreak;
  }
  return sum;
}

std::string breakable(llvm::StringRef access) {
  const auto [array, where] = access.split('[');
  return where.empty() ? access.str() : (array + "[" + deeper(markTerms(where.str()))).str();
}

std::optional<std::string> layOut(llvm::StringRef marked, size_t indent) {
  std::string line = std::string(indent, ' ') + flat(marked.str());
  if (line.size() <= kColumns)
    return line + "\n";
  Filler filler;
  if (!filler.fill(marked, indent, indent + kContinuation))
    return std::nullopt;
  return filler.take();
}

std::optional<std::string> layOutBelow(llvm::StringRef marked, size_t indent) {
  if (indent + marked.size() <= kColumns)
    return std::string(indent, ' ') + flat(marked.str()) + "\n";
  Filler filler;
  if (!filler.fill(marked, indent, indent))
    return std::nullopt;
  return filler.take();
}

std::optional<std::string> layOutAssignment(llvm::StringRef target, llvm::StringRef value,
                                            size_t indent) {
  const std::string head = std::string(indent, ' ') + target.str() + " =";
  const std::string line = head + " " + flat(value.str()) + ";";
  if (line.size() <= kColumns)
    return line + "\n";
  const size_t below = indent + kContinuation;
  if (value.contains(kChoice)) {
    auto [condition, choices] = value.split(kChoice);
    auto [then, otherwise] = choices.split(kChoice);
    const std::string margin(below, ' ');
    const std::string choice = flat(condition.str()), yes = flat(then.str()),
                      no = flat(otherwise.str()) + ";";
    for (const std::vector<std::string> &lines :
         {std::vector{head, margin + choice + " " + yes + " " + no},
          {head + " " + choice, margin + yes, margin + no},
          {head, margin + choice, margin + yes, margin + no}})
      if (llvm::all_of(lines, [](const std::string &line) { return line.size() <= kColumns; }))
        return llvm::join(lines, "\n") + "\n";
    return std::nullopt;
  }
  const std::optional<std::string> lines = layOutBelow(value.str() + ";", below);
  return lines ? std::optional(head + "\n" + *lines) : std::nullopt;
}

std::optional<std::string> layOutChoice(llvm::StringRef target, llvm::StringRef value,
                                        size_t indent) {
  if (!value.contains(kChoice))
    return std::nullopt;
  const auto [condition, choices] = value.split(kChoice);
  const auto [then, otherwise] = choices.split(kChoice);
  const auto broken = [&](llvm::StringRef part) {
    std::string text = part.str();
    std::replace(text.begin(), text.end(), kCondition, kBreak);
    return layOut(text, indent + kContinuation);
  };
  const size_t below = indent + kContinuation;
  const std::optional<std::string> lines = broken(condition);
  std::optional<std::string> choice = broken(then);
  Filler filler;
  if (!choice && !then.drop_front().contains('?') &&
      filler.fill(breakable(then), below, below + llvm::StringRef("? ").size() + kContinuation))
    choice = filler.take();
  if (!lines || !choice)
    return std::nullopt;
  return std::string(indent, ' ') + target.str() + " =\n" + *lines + *choice +
         std::string(below, ' ') + otherwise.str() + ";\n";
}

std::string layOutCondition(llvm::StringRef head, llvm::StringRef condition, llvm::StringRef tail,
                            size_t indent) {
  const std::string marked = (head + condition + tail).str();
  if (std::optional<std::string> lines = layOut(marked, indent))
    return *lines;
  return std::string(indent, ' ') + flat(marked) + "\n";
}

std::string layOutList(llvm::StringRef head, llvm::ArrayRef<std::string> items,
                       llvm::StringRef tail, size_t indent) {
  return layOutCondition(head, llvm::join(items, std::string(",") + kBreak), tail, indent);
}

std::string comment(llvm::StringRef opener, llvm::StringRef text, size_t indent) {
  std::string clean;
  for (char character : text)
    clean +=
        llvm::isPrint(character) || static_cast<unsigned char>(character) >= 0x80 ? character : '?';
  for (size_t at; (at = clean.find("*/")) != std::string::npos;)
    clean.insert(at + 1, " ");
  if (llvm::StringRef(clean).ends_with("\\"))
    clean += '.';

  const std::string margin = std::string(indent, ' ') + opener.str();
  const size_t lead = std::min(clean.find_first_not_of(' '), clean.size());
  std::string lines, line = margin + clean.substr(0, lead);
  bool isFresh = true;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(clean).drop_front(lead).split(words, ' ');
  for (llvm::StringRef word : words) {
    if (!isFresh && line.size() + 1 + word.size() > kColumns) {
      lines += line + "\n";
      line = margin + std::string(lead + 2, ' ');
      isFresh = true;
    }
    line += (isFresh ? "" : " ") + word.str();
    isFresh = false;
  }
  return lines + llvm::StringRef(line).rtrim(' ').str() + "\n";
}

std::string alignComments(llvm::ArrayRef<std::pair<std::string, std::string>> lines) {
  size_t column = 0;
  for (const auto &[code, text] : lines)
    if (!text.empty())
      column = std::max(column, code.size() + (llvm::StringRef(text).starts_with("//") ? 2 : 1));
  std::string out;
  for (const auto &[code, text] : lines) {
    out += code;
    if (!text.empty())
      out += std::string(column - code.size(), ' ') + text;
    out += "\n";
  }
  return out;
}

} // namespace stencilc
