#include "codegen/lower/TreeKernel.h"

#include "ir/stencil/ReductionTree.h"

using namespace stencilc;

static Value f64(auto node) { return makeValue(ScalarType::F64, std::move(node)); }
static Index thread() { return coordinate(CoordinateKind::Thread, 0); }

TreeKernel::TreeKernel(const Program &program, std::string name, Reduction::Op op)
    : builder(program, std::move(name), program.target), tree(program.signature.reductionTree),
      op(op) {
  if (isOnDevice()) {
    builder.kernel.block = {tree.lanes, 1, 1};
    number = builder.reg("number", ScalarType::F64);
  }
  lanes = builder.tile("lanes", ScalarType::F64, {tree.lanes});
}

Value TreeKernel::combined(Value left, Value right) const {
  switch (op) {
  case Reduction::Op::Min:
    return f64(CallValue{Builtin::Min, {std::move(left), std::move(right)}});
  case Reduction::Op::Max:
    return f64(CallValue{Builtin::Max, {std::move(left), std::move(right)}});
  case Reduction::Op::Sum:
    return f64(BinaryValue{BinaryOp::Add, std::move(left), std::move(right)});
  }
  llvm_unreachable("unknown reduction");
}

Value TreeKernel::neutral() const { return f64(LiteralValue{neutralOf(op)}); }

Value TreeKernel::numberOf(const Index &lane) const {
  return isOnDevice() ? f64(RegisterValue{number}) : f64(LoadShared{lanes, {lane}});
}

void TreeKernel::assign(Body &body, const Index &lane, Value value) const {
  if (isOnDevice())
    body.push_back({Assign{number, std::move(value)}});
  else
    body.push_back({StoreShared{lanes, {lane}, std::move(value)}});
}

void TreeKernel::forLanes(Body &body, int end,
                          llvm::function_ref<void(Body &, const Index &)> turn) {
  Body each;
  if (!isOnDevice()) {
    const unsigned lane = builder.local("lane");
    turn(each, coordinate(CoordinateKind::Local, lane));
    body.push_back({For{LoopKind::Vector, lane, constant(0), constant(end), 1, std::move(each)}});
  } else if (end == tree.lanes) {
    turn(body, thread());
  } else {
    turn(each, thread());
    body.push_back({If{{{thread(), nullptr, constant(end)}}, std::move(each), {}}});
  }
}

void TreeKernel::start(Body &body) {
  const bool isFirst = !std::exchange(hasStarted, true);
  if (isFirst && isOnDevice())
    body.push_back({LetMutable{number, neutral()}});
  else
    forLanes(body, tree.lanes,
             [&](Body &each, const Index &lane) { assign(each, lane, neutral()); });
}

void TreeKernel::takeRun(Body &body, llvm::function_ref<void(Body &, const Index &, Take)> append) {
  start(body);
  const unsigned turn = builder.local("turn");
  Body turns;
  forLanes(turns, tree.lanes, [&](Body &each, const Index &lane) {
    const Index after = builder.letIndex(
        each, "after", add(scale(coordinate(CoordinateKind::Local, turn), tree.lanes), lane));
    append(each, after, [&](Body &inner, Value value) {
      Value taken = builder.let(inner, "taken", std::move(value));
      assign(inner, lane, combined(numberOf(lane), std::move(taken)));
    });
  });
  body.push_back(
      {For{LoopKind::Serial, turn, constant(0), constant(tree.turns), 1, std::move(turns)}});
}

void TreeKernel::takeLanes(Body &body, unsigned tile, const Index &end) {
  forLanes(body, tree.lanes, [&](Body &each, const Index &lane) {
    Value taken =
        f64(GuardedValue{{{lane, nullptr, end}}, f64(LoadShared{tile, {lane}}), neutral()});
    assign(each, lane, combined(neutral(), std::move(taken)));
  });
}

void TreeKernel::halve(Body &body, llvm::function_ref<Body(Value)> last) {
  const auto higher = [&](const Index &lane, int half) {
    return f64(LoadShared{lanes, {add(lane, half)}});
  };
  if (!isOnDevice()) {
    for (int half = tree.lanes / 2; half > 0; half /= 2)
      forLanes(body, half, [&](Body &each, const Index &lane) {
        assign(each, lane, combined(numberOf(lane), higher(lane, half)));
      });
    llvm::append_range(body, last(numberOf(constant(0))));
    return;
  }
  const Value own = numberOf(thread());
  // A warp hands numbers on without the tile, all but the first.
  const int inRegisters = std::min<int>(kLanesPerWarp, tree.lanes / 2);
  const Statement show = {StoreShared{lanes, {thread()}, own}};
  body.push_back(show);
  body.push_back({Barrier{}});
  for (int half = tree.lanes / 2; half >= inRegisters; half /= 2) {
    forLanes(body, half, [&](Body &each, const Index &lane) {
      assign(each, lane, combined(own, higher(lane, half)));
      each.push_back(show);
    });
    body.push_back({Barrier{}});
  }
  Body inWarp;
  for (unsigned half = inRegisters / 2; half > 0; half /= 2)
    assign(inWarp, thread(), combined(own, f64(ShuffleValue{ShuffleFrom::HigherLane, half, own})));
  inWarp.push_back({If{{{thread(), nullptr, constant(1)}}, last(own), {}}});
  if (tree.lanes <= int(kLanesPerWarp)) {
    llvm::append_range(body, std::move(inWarp));
    return;
  }
  const Index warp = coordinate(CoordinateKind::Warp, 0);
  body.push_back({If{{{warp, nullptr, constant(1)}}, std::move(inWarp), {}}});
}
