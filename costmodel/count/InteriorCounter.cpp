#include "costmodel/count/InteriorCounter.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

InteriorCounter::InteriorCounter(const Kernel &kernel, size_t statements, int64_t start,
                                 std::optional<unsigned> loop)
    : EventCounter(kernel, statements), sums(kernel), start(start), loop(loop) {}

void InteriorCounter::Sums::add(const Sums &other, uint64_t times) {
  for (auto member : {&Sums::loads, &Sums::stores})
    for (auto [own, others] : llvm::zip_equal(this->*member, other.*member)) {
      own.aligned += others.aligned * times;
      own.misaligned += others.misaligned * times;
      for (auto [sectors, count] : others.requestsBySectors)
        own.requestsBySectors[sectors] += count * times;
    }
}

/// Whether a run of lanes is aligned as costmodel/Counts.h says.
static bool isAligned(const WarpRequest &request, const LaneRun &run, const Kernel &kernel,
                      int64_t start) {
  const unsigned elementBytes = sizeInBytes(kernel.arrays[request.array].type);
  const int64_t x = (request.warp * kLanesPerWarp + run.lane) % kernel.block[0];
  const int64_t row = run.element - run.stride * x - start;
  return (row * elementBytes & int64_t(kLineBytes - 1)) == 0;
}

void InteriorCounter::global(const WarpRequest &request) {
  assert(request.alike == 1 && "lines are told apart warp by warp");
  RequestCounts &all = (request.isStore ? counts.stores : counts.loads)[request.array];
  const uint64_t before = all.sectors;
  EventCounter::global(request);
  OfArray &own = (request.isStore ? sums.stores : sums.loads)[request.array];
  ++own.requestsBySectors[all.sectors - before];
  for (const LaneRun &run : request.runs) {
    (isAligned(request, run, kernel, start) ? own.aligned : own.misaligned) += run.count;
    if (!request.isStore)
      current.push_back({request.array, request.width, run});
  }
}

void InteriorCounter::turn(unsigned statement, const WarpLanes &lanes) {
  EventCounter::turn(statement, lanes);
  if (statement != loop)
    return;
  // What is loaded ahead of the loop belongs to its first turn.
  if (std::exchange(hasTurned, true)) {
    std::swap(previous, current);
    current.clear();
  }
}

void InteriorCounter::beginRound() {
  EventCounter::beginRound();
  around.push_back(std::exchange(sums, Sums(kernel)));
}

void InteriorCounter::endRound(int64_t times) {
  EventCounter::endRound(times);
  around.back().add(sums, times);
  sums = std::move(around.back());
  around.pop_back();
}

uint64_t InteriorCounter::linesLoadedAgain(unsigned array) const {
  const unsigned elementBytes = sizeInBytes(kernel.arrays[array].type);
  llvm::SmallVector<PieceRange, 0> lines;
  for (const Turn *turn : {&previous, &current})
    for (const LoggedRun &logged : *turn)
      if (logged.array == array)
        appendPieces({array, false, 0, logged.run, 1, logged.width}, elementBytes, kLineBytes,
                     lines);
  llvm::sort(lines, [](const PieceRange &left, const PieceRange &right) {
    return left.first < right.first;
  });
  uint64_t again = 0;
  int64_t once = lines.empty() ? 0 : lines.front().first, twice = once; // what is seen lies below
  for (const PieceRange &range : lines) {
    const int64_t end = range.last + 1, seen = std::min(end, once);
    again += std::max<int64_t>(seen - std::max(range.first, twice), 0);
    twice = std::max(twice, seen);
    once = std::max(once, end);
  }
  return again;
}
