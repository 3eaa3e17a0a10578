// StoreBounds: under which conditions a kernel stores, to tell mutated kernels that store at the
// same points from others.
#pragma once

#include "ir/kernel/Program.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::mutation {

/// All bounds on one index where a statement stands; of two with a constant between, the tighter.
struct Bounds {
  Index index;
  std::vector<Index> lower, upper;
};

/// The stores of a kernel with the bounds that hold around them.
class StoreBounds {
public:
  StoreBounds(const Kernel &kernel, const Launch &launch)
      : kernel(kernel), launch(launch), definitions(kernel.locals.size()) {
    walk(kernel.body);
  }

  bool operator==(const StoreBounds &other) const {
    return stores.size() == other.stores.size() &&
           llvm::all_of(llvm::zip_equal(stores, other.stores),
                        [](auto pair) { return same(std::get<0>(pair), std::get<1>(pair)); });
  }

private:
  using Conditions = std::vector<Bounds>;

  static bool includes(const std::vector<Index> &all, const std::vector<Index> &some) {
    return llvm::all_of(some, [&](const Index &bound) {
      return llvm::any_of(all, [&](const Index &other) { return equal(bound, other); });
    });
  }
  static bool same(const Conditions &left, const Conditions &right) {
    auto covers = [](const Conditions &all, const Conditions &some) {
      return llvm::all_of(some, [&](const Bounds &bounds) {
        return llvm::any_of(all, [&](const Bounds &other) {
          return equal(bounds.index, other.index) && includes(other.lower, bounds.lower) &&
                 includes(other.upper, bounds.upper);
        });
      });
    };
    return covers(left, right) && covers(right, left);
  }

  /// What a local was made from; null for other indices.
  Index definitionOf(const Index &index) const {
    auto *name = std::get_if<Coordinate>(&index->node);
    return name && name->kind == CoordinateKind::Local ? definitions[name->number] : nullptr;
  }

  /// The begin of the launch, if the index is a block's or a thread's place counted from there.
  Index launchBegin(const Index &index) const {
    const Index definition = definitionOf(index);
    if (!definition)
      return nullptr;
    for (unsigned axis = 0; axis < kernel.rank(); ++axis) {
      const bool startsEarly = launch.cover.alignTo && axis + 1 == kernel.rank();
      for (const LinearIndex::Term &term : linear(definition).terms) {
        auto *argument = std::get_if<Coordinate>(&term.atom->node);
        if (argument && argument->kind == CoordinateKind::Argument &&
            launch.integers[argument->number] == IntegerBinding(FirstOf{axis}) && !startsEarly)
          return launch.cover.begin[axis];
      }
    }
    return nullptr;
  }

  /// Adds a bound; `isLower` tells which end. Above, names stand for what they name, and a minimum
  /// is two bounds.
  void tighten(std::vector<Index> &bounds, Index bound, bool isLower) {
    if (isLower)
      if (Index begin = launchBegin(bound))
        tighten(bounds, begin, isLower);
    if (const Index definition = definitionOf(bound); definition && !isLower)
      return tighten(bounds, definition, isLower);
    if (auto *least = std::get_if<IndexMin>(&bound->node); least && !isLower) {
      tighten(bounds, least->left, isLower);
      return tighten(bounds, least->right, isLower);
    }
    for (Index &known : bounds)
      if (std::optional<int64_t> more = constantDifference(bound, known)) {
        if (isLower ? *more > 0 : *more < 0)
          known = bound;
        return;
      }
    bounds.push_back(std::move(bound));
  }

  void assume(const Range &range) {
    auto found = llvm::find_if(
        conditions, [&](const Bounds &bounds) { return equal(bounds.index, range.index); });
    if (found == conditions.end()) {
      found = conditions.insert(conditions.end(), {range.index, {}, {}});
      if (Index begin = launchBegin(range.index))
        tighten(found->lower, begin, true);
    }
    if (range.lower)
      tighten(found->lower, range.lower, true);
    if (range.upper)
      tighten(found->upper, range.upper, false);
  }

  void walk(const Body &body) {
    for (const Statement &statement : body) {
      if (auto *named = std::get_if<LetIndex>(&statement.node))
        definitions[named->local] = named->value;
      if (auto *guard = std::get_if<ReturnUnless>(&statement.node))
        llvm::for_each(guard->box, [&](const Range &range) { assume(range); });
      if (std::holds_alternative<StoreGlobal>(statement.node) ||
          std::holds_alternative<StoreShared>(statement.node))
        stores.push_back(conditions);
      const Conditions outside = conditions;
      if (auto *branch = std::get_if<If>(&statement.node)) {
        llvm::for_each(branch->box, [&](const Range &range) { assume(range); });
        walk(branch->then);
        conditions = outside;
      }
      if (auto *loop = std::get_if<For>(&statement.node)) {
        assume({coordinate(CoordinateKind::Local, loop->local), loop->begin, loop->end});
        walk(loop->body);
        conditions = outside;
      }
    }
  }

  const Kernel &kernel;
  const Launch &launch;
  std::vector<Index> definitions; ///< of locals
  Conditions conditions;
  std::vector<Conditions> stores;
};

} // namespace stencilc::mutation
