// The Reader on arrays that the number of the turn chooses: `t % 2 ? b : a`.
//
// It is as if pointers changed places at the end of each turn: the body is read as the first turn
// goes, and Loop::becomes says how the others differ from it.
#include "frontend/lift/LoopPasses.h"
#include "frontend/lift/ReaderState.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace stencilc::lift {

std::optional<Polynomial> Reader::parityOf(const clang::Expr &given) {
  const Refusals::Trial trial(refusals);
  const clang::Expr *test = &bare(*given.IgnoreParenImpCasts());
  const auto *compare = dyn_cast<BinaryOperator>(test);
  std::optional<int64_t> compared;
  if (compare && compare->isEqualityOp()) {
    clang::Expr::EvalResult right;
    if (!compare->getRHS()->getType()->isIntegralOrEnumerationType() ||
        !compare->getRHS()->EvaluateAsInt(right, context))
      return std::nullopt;
    compared = right.Val.getInt().getLimitedValue(2);
    test = &bare(*compare->getLHS()->IgnoreParenImpCasts());
  }
  if (!test->getType()->isIntegralOrEnumerationType() || compared == 2)
    return std::nullopt;
  const auto rest = whole(*test);
  const auto other = rest ? difference(1, *rest) : std::nullopt;
  const auto symbol = !other ? std::nullopt : rest->symbol() ? rest->symbol() : other->symbol();
  if (!symbol || tree.symbols[*symbol].kind != SymbolInfo::Kind::Modulo ||
      tree.symbols[*symbol].modulus != 2)
    return std::nullopt;
  // C's remainders of odd numbers below 0 are -1: no 1, but no 0 either.
  const Polynomial &dividend = tree.symbols[*symbol].dividend;
  const bool isCounted = llvm::any_of(loops, [&](unsigned number) {
    const Loop &loop = tree.loops[number];
    const auto shift = distance(dividend, Polynomial::of(loop.variable));
    const auto least = shift ? sum(loop.begin, *shift) : std::nullopt;
    return least && least->number().value_or(-1) >= 0;
  });
  if (compared == 1 && !isCounted)
    return std::nullopt;
  const bool isOpposite = compared && (*compared == 0) == (compare->getOpcode() == BO_EQ);
  return isOpposite ? other : rest;
}

std::optional<Polynomial> Reader::inTurn(const Polynomial &zeroth, const Polynomial &first,
                                         const Polynomial &chosen) {
  // Parts of an array count as `((t + 1) % 2) * n` does.
  if (const auto symbol = chosen.symbol(); symbol && first == Polynomial() && !zeroth.number())
    if (const auto next = sum(tree.symbols[*symbol].dividend, 1))
      return product(zeroth, *modulo(*next, 2));
  const auto between = difference(first, zeroth);
  const auto part = between ? product(*between, chosen) : std::nullopt;
  return part ? sum(zeroth, *part) : std::nullopt;
}

std::optional<Place> Reader::placeByTurn(std::vector<Place> places, const Polynomial &chosen,
                                         SourceLocation where) {
  // A pointer that was not moved points to the first element.
  if (llvm::any_of(places, [](const Place &place) { return place.isOpen; }))
    for (Place &place : places)
      if (!place.isOpen)
        place = *moved(place, 0, where);
  const Place &one = places[0];
  if (llvm::all_of(places, [&](const Place &place) { return place == one; }))
    return one;
  const auto other = difference(1, chosen);
  const auto symbol = chosen.symbol() ? chosen.symbol() : other ? other->symbol() : std::nullopt;
  const bool isRemainder = symbol && tree.symbols[*symbol].kind == SymbolInfo::Kind::Modulo &&
                           tree.symbols[*symbol].modulus == int64_t(places.size());
  // Parts of one array: a subscript that is a remainder.
  if (isRemainder && places.size() == 2 && places[1].buffer == one.buffer &&
      places[1].isOpen == one.isOpen && places[1].isByTurn == one.isByTurn &&
      places[1].subscripts.size() == one.subscripts.size()) {
    Place result = one;
    for (auto [mine, theirs] : llvm::zip(result.subscripts, places[1].subscripts)) {
      const auto place = inTurn(mine, theirs, chosen);
      if (!place)
        return refuse(where, "the subscript is too large");
      mine = *place;
    }
    return result;
  }
  const auto refuseChoice = [&](const llvm::Twine &why, const llvm::Twine &wayOut = "") {
    return refuse(where,
                  "which of `" + tree.buffers[one.buffer].name + "` and `" +
                      tree.buffers[places.back().buffer].name + "` is meant " + why,
                  wayOut);
  };
  Loop *loop = nullptr;
  int64_t shift = 0;
  for (unsigned number : loops)
    if (const auto far = isRemainder ? distance(tree.symbols[*symbol].dividend,
                                                Polynomial::of(tree.loops[number].variable))
                                     : std::nullopt) {
      loop = &tree.loops[number];
      shift = *far;
    }
  if (!loop)
    return refuseChoice("hangs on more than the number of the turn",
                        "arrays change places from turn to turn of the loop over time: "
                        "`t % 2 ? b : a`");
  if (loop->stride != Polynomial(1) || loop->isDownward)
    return refuseChoice("hangs on a variable that does not count up by one");
  const auto begin = loop->begin.number();
  if (!begin)
    return refuseChoice("in the first turn is known only during a run",
                        "count the steps from a number, such as 0");
  const bool isAlike = llvm::all_of(places, [&](const Place &place) {
    return place.isOpen == one.isOpen && place.subscripts == one.subscripts && !place.isByTurn &&
           tree.buffers[place.buffer].type == tree.buffers[one.buffer].type &&
           tree.buffers[place.buffer].extents.size() == tree.buffers[one.buffer].extents.size();
  });
  if (!isAlike)
    return refuseChoice("changes from turn to turn, but they are no whole arrays of one shape");
  const int64_t count = places.size();
  for (int64_t number = 0; number < count; ++number) {
    const unsigned from = places[number].buffer, to = places[(number + 1) % count].buffer;
    if (loop->becomes.try_emplace(from, to).first->second != to)
      return refuseChoice("takes turns in several ways",
                          "in each turn a level takes the memory of another one, always alike");
    tree.buffers[from].isByTurn = true;
  }
  const int64_t rest = ((*begin + shift) % count + count) % count;
  Place first = places[chosen.symbol() ? rest : 1 - rest];
  first.isByTurn = true;
  return first;
}

