// The Reader on what the caller gives in other forms than variables: numbers behind pointers and in
// arrays, and memory without a type.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace stencilc::lift {

QualType elementOfContainer(QualType type) {
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  const auto *special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  if (!special || !special->isInStdNamespace() || special->getTemplateArgs().size() == 0)
    return {};
  const StringRef name = special->getName();
  if (name != "vector" && name != "array" && name != "valarray" && name != "span" &&
      name != "unique_ptr")
    return {};
  const TemplateArgument &argument = special->getTemplateArgs()[0];
  return argument.getKind() == TemplateArgument::Type ? argument.getAsType() : QualType();
}

bool isView(QualType type) {
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && (record->getName() == "span" || record->getName() == "unique_ptr");
}

std::optional<int64_t> extentOfContainer(QualType type) {
  const auto *special =
      cast<ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
  const auto arguments = special->getTemplateArgs().asArray();
  if (special->getName() != "array" || arguments.size() != 2 ||
      arguments[1].getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return arguments[1].getAsIntegral().getLimitedValue(INT64_MAX);
}

std::string Reader::nameOf(const Variable &variable) const {
  const auto &[decl, member] = variable;
  if (!member)
    return decl->getNameAsString();
  if (isa<FunctionDecl>(decl)) // of the object whose member function is lifted
    return member->getNameAsString();
  return decl->getNameAsString() + (decl->getType()->isPointerType() ? "->" : ".") +
         member->getNameAsString();
}

/// `*nx`, `size[2]`: a whole number that is there before the loops. Whoever writes to such memory
/// is refused.
std::optional<Polynomial> Reader::givenWhole(const clang::Expr &expression) {
  const clang::Expr *base = nullptr;
  std::optional<int64_t> place;
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(&expression)) {
    const Refusals::Trial trial(refusals);
    const auto index = whole(*subscript->getIdx());
    base = subscript->getBase();
    place = index ? index->number() : std::nullopt;
    if (!place || *place < 0)
      return std::nullopt;
  } else if (const auto *dereference = dyn_cast<UnaryOperator>(&expression);
             dereference && dereference->getOpcode() == UO_Deref)
    base = dereference->getSubExpr();
  const auto *decay = base ? dyn_cast<clang::CastExpr>(&bare(*base)) : nullptr;
  if (decay && decay->getCastKind() == CK_ArrayToPointerDecay)
    base = decay->getSubExpr();
  const auto variable = base ? namedVariable(*base) : std::nullopt;
  if (!variable || environment.count(*variable))
    return std::nullopt;
  const auto *declared = dyn_cast<VarDecl>(variable->first);
  if (declared && declared->hasLocalStorage() && !isa<ParmVarDecl>(declared) &&
      !given.contains(declared))
    return std::nullopt;
  SymbolInfo info;
  info.name =
      place ? nameOf(*variable) + "[" + std::to_string(*place) + "]" : "*" + nameOf(*variable);
  info.where = variable->first->getLocation();
  for (Symbol symbol = 0; symbol < tree.symbols.size(); ++symbol)
    if (tree.symbols[symbol].kind == SymbolInfo::Kind::Param &&
        tree.symbols[symbol].name == info.name)
      return Polynomial::of(symbol);
  return Polynomial::of(addSymbol(std::move(info)));
}

