// What the parts of the verifier share: the first fault, and what is defined where.
#pragma once

#include "ir/kernel/Kernel.h"

#include "llvm/ADT/BitVector.h"

#include <fmt/format.h>

namespace stencilc {

/// Keeps the first fault; a check may go on after it as long as it stays safe.
class VerifierFault {
public:
  template <class... Arguments>
  void report(llvm::StringRef rule, llvm::StringRef subject, fmt::format_string<Arguments...> seen,
              Arguments &&...arguments) {
    if (text.empty())
      text = fmt::format("{}: {}: {}", rule.str(), subject.str(),
                         fmt::format(seen, std::forward<Arguments>(arguments)...));
  }
  explicit operator bool() const { return !text.empty(); }

  std::string text;
};

/// What holds at one place of a kernel's control flow, whichever way led there.
struct VerifierFlow {
  llvm::BitVector registers;          ///< have a value
  llvm::BitVector locals;             ///< have a value
  std::vector<llvm::BitVector> slots; ///< per queue: have a value
  llvm::BitVector stored;             ///< arrays that may have been stored
  bool returned = false;              ///< some threads of the block may have ended

  explicit VerifierFlow(const Kernel &kernel)
      : registers(kernel.registers.size()), locals(kernel.locals.size()),
        stored(kernel.arrays.size()) {
    for (const Queue &queue : kernel.queues)
      slots.emplace_back(queue.length());
  }

  bool operator==(const VerifierFlow &) const = default;

  /// What holds where this flow and `other` meet.
  void meet(const VerifierFlow &other) {
    registers &= other.registers;
    locals &= other.locals;
    for (unsigned queue = 0; queue < slots.size(); ++queue)
      slots[queue] &= other.slots[queue];
    stored |= other.stored;
    returned |= other.returned;
  }
};

} // namespace stencilc