/// `if (t % 2)`: pointers and numbers are set, in every other turn to others.
bool Reader::runInTurns(const IfStmt &statement) {
  const clang::Expr &test = *statement.getCond();
  for (const Variable &variable : assignedIn(&statement))
    if (!environment.count(variable) && !makeValue(variable, statement.getIfLoc()))
      return false;
  const auto branch = [&](const Stmt &taken) {
    const auto outer = std::exchange(everyOther, &test);
    const bool isRead = run(taken);
    everyOther = outer;
    return isRead;
  };
  const Environment before = environment;
  if (!branch(*statement.getThen()))
    return false;
  const Environment then = std::exchange(environment, before);
  environment.insert(then.begin(), then.end());
  if (statement.getElse() && !branch(*statement.getElse()))
    return false;
  const Environment otherwise = environment;
  return join(nullptr, &test, then, otherwise, test.getExprLoc());
}

bool Reader::isAlwaysDone() {
  if (everyOther)
    refuse(everyOther->getExprLoc(),
           "what is done in every other turn differs from what is done in the turns between",
           "choose the arrays by `t % 2`, and do with them the same in each turn");
  else if (optional)
    refuse(optional->getExprLoc(),
           "`" + textOf(*optional) + "` sets something, but may be left out",
           "set it by a statement of its own, under `if`");
  return !everyOther && !optional;
}

/// `condition ? a : b` of arrays.
std::optional<Place> Reader::placeOf(const ConditionalOperator &choice) {
  const clang::Expr &test = *choice.getCond();
  if (const auto known = knownCondition(test))
    return place(*known ? *choice.getTrueExpr() : *choice.getFalseExpr());
  const auto then = place(*choice.getTrueExpr());
  const auto otherwise = then ? place(*choice.getFalseExpr()) : std::nullopt;
  if (!otherwise || *then == *otherwise)
    return otherwise;
  if (const auto parity = parityOf(test))
    return placeByTurn({*otherwise, *then}, *parity, test.getExprLoc());
  return refuse(test.getExprLoc(),
                "which array is meant depends on `" + textOf(test) +
                    "`, which is not whether the turn is even",
                "arrays may change places from turn to turn of the loop over time: "
                "`t % 2 ? b : a`; other choices are made by the caller");
}

