#include "codegen/print/PartialRows.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace stencilc;

namespace {

/// An element that a turn moves, and what is asked before.
struct Move {
  unsigned patch;
  const std::vector<Index> *at;
  unsigned array;
  const std::vector<Index> *index;
  const Box *box;
  bool isStore;
};

} // namespace

static std::optional<Move> storeOf(const If &branch) {
  if (branch.then.size() != 1 || !branch.otherwise.empty())
    return std::nullopt;
  const auto *store = std::get_if<StoreGlobal>(&branch.then.front().node);
  const auto *element = store ? std::get_if<PatchElement>(&store->value->node) : nullptr;
  if (!element)
    return std::nullopt;
  return Move{element->patch, &element->at, store->array, &store->index, &branch.box, true};
}

static std::optional<Move> loadOf(const AssignElement &element) {
  const auto *guarded = std::get_if<GuardedValue>(&element.value->node);
  const auto *load = guarded ? std::get_if<LoadGlobal>(&guarded->inside->node) : nullptr;
  const auto *outside = guarded ? std::get_if<LiteralValue>(&guarded->outside->node) : nullptr;
  if (!load || !outside || outside->value != 0 || std::signbit(outside->value))
    return std::nullopt;
  return Move{element.patch, &element.at, load->array, &load->index, &guarded->box, false};
}

static std::optional<Move> moveOf(const Statement &statement) {
  if (const auto *branch = std::get_if<If>(&statement.node))
    return storeOf(*branch);
  if (const auto *element = std::get_if<AssignElement>(&statement.node))
    return loadOf(*element);
  return std::nullopt;
}

static Index inTurn(const Index &index, const For &loop, int64_t turn) {
  return replaced(index, {CoordinateKind::Local, loop.local}, constant(turn));
}

/// True if the index is one more from turn to turn; or the same, if it `stays`.
static bool moves(const Index &index, const For &loop, bool stays = false) {
  return constantDifference(inTurn(index, loop, 1), inTurn(index, loop, 0)) == (stays ? 0 : 1);
}

/// True of places in a row, one beside the other from turn to turn.
static bool isAlongRow(llvm::ArrayRef<Index> where, const For &loop) {
  return moves(where.back(), loop) && llvm::all_of(where.drop_back(), [&](const Index &index) {
           return moves(index, loop, /*stays=*/true);
         });
}

std::optional<PartialRow> stencilc::partialRow(const For &loop) {
  const auto *begin = std::get_if<IndexConstant>(&loop.begin->node);
  const auto *end = std::get_if<IndexConstant>(&loop.end->node);
  if (loop.kind != LoopKind::Unroll || loop.step != 1 || !begin || !end || loop.body.size() != 1)
    return std::nullopt;
  const std::optional<Move> move = moveOf(loop.body.front());
  if (!move || move->box->size() != 1 || !isAlongRow(*move->at, loop) ||
      !isAlongRow(*move->index, loop))
    return std::nullopt;
  const Range &asked = move->box->front();
  const auto isSteady = [&](const Index &bound) {
    return !bound || moves(bound, loop, /*stays=*/true);
  };
  if (!moves(asked.index, loop) || !asked.upper || !isSteady(asked.upper) ||
      !isSteady(asked.lower) || (asked.lower && !move->isStore))
    return std::nullopt;
  const auto ofFirst = [&](const std::vector<Index> &where) {
    std::vector<Index> first;
    for (const Index &index : where)
      first.push_back(inTurn(index, loop, begin->value));
    return first;
  };
  return PartialRow{{move->patch, ofFirst(*move->at), unsigned(end->value - begin->value)},
                    move->array,
                    ofFirst(*move->index),
                    inTurn(asked.index, loop, begin->value),
                    asked.lower,
                    asked.upper,
                    move->isStore};
}

/// The loops, one for each statement, if all of them move elements of a row of their own.
static Body apart(const For &loop) {
  Body loops;
  for (const Statement &statement : loop.body) {
    For single = loop;
    single.body = {statement};
    if (!partialRow(single))
      return {};
    loops.push_back({std::move(single)});
  }
  return loops;
}

Body stencilc::partialRowsApart(const Body &body) {
  Body result;
  for (const Statement &statement : body) {
    const For *loop = loopOf(statement);
    Body loops = loop ? apart(*loop) : Body{};
    if (!loops.empty()) {
      llvm::move(loops, std::back_inserter(result));
      continue;
    }
    result.push_back(statement);
    forEachBody(result.back(), [](Body &inner) { inner = partialRowsApart(inner); });
  }
  return result;
}
