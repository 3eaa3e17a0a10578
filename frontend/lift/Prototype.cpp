#include "frontend/lift/Prototype.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

const Prototype::Argument *Prototype::find(llvm::StringRef name) const {
  const auto found = llvm::find_if(arguments, [&](const Argument &a) { return a.name == name; });
  return found == arguments.end() ? nullptr : &*found;
}

bool Prototype::isField(llvm::StringRef name) const {
  return !find(name) && llvm::is_contained(fields, name);
}

bool Prototype::isVectorOfVectors(llvm::StringRef name) const {
  const Argument *argument = find(name);
  return argument && argument->kind == Argument::Kind::VectorOfVectors;
}

const Prototype::Argument *Prototype::ownerOf(llvm::StringRef name) const {
  if (!name.consume_front("*") && name.find_first_of("[.-") == llvm::StringRef::npos)
    return nullptr;
  return find(name.take_until([](char letter) { return !isalnum(letter) && letter != '_'; }));
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

/// What a std::vector holds; null for other types.
static QualType elementOfVector(QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  const auto *special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  return special && special->isInStdNamespace() && special->getName() == "vector"
             ? special->getTemplateArgs()[0].getAsType()
             : QualType();
}

static bool isVectorOfVectors(QualType type) {
  const QualType element = elementOfVector(type);
  const QualType inner = element.isNull() ? element : elementOfVector(element);
  return !inner.isNull() && (inner->isArithmeticType() || isVectorOfVectors(element));
}

static std::string classText(QualType type, PrintingPolicy policy) {
  policy.SuppressTagKeyword = true;
  return type.getCanonicalType().getUnqualifiedType().getAsString(policy);
}

/// Also those of classes that it is made of.
static std::vector<std::string> fieldsOf(const CXXRecordDecl &record) {
  std::vector<std::string> result;
  for (const CXXBaseSpecifier &base : record.bases())
    if (const CXXRecordDecl *inner = base.getType()->getAsCXXRecordDecl())
      llvm::append_range(result, fieldsOf(*inner));
  for (const FieldDecl *field : record.fields())
    result.push_back(field->getNameAsString());
  return result;
}

/// The declarations of a fragment that set nothing.
static std::vector<const DeclStmt *> givenDeclarations(const FunctionDecl &function) {
  std::vector<const DeclStmt *> result;
  for (const Stmt *statement : cast<CompoundStmt>(function.getBody())->body())
    if (const auto *declaration = dyn_cast<DeclStmt>(statement);
        declaration && llvm::all_of(declaration->decls(), [](const Decl *declared) {
          const auto *variable = dyn_cast<VarDecl>(declared);
          return variable && !variable->hasInit();
        }))
      result.push_back(declaration);
  return result;
}

/// The main file with the declarations of the fragment as arguments of its function.
static std::string fragmentText(const FunctionDecl &function,
                                llvm::ArrayRef<const DeclStmt *> declarations,
                                llvm::ArrayRef<const VarDecl *> variables,
                                const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  std::string text = sources.getBufferData(sources.getMainFileID()).str();
  const auto offset = [&](SourceLocation where) { return sources.getFileOffset(where); };
  for (const DeclStmt *declaration : declarations)
    for (size_t place = offset(declaration->getBeginLoc());
         place <= offset(declaration->getEndLoc()); ++place)
      if (text[place] != '\n')
        text[place] = ' ';
  std::string head;
  for (const VarDecl *variable : variables) {
    std::string declared = variable->getNameAsString();
    variable->getType().getAsStringInternal(declared, context.getPrintingPolicy());
    head += (head.empty() ? "" : ", ") + declared;
  }
  const size_t begin = text.find("__attribute__((annotate(\"fragment\")))");
  return text.substr(0, begin) + "void " + function.getNameAsString() + "(" + head + ") " +
         text.substr(offset(function.getBody()->getBeginLoc()));
}

std::string fullName(const FunctionDecl &function) {
  std::string name;
  llvm::raw_string_ostream out(name);
  function.getNameForDiagnostic(out, function.getASTContext().getPrintingPolicy(),
                                /*Qualified=*/true);
  return name;
}

Prototype prototypeOf(const FunctionDecl &function, const ASTContext &context) {
  using Kind = Prototype::Argument::Kind;
  PrintingPolicy policy(context.getPrintingPolicy());
  Prototype result;
  result.name = fullName(function);
  result.isTemplate = function.isTemplateInstantiation();
  result.isMain = function.isMain();
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  result.isMember = method && method->isInstance();
  if (result.isMember) {
    result.owner = classText(context.getRecordType(method->getParent()), policy);
    result.fields = fieldsOf(*method->getParent());
  }
  result.result = function.getReturnType().getAsString(policy);
  result.isCPlusPlus = context.getLangOpts().CPlusPlus && !function.isExternC();
  result.isStatic = !function.isExternallyVisible();
  std::vector<const VarDecl *> variables(function.parameters().begin(),
                                         function.parameters().end());
  if (function.hasAttr<AnnotateAttr>()) {
    const auto declarations = givenDeclarations(function);
    for (const DeclStmt *declaration : declarations)
      for (const Decl *declared : declaration->decls())
        variables.push_back(cast<VarDecl>(declared));
    result.fragment = fragmentText(function, declarations, variables, context);
  }
  for (const VarDecl *variable : variables) {
    const auto *parameter = dyn_cast<ParmVarDecl>(variable);
    const QualType type =
        parameter ? variable->getType() : context.getAdjustedParameterType(variable->getType());
    Prototype::Argument argument{variable->getNameAsString(), type.getAsString(policy),
                                 Kind::Other};
    const QualType plain = type.getNonReferenceType();
    if (plain->isIntegralOrEnumerationType())
      argument.kind = Kind::Whole;
    else if (plain->isRealFloatingType())
      argument.kind = Kind::Number;
    else if (type->isReferenceType() && plain->isConstantArrayType())
      argument.kind = Kind::Pointer;
    else if (type->isPointerType() && type->getPointeeType()->isIntegerType()) {
      argument.kind = Kind::WholePointer;
      argument.type = type.getCanonicalType().getAsString(policy);
    } else if (const auto *record =
                   type->isPointerType() ? type->getPointeeType()->getAsRecordDecl() : nullptr;
               record && !context.getLangOpts().CPlusPlus) {
      argument.kind = Kind::ObjectPointer;
      argument.type = type->getPointeeType().getUnqualifiedType().getAsString(policy);
    } else if (type->isPointerType() && type->getPointeeType()->isRecordType()) {
      argument.kind = Kind::Object;
      argument.type = classText(type->getPointeeType(), policy);
      argument.isPointer = true;
    } else if (type->isPointerType()) {
      argument.kind = Kind::Pointer;
      if (!result.isCPlusPlus)
        argument.type = elementOf(type, context).getAsString(policy) + " *";
    } else if (const QualType element = elementOfVector(plain);
               !element.isNull() && element->isArithmeticType() && !element->isEnumeralType())
      argument.kind = Kind::Vector;
    else if (isVectorOfVectors(plain)) {
      argument.kind = Kind::VectorOfVectors;
      argument.type = classText(plain, policy);
    } else if (plain->isRecordType()) {
      argument.kind = Kind::Object;
      argument.type = context.getLangOpts().CPlusPlus
                          ? classText(plain, policy)
                          : plain.getUnqualifiedType().getAsString(policy);
    }
    result.arguments.push_back(std::move(argument));
  }
  return result;
}

} // namespace stencilc::lift
