#include "codegen/print/BentIndices.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

Index Bend::of(Index index) const {
  if (both)
    return map(both->boundary, both->axis, std::move(index));
  if (least)
    index = maximum(std::move(index), *least);
  if (most)
    index = minimum(std::move(index), *most);
  return index;
}

void stencilc::appendNamed(const Body &body, NamedIndices &named) {
  for (const Statement &statement : body) {
    if (const auto *name = std::get_if<LetIndex>(&statement.node))
      named[name->local] = name->value;
    forEachBody(statement, [&](const Body &inner) { appendNamed(inner, named); });
  }
}

BentIndex stencilc::straightened(const Index &index, const NamedIndices &named) {
  const auto *local = std::get_if<Coordinate>(&index->node);
  const auto name =
      local && local->kind == CoordinateKind::Local ? named.find(local->number) : named.end();
  if (name == named.end())
    return {index, {}};
  return std::visit(
      llvm::makeVisitor(
          [](const IndexMax &node) { return BentIndex{node.left, {node.right, {}, {}}}; },
          [](const IndexMin &node) { return BentIndex{node.left, {{}, node.right, {}}}; },
          [](const IndexMap &node) { return BentIndex{node.index, {{}, {}, node}}; },
          [&](const auto &) { return BentIndex{index, {}}; }),
      name->second->node);
}

static bool joinEnd(std::optional<Index> &end, const std::optional<Index> &other) {
  if (end && other)
    return equal(*end, *other);
  if (other)
    end = other;
  return true;
}

std::optional<Bend> stencilc::commonBend(llvm::ArrayRef<BentIndex> indices) {
  Bend common;
  for (const auto &[straight, bend] : indices) {
    if (!joinEnd(common.least, bend.least) || !joinEnd(common.most, bend.most))
      return std::nullopt;
    if (common.both && bend.both && common.both->boundary != bend.both->boundary)
      return std::nullopt;
    if (bend.both)
      common.both = bend.both;
  }
  if (!common.both)
    return common;
  const bool isOfAll = llvm::all_of(indices, [](const BentIndex &each) {
    IndexKey key;
    return each.bend.both || appendKey(key, each.straight) == 0;
  });
  return isOfAll && !common.least && !common.most ? std::optional(common) : std::nullopt;
}
