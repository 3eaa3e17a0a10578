// HeatStep: the frame of a Program built by hand, in which one kernel of its own makes the step of
// the heat equation in three dimensions (examples/heat.stn).
#pragma once

#include "ir/kernel/KernelBuilder.h"

namespace stencilc {

class HeatStep {
public:
  /// The kernel is named `name`; z and y of its points start at 1.
  HeatStep(const Stencil &stencil, llvm::StringRef name, std::array<int, 3> block);

  /// A value of the field's type.
  template <class Node> Value value(Node node) { return makeValue(type, std::move(node)); }
  Value load(Point point) { return builder.load(u, std::move(point)); }
  /// alpha * here + beta * (west + east + south + north + below + above).
  Value update(Value here, Value west, Value east, Value south, Value north, Value below,
               Value above);

  /// The Program whose launch covers rows from x = `beginX` below `endX`, `points` a block along
  /// z, y, x. What relies on alignment is launched where rows are aligned, from x = 0 on.
  Program finish(Body body, Index beginX, Index endX, std::array<int, 3> points);

  Program program; ///< of one thread a point; its step is replaced
  KernelBuilder builder;
  ScalarType type;
  unsigned u, next;             ///< arrays of the kernel
  Index firstZ, firstY, firstX; ///< integer arguments
  Index nz = extent(0), ny = extent(1), nx = extent(2);
};

/// The update of one point from 16-byte pieces of rows: each thread marches along z with a piece
/// in registers, loads planes `ahead` of their use, and takes what lies beside its piece from its
/// neighbours in the warp.
Program marchInVectors(const Stencil &stencil, int rows, int ahead, int chunk);

/// Warps with roles: `rows` of them keep a row each of a plane in a shared tile, one copies the
/// rows around the tile and one the columns, a plane ahead; all meet once a plane.
Program marchInRoles(const Stencil &stencil, int rows, int chunk);

} // namespace stencilc
