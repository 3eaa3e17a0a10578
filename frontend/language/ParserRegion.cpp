// Regions: where an update or a reduction holds, as slices of axes.
#include "frontend/language/ParserRules.h"

namespace stencilc {

using namespace ast;

/// Empty without an `on`.
std::optional<ast::Region> Parser::region() {
  ast::Region result;
  if (!accept("on"))
    return result;
  do {
    std::optional<SliceOf> next = slice();
    if (!next)
      return std::nullopt;
    result.push_back(*next);
  } while (accept(","));
  return result;
}

std::optional<SliceOf> Parser::slice() {
  std::optional<Name> axis = name("the name of an axis");
  if (!axis || !expect("["))
    return std::nullopt;
  SliceOf result{*axis, false, {}, {}};
  if (!peek().is(":") && !(result.from = bound()))
    return std::nullopt;
  result.isPoint = !accept(":");
  if (!result.isPoint && !peek().is("]") && !(result.to = bound()))
    return std::nullopt;
  if (!expect("]"))
    return std::nullopt;
  return result;
}

std::optional<Bound> Parser::bound() {
  Bound result;
  llvm::SMLoc start = begin();
  if (peek().kind == Token::Kind::Name) {
    result.param = Name{take().text};
    if (!peek().is("+") && !peek().is("-"))
      return result;
    const bool isNegative = take().is("-");
    std::optional<int> offset = wholeNumber();
    if (!offset)
      return std::nullopt;
    result.offset = isNegative ? -*offset : *offset;
    return result;
  }
  result.isFromEnd = accept("-");
  std::optional<int> offset = wholeNumber();
  if (!offset)
    return std::nullopt;
  result.offset = *offset;
  if (result.isFromEnd && result.offset == 0) {
    diagnostics.report(Diag::bound_minus_zero, {start, lastEnd()})
        .hint(Diag::bound_minus_zero_hint);
    return std::nullopt;
  }
  return result;
}

} // namespace stencilc