std::optional<Place> Reader::makeBuffer(const std::string &name, QualType type, bool isLocal,
                                        SourceLocation where, const VarDecl *declared) {
  Buffer buffer{name, ScalarType::F64, {}};
  if (declared && declared->getName() == name && declared->hasGlobalStorage() &&
      !declared->isLocalVarDecl()) {
    llvm::raw_string_ostream path(buffer.path);
    declared->printQualifiedName(path, context.getPrintingPolicy());
    if (declared->isStaticDataMember())
      buffer.name = cast<NamedDecl>(declared->getDeclContext())->getNameAsString() + "_" + name;
    if (declared->isInAnonymousNamespace())
      buffer.path.clear();
  }
  buffer.isLocal = isLocal;
  buffer.where = where;
  buffer.isPointer = type.getNonReferenceType()->isPointerType();
  buffer.isObject = type.getNonReferenceType()->isRecordType();
  buffer.isRestrict = isLocal || type.isRestrictQualified() || type->isRecordType();
  type = type.getNonReferenceType();
  unsigned pointers = 0;
  for (;;) {
    if (const auto *array = context.getAsArrayType(type)) {
      std::optional<Polynomial> extent;
      if (const auto *constant = dyn_cast<ConstantArrayType>(array))
        extent = Polynomial(constant->getSize().getLimitedValue(INT64_MAX));
      else if (const auto *variable = dyn_cast<VariableArrayType>(array);
               variable && variable->getSizeExpr()) {
        extent = whole(*variable->getSizeExpr());
        if (!extent)
          return std::nullopt;
      }
      buffer.extents.push_back(extent);
      type = array->getElementType();
    } else if (type->isPointerType()) {
      buffer.extents.push_back(std::nullopt);
      pointers += buffer.extents.size() > 1;
      buffer.isRestrict |= type.isRestrictQualified();
      type = type->getPointeeType();
    } else if (const QualType element = elementOfContainer(type); !element.isNull()) {
      const auto extent = extentOfContainer(type);
      buffer.extents.push_back(extent ? std::optional(Polynomial(*extent)) : std::nullopt);
      const auto *elements = context.getAsIncompleteArrayType(element); // unique_ptr<double[]>
      type = elements ? elements->getElementType() : element;
    } else
      break;
  }
  buffer.isPointerTable = pointers > 0;
  if (const auto numbers = buffer.extents.empty() ? std::nullopt : numbersOf(type)) {
    const int64_t count = numbers->names.size();
    buffer.members = numbers->names;
    type = numbers->type;
    if (buffer.extents.size() > 1)
      buffer.extents.push_back(Polynomial(count));
    else if (buffer.extents[0])
      buffer.extents[0] = product(*buffer.extents[0], count);
  }
  if (type->isIntegralOrEnumerationType()) {
    buffer.whole = wholeType(type);
    if (buffer.whole->bits > 32)
      return refuse(where,
                    "`" + name + "` is a grid of whole numbers of " +
                        llvm::Twine(buffer.whole->bits) +
                        " bits, which no float or double holds all of",
                    "32 bits are held in double, and fewer in float");
  }
  const auto scalar = type->isVoidType() ? std::nullopt
                      : buffer.whole     ? heldAs(*buffer.whole)
                                         : scalarType(type, where);
  if (!scalar)
    return refuse(where,
                  "`" + name + "` of type `" + type.getAsString() + "` is no grid of numbers");
  buffer.type = *scalar;
  tree.buffers.push_back(std::move(buffer));
  return Place{unsigned(tree.buffers.size() - 1), {}, false};
}

/// The container that each element starts as: of `v(n, row(m))` the `row(m)`; null for others.
static const CXXConstructExpr *elementIn(const CXXConstructExpr &construct) {
  return construct.getNumArgs() > 1 && !elementOfContainer(construct.getArg(1)->getType()).isNull()
             ? dyn_cast<CXXConstructExpr>(&bare(*construct.getArg(1)))
             : nullptr;
}

static bool countsElements(const CXXConstructExpr &construct) {
  return construct.getNumArgs() > 0 && !elementOfContainer(construct.getType()).isNull() &&
         construct.getArg(0)->getType()->isIntegralOrEnumerationType();
}

void Reader::addExtents(unsigned buffer, const CXXConstructExpr &construct) {
  const Refusals::Trial trial(refusals);
  const CXXConstructExpr *each = &construct;
  const size_t dimensions = tree.buffers[buffer].extents.size();
  for (size_t place = 0; place < dimensions && each && countsElements(*each); ++place) {
    // Reading `u.size()` may add a buffer.
    const auto extent = whole(*each->getArg(0));
    if (!tree.buffers[buffer].extents[place])
      tree.buffers[buffer].extents[place] = extent;
    each = elementIn(*each);
  }
}

