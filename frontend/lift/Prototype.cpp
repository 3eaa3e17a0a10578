#include "frontend/lift/Prototype.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

const Prototype::Argument *Prototype::find(llvm::StringRef name) const {
  const auto found = llvm::find_if(arguments, [&](const Argument &a) { return a.name == name; });
  return found == arguments.end() ? nullptr : &*found;
}

/// What lies behind all pointers and arrays.
static QualType elementOf(QualType type, const ASTContext &context) {
  for (;;) {
    if (const auto *array = context.getAsArrayType(type))
      type = array->getElementType();
    else if (type->isPointerType())
      type = type->getPointeeType();
    else
      return type;
  }
}

Prototype prototypeOf(const FunctionDecl &function, const ASTContext &context) {
  using Kind = Prototype::Argument::Kind;
  PrintingPolicy policy(context.getPrintingPolicy());
  Prototype result;
  result.name = function.getQualifiedNameAsString();
  result.result = function.getReturnType().getAsString(policy);
  result.isCPlusPlus = context.getLangOpts().CPlusPlus && !function.isExternC();
  result.isStatic = !function.isExternallyVisible();
  result.isFragment = function.hasAttr<AnnotateAttr>();
  for (const ParmVarDecl *parameter : function.parameters()) {
    const QualType type = parameter->getType();
    Prototype::Argument argument{parameter->getNameAsString(), type.getAsString(policy),
                                 Kind::Other};
    const QualType plain = type.getNonReferenceType();
    if (plain->isIntegralOrEnumerationType())
      argument.kind = Kind::Whole;
    else if (plain->isRealFloatingType())
      argument.kind = Kind::Number;
    else if (type->isPointerType()) {
      argument.kind = Kind::Pointer;
      if (!result.isCPlusPlus)
        argument.type = elementOf(type, context).getAsString(policy) + " *";
    } else if (const auto *record = plain->getAsCXXRecordDecl();
               record && record->isInStdNamespace() && record->getName() == "vector")
      argument.kind = Kind::Vector;
    result.arguments.push_back(std::move(argument));
  }
  return result;
}

} // namespace stencilc::lift
