// SameText: statements that say the same but for the names of what they make.
#pragma once

#include "ir/kernel/Kernel.h"

#include <map>

namespace stencilc {

/// Compares statements of several texts of one kernel, each in its own order. What one makes
/// where another makes the same is taken for one thing from then on (alpha equivalence).
class SameText {
public:
  /// True if both say the same, all that is in them included. Only then it changes anything.
  bool same(const Statement &first, const Statement &second);
  /// True if the loops, or branches with no other side, say the same but for their bodies.
  bool sameHeads(const Statement &first, const Statement &second);

  /// What stands for a local, or a register, in all texts.
  unsigned local(unsigned number) const { return find(locals, number); }
  unsigned reg(unsigned number) const { return find(registers, number); }

private:
  using Numbers = std::map<unsigned, unsigned>;
  static unsigned find(const Numbers &numbers, unsigned number) {
    const auto found = numbers.find(number);
    return found == numbers.end() ? number : found->second;
  }

  friend struct TextComparison;
  Numbers locals, registers;
};

} // namespace stencilc
