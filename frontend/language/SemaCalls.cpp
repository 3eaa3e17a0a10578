// Calls: functions at the point, `where`, `sum`, and the finite differences.
#include "frontend/language/SemaExact.h"
#include "frontend/language/SemaExpand.h"
#include "frontend/language/SemaResolve.h"

#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

namespace stencilc {

/// Of any number of values.
static bool isExtreme(Builtin function) {
  return function == Builtin::Min || function == Builtin::Max;
}

static bool isRange(const ast::Argument &argument) {
  const auto *option = std::get_if<ast::Option>(&argument);
  return option && option->last;
}

static bool hasRanges(const ast::Call &call) { return llvm::any_of(call.arguments, isRange); }

TermPtr Resolver::node(const ast::Call &call, const ast::Expr &expr) {
  llvm::StringRef name = call.function.text;
  if (const Symbol *symbol = find(name); symbol && symbol->kind == Symbol::Kind::Function)
    return this->call(functions[symbol->number], call, expr);
  if (std::optional<Builtin> function = findBuiltin(name))
    return isExtreme(*function) && hasRanges(call) ? sum(call, expr, function)
                                                   : builtin(*function, call, expr);
  if (name == "where")
    return where(call, expr);
  if (name == "sum")
    return sum(call, expr);
  if (name == "sign")
    return sign(call, expr);
  for (ScalarType type : {ScalarType::F32, ScalarType::F64})
    if (name == spelling(type))
      return cast(type, call, expr);
  if (name == "laplace" || name == "diff" || name == "diff2")
    return difference(call, expr);
  return unknownFunction(call);
}

/// The language's word for a function of other languages; empty if there is none.
static llvm::StringRef sameFunction(llvm::StringRef name) {
  for (llvm::StringRef known : functionNames())
    if (name.equals_insensitive(known) || (name.ends_with("f") && name.drop_back() == known))
      return known;
  // Of long names a slip of the pen is still the same name.
  constexpr size_t kLong = 6;
  for (llvm::StringRef known : functionNames())
    if (name.size() >= kLong && known.size() >= kLong && name.edit_distance(known, true, 2) <= 2)
      return known;
  return llvm::StringSwitch<llvm::StringRef>(name.lower())
      .Cases("fabs", "fabsf", "abs")
      .Cases("fmin", "fminf", "minimum", "min")
      .Cases("fmax", "fmaxf", "maximum", "max")
      .Cases("ln", "alog", "log")
      .Cases("arcsin", "arsin", "asin")
      .Cases("arccos", "arcos", "acos")
      .Cases("arctan", "artan", "atan")
      .Cases("power", "powr", "pow")
      .Cases("select", "ifelse", "if", "where")
      .Cases("laplacian", "lap", "laplace")
      .Cases("mod", "modulo", "fmod")
      .Default("");
}

/// How something is said for which other languages have a function, and this one none.
static llvm::StringRef saidOtherwise(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name.lower())
      .Cases("clamp", "clip", "saturate", "bound", "write `min(max(a, low), high)`")
      .Cases("random", "rand", "noise", "uniform", "normal",
             "there are no random numbers: the caller fills a `const` array with them, or a "
             "formula of axis names and `t` makes what looks like them")
      .Cases("rsqrt", "rsqrtf", "invsqrt", "inversesqrt", "write `1/sqrt(a)`")
      .Case("median", "that of three is `max(min(a, b), min(max(a, b), c))`")
      .Cases("mean", "average", "avg", "write `sum(i=-1:1, u[x+i])/3`")
      .Cases("square", "sqr", "sq", "a power is written `pow(a, b)`, or as a product")
      .Cases("grad", "gradient", "div", "ddx",
             "write `diff(u, x)` for each axis, or a function of your own")
      .Default("");
}

TermPtr Resolver::unknownFunction(const ast::Call &call) {
  const ast::Name &name = call.function;
  const Symbol *symbol = find(name.text);
  const bool isParameter = parameter(name.text).has_value();
  if (names.isExcused(name.text))
    return nullptr;
  if (!symbol && !isParameter) {
    if (reportLater(name))
      return nullptr;
    DiagnosticEngine::Report report =
        diagnostics.report(Diag::unknown_function, name.range(), name.text);
    // A likeness of letters may be another function: only what is the same is suggested.
    if (const llvm::StringRef same = sameFunction(name.text); !same.empty())
      report.hint(Diag::did_you_mean, same);
    else if (const llvm::StringRef said = saidOtherwise(name.text); !said.empty())
      report.hint(Diag::function_hint, said);
    else
      report.hint(Diag::functions_are, listed(functionNames()));
    return nullptr;
  }
  DiagnosticEngine::Report report =
      diagnostics.report(Diag::called_value, name.range(), name.text,
                         isParameter ? "a parameter" : describe(symbol->kind));
  if (symbol && symbol->isArray())
    report.hint(Diag::called_array_hint, name.text, stencil.axes.back());
  return nullptr;
}

