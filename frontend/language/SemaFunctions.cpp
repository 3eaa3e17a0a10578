// Functions of the file: a call is the body, resolved anew for its arguments.
#include "frontend/language/SemaResolve.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace stencilc {

using Kind = Symbol::Kind;

unsigned Resolver::defineFunction(const ast::LetDecl &item) {
  for (auto [number, parameter] : llvm::enumerate(item.parameters)) {
    if (!names.checkWord(parameter, "a parameter"))
      continue;
    const Symbol *symbol = names.find(parameter.text);
    const auto earlier = llvm::ArrayRef(item.parameters).take_front(number);
    const auto *twin = llvm::find_if(earlier, [&, &parameter = parameter](const ast::Name &other) {
      return other.text == parameter.text;
    });
    if (twin != earlier.end())
      diagnostics.report(Diag::duplicate_name, parameter.range(), parameter.text)
          .note(Diag::first_declared_here, twin->range());
    // Of what else has the name, the body reads the parameter.
    else if (symbol && (symbol->kind == Kind::Axis || symbol->kind == Kind::Function))
      diagnostics
          .report(Diag::parameter_hides, parameter.range(), parameter.text, describe(symbol->kind))
          .note(Diag::declared_here, symbol->declared, parameter.text);
  }
  functions.push_back({&item});
  return functions.size() - 1;
}

const Symbol *Resolver::find(llvm::StringRef name) const {
  const Symbol *symbol = names.find(name);
  if (!symbol || !scope || (symbol->kind != Kind::Let && symbol->kind != Kind::Function))
    return symbol;
  // A body knows what was defined before it, wherever it is called.
  const char *body = scope->function.item->name.text.begin();
  return symbol->declared.Start.getPointer() < body ? symbol : nullptr;
}

TermPtr Resolver::call(Function &function, const ast::Call &call, const ast::Expr &expr) {
  const ast::LetDecl &item = *function.item;
  auto given = arguments(call, item.parameters.size());
  if (!given)
    return nullptr;
  FunctionTerm result{item.name.text.str(), {}, nullptr};
  for (const ast::Expr *argument : *given)
    if (TermPtr resolved = term(*argument))
      result.arguments.push_back(std::move(resolved));
  if (result.arguments.size() != given->size() || function.isFaulty)
    return nullptr;
  {
    const Scope own{function, result.arguments};
    llvm::SaveAndRestore inside(scope, &own);
    llvm::SaveAndRestore noIndices(indices, {});
    result.body = term(*item.value);
  }
  if (!result.body) {
    function.isFaulty = true;
    return nullptr;
  }
  const Term *body = result.body.get();
  if (const ExactTerm *literal = body->exact())
    return exact(*literal, expr.range);
  return decide(make(std::move(result), body->type, expr.range, body), body->decided);
}

std::optional<unsigned> Resolver::parameter(llvm::StringRef name) const {
  if (!scope)
    return std::nullopt;
  const std::vector<ast::Name> &names = scope->function.item->parameters;
  const auto found =
      llvm::find_if(names, [&](const ast::Name &parameter) { return parameter.text == name; });
  return found == names.end() ? std::nullopt : std::optional<unsigned>(found - names.begin());
}

TermPtr Resolver::argument(unsigned number, const ast::Access &access, const ast::Expr &expr) {
  llvm::StringRef name = access.name.text;
  if (access.isNext) {
    diagnostics.report(Diag::level_of_non_field, expr.range, name, "a parameter");
    return nullptr;
  }
  std::optional<Move> moved = move(access, nullptr);
  if (!moved)
    return nullptr;
  const Term *given = scope->arguments[number].get();
  if (const ExactTerm *literal = given->exact())
    return exact(*literal, expr.range);
  return decide(make(ArgumentTerm{number, name.str(), *moved}, given->type, expr.range, given),
                given->decided);
}

} // namespace stencilc
