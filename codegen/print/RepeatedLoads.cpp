#include "codegen/print/RepeatedLoads.h"

#include "codegen/print/BentIndices.h"
#include "codegen/print/ChangedIndices.h"
#include "codegen/print/SameText.h"
#include "codegen/print/ShortLoops.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>

using namespace stencilc;

/// Of so many lines, about; shorter ones are read where they are.
static constexpr int kLeastLines = 15;

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

static int linesOf(llvm::ArrayRef<Statement> body) {
  int lines = 0;
  for (const Statement &statement : body) {
    lines += std::visit(
        llvm::makeVisitor([](const If &) { return 3; }, [](const For &) { return 1; },
                          [](const LoadVector &) { return 2; },
                          [](const AssignElement &node) {
                            return std::holds_alternative<GuardedValue>(node.value->node) ? 4 : 2;
                          },
                          [](const auto &) { return 1; }),
        statement.node);
    forEachBody(statement, [&](const Body &inner) { lines += linesOf(inner); });
  }
  return lines;
}

// ---- names --------------------------------------------------------------------------------------

static bool mentions(const Index &index, unsigned local) {
  return index && anyCoordinate(index, [&](const Coordinate &own) {
           return own == Coordinate{CoordinateKind::Local, local};
         });
}

static bool mentions(llvm::ArrayRef<Statement> statements, unsigned local) {
  return llvm::any_of(statements, [&](const Statement &statement) {
    return llvm::any_of(indicesOf({statement}),
                        [&](const Index &index) { return mentions(index, local); });
  });
}

static void dropNames(Body &body) {
  llvm::erase_if(body, [](const Statement &statement) {
    return std::holds_alternative<LetIndex>(statement.node);
  });
  for (Statement &statement : body)
    forEachBody(statement, dropNames);
}

/// The same with the values of what is named in it.
static Body withoutNames(Body body) {
  NamedIndices named;
  appendNamed(body, named);
  dropNames(body);
  return changedIndices(std::move(body), [&](Index index) {
    for (size_t names = 0; names < named.size(); ++names) // one may be made of another
      for (const auto &[local, value] : named)
        index = replaced(index, {CoordinateKind::Local, local}, value);
    return index;
  });
}

namespace {

/// Says loads ahead of a march as a turn of it would.
class InTurn {
public:
  InTurn(const Kernel &kernel, const For &march) : kernel(kernel), march(march) {
    for (const Statement &statement : kernel.body)
      if (const auto *pointer = std::get_if<LetPointer>(&statement.node))
        for (const Index &index : pointer->index)
          pointers[pointer->layout].push_back(ofTurn(index));
  }

  /// Nothing if there is more to it than planes.
  std::optional<Body> said(const Statement &ahead);
  /// The loads with loops over planes from one local to the other, in a turn.
  Body between(llvm::ArrayRef<Statement> loads, unsigned first, unsigned end) const;
  /// What each side of a branch is a loop over, if all are over the same planes: first and end.
  std::optional<std::pair<int64_t, int64_t>> planes;
  /// The plane of the turn is asked for, and not only what lies beside it.
  bool asksPlane = false;

private:
  const Kernel &kernel;
  const For &march;
  std::map<Layout, std::vector<Index>> pointers; ///< which the march carries, in a turn
  bool isPlain = true;

  Index ofTurn(const Index &index) const;
  Statement ofTurn(const Statement &statement) const {
    return changedIndices(statement, [&](const Index &index) { return ofTurn(index); });
  }
  void enter(Body &side);
  void ask(const Index &index) { asksPlane |= mentions(index, march.local); }
  void ask(const Box &box) {
    for (const Range &range : box)
      for (const Index &index : {range.index, range.lower, range.upper})
        ask(index);
  }
  void check(const Body &body);
  void check(unsigned array, llvm::ArrayRef<Index> where);
};

} // namespace

Index InTurn::ofTurn(const Index &index) const {
  return replaced(index, std::get<Coordinate>(march.begin->node),
                  coordinate(CoordinateKind::Local, march.local));
}

std::optional<Body> InTurn::said(const Statement &ahead) {
  Body result = {ofTurn(ahead)};
  if (auto *branch = std::get_if<If>(&result.front().node)) {
    ask(branch->box);
    enter(branch->then);
    enter(branch->otherwise);
  } else {
    enter(result);
  }
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
  check(loop->body);
  side = changedIndices(loop->body, [&](const Index &index) {
    return replaced(index, {CoordinateKind::Local, loop->local}, loop->end);
  });
}