std::optional<std::vector<const ast::Expr *>>
Resolver::arguments(const ast::Call &call, unsigned count, llvm::StringRef option, bool orMore) {
  std::vector<const ast::Expr *> result;
  llvm::StringRef name = call.function.text;
  for (const auto &argument : call.arguments) {
    if (const auto *expr = std::get_if<ast::ExprPtr>(&argument)) {
      result.push_back(expr->get());
    } else if (const auto &named = std::get<ast::Option>(argument); named.name.text != option) {
      DiagnosticEngine::Report report =
          diagnostics.report(Diag::unknown_option, named.name.range(), name, named.name.text);
      if (isRange(argument))
        report.hint(Diag::ranges_hint);
      return std::nullopt;
    }
  }
  if (result.size() == count || (orMore && result.size() > count))
    return result;
  DiagnosticEngine::Report report = diagnostics.report(
      Diag::argument_count, call.function.range(), name, result.size(),
      result.size() == 1 ? "" : "s", std::to_string(count) + (orMore ? " or more" : ""));
  if (!option.empty() && result.size() == count + 1)
    report.hint(Diag::argument_named_hint, option);
  return std::nullopt;
}

TermPtr Resolver::builtin(Builtin function, const ast::Call &call, const ast::Expr &expr) {
  auto given = arguments(call, arity(function), "", isExtreme(function));
  if (!given)
    return nullptr;
  std::vector<TermPtr> operands;
  for (const ast::Expr *argument : *given)
    if (TermPtr operand = number(*argument))
      operands.push_back(std::move(operand));
  if (operands.size() != given->size())
    return nullptr;
  if (function == Builtin::Fmod && operands[0]->type == ScalarType::Int)
    if (TermPtr rest = remainder(operands, expr))
      return rest;
  const auto called = [&](std::vector<TermPtr> operands) {
    if (std::optional<ExactTerm> known = exactly(function, operands))
      return exact(std::move(*known), expr.range);
    std::vector<const Term *> below;
    for (const TermPtr &operand : operands)
      below.push_back(operand.get());
    std::optional<ScalarType> type = common(below, call.function.range());
    if (type == ScalarType::Int)
      type = std::nullopt; // functions are of numbers that arrays hold
    return make(CallTerm{function, std::move(operands)}, type, expr.range, below);
  };
  // Of more than one takes, the first ones are one.
  while (operands.size() > arity(function)) {
    std::vector<TermPtr> first;
    for (unsigned taken = 0; taken < arity(function); ++taken)
      first.push_back(std::move(operands[taken]));
    operands.erase(operands.begin() + 1, operands.begin() + arity(function));
    operands.front() = called(std::move(first));
    if (!operands.front())
      return nullptr;
  }
  return called(std::move(operands));
}

/// What is left of a whole number, exactly; nothing where the divisor is no whole literal but 0.
/// Its sign does not matter.
TermPtr Resolver::remainder(std::vector<TermPtr> &operands, const ast::Expr &expr) {
  const ExactTerm *literal = operands[1]->exact();
  if (!isWhole(*operands[1]) || !literal || literal->value.is_zero())
    return nullptr;
  TermPtr divisor = exact({abs(literal->value), true}, operands[1]->range);
  const Term *below[] = {operands[0].get(), divisor.get()};
  return make(BinaryTerm{BinaryOp::Remainder, std::move(operands[0]), std::move(divisor)},
              ScalarType::Int, expr.range, below);
}

TermPtr Resolver::where(const ast::Call &call, const ast::Expr &expr) {
  auto given = arguments(call, 3);
  if (!given)
    return nullptr;
  TermPtr condition = truth(*(*given)[0]);
  const auto side = [&](unsigned argument, bool isOfTrue) {
    const bool isChosen = !condition || condition->decided.value_or(isOfTrue) == isOfTrue;
    llvm::SaveAndRestore leftOut(isLeftOut, isLeftOut || !isChosen);
    TermPtr result = term(*(*given)[argument]);
    if (!result || !result->isBool())
      return result;
    diagnostics.report(Diag::truth_as_number, result->range).hint(Diag::where_of_truths_hint);
    return TermPtr();
  };
  TermPtr then = side(1, true), otherwise = side(2, false);
  if (!condition || !then || !otherwise)
    return nullptr;
  std::optional<ScalarType> type = common({then.get(), otherwise.get()}, call.function.range());
  if (condition->decided)
    return chosen(std::move(*condition->decided ? then : otherwise), type, expr);
  const Term *below[] = {condition.get(), then.get(), otherwise.get()};
  return make(SelectTerm{std::move(condition), std::move(then), std::move(otherwise)}, type,
              expr.range, below);
}

