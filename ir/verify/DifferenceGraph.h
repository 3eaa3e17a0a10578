// DifferenceGraph: facts `high - low >= gap` between numbered variables, and what follows from all
// of them together.
//
// A bound that follows is the longest path of facts from one variable to the other. The paths from
// and to a variable that was asked about are kept (the number zero is always one) and lengthened
// with each new fact; a mark restores them as they were. So a fact costs what it changes, whatever
// their number.
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace stencilc {

class DifferenceGraph {
public:
  using Variable = unsigned;
  static constexpr Variable kZero = 0; ///< the number zero, which is there from the start

  DifferenceGraph();

  Variable addVariable();
  size_t size() const { return ends.size(); }
  /// Assumes high - low >= gap.
  void assume(Variable low, Variable high, int64_t gap);

  /// The greatest known lower bound of high - low; none if there is none.
  std::optional<int64_t> leastDifference(Variable high, Variable low);
  /// True if the facts are seen to hold nowhere, so that anything follows.
  bool isContradictory() const { return contradictory; }

  /// What is added from a mark on is forgotten when it is restored.
  struct Mark {
    size_t variables, facts, rows, changes;
    bool contradictory;
  };
  Mark mark() const { return {size(), facts.size(), rows.size(), changes.size(), contradictory}; }
  void restore(const Mark &mark);

private:
  static constexpr unsigned kNone = ~0u;
  enum Direction { Above, Below };

  struct Fact {
    Variable low, high;
    int64_t gap;
    std::array<unsigned, 2> next; ///< older facts above the same `low`, below the same `high`

    Variable end(Direction direction) const { return direction == Above ? high : low; }
  };
  /// What ends at a variable, as numbers of facts and rows.
  struct Ends {
    std::array<unsigned, 2> newestFact = {kNone, kNone}, row = {kNone, kNone};
  };
  /// The longest path from one variable up to each other, or from each up to this one.
  struct Row {
    Variable origin;
    Direction direction;
    std::vector<int64_t> length;
    bool isMade = false;
  };
  struct Change {
    unsigned row;
    Variable variable;
    int64_t before;
  };

  unsigned makeRow(Variable origin, Direction direction);
  bool lengthen(unsigned row, const Fact &fact);
  void goOn(unsigned row, Variable from, Variable start);

  std::vector<Ends> ends; ///< of each variable
  std::vector<Fact> facts;
  std::vector<Row> rows;
  std::vector<Change> changes; ///< of rows, in order
  bool contradictory = false;
  llvm::SmallVector<Variable, 16> waiting; ///< lengthened, and what lies beyond is not yet
};

} // namespace stencilc
