#include "codegen/print/PatchShifts.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

PatchShifts::PatchShifts(const Kernel &kernel) : kernel(kernel) {
  for (const Patch &patch : kernel.patches)
    rows.emplace_back(patch.shape.size() == 3 ? patch.shape[1] : 0, Row{patch.shape.front(), -1});
  visit(kernel.body);
}

// Where no slice below the highest that is set is read, all that is read was set where it is.
std::optional<PatchShifts::Rows> PatchShifts::rowsToMove(unsigned patch) const {
  const auto moves = [](const Row &row) { return row.lowestRead < row.highestSet; };
  const std::vector<Row> &all = rows[patch];
  const auto first = llvm::find_if(all, moves);
  if (first == all.end())
    return std::nullopt;
  const auto last = std::find_if(all.rbegin(), all.rend(), moves);
  const Rows moved{int(first - all.begin()), int(all.rend() - last)};
  if (moved.first == 0 && moved.end == int(all.size()))
    return std::nullopt;
  return moved;
}

void PatchShifts::visit(const Body &body) {
  for (const Statement &statement : body) {
    if (const Value *value = valueOf(statement))
      visit(*value);
    std::visit(
        llvm::makeVisitor(
            [&](const AssignElement &node) { access(node.patch, node.at, false); },
            [&](const LoadVector &node) { access(node.row.patch, node.row.at, false); },
            [&](const LoadSharedVector &node) { access(node.row.patch, node.row.at, false); },
            [&](const StoreVector &node) { access(node.row.patch, node.row.at, true); },
            [&](const StoreSharedVector &node) { access(node.row.patch, node.row.at, true); },
            [](const auto &) {}),
        statement.node);
    const For *loop = loopOf(statement);
    if (loop && loop->kind == LoopKind::Unroll)
      enter(*loop);
    forEachBody(statement, [&](const Body &inner) { visit(inner); });
    if (loop)
      locals.erase(loop->local);
  }
}

void PatchShifts::enter(const For &loop) {
  const auto *begin = std::get_if<IndexConstant>(&loop.begin->node);
  const auto *end = std::get_if<IndexConstant>(&loop.end->node);
  if (begin && end)
    locals[loop.local] = {begin->value, end->value - 1};
}

void PatchShifts::visit(const Value &value) {
  forEachValue(value, [&](const ValueNode &part) {
    if (const auto *element = std::get_if<PatchElement>(&part.node))
      access(element->patch, element->at, true);
  });
}

void PatchShifts::access(unsigned patch, llvm::ArrayRef<Index> at, bool isRead) {
  if (rows[patch].empty())
    return;
  const std::vector<int> &shape = kernel.patches[patch].shape;
  const Range slices = rangeOf(at[0], shape[0]), inSlice = rangeOf(at[1], shape[1]);
  for (int64_t row = inSlice.first; row <= inSlice.last; ++row) {
    Row &each = rows[patch][row];
    if (isRead)
      each.lowestRead = std::min(each.lowestRead, slices.first);
    else
      each.highestSet = std::max(each.highestSet, slices.last);
  }
}

/// Of an index of an axis with so many elements: all of them where its terms are not known.
PatchShifts::Range PatchShifts::rangeOf(const Index &index, int size) const {
  const LinearIndex form = linear(index);
  Range range{form.constant, form.constant};
  for (const LinearIndex::Term &term : form.terms) {
    const auto *local = std::get_if<Coordinate>(&term.atom->node);
    const auto known =
        local && local->kind == CoordinateKind::Local ? locals.find(local->number) : locals.end();
    if (known == locals.end())
      return {0, size - 1};
    const auto [first, last] = known->second;
    range.first += term.factor * (term.factor > 0 ? first : last);
    range.last += term.factor * (term.factor > 0 ? last : first);
  }
  return {std::max<int64_t>(range.first, 0), std::min<int64_t>(range.last, size - 1)};
}
