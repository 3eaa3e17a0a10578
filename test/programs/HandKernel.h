// HandKernel: a kernel built by hand that advances the one field of a stencil, all of whose walls
// are held one point wide; and the Program that it gets its place in.
#pragma once

#include "ir/kernel/KernelBuilder.h"

namespace stencilc {

/// Coordinates, and constants, in few letters.
inline Index block(unsigned dimension) { return coordinate(CoordinateKind::Block, dimension); }
inline Index thread(unsigned dimension) { return coordinate(CoordinateKind::Thread, dimension); }
inline Index warp() { return coordinate(CoordinateKind::Warp, 0); }
inline Index lane() { return coordinate(CoordinateKind::Lane, 0); }
inline Index c(int64_t value) { return constant(value); }

/// How many elements make 16 bytes.
inline int lanesOf(ScalarType type) { return 16 / sizeInBytes(type); }

class HandKernel {
public:
  /// The first points of its launches are at least 1 along each axis, 0 along the contiguous one.
  HandKernel(const Program &program, llvm::StringRef name, std::array<int, 3> block);

  /// Rows start pieces of 16 bytes at the first point of the launch: pieces are moved as vectors.
  void relyOnAlignment();

  /// A value of the field's type.
  template <class Node> Value value(Node node) const { return makeValue(type, std::move(node)); }
  Value binary(BinaryOp op, Value left, Value right) const {
    return value(BinaryValue{op, std::move(left), std::move(right)});
  }
  Value load(Point point) { return builder.load(u, std::move(point)); }
  Value element(unsigned patch, std::vector<Index> at) const {
    return value(PatchElement{patch, std::move(at)});
  }
  /// heat.stn: alpha * here + beta * (west + east + south + north + below + above).
  Value heat(Value here, Value west, Value east, Value south, Value north, Value below,
             Value above);

  /// True at the point of a piece with this number if a step updates it. Pieces start at multiples
  /// of their length, so that only the first point can lie on the wall at 0.
  Box inside(Point piece, int number) const;
  /// Appends an unrolled loop of so many turns.
  void unroll(Body &body, llvm::StringRef local, int turns,
              llvm::function_ref<Body(const Index &local)> turn);
  /// Gives every element of a patch the value 0.
  void clear(Body &body, unsigned patch);
  /// The row takes the values from `point` on; along slower axes, of the point in the grid that
  /// lies nearest, and anything for points beyond the ends of a row.
  void loadPiece(Body &body, PatchRow row, const Point &point);
  /// Stores the row at and after `point`, which lies in the grid, as far as a step updates the
  /// points along the contiguous axis.
  void storePiece(Body &body, Point point, PatchRow row);

  /// Ends the kernel, whose blocks advance `points` points along each axis. Rows are covered from
  /// 0 on if it relies on alignment, or if it says so itself.
  Launch finish(Program &program, Body body, std::vector<int> points, bool coversWalls = false);

  KernelBuilder builder;
  const ScalarType type;
  unsigned u, next;         ///< arrays of the kernel
  std::vector<Index> first; ///< integer argument per axis

private:
  unsigned contiguous() const { return first.size() - 1; }
};

/// One thread a point.
Program simpleProgram(const Stencil &stencil);
/// The step of the simple program becomes `step`; kernels that nothing launches are left out.
void replaceStep(Program &program, Action step);
/// A kind of pass that makes `steps` steps at once, by `fused`; one is made as before.
void addFusedPass(Program &program, int steps, Action fused);
/// `aligned` where rows of the field's buffers start pieces of 16 bytes at point 0.
Action whereAligned(const Program &program, Launch aligned, Actions otherwise);

/// The step of the simple program.
const Launch &simpleStep(const Program &program);

} // namespace stencilc
