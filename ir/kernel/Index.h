// Index: quasi-affine integer expressions over a kernel's coordinates.
//
// An index addresses one axis of an array, bounds a loop, or names a coordinate. It stays symbolic
// ("x + 1", "ny - 2") until the printer writes it or an interpreter evaluates it, so bounds,
// footprints and a warp's sectors have closed forms. Division and remainder are Euclidean (the
// remainder is never negative) and by a positive constant only.
#pragma once

#include "ir/stencil/Stencil.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>

namespace stencilc {

/// The integers a kernel starts from, and those it names itself.
enum class CoordinateKind {
  Block,      ///< blockIdx; number 0, 1, 2 = x, y, z
  Thread,     ///< threadIdx; number 0, 1, 2 = x, y, z
  Warp,       ///< number of the thread's warp in its block
  Lane,       ///< of the thread in its warp, 0 .. 31
  Extent,     ///< points along an axis of the stencil; number = axis
  WholeParam, ///< a `param int`, in plans alone; number in Signature::params
  Argument,   ///< an integer argument of the kernel; number in Kernel::integers
  Local       ///< named by LetIndex or a loop; number in Kernel::locals
};

struct Coordinate {
  CoordinateKind kind;
  unsigned number;
  bool operator==(const Coordinate &) const = default;
};

struct IndexNode;
/// Immutable and shared. Never null where an Index is asked for.
using Index = std::shared_ptr<const IndexNode>;

struct IndexConstant {
  int64_t value;
  std::optional<unsigned> name = {}; ///< number in Kernel::constants: how it is printed
};
struct IndexSum {
  Index left, right;
};
/// index * factor, factor != 0.
struct IndexScale {
  Index index;
  int64_t factor;
};
struct IndexQuotient {
  Index index;
  int64_t divisor;
};
struct IndexRemainder {
  Index index;
  int64_t divisor;
};
struct IndexMin {
  Index left, right;
};
struct IndexMax {
  Index left, right;
};
/// `index` brought into 0 .. extent(axis)-1 by a boundary: Clamp to the nearest point; the others
/// once, so that it must not be too far outside: Periodic by adding or subtracting the extent and
/// Symmetric by mirroring behind the outermost point (-extent <= index < 2*extent), Reflect by
/// mirroring at it (-extent < index < 2*extent - 1).
struct IndexMap {
  BoundaryKind boundary;
  unsigned axis;
  Index index;
};

struct IndexNode {
  std::variant<IndexConstant, Coordinate, IndexSum, IndexScale, IndexQuotient, IndexRemainder,
               IndexMin, IndexMax, IndexMap>
      node;
};

// Builders; sums of constants are folded, `x + 0` is `x`, `x * 1` is `x`.
Index constant(int64_t value);
/// A constant that is printed by its name in Kernel::constants. Folding forgets the name.
Index namedConstant(int64_t value, unsigned name);
Index coordinate(CoordinateKind kind, unsigned number);
Index extent(unsigned axis);
Index add(Index left, Index right);
Index add(Index left, int64_t right);
Index scale(Index index, int64_t factor);
Index quotient(Index index, int64_t divisor);
Index remainder(Index index, int64_t divisor);
Index minimum(Index left, Index right);
Index maximum(Index left, Index right);
Index map(BoundaryKind boundary, unsigned axis, Index index);

/// The rounding of IndexQuotient and IndexRemainder.
int64_t euclideanQuotient(int64_t value, int64_t divisor);
int64_t euclideanRemainder(int64_t value, int64_t divisor);

/// What IndexMap makes of an index of an axis of `extent` points.
int64_t mapped(BoundaryKind boundary, int64_t index, int64_t extent);

/// The value of `index`, given that of each coordinate as `valueOf(coordinate)`.
template <class CoordinateValue>
int64_t evaluate(const Index &index, const CoordinateValue &valueOf) {
  auto value = [&](const Index &operand) { return evaluate(operand, valueOf); };
  return std::visit(
      llvm::makeVisitor(
          [&](const IndexConstant &node) { return node.value; },
          [&](const Coordinate &node) { return int64_t(valueOf(node)); },
          [&](const IndexSum &node) { return value(node.left) + value(node.right); },
          [&](const IndexScale &node) { return value(node.index) * node.factor; },
          [&](const IndexQuotient &node) {
            return euclideanQuotient(value(node.index), node.divisor);
          },
          [&](const IndexRemainder &node) {
            return euclideanRemainder(value(node.index), node.divisor);
          },
          [&](const IndexMin &node) { return std::min(value(node.left), value(node.right)); },
          [&](const IndexMax &node) { return std::max(value(node.left), value(node.right)); },
          [&](const IndexMap &node) {
            int64_t inner = value(node.index);
            int64_t extent = valueOf(Coordinate{CoordinateKind::Extent, node.axis});
            return mapped(node.boundary, inner, extent);
          }),
      index->node);
}

/// Calls `visit` for each operand of the node, in order.
void forEachOperand(const IndexNode &node, llvm::function_ref<void(const Index &)> visit);
/// True if a coordinate in `index` matches.
bool anyCoordinate(const Index &index, llvm::function_ref<bool(const Coordinate &)> matches);

/// The index with `with` wherever `coordinate` stood.
Index replaced(const Index &index, const Coordinate &coordinate, const Index &with);

/// An index without its constant, as integers: equal for indices a constant distance apart, and for
/// no others by structure.
using IndexKey = llvm::SmallVector<int64_t, 24>;
/// Appends the key of `index` and returns its constant.
int64_t appendKey(IndexKey &key, const Index &index);

/// Structural equality.
bool equal(const Index &left, const Index &right);
/// The constant by which `left` exceeds `right`, if their difference is constant by structure.
std::optional<int64_t> constantDifference(const Index &left, const Index &right);

/// constant + sum of factor * atom. Atoms are distinct, and neither constants, sums nor multiples.
struct LinearIndex {
  struct Term {
    Index atom;
    int64_t factor; ///< not 0
  };
  llvm::SmallVector<Term, 4> terms;
  int64_t constant = 0;
};
LinearIndex linear(const Index &index);
/// The linear form of left - right.
LinearIndex linearDifference(const Index &left, const Index &right);

} // namespace stencilc
