// The Reader on clocks: what programs do to time themselves is no part of a stencil.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

static bool isClock(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType())
    type = type->getPointeeType();
  const RecordDecl *record = type->getAsRecordDecl();
  const auto *space =
      record ? dyn_cast<NamespaceDecl>(record->getDeclContext()->getEnclosingNamespaceContext())
             : nullptr;
  return record && (record->getName() == "timeval" || record->getName() == "timespec" ||
                    (space && space->getName() == "chrono"));
}

/// Reads a clock, or computes with what one has shown, and sets nothing but numbers.
static bool namesClock(const Stmt &statement) {
  bool isNamed = false, setsElement = false;
  forEachPart(statement, [&](const Stmt &part) {
    if (const auto *reference = dyn_cast<DeclRefExpr>(&part))
      isNamed |= isClock(reference->getType());
    if (const auto *declaration = dyn_cast<DeclStmt>(&part))
      for (const Decl *declared : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(declared))
          isNamed |= isClock(variable->getType());
    const clang::Expr *target = writtenBy(part);
    setsElement |= target && !isa<DeclRefExpr, MemberExpr>(bare(*target));
  });
  return isNamed && !setsElement;
}

/// It says how the processor computes with the least of numbers.
static bool setsRounding(const FunctionDecl &function) {
  return function.getName() == "_mm_setcsr";
}

/// A function that is called with numbers alone and whose body is not here; null if there is none.
/// It reaches no array that is not global.
static const FunctionDecl *unseenIn(const Stmt &statement) {
  const FunctionDecl *found = nullptr;
  forEachPart(statement, [&](const Stmt &part) {
    const auto *call = dyn_cast<clang::CallExpr>(&part);
    const FunctionDecl *function = call ? call->getDirectCallee() : nullptr;
    if (function && function->getIdentifier() && !function->hasBody() &&
        (function->getBuiltinID() == 0 || setsRounding(*function)) &&
        llvm::all_of(call->arguments(), [](const clang::Expr *argument) {
          return argument->getType()->isArithmeticType();
        }))
      found = function;
  });
  return found;
}

bool Reader::runTiming(const Stmt &statement) {
  if (!isa<clang::Expr, DeclStmt>(statement) || !loops.empty())
    return isa<clang::Expr>(statement) && namesClock(statement);
  if (namesClock(statement))
    return true;
  const FunctionDecl *function = unseenIn(statement);
  if (!function)
    return false;
  // A number of which nothing is known, or none at all.
  if (const auto *declaration = dyn_cast<DeclStmt>(&statement)) {
    const auto *variable =
        declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
    if (!variable || !variable->getType()->isArithmeticType())
      return false;
    environment.insert_or_assign(Variable{variable, nullptr}, Value(Unknown()));
  } else if (const clang::Expr *target = writtenBy(bare(cast<clang::Expr>(statement)))) {
    const auto variable = plainVariable(*target);
    if (!variable || !target->getType()->isArithmeticType())
      return false;
    environment.insert_or_assign(*variable, Value(Unknown()));
  } else if (!isa<clang::CallExpr>(bare(cast<clang::Expr>(statement))))
    return false;
  const std::string assumption =
      setsRounding(*function)
          ? "numbers too small for all their digits are kept, whatever _mm_setcsr says of them"
          : function->getNameAsString() + " changes no array";
  if (!llvm::is_contained(tree.assumptions, assumption))
    tree.assumptions.push_back(assumption);
  return true;
}

} // namespace stencilc::lift
