// Of the facts in Equivalence.h those on loops and branches.
#include "test/mutation/Equivalence.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace stencilc;
using namespace stencilc::mutation;

// ---- turns and branches -----------------------------------------------------------------------

/// True if some bound of the box is tighter than it was.
static bool isNarrower(const Box &box, const Box &other) {
  if (box.size() != other.size())
    return false;
  return llvm::any_of(llvm::zip_equal(box, other), [](auto pair) {
    const auto &[range, changed] = pair;
    const auto by = [](const Index &from, const Index &to) -> int64_t {
      return from && to ? constantDifference(to, from).value_or(0) : 0;
    };
    return by(range.lower, changed.lower) > 0 || by(range.upper, changed.upper) < 0;
  });
}

static bool differInTurnsOrBranches(const Body &body, const Body &other) {
  if (body.size() != other.size())
    return false;
  return llvm::any_of(llvm::zip_equal(body, other), [](auto pair) {
    const auto &[statement, changed] = pair;
    if (statement.node.index() != changed.node.index())
      return false;
    if (const auto *loop = std::get_if<For>(&statement.node)) {
      const auto &longer = std::get<For>(changed.node);
      return constantDifference(longer.begin, loop->begin).value_or(0) < 0 ||
             constantDifference(longer.end, loop->end).value_or(0) > 0 ||
             differInTurnsOrBranches(loop->body, longer.body);
    }
    if (const auto *branch = std::get_if<If>(&statement.node)) {
      const auto &rarer = std::get<If>(changed.node);
      return (!branch->otherwise.empty() && isNarrower(branch->box, rarer.box)) ||
             differInTurnsOrBranches(branch->then, rarer.then) ||
             differInTurnsOrBranches(branch->otherwise, rarer.otherwise);
    }
    return false;
  });
}

bool mutation::differInTurnsOrBranches(const Program &right, const Program &mutated) {
  return llvm::any_of(llvm::zip_equal(right.kernels, mutated.kernels), [](auto pair) {
    const auto &[kernel, other] = pair;
    return ::differInTurnsOrBranches(kernel.body, other.body);
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
