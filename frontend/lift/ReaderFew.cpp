// The Reader on loops of few turns, which are read one after the other.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// A subscript of `a[i][j][k]`, and how long that dimension is, where the type says so.
namespace {
struct Subscript {
  const clang::Expr *place;
  std::optional<int64_t> extent;
};
} // namespace

/// The subscripts, the last one first, and what they are subscripts of.
static std::pair<std::vector<Subscript>, const clang::Expr *>
subscriptsOf(const clang::Expr &element, const ASTContext &context) {
  std::vector<Subscript> found;
  const clang::Expr *base = &element;
  for (auto parts = elementParts(*base); parts.first; parts = elementParts(*base)) {
    base = parts.first;
    const auto *array = context.getAsConstantArrayType(base->getType());
    const bool isOfLibrary = !array && !elementOfContainer(base->getType()).isNull();
    found.push_back({&bare(*parts.second->IgnoreParenImpCasts()),
                     array ? std::optional<int64_t>(array->getSize().getLimitedValue(1 << 30))
                     : isOfLibrary ? extentOfContainer(base->getType())
                                   : std::nullopt});
  }
  return {found, base};
}

/// True of a local array whose elements this turn of the loops around has set one by one, or made
/// a list of.
bool Reader::isSetByNumbers(const VarDecl &array) const {
  const auto known = environment.find(Variable{&array, nullptr});
  const auto *place = known == environment.end() ? nullptr : std::get_if<Place>(&known->second);
  const auto table = place ? tables.find(place->buffer) : tables.end();
  if (table != tables.end() && !loops.empty() && !table->second.isSet)
    return llvm::any_of(table->second.values, [](const Formula &value) {
      return llvm::any_of(value.exprs,
                          [](const Expr &expr) { return std::holds_alternative<Read>(expr.node); });
    });
  return place && tree.buffers[place->buffer].isLocal && !loops.empty() &&
         llvm::any_of(tree.assignments, [&](const Assignment &assignment) {
           return assignment.target.buffer == place->buffer && assignment.loops == loops &&
                  llvm::all_of(assignment.target.subscripts, [](const Polynomial &subscript) {
                    return subscript.number().has_value();
                  });
         });
}

/// True if an array's elements along a dimension have been named by numbers before.
bool Reader::isNumbered(const VarDecl &array, unsigned dimension) const {
  const auto known = environment.find(Variable{&array, nullptr});
  const auto *place = known == environment.end() ? nullptr : std::get_if<Place>(&known->second);
  const auto isMeant = [&](const Access &access) {
    return access.buffer == place->buffer && dimension < access.subscripts.size() &&
           access.subscripts[dimension].number();
  };
  return place && place->subscripts.empty() &&
         (llvm::any_of(tree.accesses, isMeant) ||
          llvm::any_of(tree.assignments,
                       [&](const Assignment &made) { return isMeant(made.target); }));
}

/// True if the variable chooses one of several arrays, or a whole number of a table: then its turns
/// are different statements. `f[k][z][y][x]` has more axes than a grid can have; what chooses is
/// short beside them.
bool Reader::choosesArrays(llvm::ArrayRef<const Stmt *> body, const Variable &variable,
                           int64_t turns) {
  bool result = false;
  for (const Stmt *statement : body)
    forEachPart(*statement, [&](const Stmt &part) {
      const auto *element = dyn_cast<clang::Expr>(&part);
      if (!element || !elementParts(*element).first)
        return;
      const auto [subscripts, base] = subscriptsOf(*element, context);
      const auto *reference = dyn_cast<DeclRefExpr>(base);
      const auto *declared = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
      const auto *member = dyn_cast<MemberExpr>(base);
      const bool isOfElement = member && !namedVariable(*member);
      bool isNamed = false, isShort = true;
      for (const auto &[number, subscript] : llvm::enumerate(subscripts))
        if (plainVariable(*subscript.place) == variable) {
          isNamed = true;
          result |= isOfElement && subscript.extent == turns;
          result |= declared && subscript.extent == turns &&
                    isNumbered(*declared, subscripts.size() - 1 - number);
        } else
          isShort &= !subscript.extent || 2 * turns <= *subscript.extent;
      result |= isNamed && ((subscripts.size() > kMaxRank && isShort) ||
                            (declared && (wholeTable(*declared) || isSetByNumbers(*declared))));
    });
  return result;
}

/// True if the variable counts layers of points at an end of an array: `u[n + 2 + g] = ...`, where
/// no other loop moves the place.
bool Reader::countsLayers(llvm::ArrayRef<const Stmt *> body, const Variable &variable) const {
  const auto isMoved = [&](const DeclRefExpr &reference) {
    const auto known = environment.find(Variable{reference.getDecl(), nullptr});
    const auto *place =
        known == environment.end() ? nullptr : std::get_if<Polynomial>(&known->second);
    return place && moves(*place);
  };
  bool result = false;
  for (const Stmt *statement : body)
    forEachPart(*statement, [&](const Stmt &part) {
      const clang::Expr *target = writtenBy(part);
      const auto *element = target ? dyn_cast<ArraySubscriptExpr>(&bare(*target)) : nullptr;
      if (!element)
        return;
      for (const Subscript &subscript : subscriptsOf(*element, context).first) {
        bool isNamed = false, isFar = false, isSum = true;
        forEachPart(*subscript.place, [&](const Stmt &inner) {
          if (const auto *reference = dyn_cast<DeclRefExpr>(&inner)) {
            const bool isOwn = plainVariable(*reference) == variable;
            isNamed |= isOwn;
            isFar |= !isOwn && !isa<EnumConstantDecl>(reference->getDecl());
            isSum &= isOwn || !isMoved(*reference);
          }
          const auto *operation = dyn_cast<BinaryOperator>(&inner);
          isSum &= !operation || operation->isAdditiveOp();
        });
        result |= isNamed && isFar && isSum;
      }
    });
  return result;
}

bool Reader::runTurns(const LoopParts &loop, const Variable &variable, const Loop &bounds,
                      int64_t turns) {
  for (int64_t turn = 0; turn < turns; ++turn) {
    const int64_t step = turn * *bounds.stride.number();
    const auto value =
        bounds.isDownward ? difference(bounds.end, step + 1) : sum(bounds.begin, step);
    if (!value)
      return refuse(loop.where, "the bounds are too large"), false;
    environment.insert_or_assign(variable, Value(*value));
    const bool isOuterOneOfFew = std::exchange(isOneOfFew, true);
    const bool isRead = runBody(loop.body);
    isOneOfFew = isOuterOneOfFew;
    if (!isRead)
      return false;
  }
  environment.insert_or_assign(variable, Value(Unknown()));
  return true;
}

} // namespace stencilc::lift
