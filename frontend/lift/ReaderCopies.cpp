// The Reader on arrays that are copied or filled as a whole: by the library, and containers by `=`.
#include "frontend/lift/Numbers.h"
#include "frontend/lift/ReaderState.h"

using namespace clang;

namespace stencilc::lift {

/// Sets `to`, or so many elements of it, to the elements of `from`, or to a number.
bool Reader::setWhole(const Place &to, const std::variant<Place, Formula> &source,
                      std::optional<Polynomial> elements, const clang::Expr &copy) {
  const SourceLocation where = copy.getExprLoc();
  if (!isAlwaysDone())
    return false;
  if (!conditions.empty() || !guards.empty())
    return refuse(where, "`" + textOf(copy) + "` copies an array under a condition",
                  "write the copy as loops"),
           false;
  const Buffer &buffer = tree.buffers[to.buffer];
  const unsigned time = tree.assignments.size();
  std::optional<Formula> value;
  if (const auto *from = std::get_if<Place>(&source)) {
    const Buffer &other = tree.buffers[from->buffer];
    if (other.type != buffer.type || other.whole != buffer.whole)
      return refuse(where, "memory of one type is copied to another"), false;
    if (from->subscripts.size() != to.subscripts.size() || from->isOpen || to.isOpen)
      return refuse(where, "`" + textOf(copy) + "` copies a part of an array",
                    "write the copy as loops"),
             false;
    if (tables.count(from->buffer))
      return refuse(where, "`" + other.name + "` is a table of numbers and is copied as a whole",
                    "write the copy as loops"),
             false;
    tree.accesses.push_back({from->buffer, from->subscripts, time, where, {}, from->isByTurn});
    value = leaf(buffer.type, Read{unsigned(tree.accesses.size() - 1), TimeLevel::Current, {}});
  } else
    value = cast(buffer.type, std::get<Formula>(source));
  if (value && std::holds_alternative<Formula>(source) &&
      llvm::any_of(value->exprs,
                   [](const Expr &expr) { return std::holds_alternative<Read>(expr.node); }))
    return refuse(where, "`" + buffer.name + "` is filled with what is read of an array",
                  "write the filling as loops"),
           false;
  if (!value)
    return refuse(where, "the number is too large for `" + buffer.name + "`"), false;
  if (const auto table = tables.find(to.buffer); table != tables.end()) {
    if (!table->second.isSet || !loops.empty() || std::holds_alternative<Place>(source))
      return refuse(where, "`" + buffer.name + "` is a table of numbers and is set as a whole"),
             false;
    std::fill(table->second.values.begin(), table->second.values.end(), *value);
    return true;
  }
  Assignment made{
      loops, guards, {to.buffer, to.subscripts, time, where, {}, to.isByTurn}, *value, where};
  made.isWhole = true;
  made.elements = std::move(elements);
  tree.assignments.push_back(std::move(made));
  return true;
}

/// An array from its first element on.
std::optional<Place> Reader::wholeArray(const clang::Expr &given) {
  auto found = place(given);
  const bool isStart = found && llvm::all_of(found->subscripts, [](const Polynomial &subscript) {
                         return subscript == Polynomial();
                       });
  if (found && !isStart)
    return refuse(given.getExprLoc(),
                  "a part of `" + tree.buffers[found->buffer].name + "` is copied",
                  "write the copy as loops");
  if (found) {
    found->subscripts.clear();
    found->isOpen = false;
  }
  return found;
}

/// What a loop is called that moves elements of such an array.
std::string Reader::nameOfElements(unsigned buffer) const {
  for (const Assignment &made : llvm::reverse(tree.assignments))
    if (made.target.buffer == buffer && !made.loops.empty())
      return tree.symbols[tree.loops[made.loops.back()].variable].name;
  return "i";
}

/// memcpy and memset of so many elements from a place on, such as a part of a row, which other
/// loops move: a loop over them. None where it is no such part.
std::optional<bool> Reader::copyPart(const clang::CallExpr &call, bool isFill) {
  const SourceLocation where = call.getExprLoc();
  if (loops.empty())
    return std::nullopt;
  const auto placeIn = [&](unsigned argument) {
    const Refusals::Trial trial(refusals);
    return place(*call.getArg(argument)->IgnoreImpCasts());
  };
  const auto isRow = [&](const std::optional<Place> &found) {
    const size_t missing =
        found ? tree.buffers[found->buffer].extents.size() - found->subscripts.size() : 2;
    return missing == 0 || (missing == 1 && !found->isOpen && !found->subscripts.empty());
  };
  const auto to = placeIn(0);
  const auto from = isFill ? std::nullopt : placeIn(1);
  const auto isFirst = [](const std::optional<Place> &found) {
    return llvm::all_of(found->subscripts,
                        [](const Polynomial &subscript) { return subscript == Polynomial(); });
  };
  if (!isRow(to) || (!isFill && !isRow(from)) || (isFirst(to) && (isFill || isFirst(from))))
    return std::nullopt;
  const Buffer &target = tree.buffers[to->buffer];
  const auto bytes = whole(*call.getArg(2));
  const auto count = bytes ? divide(*bytes, target.elementSize()) : std::nullopt;
  if (!bytes)
    return false;
  if (isFill && whole(*call.getArg(1)) != Polynomial())
    return refuse(where, "memory is set to bytes that are not zero"), false;
  if (!count || count->rest != Polynomial() || moves(count->quotient))
    return refuse(where, "`" + textOf(call) + "` is no copy of elements",
                  "write the copy as loops"),
           false;
  if (from && (tree.buffers[from->buffer].type != target.type ||
               tree.buffers[from->buffer].whole != target.whole))
    return refuse(where, "memory of one type is copied to another"), false;
  if (from && from->buffer == to->buffer)
    return refuse(where, "`" + textOf(call) + "` copies within an array",
                  "write the copy as loops"),
           false;
  SymbolInfo info;
  info.kind = SymbolInfo::Kind::Loop;
  info.name = nameOfElements(from ? from->buffer : to->buffer);
  info.where = where;
  const auto element = Polynomial::of(addSymbol(info));
  Loop loop{*element.symbol(), 0, count->quotient};
  loop.where = where;
  const ScalarType type = target.type;
  loops.push_back(tree.loops.size());
  tree.loops.push_back(std::move(loop));
  const auto written = moved(*to, element, where);
  const auto source = from ? moved(*from, element, where) : std::nullopt;
  const auto value =
      from ? (source ? load(*source, where) : std::nullopt) : std::optional(literal(type, 0));
  const bool isStored = written && value && store(*written, *value, where);
  loops.pop_back();
  return isStored;
}

/// memcpy and memset, of whole arrays.
bool Reader::copyWhole(const clang::CallExpr &call, bool isFill) {
  const SourceLocation where = call.getExprLoc();
  if (const auto isRead = copyPart(call, isFill))
    return *isRead;
  const auto to = wholeArray(*call.getArg(0)->IgnoreImpCasts());
  if (!to)
    return false;
  const ScalarType type = tree.buffers[to->buffer].type;
  std::variant<Place, Formula> source = literal(type, 0);
  if (isFill) {
    const auto byte = whole(*call.getArg(1));
    if (byte != Polynomial())
      return refuse(where, "memory is set to bytes that are not zero"), false;
  } else {
    const auto from = wholeArray(*call.getArg(1)->IgnoreImpCasts());
    if (!from)
      return false;
    source = *from;
  }
  const auto bytes = whole(*call.getArg(2));
  const auto count = bytes ? divide(*bytes, tree.buffers[to->buffer].elementSize()) : std::nullopt;
  if (!count || count->rest != Polynomial())
    return refuse(where, "`" + textOf(call) + "` is no copy of a whole array",
                  "write the copy as loops"),
           false;
  return setWhole(*to, source, count->quotient, call);
}

/// `u = un` of containers.
bool Reader::copyContainer(const clang::CXXOperatorCallExpr &call) {
  const SourceLocation where = call.getExprLoc();
  const clang::Expr &target = *call.getArg(0), &source = *call.getArg(1);
  const auto to = place(target);
  if (!to)
    return false;
  if (source.getType()->isRealFloatingType()) { // of a std::valarray
    const auto value = number(source);
    return value && setWhole(*to, *value, {}, call);
  }
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(call.getDirectCallee());
  const auto *moved = dyn_cast<clang::CallExpr>(&bare(source));
  const bool isMoved =
      moved && moved->getDirectCallee() && moved->getDirectCallee()->getNameAsString() == "move";
  if (!isMoved && isArray(source.getType()) && (!loops.empty() || isNumberedWithin(*to))) {
    const auto value = evaluate(source);
    const auto *from = value ? std::get_if<Place>(&*value) : nullptr;
    const auto isRead = from ? copyFew(*to, *from, where) : std::nullopt;
    if (isRead || !value)
      return isRead.value_or(false);
  }
  if (isMoved) {
    // Nobody looks at what is left of a local one.
    const auto from = place(*moved->getArg(0));
    if (!from)
      return false;
    if (tree.buffers[from->buffer].isLocal)
      return setWhole(*to, *from, {}, call);
    return refuse(where, "`" + textOf(call) + "` leaves nothing in what it is moved from",
                  "let two arrays change places by `std::swap`"),
           false;
  }
  if (!method || !method->isCopyAssignmentOperator() ||
      !context.hasSameUnqualifiedType(target.getType(), source.getType()))
    return refuse(where,
                  "`" + textOf(call) + "` sets `" + textOf(target) +
                      "` as a whole to what is no other array of its type",
                  "copy from an array that is there, or write loops"),
           false;
  if (const auto *special = elementOfContainer(target.getType())->getAs<PointerType>();
      special || isView(target.getType()))
    return refuse(where,
                  "`" + textOf(call) + "` lets `" + textOf(target) +
                      "` name other elements and copies none",
                  "let pointers change places, or copy the elements"),
           false;
  const auto from = place(source);
  return from && setWhole(*to, *from, {}, call);
}

/// `auto un = u`: a container that starts as a copy, made anew where it is declared.
bool Reader::declareCopy(const VarDecl &variable, const CXXConstructExpr &construct) {
  const auto from = place(*construct.getArg(0));
  const auto made = from ? makeBuffer(variable.getNameAsString(), variable.getType(), true,
                                      variable.getLocation())
                         : std::nullopt;
  if (!made)
    return false;
  environment.insert_or_assign(Variable{&variable, nullptr}, Value(*made));
  declaredUnder[made->buffer] = conditions.size();
  if (const auto isRead =
          loops.empty() ? std::nullopt : copyFew(*made, *from, variable.getLocation()))
    return *isRead;
  return setWhole(*made, *from, {}, construct);
}

/// The container of `u.begin()` or `u.end()`; null for others.
const clang::Expr *Reader::containerOf(const clang::Expr &given, StringRef name) const {
  const clang::Expr *iterator = &bare(given);
  while (true) {
    const auto *construct = dyn_cast<CXXConstructExpr>(iterator);
    const auto *cast = dyn_cast<clang::CastExpr>(iterator);
    if (construct && construct->getNumArgs() == 1)
      iterator = &bare(*construct->getArg(0));
    else if (cast)
      iterator = &bare(*cast->getSubExpr());
    else
      break;
  }
  const auto isNamed = [&](const FunctionDecl *function) {
    StringRef called = function && function->getIdentifier() ? function->getName() : "";
    return called == name || (called.consume_front("c") && called == name);
  };
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(iterator))
    return isNamed(member->getMethodDecl()) &&
                   !elementOfContainer(member->getImplicitObjectArgument()->getType()).isNull()
               ? member->getImplicitObjectArgument()
               : nullptr;
  const auto *called = dyn_cast<clang::CallExpr>(iterator);
  return called && called->getNumArgs() == 1 && called->getDirectCallee() &&
                 called->getDirectCallee()->isInStdNamespace() && isNamed(called->getDirectCallee())
             ? called->getArg(0)
             : nullptr;
}

