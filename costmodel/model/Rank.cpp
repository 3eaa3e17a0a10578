#include "costmodel/model/Rank.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>
#include <queue>

using namespace llvm;

namespace stencilc {

std::string toString(const Rejection &rejection) {
  return rejection.isWholeVariant ? rejection.schedule.variant : toString(rejection.schedule);
}

// "Within kTie" is no equivalence: with a ~ b and b ~ c, a and c may differ, and a comparison that
// says so is no order to sort by. So the order is made from its front: of the candidates within
// kTie of the least time that is left, the earliest that is not tight comes next.
void rank(std::vector<Candidate> &candidates) {
  const auto time = [&](size_t i) { return candidates[i].seconds(); };
  std::vector<size_t> byTime(candidates.size());
  std::iota(byTime.begin(), byTime.end(), 0);
  assert(none_of(byTime, [&](size_t i) { return std::isnan(time(i)); }) && "a time is a number");
  stable_sort(byTime, [&](size_t a, size_t b) { return time(a) < time(b); });

  const auto isBehind = [&](size_t a, size_t b) {
    return std::pair(candidates[a].isTight, a) > std::pair(candidates[b].isTight, b);
  };
  std::priority_queue<size_t, std::vector<size_t>, decltype(isBehind)> tied(isBehind);
  std::vector<bool> taken(candidates.size());
  std::vector<Candidate> ranked;
  ranked.reserve(candidates.size());
  auto least = byTime.begin(), next = byTime.begin();
  while (ranked.size() < candidates.size()) {
    while (taken[*least])
      ++least;
    for (; next != byTime.end() && time(*next) <= time(*least) * (1 + kTie); ++next)
      tied.push(*next);
    const size_t first = tied.top();
    tied.pop();
    taken[first] = true;
    ranked.push_back(std::move(candidates[first]));
  }
  candidates = std::move(ranked);
}

} // namespace stencilc
