#include "ir/verify/DifferenceConstraints.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

static constexpr DifferenceGraph::Variable kZero = DifferenceGraph::kZero;
/// How many definitions and cases a proof may open before it gives up.
static constexpr unsigned kProofDepth = 8;

DifferenceConstraints::DifferenceConstraints(unsigned rank, llvm::ArrayRef<int64_t> minimumExtent) {
  variables.push_back(nullptr);
  for (unsigned axis = 0; axis < rank; ++axis)
    addFact(kZero, variableOf(extent(axis)), std::max<int64_t>(minimumExtent[axis], 0));
}

DifferenceConstraints::DifferenceConstraints(const Kernel &kernel)
    : DifferenceConstraints(kernel.rank(), kernel.minimumExtent) {
  block = kernel.block;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    addFact(kZero, variableOf(coordinate(CoordinateKind::Block, dimension)), 0);
    Variable thread = variableOf(coordinate(CoordinateKind::Thread, dimension));
    addFact(kZero, thread, 0);
    addFact(thread, kZero, 1 - kernel.block[dimension]);
  }
  for (auto [number, integer] : llvm::enumerate(kernel.integers)) {
    Index argument = coordinate(CoordinateKind::Argument, number);
    if (integer.atLeast)
      assumeAtMost(integer.atLeast, argument);
    if (integer.atMost)
      assumeAtMost(argument, integer.atMost);
  }
}

/// Puts back what an entry of a map was before it was replaced.
template <class Map, class Entry>
static void forgetLast(Map &map, const typename Map::key_type &key, std::vector<Entry> &entries) {
  if (entries.back().before)
    map[key] = *entries.back().before;
  else
    map.erase(key);
  entries.pop_back();
}

void DifferenceConstraints::restore(const Mark &mark) {
  for (; variables.size() > mark.graph.variables; variables.pop_back())
    numbers.erase(variables.back());
  graph.restore(mark.graph);
  while (definitions.size() > mark.definitions)
    forgetLast(definitionOf, definitions.back().variable, definitions);
  guards.resize(mark.guards);
  fixed.resize(mark.fixed);
  while (proofs.size() > mark.proofs)
    forgetLast(proofOf, Pair(proofs.back().left.get(), proofs.back().right.get()), proofs);
}

void DifferenceConstraints::Form::add(const Term &term) {
  auto *known =
      llvm::find_if(terms, [&](const Term &other) { return other.variable == term.variable; });
  if (known == terms.end()) {
    terms.push_back(term);
  } else {
    known->factor += term.factor;
    if (known->factor == 0)
      terms.erase(known);
  }
}

bool DifferenceConstraints::Form::isDifference() const {
  return terms.size() < 2 || (terms.size() == 2 && terms[0].factor * terms[1].factor == -1);
}

size_t DifferenceConstraints::Hash::operator()(const Index &index) const {
  uint64_t hash = index->node.index();
  const auto mix = [&](uint64_t part) { hash = (hash ^ part) * 0x9e3779b97f4a7c15 + (hash >> 29); };
  std::visit(llvm::makeVisitor([&](const IndexConstant &node) { mix(node.value); },
                               [&](const Coordinate &node) {
                                 mix(unsigned(node.kind));
                                 mix(node.number);
                               },
                               [](const IndexSum &) {},
                               [&](const IndexScale &node) { mix(node.factor); },
                               [&](const IndexQuotient &node) { mix(node.divisor); },
                               [&](const IndexRemainder &node) { mix(node.divisor); },
                               [](const IndexMin &) {}, [](const IndexMax &) {},
                               [&](const IndexMap &node) {
                                 mix(unsigned(node.boundary));
                                 mix(node.axis);
                               }),
             index->node);
  forEachOperand(*index, [&](const Index &operand) { mix((*this)(operand)); });
  return hash;
}

