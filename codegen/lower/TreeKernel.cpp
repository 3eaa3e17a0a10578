#include "codegen/lower/TreeKernel.h"

#include "ir/stencil/ReductionTree.h"

using namespace stencilc;

static Value f64(auto node) { return makeValue(ScalarType::F64, std::move(node)); }
static Index thread() { return coordinate(CoordinateKind::Thread, 0); }

TreeKernel::TreeKernel(const Program &program, std::string name, Reduction::Op op)
    : builder(program, std::move(name), program.target),
      turnsOfRun(program.signature.reductionTree.turns),
      tree{program.target, op, program.signature.reductionTree.lanes} {
  if (isOnDevice()) {
    builder.kernel.block = {tree.lanes, 1, 1};
    tree.reg = builder.reg("number", ScalarType::F64);
  }
  tree.tile = builder.tile("lanes", ScalarType::F64, {tree.lanes});
}

Value TreeKernel::neutral() const { return f64(LiteralValue{neutralOf(tree.op)}); }

Value TreeKernel::numberOf(const Index &lane) const {
  return isOnDevice() ? f64(RegisterValue{tree.reg}) : f64(LoadShared{tree.tile, {lane}});
}

void TreeKernel::assign(Body &body, const Index &lane, Value value) const {
  if (isOnDevice())
    body.push_back({Assign{tree.reg, std::move(value)}});
  else
    body.push_back({StoreShared{tree.tile, {lane}, std::move(value)}});
}

void TreeKernel::forLanes(Body &body, llvm::function_ref<void(Body &, const Index &)> turn) {
  if (isOnDevice())
    return turn(body, thread());
  Body each;
  const unsigned lane = builder.local("lane");
  turn(each, coordinate(CoordinateKind::Local, lane));
  body.push_back(
      {For{LoopKind::Vector, lane, constant(0), constant(tree.lanes), 1, std::move(each)}});
}

void TreeKernel::start(Body &body) {
  const bool isFirst = !std::exchange(hasStarted, true);
  if (isFirst && isOnDevice())
    body.push_back({LetMutable{tree.reg, neutral()}});
  else
    forLanes(body, [&](Body &each, const Index &lane) { assign(each, lane, neutral()); });
}

void TreeKernel::takeRun(Body &body, llvm::function_ref<void(Body &, const Index &, Take)> append) {
  start(body);
  const unsigned turn = builder.local("turn");
  Body turns;
  forLanes(turns, [&](Body &each, const Index &lane) {
    const Index after = builder.letIndex(
        each, "after", add(scale(coordinate(CoordinateKind::Local, turn), tree.lanes), lane));
    append(each, after, [&](Body &inner, Value value) {
      Value taken = builder.let(inner, "taken", std::move(value));
      assign(inner, lane, tree.combined(numberOf(lane), std::move(taken)));
    });
  });
  body.push_back(
      {For{LoopKind::Serial, turn, constant(0), constant(turnsOfRun), 1, std::move(turns)}});
}

void TreeKernel::takeLanes(Body &body, unsigned tile, const Index &end) {
  forLanes(body, [&](Body &each, const Index &lane) {
    Value taken =
        f64(GuardedValue{{{lane, nullptr, end}}, f64(LoadShared{tile, {lane}}), neutral()});
    assign(each, lane, tree.combined(neutral(), std::move(taken)));
  });
}

void TreeKernel::halve(Body &body, llvm::function_ref<Body(Value)> last) {
  llvm::append_range(body, tree.body([&] { return builder.local("lane"); }));
  if (isOnDevice())
    body.push_back({If{{{thread(), nullptr, constant(1)}}, last(numberOf(thread())), {}}});
  else
    llvm::append_range(body, last(numberOf(constant(0))));
}
