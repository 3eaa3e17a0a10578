// The Reader on tables: arrays whose values stand in the source.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

bool isArray(QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  return type->isArrayType() ||
         (record && record->isInStdNamespace() && record->getName() == "array");
}

bool isListed(const VarDecl &array) {
  const clang::Expr *start = array.getAnyInitializer();
  return start && (array.getType()->isArrayType() || isa<InitListExpr>(bare(*start)));
}

bool isBitReference(QualType type) {
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() &&
         (record->getName() == "_Bit_reference" || record->getName() == "__bit_reference");
}

/// Of `bool(reference)` what gives the reference; null for others.
static const clang::Expr *bitIn(const clang::Expr &expression) {
  const auto *called = dyn_cast<CXXMemberCallExpr>(&expression);
  const auto *conversion =
      called ? dyn_cast_or_null<CXXConversionDecl>(called->getMethodDecl()) : nullptr;
  return conversion && isBitReference(called->getImplicitObjectArgument()->getType())
             ? called->getImplicitObjectArgument()
             : nullptr;
}

std::pair<const clang::Expr *, const clang::Expr *> elementParts(const clang::Expr &expression) {
  if (const clang::Expr *bit = bitIn(expression))
    return elementParts(bare(*bit));
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(&expression))
    return {&bare(*element->getBase()->IgnoreParenImpCasts()), element->getIdx()};
  const auto *called = dyn_cast<CXXOperatorCallExpr>(&expression);
  return called && called->getOperator() == OO_Subscript && called->getNumArgs() == 2 &&
                 !elementOfContainer(called->getArg(0)->getType()).isNull()
             ? std::pair(&bare(*called->getArg(0)), called->getArg(1))
             : std::pair<const clang::Expr *, const clang::Expr *>();
}

/// What an array, or a std::array, is made of.
static QualType elementOf(QualType type, const ASTContext &context) {
  const auto *array = context.getAsArrayType(type);
  return array ? array->getElementType() : isArray(type) ? elementOfContainer(type) : QualType();
}

/// True of a list of zeros alone, be they left out.
static bool isOfZeros(const clang::Expr &start) {
  const clang::Expr &value = bare(*start.IgnoreParenCasts());
  if (const auto *list = dyn_cast<InitListExpr>(&value))
    return llvm::all_of(list->inits(), [](const clang::Expr *part) { return isOfZeros(*part); }) &&
           (!list->getArrayFiller() || isOfZeros(*list->getArrayFiller()));
  const auto *whole = dyn_cast<IntegerLiteral>(&value);
  const auto *number = dyn_cast<FloatingLiteral>(&value);
  return isa<ImplicitValueInitExpr>(value) || (whole && whole->getValue().isZero()) ||
         (number && number->getValue().isPosZero());
}

/// A local array with values: a table of numbers.
bool Reader::declareTable(const VarDecl &variable) {
  if (wholeTable(variable)) {
    environment.insert_or_assign(Variable{&variable, nullptr}, Value(Unknown()));
    return true;
  }
  bool isWritten = false;
  forEachPart(*callers.back()->getBody(), [&](const Stmt &part) {
    const clang::Expr *target = writtenBy(part);
    const clang::Expr *element = target ? elementParts(bare(*target)).first : nullptr;
    for (; element; element = elementParts(*element).first)
      isWritten |= namedVariable(*element) == Variable{&variable, nullptr};
  });
  const bool isCleared = isWritten && loops.empty() && isOfZeros(*variable.getAnyInitializer());
  auto table = isCleared ? std::optional(Table()) : tableOf(variable);
  if (!table)
    return refuse(variable.getLocation(), "the values of `" + variable.getName() +
                                              "` are not followed: only lists of numbers are"),
           false;
  const auto made =
      makeBuffer(variable.getNameAsString(), variable.getType(), true, variable.getLocation());
  if (!made)
    return false;
  for (Formula &value : table->values) {
    const Buffer &buffer = tree.buffers[made->buffer];
    auto held = buffer.whole ? datumHeld(buffer, value, variable.getLocation()) : value;
    if (!held)
      return false;
    value = std::move(*held);
  }
  environment.insert_or_assign(Variable{&variable, nullptr}, Value(*made));
  if (isCleared) {
    const Formula zero = literal(tree.buffers[made->buffer].type, 0);
    if (!setWhole(*made, zero, {}, *variable.getAnyInitializer()))
      return false;
    tree.assignments.back().isFirst = !tree.isProgram; // of which only the steps stay
    return true;
  }
  if (!isWritten) {
    tables.emplace(made->buffer, std::move(*table));
    return true;
  }
  return storeAll(*made, table->values, variable.getLocation());
}

// ---- weights

