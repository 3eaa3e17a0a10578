// A march that begins a turn earlier than it need.
#include "test/mutation/Equivalence.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace stencilc;
using namespace stencilc::mutation;

bool mutation::clears(const Body &body, unsigned patch) {
  return llvm::any_of(body, [&](const Statement &statement) {
    if (const auto *loop = std::get_if<For>(&statement.node))
      return clears(loop->body, patch);
    const auto *assigned = std::get_if<AssignElement>(&statement.node);
    return assigned && assigned->patch == patch &&
           std::holds_alternative<LiteralValue>(assigned->value->node);
  });
}

/// Gives NaN to every element of the patch.
static void spoil(Body &body, const Kernel &kernel, unsigned number) {
  const Patch &patch = kernel.patches[number];
  const Value nan = makeValue(patch.type, LiteralValue{std::numeric_limits<double>::quiet_NaN()});
  size_t elements = 1;
  for (int length : patch.shape)
    elements *= length;
  for (size_t element = 0; element < elements; ++element) {
    std::vector<Index> at(patch.shape.size());
    size_t rest = element;
    for (size_t axis = at.size(); axis-- > 0; rest /= patch.shape[axis])
      at[axis] = constant(rest % patch.shape[axis]);
    body.push_back({AssignElement{number, std::move(at), nan}});
  }
}

/// What stands before the loop, with or without an earlier turn, does not change: of the state that
/// its turns hand on, tiles are undefined before the first turn that stores to them, which the
/// right Program's run would tell of, and patches that are not cleared are what that turn left
/// there.
std::optional<Program> mutation::withAnEarlierTurnSpoilt(const Program &right,
                                                         const Program &mutated) {
  Program spoilt = mutated;
  for (auto [kernel, changed] : llvm::zip_equal(right.kernels, spoilt.kernels))
    for (auto [statement, own] : llvm::zip(kernel.body, changed.body)) {
      const auto *loop = std::get_if<For>(&statement.node);
      auto *earlier = std::get_if<For>(&own.node);
      if (!loop || !earlier || loop->kind != LoopKind::Serial ||
          constantDifference(loop->begin, earlier->begin) != 1)
        continue;
      Body nothingLeft;
      for (unsigned patch = 0; patch < kernel.patches.size(); ++patch)
        if (clears(kernel.body, patch))
          spoil(nothingLeft, kernel, patch);
      const Range before = {coordinate(CoordinateKind::Local, loop->local), nullptr, loop->begin};
      earlier->body.push_back({If{{before}, std::move(nothingLeft), {}}});
      return spoilt;
    }
  return std::nullopt;
}
