#include "costmodel/compiled/Instructions.h"
#include "costmodel/compiled/ArithmeticRules.h"
#include "costmodel/compiled/IntegerRules.h"
#include "costmodel/compiled/StatementRules.h"
#include "costmodel/compiled/UnrolledRange.h"
#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>

using namespace stencilc;

// ---- the estimate -----------------------------------------------------------------------------

const InstructionEstimate &EstimatedKernel::instructions(const CodeTable &table) const {
  if (!ofInstructions)
    ofInstructions = std::make_shared<InstructionEstimate>(*this, table);
  return *ofInstructions;
}

const RegisterEstimate &EstimatedKernel::registers(const CodeTable &table, bool haveFew) const {
  haveFew &= !kernel.tiles.empty(); // without them it says the same
  std::shared_ptr<const RegisterEstimate> &made = haveFew ? ofFewRegisters : ofRegisters;
  if (!made)
    made = std::make_shared<RegisterEstimate>(estimateRegisters(*this, table, haveFew));
  return *made;
}

const CommonValues &EstimatedKernel::common() const {
  if (!inCommon)
    inCommon = std::make_shared<CommonValues>(commonValues(kernel));
  return *inCommon;
}

InstructionEstimate::InstructionEstimate(const EstimatedKernel &estimated, const CodeTable &table) {
  CodeReader code(table);
  StatementRules(estimated, code, *this);
  usedValues = code.used();
}

static const InstructionMix nothing;

const InstructionMix &InstructionEstimate::once(const Statement &statement) const {
  auto found = costs.find(&statement);
  return found == costs.end() ? nothing : found->second.once;
}

const InstructionMix &InstructionEstimate::turn(const Statement &loop) const {
  auto found = costs.find(&loop);
  return found == costs.end() ? nothing : found->second.turn;
}

static void findDefinitions(const Body &body, std::vector<const Value *> &definitions) {
  for (const Statement &statement : body) {
    std::visit(llvm::makeVisitor([&](const Let &node) { definitions[node.reg] = &node.value; },
                                 [](const auto &) {}),
               statement.node);
    forEachBody(statement, [&](const Body &inner) { findDefinitions(inner, definitions); });
  }
}

StatementRules::StatementRules(const EstimatedKernel &estimated, CodeReader &code,
                               InstructionEstimate &estimate)
    : kernel(estimated.kernel), code(code), estimate(estimate), inPatches(estimated.inPatches),
      common(estimated.common()), unrolled(kernel), definitions(kernel.registers.size()),
      uses(kernel.registers.size()) {
  findDefinitions(kernel.body, definitions);
  forEachValue(kernel.body, [&](const Value &value) {
    forEachValue(value, [&](const ValueNode &part) {
      std::visit(llvm::makeVisitor([&](const RegisterValue &node) { ++uses[node.reg]; },
                                   [](const auto &) {}),
                 part.node);
    });
  });
  estimate.ofEntry = code.of(CodeMix::Entry);
  estimate.ofEntry.add(code.of(CodeMix::ArrayBase, kernel.arrays.size()));
  estimate.ofEntry.add(code.of(CodeMix::Argument, kernel.uniforms.size()));
  estimate.ofEntry.add(of(Pipe::Control, 1)); // the exit
  CostScope scope{AddressScope(kernel)};
  walk(kernel.body, scope);
}

// ---- statements -------------------------------------------------------------------------------

void StatementRules::walk(const Body &body, CostScope &scope) {
  for (const Statement &statement : body)
    estimate.costs[&statement] = cost(statement, scope);
}

