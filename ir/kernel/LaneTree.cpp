#include "ir/kernel/LaneTree.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Value ofTree(auto node) { return makeValue(ScalarType::F64, std::move(node)); }

Value LaneTree::combined(Value left, Value right) const {
  switch (op) {
  case Reduction::Op::Min:
    return ofTree(CallValue{Builtin::Min, {std::move(left), std::move(right)}});
  case Reduction::Op::Max:
    return ofTree(CallValue{Builtin::Max, {std::move(left), std::move(right)}});
  case Reduction::Op::Sum:
    return ofTree(BinaryValue{BinaryOp::Add, std::move(left), std::move(right)});
  }
  llvm_unreachable("unknown reduction");
}

Body LaneTree::body(llvm::function_ref<unsigned()> local) const {
  if (target == Target::Device)
    return inThreads();
  Body body;
  for (int half = lanes / 2; half > 0; half /= 2) {
    const unsigned number = local();
    const Index lane = coordinate(CoordinateKind::Local, number);
    Value all =
        combined(ofTree(LoadShared{tile, {lane}}), ofTree(LoadShared{tile, {add(lane, half)}}));
    body.push_back({For{LoopKind::Vector,
                        number,
                        constant(0),
                        constant(half),
                        1,
                        {{StoreShared{tile, {lane}, std::move(all)}}}}});
  }
  return body;
}

/// A warp hands numbers on without the tile, all but the first.
Body LaneTree::inThreads() const {
  const Index thread = coordinate(CoordinateKind::Thread, 0);
  const Value own = ofTree(RegisterValue{reg});
  const int inRegisters = std::min<int>(kLanesPerWarp, lanes / 2);
  const Statement show = {StoreShared{tile, {thread}, own}};
  Body body = {show, {Barrier{}}};
  for (int half = lanes / 2; half >= inRegisters; half /= 2) {
    const Value other = ofTree(LoadShared{tile, {add(thread, half)}});
    body.push_back(
        {If{{{thread, nullptr, constant(half)}}, {{Assign{reg, combined(own, other)}}, show}, {}}});
    body.push_back({Barrier{}});
  }
  Body inWarp;
  for (unsigned half = inRegisters / 2; half > 0; half /= 2)
    inWarp.push_back(
        {Assign{reg, combined(own, ofTree(ShuffleValue{ShuffleFrom::HigherLane, half, own}))}});
  if (lanes <= int(kLanesPerWarp)) {
    llvm::append_range(body, std::move(inWarp));
    return body;
  }
  const Index warp = coordinate(CoordinateKind::Warp, 0);
  body.push_back({If{{{warp, nullptr, constant(1)}}, std::move(inWarp), {}}});
  return body;
}
