// Of the facts in Equivalence.h those on loops and branches.
#include "test/mutation/Equivalence.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace stencilc;
using namespace stencilc::mutation;

// ---- branches ---------------------------------------------------------------------------------

/// True if the box lets nothing through that the range does not.
static bool implies(const Box &box, const Range &range) {
  return llvm::any_of(box, [&](const Range &own) {
    const std::optional<int64_t> ahead = constantDifference(range.index, own.index);
    const auto leaves = [](const Index &from, const Index &to) {
      return constantDifference(from, to).value_or(std::numeric_limits<int32_t>::min());
    };
    return ahead && (!range.lower || (own.lower && leaves(own.lower, range.lower) + *ahead >= 0)) &&
           (!range.upper || (own.upper && leaves(range.upper, own.upper) - *ahead >= 0));
  });
}

/// True if the second index has `ahead` more along its last axis, and is else the same.
static bool areApart(llvm::ArrayRef<Index> index, llvm::ArrayRef<Index> other, int64_t ahead) {
  return index.size() == other.size() &&
         llvm::all_of(llvm::zip_equal(index.drop_back(), other.drop_back()),
                      [](auto pair) { return equal(std::get<0>(pair), std::get<1>(pair)); }) &&
         constantDifference(other.back(), index.back()) == ahead;
}

/// True if the statement stores element `lane` of the row that the vector does, wherever the box
/// lets threads through.
static bool storesLane(const Statement &statement, const StoreVector &vector, const Box &box,
                       unsigned lane) {
  if (const auto *branch = std::get_if<If>(&statement.node))
    return branch->then.size() == 1 && storesLane(branch->then.front(), vector, box, lane) &&
           llvm::all_of(branch->box, [&](const Range &range) { return implies(box, range); });
  const auto *store = std::get_if<StoreGlobal>(&statement.node);
  const auto *element = store ? std::get_if<PatchElement>(&store->value->node) : nullptr;
  return element && store->array == vector.array && areApart(vector.index, store->index, lane) &&
         element->patch == vector.row.patch && areApart(vector.row.at, element->at, lane);
}

/// ... loads it.
static bool loadsLane(const Statement &statement, const LoadVector &vector, const Box &box,
                      unsigned lane) {
  const auto *assigned = std::get_if<AssignElement>(&statement.node);
  if (!assigned || assigned->patch != vector.row.patch ||
      !areApart(vector.row.at, assigned->at, lane))
    return false;
  Value value = assigned->value;
  if (const auto *guarded = std::get_if<GuardedValue>(&value->node))
    if (llvm::all_of(guarded->box, [&](const Range &range) { return implies(box, range); }))
      value = guarded->inside;
  const auto *load = std::get_if<LoadGlobal>(&value->node);
  return load && load->array == vector.array && areApart(vector.index, load->index, lane);
}

/// True if the branch moves a row of elements: at once, or one by one.
static bool movesTheSame(const If &branch) {
  if (branch.then.size() != 1)
    return false;
  const auto all = [&](unsigned lanes, auto movesLane) {
    return branch.otherwise.size() == lanes &&
           llvm::all_of(llvm::enumerate(branch.otherwise),
                        [&](auto single) { return movesLane(single.value(), single.index()); });
  };
  if (const auto *store = std::get_if<StoreVector>(&branch.then.front().node))
    return all(store->row.lanes, [&](const Statement &single, unsigned lane) {
      return storesLane(single, *store, branch.box, lane);
    });
  if (const auto *load = std::get_if<LoadVector>(&branch.then.front().node))
    return all(load->row.lanes, [&](const Statement &single, unsigned lane) {
      return loadsLane(single, *load, branch.box, lane);
    });
  return false;
}

static bool movesSinglesMoreOften(const Body &body, const Body &other) {
  if (body.size() != other.size())
    return false;
  return llvm::any_of(llvm::zip_equal(body, other), [](auto pair) {
    const auto &[statement, changed] = pair;
    if (statement.node.index() != changed.node.index())
      return false;
    if (const auto *loop = std::get_if<For>(&statement.node))
      return movesSinglesMoreOften(loop->body, std::get<For>(changed.node).body);
    if (const auto *roles = std::get_if<Roles>(&statement.node)) {
      const auto &others = std::get<Roles>(changed.node).roles;
      return roles->roles.size() == others.size() &&
             llvm::any_of(llvm::zip_equal(roles->roles, others), [](auto pair) {
               const auto &[role, own] = pair;
               return movesSinglesMoreOften(role.body, own.body);
             });
    }
    const auto *branch = std::get_if<If>(&statement.node);
    if (!branch)
      return false;
    const auto &rarer = std::get<If>(changed.node);
    const bool differs = branch->box.size() != rarer.box.size() ||
                         llvm::any_of(llvm::zip_equal(branch->box, rarer.box), [](auto pair) {
                           const auto &[range, own] = pair;
                           const auto isSame = [](const Index &left, const Index &right) {
                             return left && right ? equal(left, right) : left == right;
                           };
                           return !isSame(range.index, own.index) ||
                                  !isSame(range.lower, own.lower) ||
                                  !isSame(range.upper, own.upper);
                         });
    if (differs)
      return movesTheSame(*branch) && llvm::all_of(branch->box, [&](const Range &range) {
               return implies(rarer.box, range);
             });
    return movesSinglesMoreOften(branch->then, rarer.then) ||
           movesSinglesMoreOften(branch->otherwise, rarer.otherwise);
  });
}

