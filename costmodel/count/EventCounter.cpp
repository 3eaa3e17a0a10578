#include "costmodel/count/EventCounter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace stencilc;

// ---- sums -------------------------------------------------------------------------------------

/// Calls `change(uint64_t &own, uint64_t others)` for every number.
template <class Change>
static void combine(RequestCounts &own, const RequestCounts &others, const Change &change) {
  change(own.accesses, others.accesses);
  change(own.elements, others.elements);
  change(own.requests, others.requests);
  change(own.sectors, others.sectors);
  change(own.lines, others.lines);
  change(own.wavefronts, others.wavefronts);
  change(own.sectorsPastL1, others.sectorsPastL1);
}

template <class Change>
static void combine(WarpCounts &own, const WarpCounts &others, const Change &change) {
  change(own.shared.requests, others.shared.requests);
  change(own.shared.wavefronts, others.shared.wavefronts);
  change(own.shuffles, others.shuffles);
  change(own.meetings, others.meetings);
  change(own.arrivals, others.arrivals);
}

void WarpCounts::add(const WarpCounts &other, uint64_t times) {
  combine(*this, other, [&](uint64_t &own, uint64_t more) { own += more * times; });
}

void RequestCounts::add(const RequestCounts &other, uint64_t times) {
  combine(*this, other, [&](uint64_t &own, uint64_t more) { own += more * times; });
}

EventCounts::EventCounts(const Kernel &kernel, const KernelWalk &walk)
    : loads(kernel.arrays.size()), stores(kernel.arrays.size()),
      statements(walk.statements().size()), sides(walk.sides().size()) {}

EventCounts EventCounter::counts() const {
  EventCounts sum(kernel, walk);
  for (const Request &request : requests)
    (request.isStore ? sum.stores : sum.loads)[request.array].add(request.ofWarp, request.times);
  const llvm::ArrayRef all = levels.front().sums;
  const size_t statements = sum.statements.size();
  sum.statements = all.take_front(statements).vec();
  for (auto [side, executed] : llvm::zip_equal(sum.sides, all.drop_front(statements)))
    side = executed.lanes;
  sum.together = together;
  sum.storingWarps = storingWarps;
  return sum;
}

// ---- requests ---------------------------------------------------------------------------------

EventCounter::EventCounter(const Kernel &kernel, const KernelWalk &walk)
    : kernel(kernel), walk(walk), numbers(walk.statements().size() + walk.sides().size()) {
  levels.emplace_back().sums.resize(numbers);
}

/// How many pieces of 2^shift bytes a request touches, if its runs are rows in ascending order.
static std::optional<uint64_t> piecesOfRows(const WarpRequest &request, unsigned elementBytes,
                                            unsigned shift) {
  uint64_t pieces = 0;
  std::optional<int64_t> seen; ///< the last piece
  for (const LaneRun &run : request.runs) {
    if (run.stride != request.width && run.count > 1)
      return std::nullopt;
    const int64_t end = run.element + int64_t(run.count) * request.width;
    const int64_t first = run.element * elementBytes >> shift,
                  last = (end - 1) * elementBytes >> shift;
    if (seen && first < *seen)
      return std::nullopt;
    pieces += last - first + (first != seen);
    seen = last;
  }
  return pieces;
}

uint64_t EventCounter::piecesOf(const WarpRequest &request, unsigned elementBytes,
                                unsigned pieceBytes) {
  if (auto counted = piecesOfRows(request, elementBytes, llvm::Log2_32(pieceBytes)))
    return *counted;
  pieces.clear();
  appendPieces(request, elementBytes, pieceBytes, pieces);
  mergePieces(pieces);
  return countPieces(pieces);
}

static unsigned lanesOf(const WarpRequest &request) {
  unsigned lanes = 0;
  for (const LaneRun &run : request.runs)
    lanes += run.count;
  return lanes;
}