DifferenceConstraints::Variable DifferenceConstraints::variableOf(const Index &atom) {
  const auto [known, isNew] = numbers.try_emplace(atom, variables.size());
  const Variable variable = known->second;
  if (isNew) {
    variables.push_back(atom);
    graph.addVariable();
    describe(variable);
  }
  return variable;
}

void DifferenceConstraints::addDefinition(Variable variable, Form value) {
  const auto [last, isFirst] = definitionOf.try_emplace(variable, definitions.size());
  std::optional<unsigned> before;
  if (!isFirst)
    before = std::exchange(last->second, definitions.size());
  definitions.push_back({variable, std::move(value), before});
}

/// Adds what ties warps and lanes to the threads of the block.
void DifferenceConstraints::describeWarps() {
  const Index warp = coordinate(CoordinateKind::Warp, 0),
              lane = coordinate(CoordinateKind::Lane, 0);
  const Index x = coordinate(CoordinateKind::Thread, 0), y = coordinate(CoordinateKind::Thread, 1),
              z = coordinate(CoordinateKind::Thread, 2);
  constexpr int64_t kLanes = kLanesPerWarp;
  const int64_t threads = int64_t(block[0]) * block[1] * block[2];
  assumeAtMost(constant(0), warp);
  assumeAtMost(warp, constant((threads - 1) / kLanes));
  assumeAtMost(constant(0), lane);
  assumeAtMost(lane, constant(std::min(threads, kLanes) - 1));
  if (block[0] == kLanes) {
    // Every warp is a row.
    assumeAtMost(lane, x);
    assumeAtMost(x, lane);
    if (block[2] == 1) {
      assumeAtMost(warp, y);
      assumeAtMost(y, warp);
    }
  } else {
    const Index before = add(scale(y, block[0]), scale(z, int64_t(block[0]) * block[1]));
    addDefinition(variableOf(x), formOf(linearDifference(add(scale(warp, kLanes), lane), before)));
  }
}

/// Adds the facts that the meaning of the variable's node gives.
void DifferenceConstraints::describe(Variable variable) {
  // The vector of variables grows while operands are described.
  Index atom = variables[variable];
  if (const auto *least = std::get_if<IndexMin>(&atom->node)) {
    assumeAtMost(atom, least->left);
    assumeAtMost(atom, least->right);
    std::optional<int64_t> left = lowerBound(least->left), right = lowerBound(least->right);
    if (left && right)
      addFact(kZero, variable, std::min(*left, *right));
  } else if (const auto *greatest = std::get_if<IndexMax>(&atom->node)) {
    assumeAtMost(greatest->left, atom);
    assumeAtMost(greatest->right, atom);
    std::optional<int64_t> left = lowerBound(scale(greatest->left, -1));
    std::optional<int64_t> right = lowerBound(scale(greatest->right, -1));
    if (left && right)
      addFact(variable, kZero, std::min(*left, *right));
  } else if (const auto *mapped = std::get_if<IndexMap>(&atom->node)) {
    addFact(kZero, variable, 0);
    addFact(variable, variableOf(extent(mapped->axis)), 1);
  } else if (const auto *part = std::get_if<IndexRemainder>(&atom->node)) {
    addFact(kZero, variable, 0);
    addFact(variable, kZero, 1 - part->divisor);
  } else if (const auto *whole = std::get_if<IndexQuotient>(&atom->node)) {
    Form value = formOf(linear(whole->index));
    if (std::optional<int64_t> low = leastSum(value.terms))
      addFact(kZero, variable, euclideanQuotient(*low + value.constant, whole->divisor));
    for (Term &term : value.terms)
      term.factor = -term.factor;
    if (std::optional<int64_t> high = leastSum(value.terms))
      addFact(variable, kZero, -euclideanQuotient(value.constant - *high, whole->divisor));
  } else if (const auto *node = std::get_if<Coordinate>(&atom->node)) {
    // The first of the two brings the other along.
    const bool isWarp = node->kind == CoordinateKind::Warp;
    if (isWarp || node->kind == CoordinateKind::Lane)
      if (!numbers.contains(coordinate(isWarp ? CoordinateKind::Lane : CoordinateKind::Warp, 0)))
        describeWarps();
  }
}