bool mutation::movesSinglesMoreOften(const Program &right, const Program &mutated) {
  return llvm::any_of(llvm::zip_equal(right.kernels, mutated.kernels), [](auto pair) {
    const auto &[kernel, other] = pair;
    return ::movesSinglesMoreOften(kernel.body, other.body);
  });
}

// ---- pieces of rows ---------------------------------------------------------------------------

namespace {

/// Numbers that leave a remainder.
struct Residue {
  int64_t remainder = 0, divisor = 0; ///< no divisor: the one number
  void add(int64_t number) { remainder += number; }
  void addMultiplesOf(int64_t number) { divisor = std::gcd(divisor, number); }
  bool contains(int64_t number) const {
    return divisor == 0 ? number == remainder : (number - remainder) % divisor == 0;
  }
};

void findDefinitions(const Body &body, std::vector<Index> &definitions) {
  for (const Statement &statement : body) {
    if (const auto *named = std::get_if<LetIndex>(&statement.node))
      definitions[named->local] = named->value;
    if (const auto *loop = std::get_if<For>(&statement.node))
      findDefinitions(loop->body, definitions);
    if (const auto *roles = std::get_if<Roles>(&statement.node))
      for (const Role &role : roles->roles)
        findDefinitions(role.body, definitions);
  }
}

/// Adds what an index may be in all threads of a launch.
void addTo(Residue &residue, const Index &index, int64_t factor, const Launch &launch,
           unsigned contiguous, llvm::ArrayRef<Index> definitions) {
  const LinearIndex form = linear(index);
  residue.add(form.constant * factor);
  for (const LinearIndex::Term &term : form.terms) {
    const int64_t factors = term.factor * factor;
    const auto *name = std::get_if<Coordinate>(&term.atom->node);
    if (name && name->kind == CoordinateKind::Local && definitions[name->number]) {
      addTo(residue, definitions[name->number], factors, launch, contiguous, definitions);
      continue;
    }
    const bool isArgument = name && name->kind == CoordinateKind::Argument;
    const auto *first = isArgument ? std::get_if<FirstOf>(&launch.integers[name->number]) : nullptr;
    const auto *begin =
        first ? std::get_if<IndexConstant>(&launch.cover.begin[first->axis]->node) : nullptr;
    // Along the contiguous axis launches begin where their box does: slabs are cut along others.
    if (begin && !launch.cover.alignTo && first->axis == contiguous)
      residue.add(begin->value * factors);
    else
      residue.addMultiplesOf(factors);
  }
}

/// True if some branch has a lower bound one higher, and nobody has the number between.
bool asksForOneMore(const Body &body, const Body &other, const Launch &launch, unsigned contiguous,
                    llvm::ArrayRef<Index> definitions) {
  if (body.size() != other.size())
    return false;
  return llvm::any_of(llvm::zip_equal(body, other), [&](auto pair) {
    const auto &[statement, changed] = pair;
    if (statement.node.index() != changed.node.index())
      return false;
    const auto inside = [&](const Body &own, const Body &theirs) {
      return asksForOneMore(own, theirs, launch, contiguous, definitions);
    };
    if (const auto *loop = std::get_if<For>(&statement.node))
      return inside(loop->body, std::get<For>(changed.node).body);
    if (const auto *roles = std::get_if<Roles>(&statement.node)) {
      const auto &others = std::get<Roles>(changed.node).roles;
      return roles->roles.size() == others.size() &&
             llvm::any_of(llvm::zip_equal(roles->roles, others), [&](auto pair) {
               const auto &[role, own] = pair;
               return inside(role.body, own.body);
             });
    }
    const auto *branch = std::get_if<If>(&statement.node);
    if (!branch)
      return false;
    const auto &rarer = std::get<If>(changed.node);
    if (branch->box.size() == rarer.box.size())
      for (const auto &[range, shifted] : llvm::zip_equal(branch->box, rarer.box)) {
        if (!range.lower || !shifted.lower || equal(range.lower, shifted.lower))
          continue;
        const auto *least = std::get_if<IndexConstant>(&range.lower->node);
        Residue residue;
        addTo(residue, range.index, 1, launch, contiguous, definitions);
        return least && constantDifference(shifted.lower, range.lower).value_or(0) == 1 &&
               !residue.contains(least->value);
      }
    return inside(branch->then, rarer.then) || inside(branch->otherwise, rarer.otherwise);
  });
}

} // namespace

bool mutation::guardsPiecesAlike(const Program &right, const Program &mutated) {
  bool areAlike = false;
  forEachLaunchOf(right.plan, [&](const Launch &launch) {
    const Kernel &kernel = right.kernels[launch.kernel];
    std::vector<Index> definitions(kernel.locals.size());
    findDefinitions(kernel.body, definitions);
    areAlike |= asksForOneMore(kernel.body, mutated.kernels[launch.kernel].body, launch,
                               right.signature.rank() - 1, definitions);
  });
  return areAlike;
}

/// Raises the lower bound of every branch by one.
static void raiseBounds(Body &body) {
  for (Statement &statement : body) {
    if (auto *branch = std::get_if<If>(&statement.node)) {
      for (Range &range : branch->box)
        if (range.lower)
          range.lower = add(range.lower, 1);
      raiseBounds(branch->then);
      raiseBounds(branch->otherwise);
    }
    if (auto *loop = std::get_if<For>(&statement.node))
      raiseBounds(loop->body);
  }
}

bool mutation::mayGuardPiecesAlike(const Program &program) {
  Program raised = program;
  for (Kernel &kernel : raised.kernels)
    raiseBounds(kernel.body);
  return guardsPiecesAlike(program, raised);
}
