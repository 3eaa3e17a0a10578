// The Reader on variables: which one an expression names, and what it holds.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

using namespace clang;

namespace stencilc::lift {

std::optional<Variable> Reader::namedVariable(const clang::Expr &given) {
  const clang::Expr &expression = bare(given);
  Variable variable;
  if (const auto *dereference = dyn_cast<UnaryOperator>(&expression);
      dereference && dereference->getOpcode() == UO_Deref) {
    const auto pointer = namedVariable(*dereference->getSubExpr());
    const auto known = pointer ? environment.find(*pointer) : environment.end();
    if (known != environment.end())
      if (const auto *reference = std::get_if<Reference>(&known->second))
        return reference->variable;
    return std::nullopt;
  }
  if (const auto *reference = dyn_cast<DeclRefExpr>(&expression)) {
    variable = {reference->getDecl(), nullptr};
  } else if (const auto *member = dyn_cast<MemberExpr>(&expression);
             member && isa<VarDecl>(member->getMemberDecl())) { // static, of the class
    variable = {member->getMemberDecl(), nullptr};
  } else if (member) {
    const auto object = objectOf(*member->getBase());
    if (!object || isElement(*object))
      return std::nullopt;
    variable = {object, member->getMemberDecl()};
  } else
    return std::nullopt;
  if (variable.first->getType()->isReferenceType())
    if (const auto known = environment.find(variable); known != environment.end())
      if (const auto *reference = std::get_if<Reference>(&known->second))
        return reference->variable;
  return variable;
}

/// The variable that is, or points to, an object with members; null for others.
const ValueDecl *Reader::objectOf(const clang::Expr &expression) {
  if (isa<CXXThisExpr>(bare(expression)))
    return object ? object : callers.front();
  const auto variable = namedVariable(expression);
  if (!variable || variable->second)
    return nullptr;
  const auto known = environment.find(*variable);
  const auto *reference =
      known == environment.end() ? nullptr : std::get_if<Reference>(&known->second);
  if (!reference)
    return variable->first;
  return reference->variable.second ? nullptr : reference->variable.first;
}

std::optional<Variable> Reader::variableOf(const clang::Expr &expression) {
  if (auto variable = namedVariable(expression))
    return variable;
  return refuse(expression.getExprLoc(),
                "`" + textOf(expression) + "` is no variable that is followed",
                "give it a name of its own before the loops");
}

std::optional<Value> Reader::valueOf(const Variable &variable, SourceLocation where) {
  const auto known = environment.find(variable);
  if (known == environment.end())
    return makeValue(variable, where);
  if (std::holds_alternative<Reduced>(known->second) ||
      std::holds_alternative<Unknown>(known->second))
    return refuseUnknown(variable, where);
  if (std::holds_alternative<Place>(known->second) && !loops.empty())
    named.insert({variable, where});
  return known->second;
}

std::optional<Value> Reader::makeValue(const Variable &variable, SourceLocation where) {
  const auto &[decl, member] = variable;
  const ValueDecl *named = member ? member : decl;
  const QualType type = named->getType().getNonReferenceType();
  const std::string name = nameOf(variable);

  const auto *declared = dyn_cast<VarDecl>(decl);
  if (declared && !member && type.isConstQualified() && declared->getAnyInitializer() &&
      (type->isIntegralOrEnumerationType() || type->isRealFloatingType())) {
    const auto value = evaluate(*declared->getAnyInitializer());
    if (value)
      environment[variable] = *value;
    return value;
  }
  std::optional<Value> value;
  if (type->isIntegralOrEnumerationType() || type->isRealFloatingType()) {
    const auto scalar = type->isRealFloatingType() ? scalarType(type, where) : ScalarType::Int;
    if (!scalar)
      return std::nullopt;
    SymbolInfo info;
    info.name = name;
    info.type = *scalar;
    info.where = named->getLocation();
    const Symbol symbol = addSymbol(info);
    if (*scalar == ScalarType::Int)
      value = Polynomial::of(symbol);
    else
      value = leaf(*scalar, ParamValue{symbol});
  } else if (isPlace(type)) {
    const auto *parameter = dyn_cast<ParmVarDecl>(decl);
    const QualType original =
        parameter && !member ? parameter->getOriginalType() : named->getType();
    const bool isLocal =
        declared && declared->hasLocalStorage() && !parameter && !given.contains(declared);
    const auto made = makeBuffer(name, original, isLocal, named->getLocation(), declared);
    if (made)
      value = *made;
    if (made && !member && !isNoStruct(*decl, made->buffer, where))
      return std::nullopt;
    if (made && !member && declared && declared->hasGlobalStorage() &&
        declared->getAnyInitializer() && context.getBaseElementType(type).isConstQualified()) {
      tree.buffers[made->buffer].isFixed = true;
      const Refusals::Trial trial(refusals);
      if (auto table = tableOf(*declared))
        tables.emplace(made->buffer, std::move(*table));
    }
  } else
    refuse(where, "`" + name + "` of type `" + type.getAsString() + "` is not followed");
  if (value) {
    environment[variable] = *value;
    firstValues[variable] = *value;
  }
  return value;
}

} // namespace stencilc::lift
