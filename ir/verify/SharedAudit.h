// SharedAudit: which accesses of a block's threads to its tiles are at fault.
//
// Each warp has a clock, that counts the barriers it has passed, and knows up to which barrier of
// every other warp it comes after: warps that meet tell each other. Two accesses of different
// threads to one element, one of them writing, are in order only if the later thread's warp knows
// of a barrier that the earlier one's passed after its access; it does not matter in which order
// the warps happened to run. A copy writes when it starts and when it arrives; between, its element
// holds nothing.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

class SharedAudit {
public:
  enum Fault {
    None,
    Race,      ///< another thread accessed the element with no barrier between, one of them writing
    Undefined, ///< it is read before anything is stored to it
    OnItsWay,  ///< it is read before its copy has arrived
    Overtaken, ///< it is stored while a copy to it is under way
    Outside    ///< the tile has no such element
  };
  static std::string textOf(Fault fault, size_t element, llvm::StringRef tile);

  enum Content : char { Nothing, Underway, Stored };
  /// Of every element of every tile.
  using Contents = std::vector<std::vector<Content>>;

  /// A cluster counts as one, with the tiles and warps of all its blocks one after another.
  void beginBlock(const Kernel &kernel);
  /// Behind a barrier of the whole block all accesses are in order with what follows, so what the
  /// tiles hold is all that is left of them.
  const Contents &contents() const { return held; }
  /// Goes on in a block behind such a barrier.
  void resume(Contents contents);
  void barrier(unsigned first, unsigned count);
  Fault load(unsigned tile, size_t element, unsigned thread);
  Fault store(unsigned tile, size_t element, unsigned thread);
  Fault startCopy(unsigned tile, size_t element, unsigned thread);
  Fault endCopy(unsigned tile, size_t element, unsigned thread);

private:
  static constexpr unsigned kNobody = ~0u;
  struct Access {
    unsigned thread = kNobody;
    unsigned clock = 0; ///< of the thread's warp
  };
  /// What may still be unordered with a later access.
  struct History {
    uint64_t block = 0; ///< to which this belongs
    Access store;
    std::vector<Access> loads; ///< since the store, none before another
  };

  History *historyOf(unsigned tile, size_t element);
  Access now(unsigned thread) const;
  bool isBefore(const Access &earlier, unsigned thread) const;
  /// Stores to an element, or starts a copy to it.
  Fault put(unsigned tile, size_t element, unsigned thread, Content content);
  Fault write(History &history, unsigned thread);

  uint64_t block = 0;                      ///< or what follows where one is resumed
  std::vector<std::vector<History>> tiles; ///< [tile][element]
  Contents held;
  std::vector<std::vector<unsigned>> known; ///< [warp][other]: barriers of `other` it comes after
};

} // namespace stencilc
