// The values that the lanes of a warp compute.
#include "ir/run/LaneValue.h"
#include "ir/run/WarpExecutor.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

WarpExecutor::Scratch::Scratch(WarpExecutor &owner) : owner(owner) {
  if (owner.scratchUsed == owner.scratch.size())
    owner.scratch.push_back(std::make_unique<double[]>(kLanesPerWarp));
  values = owner.scratch[owner.scratchUsed++].get();
}

/// A whole number as a value of any type but Bool.
static double asNumber(ScalarType type, int64_t whole) {
  return type == ScalarType::Int ? toLane(type, {.whole = whole})
                                 : convert(ScalarType::Int, type, {.whole = whole}).number;
}

void WarpExecutor::evaluate(const Value &value, Lanes lanes, double *out) {
  auto spread = [&](double number) {
    for (unsigned lane : lanes)
      out[lane] = number;
  };
  std::visit(
      llvm::makeVisitor(
          [&](const LiteralValue &node) {
            spread(toLane(value->type, literalOf(value->type, node.value)));
          },
          [](const ParamLeaf &) { llvm_unreachable("params stand only in uniforms"); },
          [&](const UniformValue &node) { spread(block->arguments.uniforms[node.argument]); },
          [&](const RegisterValue &node) {
            read(registers[node.reg], kernel->registers[node.reg].name, lanes, out);
          },
          [&](const QueueSlotValue &node) {
            read(queues[node.queue][node.slot], kernel->queues[node.queue].name, lanes, out);
          },
          [&](const LoadGlobal &node) { load(node, lanes, out); },
          [&](const LoadShared &node) { load(node, lanes, out); },
          [&](const UnaryValue &node) {
            evaluate(node.operand, lanes, out);
            for (unsigned lane : lanes)
              out[lane] = toLane(value->type,
                                 apply(value->type, node.op, fromLane(value->type, out[lane])));
          },
          [&](const BinaryValue &node) {
            Scratch right(*this);
            evaluate(node.left, lanes, out);
            evaluate(node.right, lanes, right);
            if (isFloat(value->type))
              noteOperation(lanes);
            for (unsigned lane : lanes)
              out[lane] =
                  toLane(value->type, apply(value->type, node.op, fromLane(value->type, out[lane]),
                                            fromLane(value->type, right[lane])));
          },
          [&](const CompareValue &node) {
            Scratch right(*this);
            evaluate(node.left, lanes, out);
            evaluate(node.right, lanes, right);
            const ScalarType type = node.left->type;
            for (unsigned lane : lanes)
              out[lane] =
                  apply(type, node.op, fromLane(type, out[lane]), fromLane(type, right[lane]));
          },
          [&](const SelectValue &node) {
            Scratch then(*this), otherwise(*this);
            evaluate(node.condition, lanes, out);
            evaluate(node.then, lanes, then);
            evaluate(node.otherwise, lanes, otherwise);
            for (unsigned lane : lanes)
              out[lane] = out[lane] != 0 ? then[lane] : otherwise[lane];
          },
          [&](const CallValue &node) {
            Scratch second(*this), third(*this);
            evaluate(node.operands[0], lanes, out);
            if (node.operands.size() > 1)
              evaluate(node.operands[1], lanes, second);
            if (node.operands.size() > 2)
              evaluate(node.operands[2], lanes, third);
            noteOperation(lanes);
            for (unsigned lane : lanes) {
              double operands[] = {out[lane], second[lane], third[lane]};
              out[lane] =
                  apply(value->type, node.function, llvm::ArrayRef(operands, node.operands.size()));
            }
          },
          [&](const CastValue &node) {
            evaluate(node.operand, lanes, out);
            for (unsigned lane : lanes)
              out[lane] =
                  convert(node.operand->type, value->type, fromLane(node.operand->type, out[lane]))
                      .number;
          },
          [&](const GuardedValue &node) { choose(node, lanes, out); },
          [&](const PatchElement &node) {
            if (const Row *row = rowsOf(node.patch, node.at, lanes))
              read(*row, kernel->patches[node.patch].name, lanes, out);
          },
          [&](const ShuffleValue &node) { shuffle(node, lanes, out); },
          [&](const IndexValue &node) {
            Integers whole;
            evaluate(node.index, lanes, whole);
            for (unsigned lane : lanes)
              out[lane] = asNumber(value->type, whole[lane]);
          }),
      value->node);
}

void WarpExecutor::noteOperation(Lanes lanes) {
  if (block->observer)
    block->observer->compute(lanes.count());
}

void WarpExecutor::read(const Row &row, llvm::StringRef name, Lanes lanes, double *out) {
  if (!(lanes - row.defined).empty())
    block->report("`{}` is read before it has a value", name.str());
  for (unsigned lane : lanes)
    out[lane] = row.values[lane];
}

void WarpExecutor::choose(const GuardedValue &node, Lanes lanes, double *out) {
  const Lanes chosen = inside(node.box, lanes), rest = lanes - chosen;
  if (!chosen.empty())
    evaluate(node.inside, chosen, out);
  if (!rest.empty())
    evaluate(node.outside, rest, out);
}

void WarpExecutor::shuffle(const ShuffleValue &node, Lanes lanes, double *out) {
  if (lanes.count() != kLanesPerWarp)
    return block->report("{} of {} lanes of warp {} reach a shuffle", lanes.count(), kLanesPerWarp,
                         warp);
  Scratch operand(*this);
  evaluate(node.operand, lanes, operand);
  for (unsigned lane : lanes) {
    // Below lane 0 the number wraps to one that no lane has.
    const unsigned partner =
        node.from == ShuffleFrom::LowerLane ? lane - node.distance : lane + node.distance;
    out[lane] = operand[partner < kLanesPerWarp ? partner : lane];
  }
}