StatementRules::Cost StatementRules::cost(const Statement &statement, CostScope &scope) {
  auto ofAssigned = [&](const Value &value) { return Cost{ofValue(value, scope), {}}; };
  auto ofMoved = [&](double words) { return Cost{code.of(CodeMix::Move, words), {}}; };
  return std::visit(
      llvm::makeVisitor(
          [&](const LetIndex &node) { return Cost{ofLetIndex(node, scope), {}}; },
          [&](const LetPointer &node) {
            scope.addresses.add(node);
            return Cost{ofNaming(node, code), {}};
          },
          [&](const Let &node) { return ofAssigned(node.value); },
          [&](const LetMutable &node) { return ofAssigned(node.value); },
          [&](const Assign &node) { return ofAssigned(node.value); },
          [&](const AssignSlot &node) { return ofAssigned(node.value); },
          [&](const Rotate &node) {
            // Unrolled turns rename slots instead of moving them; what outlives the new turn moves.
            const Queue &queue = kernel.queues[node.queue];
            const int moved = std::max(0, int(queue.length()) - 1 - scope.unrolled);
            return ofMoved(double(moved) * sizeInBytes(queue.type) / 4 / scope.unrolled);
          },
          [&](const StoreGlobal &node) {
            InstructionMix mix = ofValue(node.value, scope);
            mix.add(ofAddress(node.array, node.index, scope)).add(of(Pipe::LoadStore, 1));
            return Cost{mix, {}};
          },
          [&](const StoreShared &node) {
            InstructionMix mix = ofValue(node.value, scope);
            mix.add(ofTileAddress(node.tile, node.index, scope)).add(of(Pipe::LoadStore, 1));
            return Cost{mix, {}};
          },
          [&](const AssignElement &node) { return ofAssigned(node.value); },
          [&](const ShiftPatch &node) {
            // As a queue's rotation, column by column.
            int moved = 0;
            for (int planes : inPatches.ways[node.patch])
              moved += std::max(0, planes - scope.unrolled);
            const Patch &patch = kernel.patches[node.patch];
            return ofMoved(double(moved) * sizeInBytes(patch.type) / 4 / scope.unrolled);
          },
          [&](const LoadVector &node) {
            return Cost{ofAddress(node.array, node.index, scope).add(of(Pipe::LoadStore, 1)), {}};
          },
          [&](const StoreVector &node) {
            return Cost{ofAddress(node.array, node.index, scope).add(of(Pipe::LoadStore, 1)), {}};
          },
          [&](const LoadSharedVector &node) {
            return Cost{ofTileAddress(node.tile, node.index, scope).add(of(Pipe::LoadStore, 1)),
                        {}};
          },
          [&](const StoreSharedVector &node) {
            return Cost{ofTileAddress(node.tile, node.index, scope).add(of(Pipe::LoadStore, 1)),
                        {}};
          },
          [&](const CopyAsync &node) {
            InstructionMix mix = ofAddress(node.array, node.from, scope);
            mix.add(ofTileAddress(node.tile, node.to, scope)).add(of(Pipe::LoadStore, 1));
            return Cost{mix, {}};
          },
          [&](const CommitCopies &) { return Cost{of(Pipe::LoadStore, 1), {}}; },
          [&](const WaitCopies &) { return Cost{of(Pipe::Control, 1), {}}; },
          [&](const SendVector &node) {
            InstructionMix mix = ofTileAddress(node.tile, node.from, scope);
            mix.add(ofTileAddress(node.tile, node.to, scope)).add(of(Pipe::LoadStore, 2));
            return Cost{mix, {}};
          },
          [&](const AwaitMessage &) { return Cost{of(Pipe::Control, 1), {}}; },
          [&](const Roles &node) {
            for (const Role &role : node.roles) {
              CostScope inner = scope.within();
              walk(role.body, inner);
            }
            return Cost{code.of(CodeMix::Role, node.roles.size()), {}};
          },
          [&](const Barrier &) { return Cost{of(Pipe::Control, 1), {}}; },
          [&](const If &node) {
            InstructionMix mix = ofBounds(node.box, scope);
            if (!isDecided(node.box, scope))
              mix.add(code.of(CodeMix::Branch));
            for (const Body *body : {&node.then, &node.otherwise})
              if (!body->empty()) {
                CostScope inner = scope.within();
                walk(*body, inner);
              }
            return Cost{mix, {}};
          },
          [&](const ReturnUnless &node) {
            InstructionMix mix = ofBounds(node.box, scope);
            return Cost{mix.add(of(Pipe::Control, 1)), {}};
          },
          [&](const For &node) { return cost(node, scope); }, [](const Phase &) { return Cost{}; }),
      statement.node);
}

/// Of a march that is written out, whose begin is no constant.
static int turnsWritten(const For &loop) {
  const LinearIndex planes = linear(add(loop.end, scale(loop.begin, -1)));
  return planes.terms.empty() ? std::max<int>(1, planes.constant / loop.step) : 1;
}

StatementRules::Cost StatementRules::cost(const For &loop, CostScope &scope) {
  const bool isWritten = loop.kind == LoopKind::Unroll;
  if (leavesNoLoop(loop)) {
    // What a turn computes is at hand in the others and behind them, as far as it is the same.
    scope.unrolledAround.emplace_back(loop.local, std::max<int64_t>(1, unrolledTripCount(loop)));
    walk(loop.body, scope);
    scope.unrolledAround.pop_back();
    return {};
  }
  // A march, of turns that become one or that are all written out.
  const int turns = isWritten ? turnsWritten(loop) : unrolledTurns(loop, code);
  Cost result;
  CostScope inner{scope.addresses.inside(loop), nullptr, {}, turns, &result.once,
                  isWritten ? &loop : nullptr};
  walk(loop.body, inner);
  if (isWritten)
    return result;
  result.once.add(code.of(CodeMix::Loop));
  if (inner.unrolled > 1 && loop.steady) // pointers of each turn
    result.once.add(code.of(CodeMix::UnrolledLoop));
  result.turn.add(code.of(CodeMix::Turn, 1.0 / inner.unrolled));
  return result;
}

// ---- numbers ----------------------------------------------------------------------------------