/// The constant that the facts so far put below an index, if any.
std::optional<int64_t> DifferenceConstraints::lowerBound(const Index &index) {
  Form form = formOf(linear(index));
  std::optional<int64_t> least = leastSum(form.terms);
  if (!least)
    return std::nullopt;
  return *least + form.constant;
}

DifferenceConstraints::Form DifferenceConstraints::formOf(const LinearIndex &index) {
  Form form;
  form.constant = index.constant;
  for (const LinearIndex::Term &term : index.terms)
    if (const std::optional<int64_t> value = valueOf(term.atom))
      form.constant += term.factor * *value;
    else
      form.terms.push_back({variableOf(term.atom), term.factor});
  return form;
}

/// The form that is not negative where left + gap <= right.
DifferenceConstraints::Form DifferenceConstraints::formOf(const Index &left, const Index &right,
                                                          int64_t gap) {
  Form form = formOf(linearDifference(right, left));
  form.constant -= gap;
  return form;
}

void DifferenceConstraints::assumeNotNegative(const Form &form) {
  for (const Term &term : form.terms) {
    if (term.factor != 1)
      continue;
    // term + rest >= 0 bounds the term from below by what -rest cannot fall below.
    Form rest = form;
    llvm::erase_if(rest.terms, [&](const Term &other) { return other.variable == term.variable; });
    for (Term &other : rest.terms)
      other.factor = -other.factor;
    if (std::optional<int64_t> least = leastSum(rest.terms))
      addFact(kZero, term.variable, *least - form.constant);
    for (const Term &low : rest.terms) {
      if (low.factor != 1)
        continue;
      llvm::SmallVector<Term, 6> others(llvm::make_filter_range(
          rest.terms, [&](const Term &other) { return other.variable != low.variable; }));
      if (std::optional<int64_t> least = leastSum(others))
        addFact(low.variable, term.variable, *least - form.constant);
    }
  }
  // Single variables that only fall: constant - factor * variable >= 0.
  for (const Term &term : form.terms) {
    if (term.factor > 0 && term.factor != 1 && form.terms.size() == 1)
      addFact(kZero, term.variable, -euclideanQuotient(form.constant, term.factor));
    if (term.factor >= 0)
      continue;
    llvm::SmallVector<Term, 6> others;
    for (const Term &other : form.terms)
      if (other.variable != term.variable)
        others.push_back({other.variable, -other.factor});
    if (std::optional<int64_t> least = leastSum(others))
      addFact(term.variable, kZero, -euclideanQuotient(form.constant - *least, -term.factor));
  }
}

void DifferenceConstraints::assumeAtMost(const Index &left, const Index &right, int64_t gap) {
  Form form = formOf(left, right, gap);
  assumeNotNegative(form);
  if (!form.isDifference())
    guards.push_back(std::move(form));
}

void DifferenceConstraints::assume(const Box &box) {
  for (const Range &range : box) {
    if (range.lower)
      assumeAtMost(range.lower, range.index);
    if (range.upper)
      assumeAtMost(range.index, range.upper, 1);
  }
}

void DifferenceConstraints::define(unsigned local, const Index &value) {
  Index name = coordinate(CoordinateKind::Local, local);
  Form form = formOf(linear(value));
  assumeNotNegative(formOf(name, value, 0));
  assumeNotNegative(formOf(value, name, 0));
  addDefinition(variableOf(name), std::move(form));
}

std::optional<int64_t> DifferenceConstraints::valueOf(const Index &atom) const {
  const auto *node = std::get_if<Coordinate>(&atom->node);
  if (node && node->kind == CoordinateKind::Local)
    for (const auto &[local, value] : fixed)
      if (local == node->number)
        return value;
  return std::nullopt;
}

