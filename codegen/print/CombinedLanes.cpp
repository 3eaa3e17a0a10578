#include "codegen/print/CombinedLanes.h"
#include "codegen/print/SameText.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static bool beginsWith(llvm::ArrayRef<Statement> statements, const Body &body) {
  SameText names;
  return statements.size() >= body.size() &&
         llvm::all_of(llvm::zip_first(body, statements), [&](const auto &pair) {
           return names.same(std::get<1>(pair), std::get<0>(pair));
         });
}

/// A tree that may begin with the statement, but for what it makes of two numbers.
static std::optional<LaneTree> treeFrom(const Statement &first, const Kernel &kernel) {
  const auto *store = std::get_if<StoreShared>(&first.node);
  if (kernel.target == Target::Host)
    if (const For *loop = loopOf(first); loop && loop->body.size() == 1)
      store = std::get_if<StoreShared>(&loop->body.front().node);
  if (!store)
    return std::nullopt;
  const SharedTile &tile = kernel.tiles[store->tile];
  if (tile.type != ScalarType::F64 || tile.shape.size() != 1 ||
      tile.shape.front() <= int(kLanesPerWarp))
    return std::nullopt;
  LaneTree tree{kernel.target, Reduction::Op::Sum, tile.shape.front(), store->tile};
  if (const auto *own = std::get_if<RegisterValue>(&store->value->node))
    tree.reg = own->reg;
  return tree;
}

std::optional<CombinedLanes> stencilc::combinedLanes(llvm::ArrayRef<Statement> statements,
                                                     const Kernel &kernel) {
  std::optional<LaneTree> tree = treeFrom(statements.front(), kernel);
  if (!tree)
    return std::nullopt;
  for (Reduction::Op op : {Reduction::Op::Min, Reduction::Op::Max, Reduction::Op::Sum}) {
    tree->op = op;
    unsigned local = kernel.locals.size();
    const Body body = tree->body([&] { return local++; });
    if (beginsWith(statements, body))
      return CombinedLanes{*tree, body.size()};
  }
  return std::nullopt;
}