/// The side of a `where` that a decided condition leaves, in the type of both.
TermPtr Resolver::chosen(TermPtr side, std::optional<ScalarType> type, const ast::Expr &expr) {
  if (side->type == type)
    return side;
  const Term *below = side.get();
  return make(CastTerm{std::move(side)}, type, expr.range, below);
}

TermPtr Resolver::cast(ScalarType type, const ast::Call &call, const ast::Expr &expr) {
  auto given = arguments(call, 1);
  TermPtr operand = given ? number(*given->front()) : nullptr;
  if (!operand)
    return nullptr;
  const Term *below = operand.get();
  return make(CastTerm{std::move(operand)}, type, expr.range, below);
}

TermPtr Resolver::sign(const ast::Call &call, const ast::Expr &expr) {
  auto given = arguments(call, 1);
  TermPtr operand = given ? number(*given->front()) : nullptr;
  if (!operand)
    return nullptr;
  if (const ExactTerm *literal = operand->exact())
    return exact({literal->value.sign(), true}, expr.range);
  const Term *below = operand.get();
  return make(SignTerm{std::move(operand)}, below->type, expr.range, below);
}

TermPtr Resolver::sum(const ast::Call &call, const ast::Expr &expr,
                      std::optional<Builtin> extreme) {
  const size_t outer = indices.size();
  auto restore = llvm::make_scope_exit([&] { indices.resize(outer); });
  std::vector<ast::Option> ranges;
  const ast::Expr *term = declareRanges(call, ranges);
  if (!term)
    return nullptr;
  double turnsInAll = turnsAround;
  for (const ast::Option &range : ranges)
    turnsInAll *= range.last->value - range.first.value + 1;
  if (turnsInAll > kMaxFormulaUses) {
    diagnostics.report(Diag::formula_too_large, expr.range, kMaxFormulaValues);
    return nullptr;
  }
  llvm::SaveAndRestore within(turnsAround, size_t(turnsInAll));
  std::optional<std::vector<TermPtr>> terms = turns(ranges, *term);
  if (!terms)
    return nullptr;

  const auto isExact = [](const TermPtr &term) { return term->exact() != nullptr; };
  if (llvm::all_of(*terms, isExact)) {
    ExactTerm total = *terms->front()->exact();
    for (const TermPtr &term : llvm::drop_begin(*terms)) {
      const ExactTerm &next = *term->exact();
      total.isWhole &= next.isWhole;
      if (!extreme)
        total.value += next.value;
      else if (*extreme == Builtin::Min ? next.value < total.value : next.value > total.value)
        total.value = next.value;
    }
    return exact(std::move(total), expr.range);
  }
  std::vector<const Term *> below;
  for (const TermPtr &term : *terms)
    below.push_back(term.get());
  std::optional<ScalarType> type = common(below, call.function.range());
  if (extreme && type == ScalarType::Int)
    type = std::nullopt; // as of all functions
  return make(SumTerm{extreme, std::move(*terms)}, type, expr.range, below);
}

/// The indices of a sum, and what it is of; null if it is not written so, which is reported.
const ast::Expr *Resolver::declareRanges(const ast::Call &call, std::vector<ast::Option> &ranges) {
  const auto reportForm = [&] {
    const llvm::StringRef name = call.function.text;
    diagnostics.report(Diag::sum_form, call.function.range(), name).hint(Diag::sum_form_hint, name);
  };
  const ast::Expr *term = nullptr;
  for (const auto &argument : call.arguments) {
    const auto *option = std::get_if<ast::Option>(&argument);
    // Ranges first, then the term: one pass in that order.
    if (term || (option && !option->last))
      return reportForm(), nullptr;
    if (!option) {
      term = std::get<ast::ExprPtr>(argument).get();
      continue;
    }
    if (option->first.value > option->last->value) {
      diagnostics.report(Diag::sum_range_empty, option->first.range, option->first.value,
                         option->last->value);
      return nullptr;
    }
    if (!declareIndex(option->name))
      return nullptr;
    ranges.push_back(*option);
  }
  if (!term || ranges.empty())
    return reportForm(), nullptr;
  return term;
}

