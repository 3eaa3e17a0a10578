// Text: what an editor has in a window, and places in it as the protocol counts them: lines from 0,
// and within a line units of UTF-16 or bytes, as the editor has agreed to.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace stencilc::lsp {

enum class Encoding { Utf8, Utf16 };

struct Position {
  unsigned line = 0, character = 0;
  auto operator<=>(const Position &) const = default;
};

/// Bytes of a text, `end` behind the last.
struct Span {
  size_t begin = 0, end = 0;
  auto operator<=>(const Span &) const = default;
};

/// Lines end as they do anywhere: with LF, CR or both.
class Text {
public:
  Text(std::string content, Encoding encoding);

  llvm::StringRef content() const { return text; }
  /// Of a position beyond the end of a line, that end; beyond the last line, the end of the text.
  size_t offsetOf(Position position) const;
  Position positionOf(size_t offset) const;
  /// Where `slice`, a part of a text with the same content that starts at `base`, stands.
  static Span spanOf(llvm::StringRef slice, const char *base) {
    return {size_t(slice.begin() - base), size_t(slice.end() - base)};
  }

  /// Puts `replacement` in the place of what stands between; the order of the two does not matter.
  void replace(Position from, Position to, llvm::StringRef replacement);

private:
  void findLines();

  std::string text;
  Encoding encoding;
  std::vector<size_t> lines; ///< where each begins
};

} // namespace stencilc::lsp
