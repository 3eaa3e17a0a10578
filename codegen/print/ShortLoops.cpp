#include "codegen/print/ShortLoops.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

/// Instructions of all turns, about. nvcc 13.0 takes apart twice as many unasked where each asks
/// and loads, four times as many where they compute. It makes the same code of every example
/// without the pragmas as with them.
static constexpr int64_t kMostWork = 1024;
/// Of an address, or of a bound that is asked.
static constexpr int64_t kIndexWork = 4;
/// Of what may be dozens of instructions, or is no part of a loop that is taken apart.
static constexpr int64_t kTooMuch = kMostWork + 1;

/// Of what ends make of indices where they stand.
static int64_t workAt(llvm::ArrayRef<Index> where) {
  const auto isBent = [](const Index &index) {
    return !std::holds_alternative<IndexSum>(index->node) &&
           !std::holds_alternative<Coordinate>(index->node);
  };
  return kIndexWork * (1 + llvm::count_if(where, isBent));
}

static int64_t workOf(const ValueNode &value) {
  return std::visit(llvm::makeVisitor([](const LoadGlobal &node) { return workAt(node.index); },
                                      [](const LoadShared &) { return kIndexWork; },
                                      [](const BinaryValue &node) {
                                        return node.op == BinaryOp::Divide ? kTooMuch : int64_t(1);
                                      },
                                      [](const CallValue &) { return kTooMuch; },
                                      [](const GuardedValue &node) {
                                        return int64_t(node.box.size()) * kIndexWork;
                                      },
                                      [](const IndexValue &) { return kIndexWork; },
                                      [](const auto &) { return int64_t(1); }),
                    value.node);
}

/// Of a loop between constants.
static std::optional<int64_t> turnsOf(const For &loop) {
  const auto *begin = std::get_if<IndexConstant>(&loop.begin->node);
  const auto *end = std::get_if<IndexConstant>(&loop.end->node);
  if (!begin || !end)
    return std::nullopt;
  return (end->value - begin->value + loop.step - 1) / loop.step;
}

static int64_t workOf(const Body &body);

static int64_t workOf(const For &loop) {
  const std::optional<int64_t> turns = turnsOf(loop);
  return turns ? *turns * workOf(loop.body) : kTooMuch;
}

static int64_t workOf(const Statement &statement) {
  int64_t work = std::visit(
      llvm::makeVisitor([](const LetIndex &) { return kIndexWork; },
                        [](const Let &) { return int64_t(1); },
                        [](const Assign &) { return int64_t(1); },
                        [](const AssignElement &) { return int64_t(1); },
                        [](const StoreGlobal &) { return kIndexWork; },
                        [](const StoreShared &) { return kIndexWork; },
                        [](const LoadVector &node) { return workAt(node.index) + node.row.lanes; },
                        [](const StoreVector &node) { return kIndexWork + node.row.lanes; },
                        [](const LoadSharedVector &node) { return kIndexWork + node.row.lanes; },
                        [](const StoreSharedVector &node) { return kIndexWork + node.row.lanes; },
                        [](const CopyAsync &) { return 2 * kIndexWork; },
                        [](const For &node) { return workOf(node); },
                        [](const If &node) {
                          return int64_t(node.box.size()) * kIndexWork + workOf(node.then) +
                                 workOf(node.otherwise);
                        },
                        [](const auto &) { return kTooMuch; }),
      statement.node);
  if (const Value *value = valueOf(statement))
    forEachValue(*value, [&](const ValueNode &node) { work += workOf(node); });
  return work;
}

static int64_t workOf(const Body &body) {
  int64_t work = 0;
  for (const Statement &statement : body)
    work += workOf(statement);
  return work;
}

bool stencilc::isShort(const For &loop) { return workOf(loop) <= kMostWork; }
