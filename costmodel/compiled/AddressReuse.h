// AddressReuse: what a compiler makes of the addresses in a kernel, and how far it unrolls a loop.
// The estimates of instructions and of registers share it.
//
// Accesses of one array whose index vectors differ by a constant along the contiguous axis only use
// one pointer, with a byte offset in the instruction; any other difference takes a pointer of its
// own. An index vector counts from a named address (LetPointer) of the same layout. It is *near* if
// it lies at a constant distance from it: its pointer is the named one's plus a multiple of
// strides. Where a boundary sends one of its indices elsewhere, the difference of that index is
// multiplied in; along the contiguous axis by the size of an element alone, from the pointer of its
// row. The addresses of arrays without a named address are computed from their indices.
#pragma once

#include "costmodel/compiled/CodeReader.h"
#include "ir/kernel/Kernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc {

/// How the address of an access behaves from turn to turn of the innermost loop around it.
enum class Motion {
  Fixed, ///< stays, or there is no loop
  Moves, ///< by a constant: a pointer can be carried along
  Remade ///< otherwise: an index is mapped, or chosen, anew in each turn
};

struct Address {
  bool isNear = false;
  bool hasName = false; ///< an address from which it counts
  unsigned distance =
      0; ///< axes but the contiguous one along which it lies a constant off the name
  llvm::SmallVector<Index, 2> mapped; ///< indices but the contiguous one that are no such constant
  /// What the contiguous index is counted from, if that is no such constant: the name's own.
  Index inRow;
  Motion motion = Motion::Fixed;
  IndexKey index;   ///< equal for addresses that can share a pointer or are turns apart; they are
  int64_t turn = 0; ///< as many indices apart, along the axis that the loop moves
};

/// The named addresses and the innermost loop that surround a statement.
class AddressScope {
public:
  explicit AddressScope(const Kernel &kernel) : kernel(kernel) {}

  void add(const LetPointer &named);
  void add(const LetIndex &local);
  AddressScope inside(const For &loop) const;

  Address address(unsigned array, llvm::ArrayRef<Index> where) const;
  /// True if `index` takes another value in each turn of the innermost loop.
  bool varies(const Index &index) const;

private:
  struct Place {
    llvm::SmallVector<IndexKey, 3> shape; ///< of each index
    llvm::SmallVector<int64_t, 3> constants;
  };
  struct Named {
    LetPointer pointer;
    Place place;
  };
  static Place place(llvm::ArrayRef<Index> where);

  const Kernel &kernel;
  std::vector<Named> named;
  std::optional<unsigned> moving;               ///< the local of the innermost loop
  llvm::SmallVector<unsigned, 4> varyingLocals; ///< others that depend on it
};

/// The keys of an index vector, one after another: equal for vectors a constant distance apart.
IndexKey shape(llvm::ArrayRef<Index> where);

/// Calls `visit` for each load and store of global memory in a statement, not in the bodies in it.
void forEachAccess(const Statement &statement,
                   llvm::function_ref<void(unsigned array, llvm::ArrayRef<Index> where)> visit);

/// The same of loads alone; a copy that is only started is none.
void forEachLoad(const Statement &statement,
                 llvm::function_ref<void(unsigned array, llvm::ArrayRef<Index> where)> visit);

/// Turns of a loop that become one: the most, half of them, or one, as keep the loads, stores and
/// operations in it within a number; one with a barrier or a loop inside that is not unrolled.
int unrolledTurns(const For &loop, CodeReader &code);

/// Whether the statements under a condition run under a predicate, without a branch: so few loads,
/// stores and operations do.
bool isPredicated(const Body &body, CodeReader &code);

} // namespace stencilc
