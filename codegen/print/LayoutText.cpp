#include "codegen/print/LayoutText.h"
#include "codegen/print/KernelPrinter.h"
#include "codegen/print/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <fmt/format.h>

namespace stencilc {

std::string parenthesised(const std::string &sum) {
  return llvm::StringRef(sum).contains(' ') ? "(" + sum + ")" : sum;
}

std::array<int, kMaxRank> ofSide(const Widths &ghost, Side side) {
  return {ghost[0][side], ghost[1][side], ghost[2][side]};
}

std::string LayoutText::points(unsigned axis, const Widths &ghost, int less) const {
  const int more = ghost[axis][Low] + ghost[axis][High] - less;
  if (more == 0)
    return extent(axis);
  return fmt::format("{} {} {}", extent(axis), more < 0 ? '-' : '+', std::abs(more));
}

std::string LayoutText::elements(const std::array<int, kMaxRank> &steps) const {
  std::string text;
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (steps[axis] == 0)
      continue;
    text += text.empty() ? "" : " + ";
    text += axis + 1 == rank   ? std::to_string(steps[axis])
            : steps[axis] == 1 ? stride(axis)
                               : fmt::format("{} * {}", steps[axis], stride(axis));
  }
  return text;
}

std::string LayoutText::setStrides(const LineRows &rows) const {
  if (rank == 1)
    return "";
  const unsigned last = rank - 1;
  std::string out = fmt::format("  // Every row starts where the first does on its memory line of "
                                "{} elements.\n",
                                rows.line);
  out += fmt::format("  {} = ({} + {}) / {} * {};\n", stride(last - 1), extent(last),
                     rows.ghost[last][Low] + rows.ghost[last][High] + rows.line - 1, rows.line,
                     rows.line);
  if (rank > 2)
    out += fmt::format("  {} = {} * {};\n", stride(0), stride(1),
                       parenthesised(points(1, rows.ghost)));
  return out;
}

std::string LayoutText::startOfLines() const {
  const std::string point = fmt::format("{} = {}", signature.axes.back(), signature.lineStart);
  return signature.lineStart == signature.firstUpdated
             ? "  // The first updated point of a row, " + point + ", starts a line.\n"
             : "  // Point " + point + " of a row starts a line.\n";
}

std::string LayoutText::lead(const Widths &ghost, int line, int lineStart) const {
  const int shift = ghost[rank - 1][Low] + lineStart;
  std::array<int, kMaxRank> before = ofSide(ghost, Low);
  before[rank - 1] = (shift + line - 1) / line * line - lineStart;
  const std::string text = elements(before);
  return text.empty() ? "0" : text;
}

std::string LayoutText::behind(const Widths &ghost) const {
  std::string rows = extent(0);
  if (ghost[0][High] != 0)
    rows += fmt::format(" + {}", ghost[0][High]);
  return rank == 1 ? rows : fmt::format("{} * {}", parenthesised(rows), stride(0));
}

std::string LayoutText::roughElements(const Widths &ghost, int line) const {
  std::vector<std::string> factors;
  for (unsigned axis = 0; axis < rank; ++axis)
    factors.push_back(
        fmt::format("({} + {}.0)", extent(axis), ghost[axis][Low] + ghost[axis][High] + line));
  return llvm::join(factors, std::string(" *") + deeper({kBreak}));
}

std::vector<std::string> LayoutText::lengths(const Buffer &list) const {
  LeafNames names;
  nameGrid(names, signature.axes, {prefixes.extent, prefixes.stride, ""});
  UniqueNames taken;
  HelperSet helpers(Target::Host, taken);
  ExpressionPrinter expressions(Target::Host, FloatMode::Contract, rank, names, helpers);
  std::vector<std::string> texts;
  for (const Index &length : list.lengths)
    texts.push_back(expressions.index(length));
  assert(helpers.definitions().empty() && "lengths are sums and quotients of extents");
  return texts;
}

std::pair<std::string, std::string> LayoutText::dense(const Buffer &buffer) const {
  std::string before, all;
  for (const std::string &length : lengths(buffer))
    all += (all.empty() ? "" : " * ") + parenthesised(length);
  for (auto [position, axis] : llvm::enumerate(buffer.axes)) {
    all += (all.empty() ? "" : " * ") + parenthesised(points(axis, buffer.ghost));
    if (buffer.ghost[axis][Low] == 0)
      continue;
    std::string term = std::to_string(buffer.ghost[axis][Low]);
    for (unsigned inner : llvm::drop_begin(buffer.axes, position + 1))
      term += " * " + parenthesised(points(inner, buffer.ghost));
    before += (before.empty() ? "" : " + ") + term;
  }
  return {before, all};
}

} // namespace stencilc