/// The variables whose elements the statement writes, or hands to functions that may; null for
/// those of others.
static std::vector<const VarDecl *> elementsWritten(const Stmt &statement) {
  std::vector<const VarDecl *> result;
  const auto add = [&](const clang::Expr &array) {
    const auto *reference = dyn_cast<DeclRefExpr>(&bare(*array.IgnoreParenImpCasts()));
    result.push_back(reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr);
  };
  forEachPart(statement, [&](const Stmt &part) {
    if (const clang::Expr *target = writtenBy(part); target && !plainVariable(*target)) {
      const clang::Expr *base = &bare(*target);
      for (auto parts = elementParts(*base); parts.first; parts = elementParts(*base))
        base = parts.first;
      add(*base);
    }
    if (const auto *call = dyn_cast<clang::CallExpr>(&part);
        call && !elementParts(*call).first && !isa<CXXMemberCallExpr>(call))
      for (const clang::Expr *argument : call->arguments())
        if (!argument->IgnoreParenImpCasts()->getType()->isArithmeticType())
          add(*argument);
  });
  return result;
}

static void addOutermostLoops(const Stmt &statement, std::vector<const Stmt *> &loops) {
  if (isa<ForStmt, WhileStmt, DoStmt>(statement))
    loops.push_back(&statement);
  else
    for (const Stmt *part : statement.children())
      if (part)
        addOutermostLoops(*part, loops);
}

bool Reader::isWeights(const VarDecl &variable, const Place &made) {
  constexpr int64_t kMostWeights = 512;
  const Buffer &buffer = tree.buffers[made.buffer];
  int64_t count = 1;
  for (const auto &extent : buffer.extents) {
    const int64_t length = extent ? extent->number().value_or(0) : 0;
    count = length > 0 && length <= kMostWeights ? count * length : 0;
    if (count == 0 || count > kMostWeights)
      return false;
  }
  // A loop that sets another array, too, is one over points.
  std::vector<const Stmt *> loops;
  addOutermostLoops(*callers.back()->getBody(), loops);
  llvm::SmallPtrSet<const VarDecl *, 4> others;
  const auto isOther = [&](const VarDecl *array) {
    return !array || isa<ParmVarDecl>(array) || !array->hasLocalStorage() || others.contains(array);
  };
  for (size_t known = SIZE_MAX; known != others.size();) {
    known = others.size();
    for (const Stmt *loop : loops)
      if (const auto written = elementsWritten(*loop); llvm::any_of(written, isOther))
        for (const VarDecl *array : written)
          if (array)
            others.insert(array);
  }
  if (!this->loops.empty() || !conditions.empty() || others.contains(&variable))
    return false;
  tables.emplace(made.buffer, Table{std::vector<Formula>(count), true});
  return tree.hasWeights = true;
}

std::optional<size_t> Reader::indexIn(const Place &place) const {
  size_t index = 0;
  for (const auto &[subscript, extent] :
       llvm::zip_equal(place.subscripts, tree.buffers[place.buffer].extents)) {
    const auto number = subscript.number();
    if (!number || *number < 0 || *number >= *extent->number())
      return std::nullopt;
    index = index * *extent->number() + *number;
  }
  return index;
}

bool Reader::setWeight(Table &table, const Place &place, const Formula &value,
                       SourceLocation where) {
  const auto index = loops.empty() && guards.empty() ? indexIn(place) : std::nullopt;
  if (!index)
    return refuse(where, "`" + tree.buffers[place.buffer].name +
                             "` is a table of numbers and is written here"),
           false;
  table.values[*index] = value;
  return true;
}

bool Reader::setsWeights(const Stmt &loop) {
  bool usesWeights = false;
  const auto isTable = [&](const ValueDecl *array) {
    const auto known = environment.find(Variable{array, nullptr});
    const auto *place = known == environment.end() ? nullptr : std::get_if<Place>(&known->second);
    const auto table = place ? tables.find(place->buffer) : tables.end();
    return table != tables.end() && table->second.isSet;
  };
  forEachPart(loop, [&](const Stmt &part) {
    const auto *reference = dyn_cast<DeclRefExpr>(&part);
    usesWeights |= reference && isTable(reference->getDecl());
  });
  return usesWeights && llvm::all_of(elementsWritten(loop),
                                     [&](const VarDecl *array) { return array && isTable(array); });
}

bool Reader::setsPrivates(const Stmt &loop) {
  constexpr uint64_t kMostPrivates = 64;
  const auto isPrivate = [&](const VarDecl *array) {
    if (!array || !array->hasLocalStorage() || isa<ParmVarDecl>(array))
      return false;
    uint64_t count = 1;
    QualType type = array->getType();
    for (; const auto *inner = context.getAsConstantArrayType(type); type = inner->getElementType())
      count *= std::min(inner->getSize().getLimitedValue(), 2 * kMostPrivates);
    return type != array->getType() && type->isArithmeticType() && count <= kMostPrivates;
  };
  bool usesPrivates = false;
  forEachPart(loop, [&](const Stmt &part) {
    const auto *reference = dyn_cast<DeclRefExpr>(&part);
    usesPrivates |= reference && isPrivate(dyn_cast<VarDecl>(reference->getDecl()));
  });
  return usesPrivates && llvm::all_of(elementsWritten(loop), isPrivate);
}

