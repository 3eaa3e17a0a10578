#include "costmodel/compiled/UnrolledRange.h"

#include "llvm/Support/MathExtras.h"

using namespace stencilc;

static std::optional<int64_t> constantOf(const Index &index) {
  const LinearIndex form = linear(index);
  return form.terms.empty() ? std::optional(form.constant) : std::nullopt;
}

namespace {
struct UnrolledRange {
  int64_t begin, end, step;
};
} // namespace

static std::optional<UnrolledRange> rangeOf(const For &loop) {
  const std::optional<int64_t> begin = constantOf(loop.begin), end = constantOf(loop.end);
  if (loop.kind != LoopKind::Unroll || !begin || !end)
    return std::nullopt;
  return UnrolledRange{*begin, *end, loop.step};
}

bool stencilc::forEachTurn(const For &loop, std::optional<int64_t> &local,
                           llvm::function_ref<void()> turn) {
  const std::optional<UnrolledRange> range = rangeOf(loop);
  if (!range)
    return false;
  for (int64_t value = range->begin; value < range->end; value += range->step) {
    local = value;
    turn();
  }
  local = std::nullopt;
  return true;
}

bool stencilc::leavesNoLoop(const For &loop) {
  return loop.kind == LoopKind::Unroll && loop.carries.empty();
}

int64_t stencilc::unrolledTripCount(const For &loop) {
  const std::optional<UnrolledRange> range = rangeOf(loop);
  return range ? llvm::divideCeil(uint64_t(std::max<int64_t>(0, range->end - range->begin)),
                                  uint64_t(range->step))
               : 1;
}
