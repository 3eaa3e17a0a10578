#include "frontend/lsp/Hover.h"

#include "frontend/lsp/StepCost.h"
#include "frontend/lsp/Vocabulary.h"
#include "ir/stencil/StencilFacts.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

namespace stencilc::lsp {

namespace {

std::string code(llvm::StringRef text) { return ("```stn\n" + text + "\n```\n").str(); }

/// Sentences on an access, one after the other.
class AccessText {
public:
  AccessText(const Analysis &analysis, const ReadPlace &read, const SymbolInfo &symbol)
      : analysis(analysis), access(*read.access), symbol(symbol) {}

  std::string text() {
    std::vector<std::string> sentences = {state(), place()};
    for (std::string &beyond : boundaries())
      sentences.push_back(std::move(beyond));
    llvm::erase_if(sentences, [](const std::string &sentence) { return sentence.empty(); });
    return fmt::format("{}", fmt::join(sentences, "  \n"));
  }

private:
  bool isArray() const {
    return symbol.kind == SymbolKind::Field || symbol.kind == SymbolKind::Temp ||
           symbol.kind == SymbolKind::Const;
  }
  const Array *array() const {
    if (!analysis.stencil() || !isArray())
      return nullptr;
    const auto found = llvm::find_if(analysis.stencil()->arrays,
                                     [&](const Array &array) { return array.name == symbol.name; });
    return found == analysis.stencil()->arrays.end() ? nullptr : &*found;
  }
  const ast::Shift *inTime() const {
    const auto found = llvm::find_if(
        access.shifts, [](const ast::Shift &shift) { return shift.axis.text == "t"; });
    return found == access.shifts.end() ? nullptr : &*found;
  }

  /// All that stands behind the axis, without a `+` before it.
  static llvm::StringRef written(const ast::Shift &shift) {
    const char *begin = shift.axis.text.end();
    llvm::StringRef text(begin, shift.range.End.getPointer() - begin);
    text = text.ltrim();
    text.consume_front("+");
    return text.ltrim();
  }

  std::string state() const {
    if (symbol.kind == SymbolKind::Field && inTime())
      return "The state one step before the step under way.";
    if (access.isNext)
      return "What earlier stages of this step have made of it.";
    if (symbol.kind == SymbolKind::Field)
      return "The state at the start of the step.";
    return "";
  }

  /// "2 points back along `x`, as far as `i` along `y`."
  std::string place() const {
    if (!isArray() && symbol.kind != SymbolKind::Let && symbol.kind != SymbolKind::Parameter)
      return "";
    std::vector<std::string> ways;
    for (const ast::Shift &shift : access.shifts) {
      const bool isTime = shift.axis.text == "t";
      const std::optional<int64_t> amount = shift.amount();
      if (!amount) {
        ways.push_back(fmt::format("`{}` along `{}`", written(shift).str(), shift.axis.text.str()));
        continue;
      }
      const int64_t count = std::abs(*amount);
      const char *end = count == 1 ? "" : "s";
      const char *way = *amount < 0 ? "back" : "ahead";
      if (isTime && symbol.kind != SymbolKind::Field && count != 0)
        ways.push_back(fmt::format("{} step{} {}", count, end, way));
      else if (!isTime && count != 0)
        ways.push_back(
            fmt::format("{} point{} {} along `{}`", count, end, way, shift.axis.text.str()));
    }
    if (!ways.empty())
      return fmt::format("{}: {}.", isArray() ? "Read" : "The formula, moved",
                         fmt::join(ways, ", "));
    return isArray() ? "Read at the point." : "";
  }

  /// Of the sides that this access can leave by.
  std::vector<std::string> boundaries() const {
    const Array *array = this->array();
    if (!array)
      return {};
    std::vector<std::string> result;
    const std::vector<std::string> &axes = analysis.stencil()->axes;
    for (const ast::Shift &shift : access.shifts) {
      const auto axis = llvm::find(axes, shift.axis.text);
      const int64_t amount = shift.amount().value_or(0);
      if (amount == 0 || axis == axes.end())
        continue;
      const Boundary &boundary = array->boundary[axis - axes.begin()][amount < 0 ? Low : High];
      if (boundary.kind == BoundaryKind::None)
        continue;
      const std::string kind = stencilc::spelling(boundary.kind).str();
      result.push_back(fmt::format("Beyond `{}{}`, `{}`: {}", shift.axis.text.str(),
                                   amount < 0 ? "-" : "+", kind, findWord(kind)->text.str()));
    }
    return result;
  }

  const Analysis &analysis;
  const ast::Access &access;
  const SymbolInfo &symbol;
};

/// What there is to say of a name that is not read there.
std::string declared(const Analysis &analysis, const SymbolInfo &symbol) {
  std::string text = code(symbol.text);
  if (symbol.kind == SymbolKind::Axis)
    text += "In a formula: the index of the point along this axis.";
  const Stencil *stencil = analysis.stencil();
  if (!stencil)
    return text;
  for (unsigned number = 0; number < stencil->arrays.size(); ++number) {
    if (stencil->arrays[number].name != symbol.name || symbol.kind == SymbolKind::Parameter)
      continue;
    const Widths widths = reach(*stencil, number);
    std::vector<std::string> ways;
    for (unsigned axis = 0; axis < stencil->rank(); ++axis)
      if (widths[axis][Low] > 0 || widths[axis][High] > 0)
        ways.push_back(fmt::format("`{}` -{} .. +{}", stencil->axes[axis], widths[axis][Low],
                                   widths[axis][High]));
    text += ways.empty() ? "Read at the point alone."
                         : fmt::format("Read around the point: {}.", fmt::join(ways, ", "));
  }
  return text;
}

std::optional<Hover> hoverOfName(const Analysis &analysis, const Occurrence &occurrence) {
  const SymbolInfo &symbol = analysis.symbols().all[occurrence.symbol];
  if (symbol.kind == SymbolKind::Stencil)
    return Hover{occurrence.name, costText(analysis)};
  for (const ReadPlace &read : analysis.symbols().reads)
    if (read.access->name.text.begin() == occurrence.name.begin()) {
      const std::string meaning = AccessText(analysis, read, symbol).text();
      return Hover{read.text,
                   meaning.empty() ? declared(analysis, symbol) : code(symbol.text) + meaning};
    }
  return Hover{occurrence.name, declared(analysis, symbol)};
}

} // namespace

std::optional<Hover> hoverAt(const Analysis &analysis, size_t offset) {
  const char *place = analysis.at(offset);
  if (const Occurrence *occurrence = analysis.symbols().at(place))
    return hoverOfName(analysis, *occurrence);
  // Between the brackets of an access, or on its prime.
  const ReadPlace *innermost = nullptr;
  for (const ReadPlace &read : analysis.symbols().reads)
    if (read.text.begin() <= place && place < read.text.end())
      innermost = &read;
  if (innermost)
    if (const Occurrence *read = analysis.symbols().at(innermost->access->name.text.begin()))
      return hoverOfName(analysis, *read);
  for (const Token &token : analysis.tokens())
    if (token.text.begin() <= place && place <= token.text.end())
      if (const Word *word = findWord(token.text))
        return Hover{token.text, code(word->form) + word->text.str()};
  return std::nullopt;
}

} // namespace stencilc::lsp
