#include "costmodel/count/InteriorCounter.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

InteriorCounter::InteriorCounter(const Kernel &kernel, const KernelWalk &walk, int64_t start,
                                 std::optional<unsigned> loop)
    : EventCounter(kernel, walk), start(start), loop(loop) {}

/// Whether a run of lanes is aligned as costmodel/Counts.h says; of warps that ask alike, all are
/// or none.
static bool isAligned(const WarpRequest &request, const LaneRun &run, const Kernel &kernel,
                      int64_t start) {
  const unsigned elementBytes = sizeInBytes(kernel.arrays[request.array].type);
  const int64_t x = (request.warp * kLanesPerWarp + run.lane) % kernel.block[0];
  const int64_t row = run.element - run.stride * x - start;
  return (row * elementBytes & int64_t(kLineBytes - 1)) == 0;
}

void InteriorCounter::global(const WarpRequest &request) {
  EventCounter::global(request);
  for (const LaneRun &run : request.runs) {
    if (isAligned(request, run, kernel, start))
      requests.back().aligned += run.count;
    if (!request.isStore)
      current.push_back({request.array, request.width, run, request.alike, request.shift});
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

void InteriorCounter::describe(ArrayCounts &array, int64_t moved) const {
  for (const Request &request : requests)
    if (request.array == array.array && request.isStore == array.isStore) {
      array.aligned += request.times * request.aligned;
      array.misaligned += request.times * (request.ofWarp.accesses - request.aligned);
      array.requestsBySectors[request.ofWarp.sectors] += request.times;
      array.interior.add(request.ofWarp, request.times);
    }
  if (!array.isStore) {
    array.linesLoadedAgain = linesLoadedAgain(array.array);
    if (loop)
      describeTurn(array, moved);
  }
}

/// Of the merged pieces that a turn loads, those that were last loaded some turns before, by that
/// number of turns; each turn loads `moved` pieces further on.
static std::map<uint64_t, uint64_t> byTurnsBefore(llvm::ArrayRef<PieceRange> pieces,
                                                  int64_t moved) {
  if (moved <= 0)
    return {{1, countPieces(pieces)}};
  if (pieces.empty() || pieces.back().last - pieces.front().first < moved)
    return {}; // none of them comes again
  // Those that turns bring to the same place, one after another.
  std::vector<std::pair<int64_t, int64_t>> places;
  for (auto [first, last] : pieces)
    for (int64_t piece = first; piece <= last; ++piece)
      places.push_back({euclideanRemainder(piece, moved), piece});
  llvm::sort(places);
  std::map<uint64_t, uint64_t> counts;
  for (size_t next = 1; next < places.size(); ++next)
    if (places[next].first == places[next - 1].first)
      ++counts[(places[next].second - places[next - 1].second) / moved];
  return counts;
}

void InteriorCounter::describeTurn(ArrayCounts &array, int64_t moved) const {
  llvm::SmallVector<PieceRange, kLanesPerWarp> sectors;
  for (const LoggedRun &logged : current) {
    if (logged.array != array.array)
      continue;
    LaneRun run = logged.run;
    for (unsigned warp = 0; warp < logged.warps; ++warp, run.element += logged.shift)
      appendPieces({array.array, false, 0, run, 1, logged.width}, array.elementBytes, kSectorBytes,
                   sectors);
  }
  mergePieces(sectors);
  constexpr int64_t sectorsOfLine = kLineBytes / kSectorBytes;
  llvm::SmallVector<PieceRange, kLanesPerWarp> lines;
  for (auto [first, last] : sectors)
    lines.push_back(
        {euclideanQuotient(first, sectorsOfLine), euclideanQuotient(last, sectorsOfLine)});
  mergePieces(lines);

  const int64_t movedBytes = moved * int64_t(array.elementBytes);
  array.sectorsOfTurnsBefore = byTurnsBefore(sectors, movedBytes / int64_t(kSectorBytes));
  array.newLinesOfTurn = countPieces(lines);
  for (auto [turns, known] : byTurnsBefore(lines, movedBytes / int64_t(kLineBytes)))
    array.newLinesOfTurn -= known;
}

/// Warps that ask alike load the same lines of rows that lie `pitch` lines apart: boxes.
uint64_t InteriorCounter::linesLoadedAgain(unsigned array) const {
  const int64_t elementBytes = sizeInBytes(kernel.arrays[array].type);
  const auto shiftOf = [&](const LoggedRun &logged) {
    return logged.warps > 1 ? std::abs(logged.shift) * elementBytes / int64_t(kLineBytes) : 0;
  };
  int64_t pitch = 0;
  for (const Turn *turn : {&previous, &current})
    for (const LoggedRun &logged : *turn)
      if (logged.array == array)
        pitch = std::max(pitch, shiftOf(logged));
  constexpr int64_t kApart = 32; // where rows lie no further apart, each warp is looked at
  if (pitch < kApart)
    pitch = kUnbounded;
  std::vector<GridBox> boxes;
  llvm::SmallVector<PieceRange, kLanesPerWarp> lines;
  const auto add = [&](LaneRun run, unsigned width, int64_t rows) {
    lines.clear();
    appendPieces({array, false, 0, run, 1, width}, elementBytes, kLineBytes, lines);
    for (auto [first, last] : lines)
      while (first <= last) {
        const int64_t row = euclideanQuotient(first, pitch), start = row * pitch,
                      end = std::min(last, start + pitch - 1);
        const Interval ofRows = {row, row + rows - 1}, along = {first - start, end - start};
        first = end + 1;
        // Where the lines of one warp end, often those of the next one begin.
        if (!boxes.empty() && boxes.back()[0] == ofRows && boxes.back()[1].last + 1 == along.first)
          boxes.back()[1].last = along.last;
        else
          boxes.push_back({{ofRows, along, {0, 0}}});
      }
  };
  for (const Turn *turn : {&previous, &current})
    for (const LoggedRun &logged : *turn) {
      if (logged.array != array)
        continue;
      LaneRun run = logged.run;
      if (shiftOf(logged) == pitch) {
        if (logged.shift < 0)
          run.element += logged.shift * (logged.warps - 1);
        add(run, logged.width, logged.warps);
        continue;
      }
      for (unsigned warp = 0; warp < logged.warps; ++warp, run.element += logged.shift)
        add(run, logged.width, 1);
    }
  return sizeOfOverlaps(boxes, 2);
}
