// The Reader on structs of numbers as values: what functions take and return, and lists of numbers.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

bool isStructOfNumbers(QualType type) {
  const RecordDecl *record = isOwnRecord(type) ? type->getAsRecordDecl() : nullptr;
  const auto *derived = dyn_cast_or_null<CXXRecordDecl>(record);
  return record && record->isCompleteDefinition() && !record->isUnion() && !record->field_empty() &&
         (!derived || (derived->getNumBases() == 0 && !derived->isDynamicClass())) &&
         llvm::all_of(record->fields(), [](const FieldDecl *field) {
           return field->getType()->isRealFloatingType();
         });
}

/// What is copied or moved to make the value.
static const clang::Expr &withoutCopies(const clang::Expr &given) {
  const clang::Expr *inner = &bare(given);
  for (;;) {
    const auto *construct = dyn_cast<CXXConstructExpr>(inner);
    if (construct && construct->getNumArgs() == 1 &&
        construct->getConstructor()->isCopyOrMoveConstructor() &&
        construct->getConstructor()->isImplicit())
      inner = &bare(*construct->getArg(0));
    else if (const auto *cast = dyn_cast<CXXFunctionalCastExpr>(inner))
      inner = &bare(*cast->getSubExpr());
    else if (const auto *list = dyn_cast<CompoundLiteralExpr>(inner))
      inner = &bare(*list->getInitializer());
    else
      return *inner;
  }
}

bool Reader::makesStruct(const clang::Expr &given) const {
  const clang::Expr &made = withoutCopies(given);
  return isStructOfNumbers(made.getType()) && !made.isLValue() &&
         (isa<InitListExpr, clang::CallExpr>(made) ||
          (isa<CXXConstructExpr>(made) && cast<CXXConstructExpr>(made).getNumArgs() > 0));
}

std::optional<std::vector<Formula>> Reader::numbersOfStruct(const clang::Expr &given) {
  const clang::Expr &made = withoutCopies(given);
  const SourceLocation where = given.getExprLoc();
  const auto fields = made.getType()->getAsRecordDecl()->fields();
  std::vector<Formula> numbers;
  if (const auto *list = dyn_cast<InitListExpr>(&made)) {
    for (auto [field, start] : llvm::zip(fields, list->inits())) {
      const auto type = scalarType(field->getType(), where);
      const auto value = !type                               ? std::nullopt
                         : isa<ImplicitValueInitExpr>(start) ? std::optional(literal(*type, 0))
                                                             : number(*start);
      const auto number = value ? cast(*type, *value) : std::nullopt;
      if (!number)
        return std::nullopt;
      numbers.push_back(*number);
    }
    return numbers;
  }
  const ValueDecl *owner = nullptr;
  if (elementCopied(given)) {
    const auto element = place(made);
    const auto first = element ? firstNumber(*element, where) : std::nullopt;
    for (size_t number = 0; first && number < llvm::range_size(fields); ++number) {
      Place place = *first;
      place.subscripts.back() = *sum(place.subscripts.back(), int64_t(number));
      auto value = load(place, where);
      if (!value)
        return std::nullopt;
      numbers.push_back(std::move(*value));
    }
    return first ? std::optional(numbers) : std::nullopt;
  }
  if (const auto *construct = dyn_cast<CXXConstructExpr>(&made);
      construct && construct->getNumArgs() > 0) {
    owner = construct->getConstructor();
    llvm::SmallVector<const clang::Expr *, 4> arguments(construct->arguments());
    if (!callFunction(*construct->getConstructor(), arguments, where, owner))
      return std::nullopt;
  } else if (const auto *called = dyn_cast<clang::CallExpr>(&made)) {
    const auto result = call(*called);
    const auto *named = result ? std::get_if<Reference>(&*result) : nullptr;
    owner = named ? named->variable.first : nullptr;
  } else
    owner = objectOf(made);
  for (const FieldDecl *field : fields) {
    const auto value = owner ? valueOf({owner, field}, where) : std::nullopt;
    const auto *number = value ? std::get_if<Formula>(&*value) : nullptr;
    if (!number)
      return refuse(where, "`" + textOf(given) + "` is no struct of numbers that is understood",
                    "give its members names of their own");
    numbers.push_back(*number);
  }
  return numbers;
}

void Reader::setStruct(const ValueDecl &owner, const std::vector<Formula> &numbers) {
  const auto *function = dyn_cast<FunctionDecl>(&owner);
  const QualType type =
      function ? function->getReturnType() : owner.getType().getNonReferenceType();
  for (auto [field, number] : llvm::zip(type->getAsRecordDecl()->fields(), numbers))
    environment.insert_or_assign(Variable{&owner, field}, Value(number));
}

} // namespace stencilc::lift