/// A container that each turn makes anew holds its numbers at the start of the turn.
bool Reader::fillAnew(const Place &made, const CXXConstructExpr &construct) {
  const CXXConstructExpr *each = &construct;
  while (const CXXConstructExpr *inner = elementIn(*each))
    each = inner;
  if (!countsElements(*each))
    return true;
  std::optional<Formula> value = literal(tree.buffers[made.buffer].type, 0);
  if (each->getNumArgs() > 1 && each->getArg(1)->getType()->isArithmeticType()) {
    const bool isWhole = each->getArg(1)->getType()->isIntegralOrEnumerationType();
    value = isWhole ? numberOfWhole(*each->getArg(1), tree.buffers[made.buffer].type)
                    : number(*each->getArg(1));
  }
  if (!value || !setWhole(made, *value, {}, construct))
    return false;
  tree.assignments.back().isFirst = true;
  return true;
}

/// Memory that is given as `void *` has the type that it is first taken for.
std::optional<Place> Reader::givenMemory(const clang::CastExpr &cast) {
  auto variable = namedVariable(*cast.getSubExpr());
  // An argument that is handed on.
  const auto handed = variable;
  if (const auto known = variable ? environment.find(*variable) : environment.end();
      known != environment.end())
    if (const auto *reference = std::get_if<Reference>(&known->second))
      variable = reference->variable;
  if (!variable || environment.count(*variable) || !cast.getType()->isPointerType())
    return std::nullopt;
  const auto made = makeBuffer(nameOf(*variable), cast.getType(), false, cast.getExprLoc());
  if (made) {
    const ValueDecl *named = variable->second ? variable->second : variable->first;
    tree.buffers[made->buffer].isRestrict |= named->getType().isRestrictQualified();
    environment[*variable] = firstValues[*variable] = Value(*made);
    environment.insert_or_assign(*handed, Value(*made));
  }
  return made;
}

/// The bytes of an array whose extents are variables.
std::optional<Polynomial> Reader::sizeOf(QualType type, SourceLocation where) {
  Polynomial size = 1;
  while (const auto *array = context.getAsVariableArrayType(type)) {
    const auto extent = array->getSizeExpr() ? whole(*array->getSizeExpr()) : std::nullopt;
    const auto product = extent ? lift::product(size, *extent) : std::nullopt;
    if (!product)
      return refuse(where, "how large this is is not known");
    size = *product;
    type = array->getElementType();
  }
  return product(size, context.getTypeSizeInChars(type).getQuantity());
}

/// `u.size()`, `u[0].size()`: the extent of an array. None for other calls.
std::optional<Polynomial> Reader::sizeOfContainer(const CXXMemberCallExpr &call) {
  const clang::Expr &object = *call.getImplicitObjectArgument();
  const CXXMethodDecl *method = call.getMethodDecl();
  if (!method || !method->getIdentifier() || method->getName() != "size" ||
      elementOfContainer(object.getType()).isNull())
    return std::nullopt;
  const auto found = place(object);
  if (!found || found->subscripts.size() >= tree.buffers[found->buffer].extents.size())
    return std::nullopt;
  auto &extent = tree.buffers[found->buffer].extents[found->subscripts.size()];
  if (!extent) {
    SymbolInfo info;
    // Of a row, however it is looked up.
    info.name = found->subscripts.empty() ? textOf(call) : tree.buffers[found->buffer].name;
    for (size_t row = 0; row < found->subscripts.size(); ++row)
      info.name += "[0]";
    if (!found->subscripts.empty())
      info.name += ".size()";
    info.where = call.getExprLoc();
    extent = Polynomial::of(addSymbol(std::move(info)));
  }
  return extent;
}

} // namespace stencilc::lift
