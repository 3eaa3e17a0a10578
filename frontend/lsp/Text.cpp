#include "frontend/lsp/Text.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lsp {

namespace {

/// A code point of UTF-8, by its first byte; of what is none, one byte.
struct CodePoint {
  size_t bytes;
  unsigned units; ///< of UTF-16
};
CodePoint codePointAt(llvm::StringRef text) {
  const unsigned char first = text.front();
  const size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  return {std::min(bytes, text.size()), bytes == 4 ? 2u : 1u};
}

} // namespace

Text::Text(std::string content, Encoding encoding) : text(std::move(content)), encoding(encoding) {
  findLines();
}

void Text::findLines() {
  lines = {0};
  for (size_t place = 0; place < text.size(); ++place)
    if (text[place] == '\n' ||
        (text[place] == '\r' && llvm::StringRef(text).substr(place + 1, 1) != "\n"))
      lines.push_back(place + 1);
}

size_t Text::offsetOf(Position position) const {
  if (position.line >= lines.size())
    return text.size();
  const size_t begin = lines[position.line];
  llvm::StringRef rest = llvm::StringRef(text).substr(begin);
  rest = rest.take_until([](char c) { return c == '\n' || c == '\r'; });
  if (encoding == Encoding::Utf8)
    return begin + std::min<size_t>(position.character, rest.size());
  const char *lineBegin = rest.begin();
  for (unsigned units = 0; units < position.character && !rest.empty();) {
    const CodePoint next = codePointAt(rest);
    units += next.units;
    if (units <= position.character)
      rest = rest.drop_front(next.bytes);
  }
  return begin + (rest.begin() - lineBegin);
}

Position Text::positionOf(size_t offset) const {
  offset = std::min(offset, text.size());
  const auto line = std::prev(llvm::upper_bound(lines, offset));
  llvm::StringRef before = llvm::StringRef(text).slice(*line, offset);
  Position result{unsigned(line - lines.begin()), 0};
  if (encoding == Encoding::Utf8)
    result.character = before.size();
  else
    for (; !before.empty(); before = before.drop_front(codePointAt(before).bytes))
      result.character += codePointAt(before).units;
  return result;
}

void Text::replace(Position from, Position to, llvm::StringRef replacement) {
  const auto [begin, end] = std::minmax({offsetOf(from), offsetOf(to)});
  text.replace(begin, end - begin, replacement.str());
  findLines();
}

} // namespace stencilc::lsp