// ---- lists

/// Adds the numbers of a list to a table, row by row; zeros for those that no list says.
bool Reader::addToTable(Table &table, const clang::Expr *start, QualType type) {
  constexpr size_t kMostNumbers = 10'000;
  const auto *isNone = start ? dyn_cast<ImplicitValueInitExpr>(start) : nullptr;
  if (const auto *array = context.getAsConstantArrayType(type)) {
    const auto *list = start ? dyn_cast<InitListExpr>(&bare(*start)) : nullptr;
    if (start && !list && !isNone)
      return false;
    const uint64_t count = array->getSize().getLimitedValue();
    for (uint64_t number = 0; number < count; ++number)
      if (!addToTable(table, list && number < list->getNumInits() ? list->getInit(number) : nullptr,
                      array->getElementType()))
        return false;
    return count > 0;
  }
  if (isArray(type)) { // a struct of one
    const auto *list = start ? dyn_cast<InitListExpr>(&bare(*start)) : nullptr;
    const auto *record = type->getAsCXXRecordDecl();
    if ((start && !list && !isNone) || record->field_empty())
      return false;
    return addToTable(table, list && list->getNumInits() > 0 ? list->getInit(0) : nullptr,
                      record->field_begin()->getType());
  }
  const bool isWhole = type->isIntegralOrEnumerationType();
  const auto scalar = isWhole                      ? std::optional(heldAs(wholeType(type)))
                      : type->isRealFloatingType() ? scalarType(type, {})
                                                   : std::nullopt;
  if (!scalar || table.values.size() == kMostNumbers)
    return false;
  auto value = !start || isNone ? literal(*scalar, 0) : isWhole ? datum(*start) : number(*start);
  if (value)
    table.values.push_back(std::move(*value));
  return value.has_value();
}

std::optional<Table> Reader::tableOf(const VarDecl &variable) {
  const clang::Expr *start = variable.getAnyInitializer();
  Table table;
  return start && isa<InitListExpr>(bare(*start)) && addToTable(table, start, variable.getType())
             ? std::optional(std::move(table))
             : std::nullopt;
}

const APValue *Reader::wholeTable(const VarDecl &variable) const {
  QualType element = variable.getType();
  bool isConst = false;
  for (QualType inner = element; !inner.isNull(); inner = elementOf(element, context)) {
    element = inner;
    isConst |= element.isConstQualified();
  }
  // Of a local one, whoever writes to it is refused.
  const bool isSafe = isConst || variable.hasLocalStorage();
  if ((!variable.getType()->isConstantArrayType() && !isArray(variable.getType())) ||
      !element->isIntegralOrEnumerationType() || !isSafe || !variable.hasInit() ||
      variable.getInit()->isValueDependent())
    return nullptr;
  const APValue *value = variable.evaluateValue();
  return value && (value->isArray() || value->isStruct()) ? value : nullptr;
}

std::optional<Polynomial> Reader::listedWhole(const clang::Expr &expression) {
  if (const auto neighbour = neighbourIn(expression))
    return neighbour;
  llvm::SmallVector<int64_t, 2> places;
  const clang::Expr *base = &bare(expression);
  for (auto parts = elementParts(*base); parts.first; parts = elementParts(*base)) {
    const Refusals::Trial trial(refusals);
    const auto index = whole(*parts.second);
    const auto place = index ? index->number() : std::nullopt;
    if (!place)
      return std::nullopt;
    places.push_back(*place);
    base = parts.first;
  }
  const auto variable = places.empty() ? std::nullopt : namedVariable(*base);
  const auto *declared = variable ? dyn_cast<VarDecl>(variable->first) : nullptr;
  const APValue *value = declared && !variable->second ? wholeTable(*declared) : nullptr;
  for (int64_t place : llvm::reverse(places)) {
    if (value && value->isStruct() && value->getStructNumFields() == 1)
      value = &value->getStructField(0);
    if (!value || !value->isArray() || place < 0 || uint64_t(place) >= value->getArraySize())
      return std::nullopt;
    value = uint64_t(place) < value->getArrayInitializedElts()
                ? &value->getArrayInitializedElt(place)
                : &value->getArrayFiller();
  }
  if (!value || !value->isInt() || value->getInt().getSignificantBits() > 62)
    return std::nullopt;
  return Polynomial(value->getInt().getExtValue());
}

} // namespace stencilc::lift
