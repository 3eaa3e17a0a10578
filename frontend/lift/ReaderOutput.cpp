// The Reader on what programs print and write to files, which is no part of a stencil.
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

/// A function of the library that takes and gives numbers, `isnan(error)`, or an element.
bool isOfNumbers(const clang::CallExpr &call) {
  const auto *operation = dyn_cast<CXXOperatorCallExpr>(&call);
  if (operation && operation->getOperator() == OO_Subscript)
    return !elementOfContainer(operation->getArg(0)->getType()).isNull();
  const FunctionDecl *function = call.getDirectCallee();
  return function && call.getType()->isArithmeticType() && !isa<CXXMemberCallExpr>(call) &&
         (function->getBuiltinID() != 0 || function->isInStdNamespace() ||
          function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation())) &&
         llvm::all_of(function->parameters(), [](const ParmVarDecl *parameter) {
           const QualType type = parameter->getType();
           return type.getNonReferenceType()->isArithmeticType() &&
                  (!type->isReferenceType() || type.getNonReferenceType().isConstQualified());
         });
}

static bool isOfLibrary(QualType type, llvm::ArrayRef<StringRef> names) {
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && llvm::is_contained(names, record->getName());
}

static bool isStream(QualType type) {
  return isOfLibrary(type, {"basic_ostream", "basic_ofstream", "basic_ostringstream"});
}

/// A file that C writes to, or a stream.
static bool isFile(QualType type) {
  const auto *record = type->isPointerType() ? type->getPointeeType()->getAsRecordDecl() : nullptr;
  return isStream(type) ||
         (record && (record->getName() == "_IO_FILE" || record->getName() == "FILE"));
}

static bool isText(QualType type) {
  type = type.getNonReferenceType();
  return isOfLibrary(type, {"basic_string"}) ||
         (type->isArrayType() && type->getArrayElementTypeNoTypeQual()->isAnyCharacterType());
}

bool isText(const clang::Expr &expression) {
  return isa<clang::StringLiteral>(expression.IgnoreParenImpCasts()) ||
         isOfLibrary(expression.getType(), {"basic_string"});
}

/// `sprintf(name, ...)` makes the name of a file.
static bool makesText(const clang::CallExpr &call, StringRef name) {
  const auto text =
      call.getNumArgs() > 0 ? plainVariable(*call.getArg(0)->IgnoreParenImpCasts()) : std::nullopt;
  const auto *array = text && !text->second ? dyn_cast<VarDecl>(text->first) : nullptr;
  return (name == "sprintf" || name == "snprintf") && array && array->hasLocalStorage() &&
         isText(array->getType());
}

bool isPrinting(const clang::CallExpr &call) {
  // `std::cout << error << std::endl`, and how it is written.
  if (isStream(call.getType()) && call.getNumArgs() > 0 && isStream(call.getArg(0)->getType()))
    return true;
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call))
    return isStream(member->getImplicitObjectArgument()->getType());
  const FunctionDecl *function = call.getDirectCallee();
  if (function && function->getIdentifier() && function->isInStdNamespace() &&
      function->getName().starts_with("set"))
    return true;
  const StringRef name = function && function->getIdentifier() ? function->getName() : "";
  return llvm::is_contained({"printf", "fprintf", "puts", "putchar", "fflush", "fputs", "fputc",
                             "putc", "fopen", "fclose", "fwrite", "perror"},
                            name) ||
         makesText(call, name);
}

namespace {
/// What statements do besides printing: nothing, if they only set variables of their own.
struct Effects {
  bool prints = false, does = false;
  llvm::SmallPtrSet<const ValueDecl *, 8> own = {};

  void look(const Stmt &statement, unsigned depth);
  void lookAtCall(const clang::CallExpr &call, unsigned depth);
};
} // namespace

void Effects::lookAtCall(const clang::CallExpr &call, unsigned depth) {
  constexpr unsigned kMostCalls = 6;
  if (isPrinting(call)) {
    prints = true;
    return;
  }
  const FunctionDecl *function = call.getDirectCallee();
  const StringRef name = function && function->getIdentifier() ? function->getName() : "";
  if (isOfNumbers(call) || isText(call.getType()) ||
      llvm::is_contained({"malloc", "calloc", "free"}, name))
    return;
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call))
    if (member->getMethodDecl()->getParent()->isInStdNamespace() &&
        (isText(member->getImplicitObjectArgument()->getType()) ||
         member->getMethodDecl()->isConst()))
      return;
  const FunctionDecl *defined = nullptr;
  const bool isSeen =
      function && function->hasBody(defined) && depth < kMostCalls &&
      !function->getASTContext().getSourceManager().isInSystemHeader(defined->getLocation());
  if (!isSeen) {
    does = true;
    return;
  }
  // What a function sets is its own where it is no argument by reference.
  Effects inner;
  for (const ParmVarDecl *parameter : defined->parameters())
    if (!parameter->getType()->isReferenceType() && !parameter->getType()->isRecordType())
      inner.own.insert(parameter);
  inner.look(*defined->getBody(), depth + 1);
  prints |= inner.prints;
  does |= inner.does;
}

void Effects::look(const Stmt &statement, unsigned depth) {
  // A file that cannot be opened is not written.
  if (const auto *choice = dyn_cast<IfStmt>(&statement); choice && !choice->getElse()) {
    bool asksFile = false;
    forEachPart(*choice->getCond(), [&](const Stmt &part) {
      const auto *expression = dyn_cast<clang::Expr>(&part);
      asksFile |= expression && isFile(expression->getType());
    });
    if (asksFile && endsProgram(*choice->getThen()))
      return;
  }
  if (const auto *declaration = dyn_cast<DeclStmt>(&statement))
    for (const Decl *declared : declaration->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declared)) {
        const QualType type = variable->getType();
        const bool isOther = type->isReferenceType() || variable->isStaticLocal();
        prints |= isFile(type);
        if (!isOther)
          own.insert(variable);
      }
  if (const auto *call = dyn_cast<clang::CallExpr>(&statement))
    lookAtCall(*call, depth);
  does |= isa<BreakStmt, ContinueStmt, GotoStmt>(statement) ||
          (isa<ReturnStmt>(statement) && depth == 0);
  if (const clang::Expr *target = writtenBy(statement)) {
    const auto variable = plainVariable(*target);
    // Loops that print count by variables of their own.
    const bool isCounter = variable && variable->first->getType()->isIntegerType() && depth == 0;
    const auto *element = dyn_cast<ArraySubscriptExpr>(&bare(*target));
    const auto array =
        element ? plainVariable(*element->getBase()->IgnoreParenImpCasts()) : std::nullopt;
    const auto *memory = array ? dyn_cast<VarDecl>(array->first) : nullptr;
    const bool isOwnElement = memory && own.contains(memory) &&
                              (memory->getType()->isArrayType() ||
                               (memory->getInit() && takesMemory(*memory->getInit())));
    does |= !isCounter && !isOwnElement && !(variable && own.contains(variable->first));
  }
  for (const Stmt *part : statement.children())
    if (part)
      look(*part, depth);
}

bool isOnlyPrinting(const Stmt &statement) {
  // What it declares may matter to others.
  if (const auto *declaration = dyn_cast<DeclStmt>(&statement))
    if (!llvm::all_of(declaration->decls(), [](const Decl *declared) {
          const auto *variable = dyn_cast<VarDecl>(declared);
          return variable && (isFile(variable->getType()) || isText(variable->getType()));
        }))
      return false;
  Effects effects;
  effects.look(statement, 0);
  return effects.prints && !effects.does;
}

} // namespace stencilc::lift