std::optional<int64_t> DifferenceConstraints::leastMultiple(const Term &term) {
  std::optional<int64_t> least = term.factor > 0 ? graph.leastDifference(term.variable, kZero)
                                                 : graph.leastDifference(kZero, term.variable);
  if (!least)
    return std::nullopt;
  return *least * std::abs(term.factor);
}

std::optional<int64_t> DifferenceConstraints::leastSum(llvm::ArrayRef<Term> terms) {
  int64_t sum = 0;
  for (const Term &term : terms) {
    std::optional<int64_t> least = leastMultiple(term);
    if (!least)
      return std::nullopt;
    sum += *least;
  }
  return sum;
}

/// True if a variable rises, or falls, in both.
bool DifferenceConstraints::Form::isAlikeInPart(const Form &other) const {
  return llvm::any_of(terms, [&](const Term &term) {
    return llvm::any_of(other.terms, [&](const Term &part) {
      return part.variable == term.variable && (part.factor > 0) == (term.factor > 0);
    });
  });
}

/// True if the terms can be paired, rising with falling ones, so that the bounds of the differences
/// and of what stays alone sum up to no less than zero.
bool DifferenceConstraints::pairs(Form form) {
  Term *falling = llvm::find_if(form.terms, [](const Term &term) { return term.factor < 0; });
  if (falling == form.terms.end()) {
    std::optional<int64_t> least = leastSum(form.terms);
    return least && *least + form.constant >= 0;
  }
  for (const Term &rising : form.terms) {
    if (rising.factor < 0)
      continue;
    std::optional<int64_t> least = graph.leastDifference(rising.variable, falling->variable);
    if (!least)
      continue;
    int64_t count = std::min(rising.factor, -falling->factor);
    Form rest = form;
    rest.constant += *least * count;
    rest.add({rising.variable, -count});
    rest.add({falling->variable, count});
    if (pairs(std::move(rest)))
      return true;
  }
  std::optional<int64_t> least = leastMultiple(*falling);
  if (!least)
    return false;
  form.constant += *least;
  form.terms.erase(falling);
  return pairs(std::move(form));
}

/// What proves a form of one or two quotients, for they do not fall: index / d + c >= 0 where
/// index + c * d >= 0; c - index / d >= 0 where c * d + d - 1 - index >= 0; left / d - right / d +
/// c
/// >= 0 where left - right + c * d >= 0.
std::optional<DifferenceConstraints::Form>
DifferenceConstraints::operandsOfQuotients(const Form &form) {
  const auto quotientOf = [&](const Term &term) {
    const Index &atom = variables[term.variable];
    return atom ? std::get_if<IndexQuotient>(&atom->node) : nullptr;
  };
  if (form.terms.size() == 1) {
    const int64_t factor = form.terms[0].factor;
    const IndexQuotient *only = quotientOf(form.terms[0]);
    if (!only || std::abs(factor) != 1)
      return std::nullopt;
    const int64_t most = form.constant * only->divisor;
    return factor == 1 ? formOf(constant(-most), only->index, 0)
                       : formOf(only->index, constant(most + only->divisor - 1), 0);
  }
  if (form.terms.size() != 2 || !form.isDifference())
    return std::nullopt;
  const bool risesFirst = form.terms[0].factor == 1;
  const IndexQuotient *rising = quotientOf(form.terms[risesFirst ? 0 : 1]);
  const IndexQuotient *falling = quotientOf(form.terms[risesFirst ? 1 : 0]);
  if (!rising || !falling || rising->divisor != falling->divisor)
    return std::nullopt;
  const int64_t more = form.constant * rising->divisor;
  return formOf(falling->index, rising->index, -more);
}