bool Reader::declareLevels(const VarDecl &variable) {
  const auto *list = dyn_cast<InitListExpr>(&bare(*variable.getInit()));
  const auto *array = context.getAsConstantArrayType(variable.getType());
  std::vector<Place> places;
  for (unsigned number = 0; list && number < list->getNumInits(); ++number) {
    const auto found = isa<ImplicitValueInitExpr>(list->getInit(number))
                           ? std::nullopt
                           : place(*list->getInit(number));
    if (!found)
      break;
    places.push_back(*found);
  }
  bool isWritten = false;
  forEachPart(*callers.back()->getBody(), [&](const Stmt &part) {
    const clang::Expr *target = writtenBy(part);
    const auto *element = target ? dyn_cast<ArraySubscriptExpr>(&bare(*target)) : nullptr;
    isWritten |= element && plainVariable(*element->getBase()->IgnoreParenImpCasts()) ==
                                Variable{&variable, nullptr};
  });
  if (!list || !array || isWritten || places.size() != array->getSize().getLimitedValue())
    return refuse(variable.getLocation(),
                  "`" + variable.getName() +
                      "` is a table of pointers that is not followed: only a list of arrays that "
                      "nobody changes is",
                  "give each array a name of its own"),
           false;
  levels[&variable] = std::move(places);
  environment.insert_or_assign(Variable{&variable, nullptr}, Value(Unknown()));
  return true;
}

std::vector<Variable> Reader::ringIn(const LoopParts &loop, const Loop &bounds,
                                     const std::vector<Variable> &assigned) const {
  std::vector<Variable> ring;
  std::vector<int64_t> starts;
  for (const Variable &variable : assigned) {
    const auto known = environment.find(variable);
    const auto *number =
        known == environment.end() ? nullptr : std::get_if<Polynomial>(&known->second);
    const auto start = number ? number->number() : std::nullopt;
    if (!start || *start < 0 || *start > 2 || llvm::is_contained(starts, *start) ||
        !isTurnedOver(loop.body, variable))
      continue;
    ring.push_back(variable);
    starts.push_back(*start);
  }
  const bool isOverTime = loops.empty() && bounds.stride == Polynomial(1) && !bounds.isDownward &&
                          bounds.begin.number();
  return isOverTime && ring.size() == 3 ? ring : std::vector<Variable>();
}

void Reader::takeRing(const LoopParts &loop, const Loop &bounds,
                      const std::vector<Variable> &ring) {
  if (ring.empty())
    return;
  const auto inTurn = [&](int64_t start) {
    return *modulo(*sum(*difference(Polynomial::of(bounds.variable), bounds.begin), start), 3);
  };
  std::map<Variable, int64_t> starts;
  for (const Variable &variable : ring) {
    Value &value = environment[variable];
    starts[variable] = *std::get<Polynomial>(value).number();
    value = inTurn(starts[variable]);
  }
  Reader once(*this);
  const Refusals::Trial trial(refusals);
  const bool isHandedOn = once.runBody(loop.body) && llvm::all_of(starts, [&](const auto &entry) {
                            const auto *next =
                                std::get_if<Polynomial>(&once.environment[entry.first]);
                            return next && *next == inTurn((entry.second + 1) % 3);
                          });
  if (!isHandedOn)
    for (const Variable &variable : ring)
      environment[variable] = Unknown();
}

static const ValueDecl *tableIn(const ArraySubscriptExpr &element) {
  const auto *base = dyn_cast<DeclRefExpr>(&bare(*element.getBase()->IgnoreParenImpCasts()));
  return base ? base->getDecl() : nullptr;
}

bool Reader::isLevel(const ArraySubscriptExpr &element) const {
  return levels.count(tableIn(element));
}

std::optional<Place> Reader::levelOf(const ArraySubscriptExpr &element) {
  const std::vector<Place> &places = levels.at(tableIn(element));
  const auto index = whole(*element.getIdx());
  if (!index)
    return std::nullopt;
  if (const auto number = index->number())
    return *number >= 0 && size_t(*number) < places.size()
               ? std::optional(places[*number])
               : refuse(element.getExprLoc(), "`" + textOf(element) + "` is beyond the table");
  return placeByTurn(places, *index, element.getExprLoc());
}

bool checkTurns(const LoopTree &tree, Refusals &refusals) {
  const auto check = [&](const Access &access) {
    const Buffer &buffer = tree.buffers[access.buffer];
    if (buffer.isByTurn && !access.isByTurn)
      refusals.refuse(access.where,
                      "`" + buffer.name +
                          "` is named here, and elsewhere chosen by the number of the turn: which "
                          "time level it holds changes from turn to turn",
                      "use the pointers to the old level and to the new one alone");
    return !refusals.any();
  };
  const auto checkReads = [&](const Formula &value) {
    return llvm::all_of(value.exprs, [&](const Expr &expr) {
      const auto *read = std::get_if<Read>(&expr.node);
      return !read || check(tree.accesses[read->array]);
    });
  };
  return llvm::all_of(tree.assignments,
                      [&](const Assignment &made) {
                        return check(made.target) && checkReads(made.value);
                      }) &&
         llvm::all_of(tree.reductions, [&](const Gathered &made) {
           return checkReads(made.value) && (!made.start || checkReads(*made.start));
         });
}

} // namespace stencilc::lift