uint64_t EventCounter::sectorsByLanes(const WarpRequest &request, unsigned elementBytes,
                                      unsigned lanes) {
  uint64_t sectors = 0;
  llvm::SmallVector<LaneRun, 8> runs;
  WarpRequest some = request;
  for (unsigned first = 0; first < kLanesPerWarp; first += lanes) {
    runs.clear();
    for (const LaneRun &run : request.runs)
      if (auto part = partOf(run, first, first + lanes))
        runs.push_back(*part);
    some.runs = runs;
    if (!runs.empty())
      sectors += piecesOf(some, elementBytes, kSectorBytes);
  }
  return sectors;
}

void EventCounter::global(const WarpRequest &request) {
  const unsigned elementBytes = sizeInBytes(kernel.arrays[request.array].type);
  const unsigned lanes = lanesOf(request);
  Request &event = requests.emplace_back(Request{
      .array = request.array, .isStore = request.isStore, .ofWarp = {}, .times = request.alike});
  RequestCounts &one = event.ofWarp;
  one.accesses = lanes;
  one.elements = lanes * request.width;
  one.requests = 1;
  if (request.isPastL1) {
    one.sectors = sectorsByLanes(request, elementBytes, kLineBytes / kBytesPastL1);
    one.sectorsPastL1 = sectorsByLanes(request, elementBytes, kSectorBytes / kBytesPastL1);
  } else {
    one.sectors = piecesOf(request, elementBytes, kSectorBytes);
  }
  one.lines = piecesOf(request, elementBytes, kLineBytes);
  one.wavefronts = wavefrontsOf(request, elementBytes);
}

void EventCounter::shared(const WarpRequest &request) {
  const unsigned elementBytes = sizeInBytes(kernel.tiles[request.array].type);
  SharedCounts &sum = together.shared;
  sum.requests += request.alike;
  sum.wavefronts += request.alike * wavefrontsOf(request, elementBytes);
}

void EventCounter::shuffle(const WarpLanes &lanes) { together.shuffles += lanes.warps(); }

// ---- statements -------------------------------------------------------------------------------

void EventCounter::add(Level &level, unsigned number, const EventCounts::OfStatement &more,
                       uint64_t times) {
  EventCounts::OfStatement &sum = level.sums[number];
  if ((sum.warps | sum.lanes | sum.turns | sum.divergent) == 0)
    level.counted.push_back(number);
  sum.warps += more.warps * times;
  sum.lanes += more.lanes * times;
  sum.turns += more.turns * times;
  sum.divergent += more.divergent * times;
}

void EventCounter::execute(unsigned statement, const WarpLanes &lanes) {
  add(levels[rounds.size()], statement, {.warps = lanes.warps(), .lanes = lanes.threads()});
  if (walk.isStore(statement)) {
    if (storing)
      storing->add(lanes);
    else
      storing = lanes;
  }
}

void EventCounter::evaluate(unsigned side, const WarpLanes &lanes) {
  add(levels[rounds.size()], walk.statements().size() + side, {.lanes = lanes.threads()});
}

void EventCounter::turn(unsigned statement, const WarpLanes &lanes) {
  add(levels[rounds.size()], statement, {.turns = lanes.warps()});
}

void EventCounter::diverge(unsigned statement, unsigned warps) {
  if (warps > 0)
    add(levels[rounds.size()], statement, {.divergent = warps});
}

void EventCounter::endBlock() {
  if (storing)
    storingWarps += storing->warps();
  storing.reset();
}

// ---- rounds -----------------------------------------------------------------------------------

void EventCounter::beginRound() {
  rounds.push_back({requests.size(), together, storingWarps});
  if (levels.size() == rounds.size())
    levels.emplace_back().sums.resize(numbers);
}

void EventCounter::endRound(int64_t times) {
  const Mark begun = rounds.back();
  Level &inner = levels[rounds.size()];
  rounds.pop_back();
  for (unsigned number : inner.counted)
    add(levels[rounds.size()], number, std::exchange(inner.sums[number], {}), times);
  inner.counted.clear();
  if (times == 1)
    return;
  for (Request &request : llvm::drop_begin(requests, begun.requests))
    request.times *= times;
  const auto repeat = [&](uint64_t &now, uint64_t before) {
    now = before + times * (now - before);
  };
  combine(together, begun.together, repeat);
  repeat(storingWarps, begun.storingWarps);
}
