// What the parts of the verifier share: the first fault, and what is defined where.
#pragma once

#include "ir/verify/CopiesUnderway.h"

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

/// Some of a block's warps.
struct WarpRange {
  unsigned first, count;

  bool contains(const WarpRange &other) const {
    return first <= other.first && other.first + other.count <= first + count;
  }
};

/// What holds at one place of a kernel's control flow, whichever way led there.
struct VerifierFlow {
  llvm::BitVector registers;             ///< have a value
  llvm::BitVector locals;                ///< have a value
  std::vector<llvm::BitVector> slots;    ///< per queue: have a value
  std::vector<llvm::BitVector> elements; ///< per patch: have a value
  CopiesUnderway copies;                 ///< of the threads
  llvm::BitVector stored;                ///< arrays that may have been stored
  bool returned = false;                 ///< some threads of the block may have ended
  bool lanesReturned = false;            ///< ... and others of their warp not

  explicit VerifierFlow(const Kernel &kernel)
      : registers(kernel.registers.size()), locals(kernel.locals.size()), copies(kernel),
        stored(kernel.arrays.size()) {
    for (const Queue &queue : kernel.queues)
      slots.emplace_back(queue.length());
    for (const Patch &patch : kernel.patches) {
      unsigned size = 1;
      for (int length : patch.shape)
        size *= length;
      elements.emplace_back(size);
    }
  }

  bool operator==(const VerifierFlow &) const = default;

  /// What holds where this flow and `other` meet.
  void meet(const VerifierFlow &other) {
    registers &= other.registers;
    locals &= other.locals;
    for (unsigned queue = 0; queue < slots.size(); ++queue)
      slots[queue] &= other.slots[queue];
    for (unsigned patch = 0; patch < elements.size(); ++patch)
      elements[patch] &= other.elements[patch];
    copies.meet(other.copies);
    stored |= other.stored;
    returned |= other.returned;
    lanesReturned |= other.lanesReturned;
  }
};

} // namespace stencilc
