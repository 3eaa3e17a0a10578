#include "codegen/print/RepeatedLoads.h"

#include "codegen/print/SameText.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>

using namespace stencilc;

/// Fewer are read where they are.
static constexpr size_t kLeastBranches = 3;

static bool isLocal(const Index &index) {
  const auto *own = std::get_if<Coordinate>(&index->node);
  return own && own->kind == CoordinateKind::Local;
}

/// The march, if it is all of the body's loops that are not unrolled, and carries all pointers.
static const Statement *marchOf(const Kernel &kernel) {
  const Statement *march = nullptr;
  for (const Statement &statement : kernel.body)
    if (const For *loop = loopOf(statement); loop && loop->kind == LoopKind::Serial) {
      if (march || loop->carries.size() != kernel.pointers.size() || !isLocal(loop->begin))
        return nullptr;
      march = &statement;
    }
  return march;
}

namespace {

/// Says loads ahead of a march as a turn of it would.
class InTurn {
public:
  InTurn(const Kernel &kernel, const For &march);

  /// Nothing if there is more to it than planes.
  std::optional<Statement> said(const Statement &ahead);
  /// What each side of a branch is a loop over, if all are over the same planes: first and end.
  std::optional<std::pair<int64_t, int64_t>> planes;

private:
  const Kernel &kernel;
  std::vector<std::pair<Coordinate, Index>> replacements; ///< of what begins, of planes
  std::map<Layout, std::vector<Index>> pointers;          ///< where those of a layout start
  bool isPlain = true;

  void enter(Body &side);
  void say(Statement &statement);
  void say(std::vector<Index> &indices);
  void say(Value &value);
  void say(Box &box);
  void address(const ArrayArgument &array, std::vector<Index> &where);
};

} // namespace

InTurn::InTurn(const Kernel &kernel, const For &march) : kernel(kernel) {
  replacements.emplace_back(std::get<Coordinate>(march.begin->node),
                            coordinate(CoordinateKind::Local, march.local));
  for (const Statement &statement : kernel.body)
    if (const auto *pointer = std::get_if<LetPointer>(&statement.node))
      pointers[pointer->layout] = pointer->index;
}

std::optional<Statement> InTurn::said(const Statement &ahead) {
  Statement result = ahead;
  auto *branch = std::get_if<If>(&result.node);
  if (!branch)
    return std::nullopt;
  say(branch->box);
  enter(branch->then);
  enter(branch->otherwise);
  return isPlain ? std::optional(std::move(result)) : std::nullopt;
}

void InTurn::enter(Body &side) {
  const For *loop = side.size() == 1 ? loopOf(side.front()) : nullptr;
  const auto *first = loop ? std::get_if<IndexConstant>(&loop->begin->node) : nullptr;
  const auto *end = loop ? std::get_if<IndexConstant>(&loop->end->node) : nullptr;
  if (!first || !end || loop->kind != LoopKind::Unroll || loop->step != 1 ||
      (planes && *planes != std::pair(first->value, end->value))) {
    isPlain = false;
    return;
  }
  planes = {first->value, end->value};
  replacements.erase(replacements.begin() + 1, replacements.end());
  replacements.emplace_back(Coordinate{CoordinateKind::Local, loop->local}, loop->end);
  Body turn = loop->body;
  for (Statement &statement : turn)
    say(statement);
  side = std::move(turn);
}

void InTurn::say(Statement &statement) {
  std::visit(llvm::makeVisitor(
                 [&](For &node) {
                   for (Statement &inner : node.body)
                     say(inner);
                 },
                 [&](AssignElement &node) {
                   say(node.at);
                   say(node.value);
                 },
                 [&](LoadVector &node) {
                   say(node.row.at);
                   address(kernel.arrays[node.array], node.index);
                 },
                 [&](auto &) { isPlain = false; }),
             statement.node);
}

void InTurn::say(std::vector<Index> &indices) {
  for (Index &index : indices)
    for (const auto &[coordinate, with] : replacements)
      index = replaced(index, coordinate, with);
}

void InTurn::say(Value &value) {
  ValueNode copy = *value;
  std::visit(
      llvm::makeVisitor([&](LoadGlobal &node) { address(kernel.arrays[node.array], node.index); },
                        [&](GuardedValue &node) { say(node.box); }, [](LiteralValue &) {},
                        [&](auto &) { isPlain = false; }),
      copy.node);
  forEachOperand(copy, [&](Value &operand) { say(operand); });
  value = std::make_shared<const ValueNode>(std::move(copy));
}

/// A condition stands as it is, and is none of the march.
void InTurn::say(Box &box) {
  for (const Range &range : box)
    for (const Index &index : {range.index, range.lower, range.upper})
      isPlain &= !index || !anyCoordinate(index, [&](const Coordinate &own) {
        return llvm::is_contained(llvm::make_first_range(replacements), own);
      });
}

/// An address is read from the pointer that the march carries.
void InTurn::address(const ArrayArgument &array, std::vector<Index> &where) {
  const auto pointer = pointers.find(array.layout);
  if (pointer == pointers.end() || pointer->second.size() != where.size()) {
    isPlain = false;
    return;
  }
  for (const auto &[index, own] : llvm::zip_equal(where, pointer->second))
    for (const LinearIndex::Term &term : linearDifference(index, own).terms)
      isPlain &= term.factor > 0 && isLocal(term.atom);
  say(where);
}

/// The loads with the loops over planes from one local to the other.
static Body between(llvm::ArrayRef<Statement> loads, unsigned first, unsigned end) {
  Body body(loads.begin(), loads.end());
  for (Statement &branch : body)
    forEachBody(branch, [&](Body &side) {
      auto &loop = std::get<For>(side.front().node);
      loop.begin = coordinate(CoordinateKind::Local, first);
      loop.end = coordinate(CoordinateKind::Local, end);
    });
  return body;
}

std::optional<RepeatedLoads> stencilc::repeatedLoads(const Kernel &kernel, unsigned first,
                                                     unsigned end) {
  const Statement *march = marchOf(kernel);
  if (!march)
    return std::nullopt;
  const For &loop = *loopOf(*march);
  const auto isPhase = [](const Statement &statement) {
    return std::holds_alternative<Phase>(statement.node);
  };
  const auto isBranch = [](const Statement &statement) {
    return std::holds_alternative<If>(statement.node);
  };
  llvm::ArrayRef<Statement> ahead(kernel.body.data(), march);
  ahead = ahead.drop_back(std::find_if_not(ahead.rbegin(), ahead.rend(), isPhase) - ahead.rbegin());
  ahead =
      ahead.take_back(std::find_if_not(ahead.rbegin(), ahead.rend(), isBranch) - ahead.rbegin());
  llvm::ArrayRef<Statement> turn = loop.body;
  turn = turn.drop_until(std::not_fn(isPhase));
  if (ahead.size() < kLeastBranches || turn.size() < ahead.size())
    return std::nullopt;

  InTurn inTurn(kernel, loop);
  for (const auto &[load, own] : llvm::zip(ahead, turn)) {
    const std::optional<Statement> said = inTurn.said(load);
    if (!said || !SameText().same(*said, own))
      return std::nullopt;
  }
  return RepeatedLoads{ahead.data(),         turn.data(),           ahead.size(),
                       inTurn.planes->first, inTurn.planes->second, between(ahead, first, end)};
}