void InTurn::check(const Body &body) {
  for (const Statement &statement : body) {
    std::visit(llvm::makeVisitor([](const For &) {}, [&](const LetIndex &node) { ask(node.value); },
                                 [&](const If &node) { ask(node.box); },
                                 [](const AssignElement &) {},
                                 [&](const LoadVector &node) { check(node.array, node.index); },
                                 [&](const auto &) { isPlain = false; }),
               statement.node);
    if (const Value *value = valueOf(statement))
      forEachValue(*value, [&](const ValueNode &node) {
        std::visit(llvm::makeVisitor([&](const LoadGlobal &node) { check(node.array, node.index); },
                                     [&](const GuardedValue &node) { ask(node.box); },
                                     [](const LiteralValue &) {}, [](const UniformValue &) {},
                                     [](const PatchElement &) {},
                                     [&](const auto &) { isPlain = false; }),
                   node.node);
      });
    forEachBody(statement, [&](const Body &inner) { check(inner); });
  }
}

/// An address is read from a pointer that the march carries, unless an end has a say in it.
void InTurn::check(unsigned array, llvm::ArrayRef<Index> where) {
  const auto pointer = pointers.find(kernel.arrays[array].layout);
  if (pointer == pointers.end() || pointer->second.size() != where.size()) {
    isPlain = false;
    return;
  }
  for (const auto &[index, own] : llvm::zip_equal(where, pointer->second))
    for (const LinearIndex::Term &term : linearDifference(index, own).terms)
      if (!isLocal(term.atom))
        for (const Index &each : where)
          ask(each);
}

Body InTurn::between(llvm::ArrayRef<Statement> loads, unsigned first, unsigned end) const {
  Body body;
  const auto setPlanes = [&](Statement &statement) {
    auto &loop = std::get<For>(statement.node);
    if (isShort(loop))
      loop.kind = LoopKind::Serial; // and taken apart as well
    loop.begin = coordinate(CoordinateKind::Local, first);
    loop.end = coordinate(CoordinateKind::Local, end);
  };
  for (const Statement &load : loads) {
    body.push_back(ofTurn(load));
    if (loopOf(load))
      setPlanes(body.back());
    else
      forEachBody(body.back(), [&](Body &side) { setPlanes(side.front()); });
  }
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
  const auto isName = [](const Statement &statement) {
    return std::holds_alternative<LetIndex>(statement.node);
  };
  const auto isLoad = [](const Statement &statement) {
    return std::holds_alternative<If>(statement.node) || loopOf(statement);
  };
  llvm::ArrayRef<Statement> ahead(kernel.body.data(), march);
  ahead = ahead.drop_back(std::find_if_not(ahead.rbegin(), ahead.rend(), isPhase) - ahead.rbegin());
  ahead = ahead.take_back(std::find_if_not(ahead.rbegin(), ahead.rend(), isLoad) - ahead.rbegin());
  if (linesOf(ahead) < kLeastLines)
    return std::nullopt;

  InTurn inTurn(kernel, loop);
  Body wanted;
  for (const Statement &load : ahead) {
    std::optional<Body> said = inTurn.said(load);
    if (!said)
      return std::nullopt;
    llvm::append_range(wanted, *said);
  }
  // Loops that only read from the pointer are short.
  if (!inTurn.asksPlane && llvm::any_of(ahead, [](const Statement &each) { return loopOf(each); }))
    return std::nullopt;
  wanted = withoutNames(std::move(wanted));
  llvm::ArrayRef<Statement> turn = loop.body;
  turn = turn.drop_until(std::not_fn(isPhase));
  const size_t names = turn.take_while(isName).size(), count = names + wanted.size();
  if (turn.size() < count)
    return std::nullopt;
  const Body own = withoutNames(Body(turn.begin(), turn.begin() + count));
  if (own.size() != wanted.size() ||
      llvm::any_of(llvm::zip_equal(wanted, own), [](const auto &pair) {
        return !SameText().same(std::get<0>(pair), std::get<1>(pair));
      }))
    return std::nullopt;
  for (const Statement &name : turn.take_front(names))
    if (mentions(turn.drop_front(count), std::get<LetIndex>(name.node).local))
      return std::nullopt;
  return RepeatedLoads{ahead.data(),
                       turn.data(),
                       ahead.size(),
                       count,
                       inTurn.planes->first,
                       inTurn.planes->second,
                       inTurn.between(ahead, first, end),
                       loop.local,
                       std::get<Coordinate>(loop.begin->node).number,
                       inTurn.asksPlane};
}
