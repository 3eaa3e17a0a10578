#include "frontend/lift/LoopTree.h"

#include "frontend/lift/Numbers.h"

namespace stencilc::lift {

const std::string *Buffer::memberAt(unsigned dimension, const Polynomial &subscript) const {
  const auto place = subscript.number();
  return place && *place >= 0 && size_t(*place) < members.size() &&
                 dimension + 1 == extents.size() &&
                 extents[dimension] == Polynomial(int64_t(members.size()))
             ? &members[*place]
             : nullptr;
}

std::string LoopTree::text(const Polynomial &value) const {
  return lift::text(value, [&](Symbol symbol) { return symbols[symbol].name; });
}

std::string LoopTree::textOfMade(const SymbolInfo &info) const {
  if (info.divisor == Polynomial(1))
    return "(" + text(info.dividend) + ")";
  const auto operand = [&](const Polynomial &value) {
    return value.number() || value.symbol() ? text(value) : "(" + text(value) + ")";
  };
  return "(" + operand(info.dividend) + " / " + operand(info.divisor) + ")";
}

Symbol LoopTree::made(const Polynomial &dividend, const Polynomial &divisor,
                      clang::SourceLocation where) {
  for (Symbol symbol = 0; symbol < symbols.size(); ++symbol)
    if (symbols[symbol].isMade && symbols[symbol].dividend == dividend &&
        symbols[symbol].divisor == divisor)
      return symbol;
  SymbolInfo info;
  info.isMade = true;
  info.dividend = dividend;
  info.divisor = divisor;
  info.where = where;
  info.name = textOfMade(info);
  symbols.push_back(std::move(info));
  return symbols.size() - 1;
}

bool LoopTree::hidesIn(const Polynomial &value, Symbol symbol) const {
  return value.namesAny([&](Symbol named) {
    const SymbolInfo &info = symbols[named];
    const auto isIn = [&](const Polynomial &part) {
      return part.names(symbol) || hidesIn(part, symbol);
    };
    if (info.kind == SymbolInfo::Kind::Modulo)
      return isIn(info.dividend);
    if (info.kind != SymbolInfo::Kind::Folded)
      return false;
    const Fold &fold = info.fold;
    bool result = isIn(fold.inner);
    for (const auto *part : {&fold.least, &fold.most, &fold.period})
      result |= *part && isIn(**part);
    for (const Fold::Place &place : fold.instead)
      result |= isIn(place.at) || isIn(place.becomes);
    return result;
  });
}

bool LoopTree::needs(const Polynomial &value, Symbol symbol) const {
  return value.namesAny([&](Symbol named) {
    const SymbolInfo &info = symbols[named];
    return named == symbol ||
           (info.isMade && (needs(info.dividend, symbol) || needs(info.divisor, symbol)));
  });
}

std::optional<Formula> LoopTree::formulaOf(const Polynomial &value) const {
  std::optional<Formula> result;
  const auto add = [&](const Formula &term, bool isNegative) {
    result = result       ? binary(isNegative ? BinaryOp::Subtract : BinaryOp::Add, *result, term)
             : isNegative ? unary(UnaryOp::Negate, term)
                          : std::optional(term);
    return result.has_value();
  };
  for (const auto &[monomial, factor] : value.terms()) {
    if (monomial.empty())
      continue;
    std::optional<Formula> term = literal(ScalarType::Int, double(std::abs(factor)));
    for (Symbol symbol : monomial) {
      if (symbols[symbol].kind != SymbolInfo::Kind::Param)
        return std::nullopt;
      const Formula param = leaf(ScalarType::Int, ParamValue{symbol});
      const auto *number = std::get_if<Literal>(&(*term)[term->result].node);
      term = number && number->value == 1 ? param : binary(BinaryOp::Multiply, *term, param);
    }
    if (!term || !add(*term, factor < 0))
      return std::nullopt;
  }
  const int64_t number = value.constantTerm();
  if (number != 0 || !result)
    if (!add(literal(ScalarType::Int, double(std::abs(number))), number < 0))
      return std::nullopt;
  return result;
}

void LoopTree::keepAssignments(llvm::function_ref<bool(unsigned number)> isKept) {
  std::vector<unsigned> kept = {0}; // assignments that stay, of the first so many
  std::vector<Assignment> left;
  for (unsigned number = 0; number < assignments.size(); ++number) {
    if (isKept(number))
      left.push_back(std::move(assignments[number]));
    kept.push_back(left.size());
  }
  assignments = std::move(left);
  for (Access &access : accesses)
    access.time = kept[access.time];
  for (Assignment &assignment : assignments)
    assignment.target.time = kept[assignment.target.time];
  for (Gathered &gathered : reductions)
    gathered.time = kept[gathered.time];
}

} // namespace stencilc::lift