/// std::copy, std::copy_n, std::fill and std::fill_n of whole arrays; none for other calls.
std::optional<bool> Reader::runAlgorithm(const clang::CallExpr &call) {
  const FunctionDecl *function = call.getDirectCallee();
  const StringRef name = function && function->getIdentifier() ? function->getName() : "";
  const bool isCopy = name == "copy" || name == "copy_n";
  const bool isCounted = name == "copy_n" || name == "fill_n";
  if (!function || !function->isInStdNamespace() || call.getNumArgs() != 3 ||
      (!isCopy && name != "fill" && !isCounted))
    return std::nullopt;
  const auto array = [&](const clang::Expr &start) {
    const clang::Expr *container = containerOf(start, "begin");
    return container ? place(*container) : wholeArray(start);
  };
  const auto first = array(*call.getArg(0));
  if (!first)
    return false;
  std::optional<Polynomial> elements;
  const clang::Expr &end = *call.getArg(1);
  if (isCounted)
    elements = whole(end);
  else if (const clang::Expr *container = containerOf(end, "end")) {
    const auto last = place(*container);
    if (!last)
      return false;
    if (*last != *first)
      return refuse(end.getExprLoc(),
                    "`" + textOf(call) + "` starts in one array and ends in another"),
             false;
  } else {
    const auto last = place(end);
    const bool isLast = last && last->buffer == first->buffer && !last->subscripts.empty() &&
                        llvm::all_of(llvm::ArrayRef(last->subscripts).drop_back(),
                                     [](const Polynomial &place) { return place == Polynomial(); });
    if (isLast)
      elements = last->subscripts.back();
    else if (last)
      refuse(end.getExprLoc(), "`" + textOf(call) + "` is no copy of a whole array",
             "write the copy as loops");
  }
  if (refusals.any() || (isCounted && !elements))
    return false;
  if (!isCopy) {
    const auto value = number(*call.getArg(2));
    return value && setWhole(*first, *value, elements, call);
  }
  const auto to = array(*call.getArg(2));
  return to && setWhole(*to, *first, elements, call);
}

} // namespace stencilc::lift