/// True if the form follows from a guard and what is left of it, of those guards that do, or do
/// not, say something of a part of it.
bool DifferenceConstraints::followsFromGuard(const Form &form, bool ofPart) {
  return llvm::any_of(guards, [&](const Form &guard) {
    if (guard.isAlikeInPart(form) != ofPart)
      return false;
    Form rest = form;
    rest.constant -= guard.constant;
    for (const Term &term : guard.terms)
      rest.add({term.variable, -term.factor});
    return pairs(std::move(rest));
  });
}

bool DifferenceConstraints::provesNotNegative(const Form &form, unsigned depth) {
  // Most follow from what is known of each variable.
  if (const std::optional<int64_t> least = leastSum(form.terms);
      least && *least + form.constant >= 0)
    return true;
  return pairs(form) || graph.isContradictory() || followsFromGuard(form, /*ofPart=*/true) ||
         (depth > 0 && followsFromOthers(form, depth - 1)) ||
         followsFromGuard(form, /*ofPart=*/false);
}

/// True if forms do that say the same in other variables.
bool DifferenceConstraints::followsFromOthers(const Form &form, unsigned depth) {
  if (const std::optional<Form> operands = operandsOfQuotients(form);
      operands && provesNotNegative(*operands, depth))
    return true;

  auto substitute = [&](const Term &term, const Form &value) {
    Form result = form;
    result.add({term.variable, -term.factor});
    result.constant += value.constant * term.factor;
    for (const Term &part : value.terms)
      result.add({part.variable, part.factor * term.factor});
    return result;
  };

  // An extreme is either of its operands; facts may know it by the names in the goal as it is.
  for (const Term &term : form.terms) {
    Index atom = variables[term.variable];
    Index left, right;
    if (const auto *least = std::get_if<IndexMin>(&atom->node))
      left = least->left, right = least->right;
    else if (const auto *greatest = std::get_if<IndexMax>(&atom->node))
      left = greatest->left, right = greatest->right;
    else
      continue;
    if (provesNotNegative(substitute(term, formOf(linear(left))), depth) &&
        provesNotNegative(substitute(term, formOf(linear(right))), depth))
      return true;
    break;
  }

  // The definition made last may hold the others, never the other way round.
  const Term *defined = nullptr;
  unsigned last = 0;
  for (const Term &term : form.terms)
    if (auto known = definitionOf.find(term.variable);
        known != definitionOf.end() && (!defined || known->second > last)) {
      defined = &term;
      last = known->second;
    }
  return defined && provesNotNegative(substitute(*defined, definitions[last].value), depth);
}

/// Splits an index into what is left without its constant, null if that is nothing, and that.
static std::pair<Index, int64_t> split(const Index &index) {
  if (const auto *literal = std::get_if<IndexConstant>(&index->node))
    return {nullptr, literal->value};
  if (const auto *sum = std::get_if<IndexSum>(&index->node))
    if (const auto *literal = std::get_if<IndexConstant>(&sum->right->node))
      return {sum->left, literal->value};
  return {index, 0};
}

bool DifferenceConstraints::provesAtMost(const Index &left, const Index &right, int64_t gap) {
  const auto [leftPart, leftConstant] = split(left);
  const auto [rightPart, rightConstant] = split(right);
  // A proof holds its indices, so that no others come to stand in their place.
  const int64_t needed = gap + leftConstant - rightConstant;
  const Pair pair(leftPart.get(), rightPart.get());
  const auto known = proofOf.find(pair);
  if (known != proofOf.end() && needed <= proofs[known->second].gap)
    return true;
  if (!provesNotNegative(formOf(left, right, gap), kProofDepth))
    return false;
  const auto [entry, isNew] = proofOf.try_emplace(pair, proofs.size());
  std::optional<unsigned> before;
  if (!isNew)
    before = std::exchange(entry->second, proofs.size());
  proofs.push_back({leftPart, rightPart, needed, before});
  return true;
}