/// The term, once for all values of the innermost indices, of which the last turns fastest. A
/// fault is reported of the first that has one.
std::optional<std::vector<TermPtr>> Resolver::turns(llvm::ArrayRef<ast::Option> ranges,
                                                    const ast::Expr &term) {
  const size_t outer = indices.size() - ranges.size();
  for (size_t number = 0; number < ranges.size(); ++number)
    indices[outer + number].value = ranges[number].first.value;
  std::vector<TermPtr> result;
  while (true) {
    TermPtr next = number(term);
    if (!next)
      return std::nullopt;
    result.push_back(std::move(next));
    size_t turned = ranges.size();
    while (turned > 0 && ++indices[outer + turned - 1].value > ranges[turned - 1].last->value) {
      --turned;
      indices[outer + turned].value = ranges[turned].first.value;
    }
    if (turned == 0)
      return result;
  }
}

const Resolver::Index *Resolver::findIndex(llvm::StringRef name) const {
  const auto found =
      llvm::find_if(indices, [&](const Index &index) { return index.name.text == name; });
  return found == indices.end() ? nullptr : &*found;
}

bool Resolver::declareIndex(const ast::Name &name) {
  if (!names.checkWord(name, "an index"))
    return false;
  const Symbol *symbol = names.find(name.text);
  const Index *outer = findIndex(name.text);
  const std::optional<unsigned> number = parameter(name.text);
  if (!symbol && !outer && !number) {
    indices.push_back({name, 0});
    return true;
  }
  diagnostics.report(Diag::duplicate_name, name.range(), name.text)
      .note(Diag::first_declared_here, symbol  ? symbol->declared
                                       : outer ? outer->name.range()
                                               : scope->function.item->parameters[*number].range());
  return false;
}

/// The value of `order=`, 2 if it is left out.
std::optional<int> Resolver::order(const ast::Call &call) {
  const ast::Option *option = nullptr;
  for (const auto &argument : call.arguments) {
    const auto *next = std::get_if<ast::Option>(&argument);
    if (next && std::exchange(option, next)) {
      diagnostics.report(Diag::option_repeated, next->name.range(), next->name.text);
      return std::nullopt;
    }
  }
  if (!option)
    return 2;
  if (option->last) {
    diagnostics.report(Diag::option_range, option->last->range, option->name.text);
    return std::nullopt;
  }
  int value = option->first.value;
  if (value >= 2 && value <= kMaxOrder && value % 2 == 0)
    return value;
  diagnostics.report(Diag::order_value, option->first.range, value, kMaxOrder);
  return std::nullopt;
}

TermPtr Resolver::difference(const ast::Call &call, const ast::Expr &expr) {
  llvm::StringRef name = call.function.text;
  bool isLaplace = name == "laplace";
  auto given = arguments(call, isLaplace ? 1 : 2, "order");
  std::optional<int> accuracy = given ? order(call) : std::nullopt;
  if (!accuracy)
    return nullptr;

  DifferenceTerm result{
      .isOdd = name == "diff", .axes = {}, .centre = 0, .weights = {}, .operand = nullptr};
  if (isLaplace) {
    // The contiguous axis first, so that the newest plane of a march comes last.
    for (unsigned axis = stencil.rank(); axis-- > 0;)
      result.axes.push_back(axis);
  } else {
    const auto *access = std::get_if<ast::Access>(&(*given)[1]->node);
    if (!access || access->isNext || !access->shifts.empty()) {
      diagnostics.report(Diag::axis_argument, (*given)[1]->range, name);
      return nullptr;
    }
    std::optional<unsigned> axis = resolveAxis(access->name);
    if (!axis)
      return nullptr;
    result.axes.push_back(*axis);
  }

  result.operand = number(*given->front());
  if (!result.operand)
    return nullptr;
  if (!result.operand->uses.arrays) {
    diagnostics.report(Diag::constant_difference, result.operand->range, name);
    return nullptr;
  }
  if (const auto *read = std::get_if<ReadTerm>(&result.operand->node))
    for (unsigned axis : result.axes)
      if (const Array &array = stencil.arrays[read->array]; !array.hasAxis(axis)) {
        diagnostics.report(Diag::array_lacks_axis, result.operand->range, array.name,
                           stencil.axes[axis]);
        return nullptr;
      }

  std::vector<Rational> weights = differenceWeights(result.isOdd ? 1 : 2, *accuracy);
  size_t centre = weights.size() / 2;
  result.centre = weights[centre] * result.axes.size();
  result.weights.assign(weights.begin() + centre + 1, weights.end());
  const Term *below = result.operand.get();
  return make(std::move(result), below->type, expr.range, below);
}

} // namespace stencilc
