#include "ir/verify/DifferenceGraph.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace stencilc;

static constexpr int64_t kUnreachable = std::numeric_limits<int64_t>::min();

DifferenceGraph::DifferenceGraph() {
  addVariable();
  makeRow(kZero, Above);
  makeRow(kZero, Below);
}

DifferenceGraph::Variable DifferenceGraph::addVariable() {
  for (Row &row : rows)
    row.length.push_back(kUnreachable);
  ends.emplace_back();
  return ends.size() - 1;
}

void DifferenceGraph::assume(Variable low, Variable high, int64_t gap) {
  if (low == high) {
    contradictory |= gap > 0;
    return;
  }
  const unsigned number = facts.size();
  facts.push_back({low,
                   high,
                   gap,
                   {std::exchange(ends[low].newestFact[Above], number),
                    std::exchange(ends[high].newestFact[Below], number)}});
  const Fact fact = facts.back();
  for (unsigned row = 0; row < rows.size() && !contradictory; ++row)
    if (lengthen(row, fact)) {
      const Direction direction = rows[row].direction;
      goOn(row, fact.end(direction), direction == Above ? low : high);
    }
}

/// Lengthens the path over one fact; false if it was as long before.
bool DifferenceGraph::lengthen(unsigned number, const Fact &fact) {
  Row &row = rows[number];
  const bool isAbove = row.direction == Above;
  const int64_t way = row.length[isAbove ? fact.low : fact.high];
  int64_t &length = row.length[isAbove ? fact.high : fact.low];
  if (way == kUnreachable || length >= way + fact.gap)
    return false;
  if (row.isMade) // a mark before that knows no such row
    changes.push_back({number, isAbove ? fact.high : fact.low, length});
  length = way + fact.gap;
  return true;
}

/// Lengthens all paths of a row that go on from a variable, by one fact more in each round. One
/// that comes back to where it begins, longer than before, grows without end, and so does one of
/// more facts than there are variables.
void DifferenceGraph::goOn(unsigned number, Variable from, Variable start) {
  const Direction direction = rows[number].direction;
  waiting.assign(1, from);
  size_t rounds = 0, endOfRound = 1;
  for (size_t next = 0; next < waiting.size(); ++next) {
    if (next == endOfRound) {
      endOfRound = waiting.size();
      contradictory = ++rounds > size();
      if (contradictory)
        return;
    }
    for (unsigned at = ends[waiting[next]].newestFact[direction]; at != kNone;
         at = facts[at].next[direction]) {
      if (!lengthen(number, facts[at]))
        continue;
      const Variable beyond = facts[at].end(direction);
      if (beyond == start) {
        contradictory = true;
        return;
      }
      waiting.push_back(beyond);
    }
  }
}

/// The longest paths from or to a variable over all facts.
unsigned DifferenceGraph::makeRow(Variable origin, Direction direction) {
  const unsigned number = rows.size();
  rows.push_back({origin, direction, std::vector<int64_t>(size(), kUnreachable)});
  rows.back().length[origin] = 0;
  ends[origin].row[direction] = number;
  if (!contradictory)
    goOn(number, origin, origin);
  rows[number].isMade = true;
  return number;
}

std::optional<int64_t> DifferenceGraph::leastDifference(Variable high, Variable low) {
  // Of two ways to keep the answer that of the older variable: many newer ones are asked about
  // together with it.
  unsigned row = ends[low].row[Above];
  bool isAbove = row != kNone;
  if (!isAbove)
    row = ends[high].row[Below];
  if (row == kNone) {
    isAbove = low < high;
    row = isAbove ? makeRow(low, Above) : makeRow(high, Below);
  }
  const int64_t length = rows[row].length[isAbove ? high : low];
  if (length == kUnreachable)
    return std::nullopt;
  return length;
}

void DifferenceGraph::restore(const Mark &mark) {
  for (; changes.size() > mark.changes; changes.pop_back())
    if (const Change &change = changes.back(); change.row < mark.rows)
      rows[change.row].length[change.variable] = change.before;
  for (; rows.size() > mark.rows; rows.pop_back())
    ends[rows.back().origin].row[rows.back().direction] = kNone;
  for (; facts.size() > mark.facts; facts.pop_back()) {
    const Fact &fact = facts.back();
    ends[fact.low].newestFact[Above] = fact.next[Above];
    ends[fact.high].newestFact[Below] = fact.next[Below];
  }
  ends.resize(mark.variables);
  for (Row &row : rows)
    row.length.resize(mark.variables);
  contradictory = mark.contradictory;
}