/// The product, if a value is one, that an addition can take along.
const ValueNode *StatementRules::productOf(const Value &value) const {
  using Product = const ValueNode *;
  return std::visit(llvm::makeVisitor(
                        [&](const RegisterValue &node) -> Product {
                          const Value *definition = definitions[node.reg];
                          return uses[node.reg] == 1 && definition ? productOf(*definition)
                                                                   : nullptr;
                        },
                        [&](const UnaryValue &node) -> Product {
                          return node.op == UnaryOp::Negate ? productOf(node.operand) : nullptr;
                        },
                        [&](const BinaryValue &node) -> Product {
                          return node.op == BinaryOp::Multiply ? value.get() : nullptr;
                        },
                        [](const auto &) -> Product { return nullptr; }),
                    value->node);
}

/// Of an addition: what takes along a product that is not there already is part of it.
double StatementRules::shareBesideProducts(const ValueNode &sum, const BinaryValue &node) const {
  const double share = common.shareOfNew(sum);
  for (const Value &operand : {node.left, node.right})
    if (const ValueNode *product = productOf(operand))
      return std::max(0.0, share - common.shareOfNew(*product));
  return share;
}

InstructionMix StatementRules::ofBinary(const BinaryValue &node, ScalarType type) {
  switch (node.op) {
  case BinaryOp::Add:
  case BinaryOp::Subtract:
    return arithmetic(type);
  case BinaryOp::Multiply:
    return arithmetic(type);
  case BinaryOp::Divide:
    return isPowerOfTwo(node.right) ? arithmetic(type) : division(type, code);
  case BinaryOp::Remainder: // of 64 bits: nvcc 13.0 makes 5 instructions of it, and 17 to 19
    return code.of(CodeMix::IndexDivision, isPowerOfTwo(node.right) ? 1 : 3.5);
  case BinaryOp::And:
  case BinaryOp::Or: // a comparison takes the outcome of another along
    return {};
  }
  llvm_unreachable("every operation has a rule");
}

InstructionMix StatementRules::ofValue(const Value &value, CostScope &scope) {
  const ScalarType type = value->type;
  auto withOperands = [&](InstructionMix mix, llvm::ArrayRef<Value> operands) {
    for (const Value &operand : operands)
      mix.add(ofValue(operand, scope));
    return mix;
  };
  const auto anew = [&](const InstructionMix &mix) {
    return InstructionMix().add(mix, common.shareOfNew(*value));
  };
  return std::visit(
      llvm::makeVisitor(
          [&](const LiteralValue &node) {
            if (!needsMoves(node.value, type) ||
                !scope.take(Holding::Literal, {std::bit_cast<int64_t>(node.value)}))
              return InstructionMix();
            return code.of(CodeMix::LongLiteral, 1.0 / scope.unrolled);
          },
          [](const ParamLeaf &) { return InstructionMix(); },
          [](const UniformValue &) { return InstructionMix(); },
          [](const RegisterValue &) { return InstructionMix(); },
          [](const QueueSlotValue &) { return InstructionMix(); },
          [&](const LoadGlobal &node) {
            return ofAddress(node.array, node.index, scope).add(of(Pipe::LoadStore, 1));
          },
          [&](const LoadShared &node) {
            return ofTileAddress(node.tile, node.index, scope).add(of(Pipe::LoadStore, 1));
          },
          [&](const UnaryValue &node) { // part of the instruction that uses it
            return ofValue(node.operand, scope);
          },
          [&](const BinaryValue &node) {
            const bool isSum = node.op == BinaryOp::Add || node.op == BinaryOp::Subtract;
            const double share =
                isSum ? shareBesideProducts(*value, node) : common.shareOfNew(*value);
            return withOperands(InstructionMix().add(ofBinary(node, type), share),
                                {node.left, node.right});
          },
          [&](const CompareValue &node) {
            return withOperands(anew(comparison(node.left->type, code)), {node.left, node.right});
          },
          [&](const SelectValue &node) {
            return withOperands(anew(selection(type, code)),
                                {node.condition, node.then, node.otherwise});
          },
          [&](const CallValue &node) {
            return withOperands(anew(call(node.function, type, code)), node.operands);
          },
          [&](const CastValue &node) {
            return withOperands(anew(code.of(CodeMix::Conversion)), {node.operand});
          },
          [&](const GuardedValue &node) {
            // The outside value is moved in, then the load is predicated.
            InstructionMix mix = ofBounds(node.box, scope);
            if (type != ScalarType::Bool) // which the condition is itself
              mix.add(code.of(CodeMix::Move, type == ScalarType::F32 ? 1 : 2));
            return withOperands(mix, {node.inside, node.outside});
          },
          [](const PatchElement &) { return InstructionMix(); },
          [&](const ShuffleValue &node) {
            return withOperands(of(Pipe::LoadStore, sizeInBytes(type) / 4.0), {node.operand});
          },
          [&](const IndexValue &node) {
            return ofIndex(node.index, code).add(code.of(CodeMix::IndexConversion));
          }),
      value->node);
}
