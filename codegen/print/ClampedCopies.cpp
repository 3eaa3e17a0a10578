#include "codegen/print/ClampedCopies.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static bool isSame(const Index &index, const Index &other) {
  return constantDifference(index, other) == 0;
}

static bool areSame(llvm::ArrayRef<Index> indices, llvm::ArrayRef<Index> others) {
  return llvm::all_of(llvm::zip_equal(indices, others), [](const auto &pair) {
    return isSame(std::get<0>(pair), std::get<1>(pair));
  });
}

/// What `otherwise` sends one after the other: of each, where it would lie if no end were near, and
/// the copy with the place that it has instead.
static std::optional<std::pair<LetIndex, CopyAsync>> eachOf(const Body &otherwise,
                                                            const For &loop) {
  if (otherwise.size() != 1 || loop.kind != LoopKind::Unroll || loop.step != 1 ||
      !isSame(loop.begin, constant(0)) || loop.body.size() != 2)
    return std::nullopt;
  const auto *place = std::get_if<LetIndex>(&loop.body[0].node);
  const auto *copy = std::get_if<CopyAsync>(&loop.body[1].node);
  if (!place || !copy || copy->lanes != 1)
    return std::nullopt;
  return std::pair(*place, *copy);
}

std::optional<ClampedCopy> stencilc::clampedCopy(const If &branch) {
  const auto *whole =
      branch.then.size() == 1 ? std::get_if<CopyAsync>(&branch.then.front().node) : nullptr;
  const For *loop = branch.otherwise.empty() ? nullptr : loopOf(branch.otherwise.front());
  const auto each = whole && loop ? eachOf(branch.otherwise, *loop) : std::nullopt;
  if (!each || branch.box.size() != 1 || !isSame(loop->end, constant(whole->lanes)))
    return std::nullopt;
  const auto &[place, copy] = *each;
  const auto &[column, lower, upper] = branch.box.front();
  if (!lower || !upper || copy.tile != whole->tile || copy.array != whole->array)
    return std::nullopt;

  const Index lane = coordinate(CoordinateKind::Local, loop->local);
  const Index last = add(upper, constant(int(whole->lanes) - 2));
  const Index clamped = minimum(maximum(add(column, lane), lower), last);
  const llvm::ArrayRef<Index> from = whole->from, fromEach = copy.from, to = whole->to,
                              toEach = copy.to;
  if (!equal(place.value, clamped) || !isSame(from.back(), column) ||
      !isSame(fromEach.back(), coordinate(CoordinateKind::Local, place.local)) ||
      !isSame(toEach.back(), add(to.back(), lane)) ||
      !areSame(from.drop_back(), fromEach.drop_back()) ||
      !areSame(to.drop_back(), toEach.drop_back()))
    return std::nullopt;
  return ClampedCopy{*whole, column, lower, last};
}
