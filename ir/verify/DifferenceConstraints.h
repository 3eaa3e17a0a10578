// DifferenceConstraints: what is known of a kernel's integers, and what follows from it.
//
// A fact is `high - low >= gap` between two coordinates (or a coordinate and zero). Facts come from
// the kernel's declarations (extents, block shape, promises of integer arguments), from definitions
// of locals and from guards. A goal is a linear form that must not be negative: its terms are
// paired so that each difference is bounded by the longest path of facts, which is sound for all
// values and extents. Min, Max, Map, quotients and remainders are variables with the ranges that
// their meaning gives; a goal that holds a minimum or maximum is proved for either operand. A guard
// that says more than differences can is kept as it is: a goal may follow from it and what is left.
//
// What it cannot prove may still be true.
//
// Large stencils ask thousands of times about a few indices at many distances. So the greatest
// distance proved of a pair of indices is kept, variables are found by their structure's hash, and
// paths are lengthened fact by fact (ir/verify/DifferenceGraph.h).
#pragma once

#include "ir/kernel/Kernel.h"
#include "ir/verify/DifferenceGraph.h"

#include "llvm/ADT/DenseMap.h"

#include <unordered_map>

namespace stencilc {

class DifferenceConstraints {
public:
  /// Knows only that each of `rank` extents is at least the given minimum.
  DifferenceConstraints(unsigned rank, llvm::ArrayRef<int64_t> minimumExtent);
  /// Knows what `kernel` declares; it must outlive this.
  explicit DifferenceConstraints(const Kernel &kernel);

  /// Facts hold from here on, until restored to a mark taken before.
  struct Mark {
    DifferenceGraph::Mark graph;
    size_t definitions, fixed, guards, proofs;
  };
  Mark mark() const {
    return {graph.mark(), definitions.size(), fixed.size(), guards.size(), proofs.size()};
  }
  void restore(const Mark &mark);

  /// Assumes left + gap <= right.
  void assumeAtMost(const Index &left, const Index &right, int64_t gap = 0);
  /// Assumes all ranges of `box`.
  void assume(const Box &box);
  /// Makes `local` stand for `value`.
  void define(unsigned local, const Index &value);
  /// The same of a number, of a local that no fact speaks of yet: it stands in its place.
  void fix(unsigned local, int64_t value) { fixed.emplace_back(local, value); }

  /// True only if left + gap <= right follows from the facts.
  bool provesAtMost(const Index &left, const Index &right, int64_t gap = 0);

private:
  using Variable = DifferenceGraph::Variable;
  struct Term {
    Variable variable;
    int64_t factor;
  };
  struct Form {
    llvm::SmallVector<Term, 6> terms;
    int64_t constant = 0;

    void add(const Term &term);
    /// True if facts on pairs of variables say all of it.
    bool isDifference() const;
    bool isAlikeInPart(const Form &other) const;
  };
  struct Definition {
    Variable variable;
    Form value;
    std::optional<unsigned> before; ///< the definition that the variable had
  };
  struct Hash {
    size_t operator()(const Index &index) const;
  };
  struct Equal {
    bool operator()(const Index &left, const Index &right) const { return equal(left, right); }
  };
  /// Two indices without their constants; null where nothing is left.
  using Pair = std::pair<const IndexNode *, const IndexNode *>;
  /// left + gap <= right is proved.
  struct Proof {
    Index left, right;
    int64_t gap;
    std::optional<unsigned> before; ///< the proof of a smaller gap
  };

  Variable variableOf(const Index &atom);
  std::optional<int64_t> valueOf(const Index &atom) const; ///< of locals that are fixed
  void describe(Variable variable);
  void describeWarps();
  std::optional<int64_t> lowerBound(const Index &index);
  Form formOf(const Index &left, const Index &right, int64_t gap);
  Form formOf(const LinearIndex &index);
  void addFact(Variable low, Variable high, int64_t gap) { graph.assume(low, high, gap); }
  void addDefinition(Variable variable, Form value);
  /// Adds the facts on pairs of variables that follow from form >= 0.
  void assumeNotNegative(const Form &form);

  /// The greatest known lower bound of factor * variable.
  std::optional<int64_t> leastMultiple(const Term &term);
  std::optional<int64_t> leastSum(llvm::ArrayRef<Term> terms);
  std::optional<Form> operandsOfQuotients(const Form &form);
  bool provesNotNegative(const Form &form, unsigned depth);
  bool followsFromGuard(const Form &form, bool ofPart);
  bool followsFromOthers(const Form &form, unsigned depth);
  bool pairs(Form form);

  std::array<int, 3> block = {1, 1, 1};                     ///< threads along x, y, z
  std::vector<Index> variables;                             ///< null: the number zero
  std::unordered_map<Index, Variable, Hash, Equal> numbers; ///< of the variables
  DifferenceGraph graph;
  std::vector<Definition> definitions;
  llvm::DenseMap<Variable, unsigned> definitionOf;          ///< the last one
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> fixed; ///< locals and their values
  std::vector<Form> guards; ///< forms of more than a difference that are not negative
  std::vector<Proof> proofs;
  llvm::DenseMap<Pair, unsigned> proofOf; ///< the one of the greatest gap
};

} // namespace stencilc
