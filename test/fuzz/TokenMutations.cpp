// Mutations for libFuzzer that keep whole words: three in four change tokens and statements, so
// that more of the inputs get past the parser than where bytes change; the others are libFuzzer's.
#include "test/fuzz/Random.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstring>
#include <string>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

using namespace llvm;
using stencilc::fuzz::Random;

namespace {

/// Numbers at edges of what they mean somewhere.
constexpr StringRef kNumbers[] = {"0",          "1",     "2",        "3",  "8",
                                  "0.5",        "1.5f",  "1e-3",     "16", "1e308",
                                  "2147483647", "1e400", "0.1e-400", "-1", "9223372036854775807"};
constexpr StringRef kSymbols[] = {"+", "-", "*", "/", "(", ")", "[", "]", ",",
                                  ";", "'", "=", "<", ">", "!", ":", "{", "}"};

/// Statements and pieces of them; `$` stands for a word of the text.
constexpr StringRef kStatements[] = {
    "temp f64 q; ",
    "const real q(t); ",
    "param int q = 3; ",
    "param f64 q = $/4; ",
    "let q(a, b) = a[x+1] - b; ",
    "let q = $; ",
    "boundary $: x- reflect(-1), clamp; ",
    "boundary: y symmetric, halo; ",
    "boundary $: value($); ",
    "init $[t-1] = 0.5*x; ",
    "init $ = sin(0.1*t); ",
    "stage { $' = $'; } ",
    "$' on x[0] = $; ",
    "$' on x[$+1:-1] = $[x-1]; ",
    "reduce max q = abs($); ",
    "reduce sum q on y[:-2] = $; ",
};
constexpr StringRef kPieces[] = {
    " on x[1:-1]", " on x[:$], y[$:]",    " on y[-1]", "$(t)",
    "[t-1]",       "[x+1, y-1]",          "f32($)",    "f64($)",
    "0.5f",        "$($, $[x])",          "x",         "(2*x - 1)",
    "t",           "where(x == $, ",      "sign($)",   "fmod($, 2)",
    "hypot($, 1)", "symmetric(-0.5)",     "reflect",   "laplace($, order=4)",
    "diff($, x)",  "sum(i=-1:1, $[x+i])",
};

bool isOfWord(char c) { return isAlnum(c) || c == '_' || c == '.'; }

struct Piece {
  size_t begin, end;
};

class TokenMutator {
public:
  TokenMutator(StringRef text, uint64_t seed) : text(text.str()), random(seed) {}

  std::string run() {
    for (unsigned count = 1 + random.below(3); count > 0 && !text.empty(); --count)
      mutate();
    return std::move(text);
  }

  /// A piece of another text, put in at a token or in the place of a piece.
  std::string cross(StringRef other) {
    const Piece from = somePiece(other);
    Piece to = somePiece(text);
    if (random.chance(50))
      to.end = to.begin;
    put(to, other.slice(from.begin, from.end).str());
    return std::move(text);
  }

private:
  void mutate() {
    const Piece piece = somePiece(text);
    switch (random.below(5)) {
    case 0:
      return put(piece, "");
    case 1: { // once more, somewhere else
      const size_t place = someToken(text).begin;
      return put({place, place}, take(piece));
    }
    case 2: { // two tokens change places
      Piece one = someToken(text), other = someToken(text);
      if (one.begin > other.begin)
        std::swap(one, other);
      if (one.end > other.begin)
        return;
      const std::string first = take(one);
      const std::string second = take(other);
      put(other, first);
      return put(one, second);
    }
    case 3:
      return putIn();
    default:
      return replace(someToken(text));
    }
  }

  /// A statement behind another, or a piece in the place of a token or behind it.
  void putIn() {
    if (random.chance(50)) {
      const size_t place = text.find_first_of(";{", someToken(text).begin);
      if (place != std::string::npos)
        put({place + 1, place + 1}, withWords(random.pick(ArrayRef(kStatements))));
      return;
    }
    Piece place = someToken(text);
    if (random.chance(50))
      place.begin = place.end;
    put(place, withWords(random.pick(ArrayRef(kPieces))));
  }

  std::string withWords(StringRef pattern) {
    std::string words;
    for (char c : pattern)
      words += c == '$' ? take(someWord()) : std::string(1, c);
    return words;
  }

  /// A token that is a word, if that is soon found.
  Piece someWord() {
    Piece token = someToken(text);
    for (unsigned tries = 0; tries < 8 && !isAlpha(text[token.begin]); ++tries)
      token = someToken(text);
    return token;
  }

  /// By another of its kind: of words, one of this text.
  void replace(Piece token) {
    const char first = text[token.begin];
    if (isDigit(first))
      return put(token, random.pick(ArrayRef(kNumbers)).str());
    if (!isOfWord(first))
      return put(token, random.pick(ArrayRef(kSymbols)).str());
    const std::string other = take(someToken(text));
    if (isOfWord(other[0]) && !isDigit(other[0]))
      put(token, other);
  }

  std::string take(Piece piece) const { return text.substr(piece.begin, piece.end - piece.begin); }
  void put(Piece piece, const std::string &other) {
    text.replace(piece.begin, piece.end - piece.begin, other);
  }

  /// The word, number or single symbol at some place of a text that is not empty.
  Piece someToken(StringRef all) {
    size_t begin = random.below(all.size());
    for (unsigned tries = 0; tries < 8 && isSpace(all[begin]); ++tries)
      begin = random.below(all.size());
    size_t end = begin + 1;
    if (isOfWord(all[begin])) {
      while (begin > 0 && isOfWord(all[begin - 1]))
        --begin;
      while (end < all.size() && isOfWord(all[end]))
        ++end;
    }
    return {begin, end};
  }

  /// A token, what stands between two, or all from behind one semicolon to the next.
  Piece somePiece(StringRef all) {
    if (all.empty())
      return {0, 0};
    const Piece token = someToken(all);
    switch (random.below(3)) {
    case 0:
      return token;
    case 1: {
      const size_t most = std::min(all.size(), token.begin + 40);
      return {token.begin,
              std::max<size_t>(token.end, token.begin + random.below(most - token.begin))};
    }
    default: {
      const size_t before = all.rfind(';', token.begin), behind = all.find(';', token.begin);
      const size_t begin = before == StringRef::npos || before >= token.begin ? 0 : before + 1;
      return {std::min(begin, token.begin), behind == StringRef::npos ? all.size() : behind + 1};
    }
    }
  }

  std::string text;
  Random random;
};

size_t give(StringRef text, uint8_t *data, size_t maxSize) {
  const size_t size = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), size);
  return size;
}

StringRef textOf(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (seed % 4 == 0 || size == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  return give(TokenMutator(textOf(data, size), seed).run(), data, maxSize);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
                                            size_t otherSize, uint8_t *out, size_t maxSize,
                                            unsigned seed) {
  return give(TokenMutator(textOf(data, size), seed).cross(textOf(other, otherSize)), out, maxSize);
}
