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
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

class DifferenceConstraints {
public:
  /// Knows only that each of `rank` extents is at least the given minimum.
  DifferenceConstraints(unsigned rank, llvm::ArrayRef<int64_t> minimumExtent);
  /// Knows what `kernel` declares; it must outlive this.
  explicit DifferenceConstraints(const Kernel &kernel);

  /// Facts hold from here on, until restored to a mark taken before.
  struct Mark {
    size_t variables, facts, definitions, guards;
  };
  Mark mark() const { return {variables.size(), facts.size(), definitions.size(), guards.size()}; }
  void restore(const Mark &mark);

  /// Assumes left + gap <= right.
  void assumeAtMost(const Index &left, const Index &right, int64_t gap = 0);
  /// Assumes all ranges of `box`.
  void assume(const Box &box);
  /// Makes `local` stand for `value`.
  void define(unsigned local, const Index &value);

  /// True only if left + gap <= right follows from the facts.
  bool provesAtMost(const Index &left, const Index &right, int64_t gap = 0);

private:
  /// Number in `variables`; 0 is the number zero.
  using Variable = unsigned;
  struct Fact {
    Variable low, high;
    int64_t gap; ///< high - low >= gap
  };
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
  };
  struct Definition {
    Variable variable;
    Form value;
  };

  bool isKnown(const Index &atom) const;
  Variable variableOf(const Index &atom);
  void describe(Variable variable);
  void describeWarps();
  std::optional<int64_t> lowerBound(const Index &index);
  Form formOf(const Index &left, const Index &right, int64_t gap);
  Form formOf(const LinearIndex &index);
  void addFact(Variable low, Variable high, int64_t gap);
  void forgetPaths();
  /// Adds the facts on pairs of variables that follow from form >= 0.
  void assumeNotNegative(const Form &form);

  /// The greatest known lower bound of high - low; none if there is none.
  std::optional<int64_t> leastDifference(Variable high, Variable low);
  /// True if the facts are seen to hold nowhere, so that anything follows.
  bool isContradictory();
  /// The greatest known lower bound of factor * variable.
  std::optional<int64_t> leastMultiple(const Term &term);
  std::optional<int64_t> leastSum(llvm::ArrayRef<Term> terms);
  bool provesNotNegative(const Form &form, unsigned depth);
  bool pairs(Form form);

  std::array<int, 3> block = {1, 1, 1}; ///< threads along x, y, z
  std::vector<Index> variables;         ///< null: the number zero
  std::vector<Fact> facts;
  std::vector<Definition> definitions;
  std::vector<Form> guards; ///< forms of more than a difference that are not negative
  /// Longest paths from a variable, valid until the facts change; an empty row is not computed yet.
  std::vector<std::vector<int64_t>> longest;
  bool contradictory = false; ///< some path was found to grow without end
};

} // namespace stencilc
