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
  /// Stores, and where a branch that stores takes which of its lists; or also copies to tiles, and
  /// where any branch does so.
  enum class Counted { Stores, All };

  StoreBounds(const Kernel &kernel, const Launch &launch, Counted counted = Counted::All)
      : kernel(kernel), launch(launch), counted(counted), definitions(kernel.locals.size()) {
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

  /// The index with what its names stand for in their place.
  Index expanded(const Index &index) const {
    const LinearIndex form = linear(index);
    Index sum = constant(form.constant);
    for (const auto &[atom, factor] : form.terms) {
      const Index definition = definitionOf(atom);
      sum = add(sum, scale(definition ? expanded(definition) : atom, factor));
    }
    return sum;
  }

  /// If one coordinate is all by which an index differs from its bound, that one and its own bound.
  struct OwnBound {
    Index coordinate, bound;
  };
  std::optional<OwnBound> ownBound(const Index &index, const Index &bound) const {
    const LinearIndex difference = linearDifference(expanded(index), expanded(bound));
    if (difference.terms.size() != 1 || difference.terms.front().factor != 1)
      return std::nullopt;
    return OwnBound{difference.terms.front().atom, constant(-difference.constant)};
  }

  void assume(const Range &range) {
    Range left = range;
    if (range.lower)
      if (const std::optional<OwnBound> own = ownBound(range.index, range.lower)) {
        assumeOf({own->coordinate, own->bound, nullptr});
        left.lower = nullptr;
      }
    if (range.upper)
      if (const std::optional<OwnBound> own = ownBound(range.index, range.upper)) {
        assumeOf({own->coordinate, nullptr, own->bound});
        left.upper = nullptr;
      }
    if (left.lower || left.upper)
      assumeOf(left);
  }

  /// Constants in the index count with its bounds.
  void assumeOf(Range range) {
    const int64_t ahead = linear(range.index).constant;
    range.index = add(range.index, -ahead);
    for (Index *bound : {&range.lower, &range.upper})
      if (*bound)
        *bound = add(*bound, -ahead);
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

  void store() { stores.push_back(conditions); }

  template <class Visit> void within(const Box &box, const Visit &visit) {
    const Conditions outside = conditions;
    llvm::for_each(box, [&](const Range &range) { assume(range); });
    visit();
    conditions = outside;
  }
  void walkWithin(const Box &box, const Body &body) {
    within(box, [&] { walk(body); });
  }

  void walk(const Body &body) {
    for (const Statement &statement : body)
      std::visit(
          llvm::makeVisitor(
              [&](const LetIndex &node) { definitions[node.local] = node.value; },
              [&](const ReturnUnless &node) {
                llvm::for_each(node.box, [&](const Range &range) { assume(range); });
              },
              [&](const StoreGlobal &) { store(); }, [&](const StoreShared &) { store(); },
              [&](const StoreVector &) { store(); }, [&](const StoreSharedVector &) { store(); },
              [&](const SendVector &) { store(); },
              [&](const CopyAsync &) {
                if (counted == Counted::All)
                  store();
              },
              [&](const If &node) {
                const size_t before = stores.size();
                walkWithin(node.box, node.then);
                walk(node.otherwise);
                if (!node.otherwise.empty() && (counted == Counted::All || stores.size() > before))
                  within(node.box, [&] { store(); });
              },
              [&](const For &node) {
                walkWithin({{coordinate(CoordinateKind::Local, node.local), node.begin, node.end}},
                           node.body);
              },
              [&](const Roles &node) {
                for (const Role &role : node.roles)
                  walkWithin({{coordinate(CoordinateKind::Warp, 0), constant(role.firstWarp),
                               constant(role.firstWarp + role.warps)}},
                             role.body);
              },
              [](const Phase &) {}, [](const LetPointer &) {}, [](const Let &) {},
              [](const LetMutable &) {}, [](const Assign &) {}, [](const AssignSlot &) {},
              [](const Rotate &) {}, [](const AssignElement &) {}, [](const ShiftPatch &) {},
              [](const LoadVector &) {}, [](const LoadSharedVector &) {},
              [](const CommitCopies &) {}, [](const WaitCopies &) {}, [](const AwaitMessage &) {},
              [](const Barrier &) {}),
          statement.node);
  }

  const Kernel &kernel;
  const Launch &launch;
  const Counted counted;
  std::vector<Index> definitions; ///< of locals
  Conditions conditions;
  std::vector<Conditions> stores;
};

} // namespace stencilc::mutation
