// Small Programs built by hand, right ones: the tests of verifier, audit and interpreter mutate
// them.
#pragma once

#include "ir/run/Grid.h"

namespace stencilc {

/// Shorthand for indices.
inline Index local(unsigned number) { return coordinate(CoordinateKind::Local, number); }
inline Index argument(unsigned number) { return coordinate(CoordinateKind::Argument, number); }
inline Index block(unsigned dimension) { return coordinate(CoordinateKind::Block, dimension); }
inline Index thread(unsigned dimension) { return coordinate(CoordinateKind::Thread, dimension); }

/// Shorthand for f64 values.
inline Value number(double value) { return makeValue(ScalarType::F64, LiteralValue{value}); }
inline Value reg(unsigned number) { return makeValue(ScalarType::F64, RegisterValue{number}); }
inline Value load(unsigned array, std::vector<Index> index) {
  return makeValue(ScalarType::F64, LoadGlobal{array, std::move(index)});
}
inline Value loadShared(unsigned tile, std::vector<Index> index) {
  return makeValue(ScalarType::F64, LoadShared{tile, std::move(index)});
}
inline Value binary(BinaryOp op, Value left, Value right) {
  return makeValue(ScalarType::F64, BinaryValue{op, std::move(left), std::move(right)});
}
inline Value sum(Value left, Value right) {
  return binary(BinaryOp::Add, std::move(left), std::move(right));
}

/// u' = u + k * (u[x-1] + u[x+1] + u[y-1] + u[y+1]) on axes (y, x), walls fixed: kernel 0 updates
/// the inner points, kernel 1 copies the frame in four launches of the first pass. Blocks are 4 x 2
/// threads, x aligned to u_next. Kernel 0 holds, in order: LetIndex x, LetIndex y, ReturnUnless,
/// four Lets, StoreGlobal; kernel 1 LetIndex x, LetIndex y, ReturnUnless, StoreGlobal.
Program fivePoint();

/// One field on axis x without reach, one kernel and one launch over all points, `first_x` being
/// integer 0, local 0 being x. The test gives the body.
Program onePoint(Body body);

/// Launch `number` of the plan, in the order of the text.
Launch &launchAt(Program &program, unsigned number);
/// The first.
const Launch &firstLaunch(const Program &program);
/// The kind of pass that advances by one step.
inline Pass &stepOf(Program &program) { return program.plan.passes.back(); }
/// Makes the caller's buffers and their rotation anew after the signature has changed; launches
/// keep the buffers that they named.
void declareBuffers(Program &program);

/// A state for the program's signature, its newest level filled by `value(element number)`.
State stateOf(const Program &program, std::vector<int64_t> extents, std::vector<double> params,
              double (*value)(size_t));

} // namespace stencilc
