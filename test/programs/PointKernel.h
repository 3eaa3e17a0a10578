// PointKernel: a kernel of one thread a point, or on the host of loops over points, which makes one
// buffer on a box from others.
#pragma once

#include "ir/kernel/KernelBuilder.h"

namespace stencilc {

class PointKernel {
public:
  /// `block` is for the device.
  PointKernel(const Program &program, llvm::StringRef name, const PointBox &box,
              std::array<int, 3> block);

  /// The buffer's value at the point or `offset` away from it.
  Value read(unsigned buffer, std::array<int, kMaxRank> offset = {});
  /// The point, `offset` away.
  Point at(std::array<int, kMaxRank> offset) const;
  /// A register that starts with the value, and may be assigned.
  Value variable(Body &body, llvm::StringRef name, Value start);
  void assign(Body &body, const Value &variable, Value value) const;

  Value number(double value) const { return makeValue(type, LiteralValue{value}); }
  Value uniform(unsigned number) { return builder.uniform(number); }
  Value plus(Value left, Value right) const { return binary(BinaryOp::Add, left, right); }
  Value minus(Value left, Value right) const { return binary(BinaryOp::Subtract, left, right); }
  Value times(Value left, Value right) const { return binary(BinaryOp::Multiply, left, right); }

  /// Ends the kernel, which stores the value to the buffer. `comment`: what it computes.
  Launch store(Program &program, unsigned buffer, Value value,
               llvm::StringRef comment = "One step of a point.");

  Body values; ///< what makes them, before they are stored

private:
  void standInThreads(std::array<int, 3> block);
  Value binary(BinaryOp op, Value left, Value right) const {
    const ScalarType type = left->type;
    return makeValue(type, BinaryValue{op, std::move(left), std::move(right)});
  }
  /// The argument that is bound to the buffer.
  unsigned argument(unsigned buffer, Access access);

  const std::vector<Buffer> &buffers;
  const PointBox box;
  const ScalarType type;
  KernelBuilder builder;
  std::vector<unsigned> bound; ///< buffer per argument
  Point point;
  Body body;
};

/// A Program of this stencil whose uniforms are its params; it has no passes yet.
Program pointProgram(const Stencil &stencil, Target target = Target::Device);
/// The box on which the stencil makes what is in the buffer.
PointBox madeOf(const Stencil &stencil, const Program &program, unsigned buffer);

} // namespace stencilc
