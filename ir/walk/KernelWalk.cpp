#include "ir/walk/KernelWalk.h"

#include <bit>
#include <numeric>

using namespace stencilc;

// ---- lanes ------------------------------------------------------------------------------------

/// Of first, first + step, ... those that are not negative: from one on, or up to one.
static std::pair<unsigned, unsigned> notNegative(int64_t first, int64_t step, unsigned count) {
  if (step == 0)
    return {0, first >= 0 ? count : 0};
  if (step > 0)
    return {std::clamp<int64_t>(-euclideanQuotient(first, step), 0, count), count};
  return {0, std::clamp<int64_t>(euclideanQuotient(first, -step) + 1, 0, count)};
}

void KernelWalk::keepNotNegative(const ThreadIntegers &values, Lanes &lanes) {
  constexpr IntegerRange notBelow = {0, kUnbounded}, below = {-kUnbounded, -1};
  if (values.isLinear()) {
    const IntegerRange all = values.range(threads);
    if (all.first >= 0)
      return horizon.keepWithin(all, notBelow, values.drift);
    if (all.last < 0) {
      horizon.keepWithin(all, below, values.drift);
      return lanes.clear();
    }
  }
  // Also sees to it that those kept stay so, and those left out.
  const auto keepOf = [&](const ThreadRow &row, unsigned from, unsigned count, int64_t first,
                          int64_t step, const Drift &drift) {
    const unsigned lane = row.lane + from;
    if ((lanes[row.warp] & laneMask(lane, count)) == 0)
      return;
    const auto [begin, end] = notNegative(first, step, count);
    const auto within = [&](unsigned begin, unsigned end, const IntegerRange &bounds) {
      if (begin < end)
        horizon.keepWithin(RowPiece{0, 0, end - begin, first + step * begin, step, {}}.range(),
                           bounds, drift);
    };
    within(begin, end, notBelow);
    within(0, begin, below);
    within(end, count, below);
    const uint32_t kept = laneMask(begin, end > begin ? end - begin : 0) << lane;
    lanes.set(row.warp, lanes[row.warp] & (~laneMask(lane, count) | kept));
  };
  if (values.isLinear())
    for (const ThreadRow &row : threads.rows)
      keepOf(row, 0, row.count, values.at(row.thread), values.step[0], values.drift);
  for (const RowPiece &piece : values.pieces)
    keepOf(threads.rows[piece.row], piece.from, piece.count, piece.first, piece.step, piece.drift);
}

void KernelWalk::keepInside(const Condition &condition, Lanes &lanes) {
  for (const WalkIndex &index : condition)
    keepNotNegative(valueOf(index), lanes);
}

// ---- the walk ---------------------------------------------------------------------------------

void KernelWalk::walk(std::array<int64_t, 3> number, Visitor visit) {
  struct : WalkObserver {
    const Visitor *visit;
    void global(const WarpRequest &request) override { (*visit)(request); }
  } visitor;
  visitor.visit = &visit;
  walk(number, visitor);
}

void KernelWalk::walk(std::array<int64_t, 3> number, WalkObserver &told) {
  observer = &told;
  inRounds = groupsWarps = false;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    block[dimension] = uniform(number[dimension]);
  runBlock();
}

void KernelWalk::walkInRounds(std::array<int64_t, 3> number, std::optional<unsigned> loop,
                              WalkObserver &told) {
  observer = &told;
  inRounds = true;
  groupsWarps = false;
  walkedToEnd = loop;
  for (unsigned dimension : {2, 1, 0}) {
    block[dimension] = uniform(number[dimension]);
    horizon.open(1);
  }
  runBlock();
  for (unsigned loops = 0; loops < kGridLoops; ++loops)
    horizon.close(1);
}

void KernelWalk::walkGrid(WalkObserver &told) {
  observer = &told;
  inRounds = groupsWarps = true;
  walkedToEnd = std::nullopt;
  for (Slices left = slices; left != 0; left &= left - 1) {
    slice = left & -left;
    runBlocksAlong(2, [&] { runBlocksAlong(1, [&] { runBlocksAlong(0, [&] { runBlock(); }); }); });
  }
  slice = ~Slices(0);
}

template <class RunBlock> void KernelWalk::runBlocksAlong(unsigned dimension, const RunBlock &run) {
  const int64_t count = launch.blocks[dimension];
  const unsigned loop = horizon.depth();
  runRounds(count, 0, [&](int64_t number, int64_t ofRound) {
    if (number >= count)
      return false;
    block[dimension] = uniform(number);
    block[dimension].driftBy(loop, ofRound);
    run();
    return true;
  });
}

/// As runInRounds, and tells of the rounds.
template <class Turn> void KernelWalk::runRounds(int64_t count, int64_t alone, const Turn &turn) {
  runInRounds(
      horizon, count, alone, [&] { observer->beginRound(); }, turn,
      [&](int64_t rounds) { observer->endRound(rounds); });
}

void KernelWalk::runBlock() {
  ended = Lanes(threads.warps);
  Lanes active(threads.warps);
  for (const ThreadRow &row : threads.rows)
    active.set(row.warp, active[row.warp] | laneMask(row.lane, row.count));
  observer->beginBlock({block[0].base, block[1].base, block[2].base});
  run(nodes, active);
  observer->endBlock();
}

ThreadIntegers KernelWalk::valueOf(const WalkIndex &index) {
  return evaluate(index, {threads, block, locals, horizon});
}

void KernelWalk::run(const Nodes &nodes, Lanes &active) {
  for (const Node &node : nodes) {
    if (!(node.slices & slice))
      continue;
    if (active.isEmpty())
      return;
    std::visit([&](const auto &kind) { run(kind, active); }, node.node);
  }
}

void KernelWalk::run(const Execute &node, Lanes &active) {
  observer->execute(node.statement, active);
}

void KernelWalk::run(const SetLocal &node, Lanes &) { locals[node.local] = valueOf(node.value); }

void KernelWalk::run(const Branch &node, Lanes &active) {
  Lanes then = active;
  keepInside(node.condition, then);
  const bool tells = node.statement && tellsOfStatements();
  if (then.byWarp() == active.byWarp()) {
    if (tells)
      observer->diverge(*node.statement, 0);
    run(node.then, active);
    return;
  }
  Lanes otherwise = active;
  otherwise.remove(then);
  if (tells) {
    unsigned both = 0;
    for (auto [some, others] : llvm::zip_equal(then.byWarp(), otherwise.byWarp()))
      both += some && others;
    observer->diverge(*node.statement, both);
  }
  run(node.then, then);
  run(node.otherwise, otherwise);
  active.remove(ended);
}

void KernelWalk::run(const HandOver &, Lanes &active) { observer->shuffle(active); }

void KernelWalk::run(const WarpsOnly &node, Lanes &active) {
  Lanes playing = active;
  for (unsigned warp = 0; warp < threads.warps; ++warp)
    if (warp < node.first || warp >= node.first + node.count)
      playing.set(warp, 0);
  run(node.body, playing);
  active.remove(ended);
}

void KernelWalk::run(const EndUnless &node, Lanes &active) {
  Lanes leaving = active;
  keepInside(node.condition, active);
  leaving.remove(active);
  if (leaving.isEmpty())
    return;
  ended.add(leaving);
  // The next turns are without them.
  for (unsigned loop = kGridLoops; loop < horizon.depth(); ++loop)
    horizon.endHere(loop);
}

void KernelWalk::run(const Loop &node, Lanes &active) {
  const ThreadIntegers begin = valueOf(node.begin), end = valueOf(node.end);
  const unsigned loop = horizon.depth();
  Lanes turning = active;
  const auto turn = [&](int64_t number, int64_t ofRound) {
    ThreadIntegers counter = begin;
    counter.add(number * node.step);
    if (ofRound > 0)
      counter.driftBy(loop, ofRound * node.step);
    ThreadIntegers left = end;
    left.addMultiple(counter, -1, threads);
    left.add(-1);
    keepNotNegative(left, turning);
    if (turning.isEmpty())
      return false;
    if (tellsOfStatements())
      observer->turn(node.statement, turning);
    locals[node.local] = std::move(counter);
    run(node.body, turning);
    return true;
  };
  if (inRounds && loop < kFollowedLoops) {
    ThreadIntegers way = end;
    way.addMultiple(begin, -1, threads);
    const int64_t count = (way.range(threads).last + node.step - 1) / node.step;
    runRounds(count, walkedToEnd == node.statement ? 2 : 0, turn);
  } else {
    for (int64_t number = 0; turn(number, 0);)
      ++number;
  }
  active.remove(ended);
}

// ---- requests ---------------------------------------------------------------------------------

/// Adds a run of lanes; in a row, one that goes on as the last run does becomes part of it.
static void append(llvm::SmallVectorImpl<LaneRun> &runs, const LaneRun &next, bool isNewRow) {
  if (!runs.empty() && !isNewRow) {
    LaneRun &last = runs.back();
    const int64_t stride = next.element - last.element - last.stride * (last.count - 1);
    if (last.lane + last.count == next.lane && (last.count == 1 || last.stride == stride) &&
        (next.count == 1 || next.stride == stride)) {
      last.stride = stride;
      last.count += next.count;
      return;
    }
  }
  runs.push_back(next);
  if (next.count == 1)
    runs.back().stride = 0;
}

/// Adds the runs of active lanes in a piece of a row that begins at `lane`.
static void appendRuns(llvm::SmallVectorImpl<LaneRun> &runs, unsigned lane, unsigned count,
                       int64_t first, int64_t step, uint32_t active, bool isNewRow) {
  uint32_t lanes = active >> lane & laneMask(0, count);
  while (lanes) {
    const unsigned from = std::countr_zero(lanes), length = std::countr_one(lanes >> from);
    append(runs, {lane + from, length, first + step * from, step}, isNewRow);
    lanes &= ~laneMask(from, length);
  }
}

void KernelWalk::request(const AccessElement &node, unsigned warp, unsigned alike) {
  const WarpRequest request{node.array, node.isStore, warp, runs, alike, node.width};
  if (node.isShared)
    observer->shared(request);
  else
    observer->global(request);
}

void KernelWalk::run(const AccessElement &node, Lanes &active) {
  const ThreadIntegers elements = valueOf(node.element);
  if (elements.isLinear()) {
    const bool isOneElement =
        elements.isUniform() || (elements.step[0] == 0 && threads.rows.size() == threads.warps);
    noteShift(node, elements.drift, isOneElement);
    for (unsigned warp = 0; warp < threads.warps;) {
      if (active[warp] == 0) {
        ++warp;
        continue;
      }
      runs.clear();
      for (const ThreadRow &row : threads.rowsOf(warp))
        appendRuns(runs, row.lane, row.count, elements.at(row.thread), elements.step[0],
                   active[warp], /*isNewRow=*/true);
      const unsigned alike = groupsWarps ? alikeWarps(node, elements, warp, active) : 1;
      request(node, warp, alike);
      warp += alike;
    }
    return;
  }
  unsigned first = 0, alike = 0; // warps of the request being made
  const auto flush = [&] {
    if (alike > 0)
      request(node, first, alike);
  };
  for (const RowPiece *piece = elements.pieces.data(), *end = piece + elements.pieces.size();
       piece != end;) {
    const unsigned warp = threads.rows[piece->row].warp;
    const Drift *drift = nullptr;
    nextRuns.clear();
    for (; piece != end && threads.rows[piece->row].warp == warp; ++piece) {
      const unsigned lane = threads.rows[piece->row].lane + piece->from;
      if ((active[warp] & laneMask(lane, piece->count)) == 0)
        continue;
      appendRuns(nextRuns, lane, piece->count, piece->first, piece->step, active[warp],
                 /*isNewRow=*/piece->from == 0);
      if (!drift)
        drift = &piece->drift;
      for (unsigned loop = 0; loop < horizon.depth(); ++loop)
        if (piece->drift[loop] != (*drift)[loop])
          horizon.endHere(loop);
    }
    if (nextRuns.empty())
      continue;
    noteShift(node, *drift, nextRuns.size() == 1 && nextRuns[0].stride == 0);
    if (alike > 0 && first + alike == warp && isAlike(node)) {
      ++alike;
      continue;
    }
    flush();
    std::swap(runs, nextRuns);
    first = warp;
    alike = 1;
  }
  flush();
}

/// Whether the next runs are those of the request being made, shifted by whole lines.
bool KernelWalk::isAlike(const AccessElement &node) const {
  if (!groupsWarps || runs.size() != nextRuns.size())
    return false;
  const int64_t shift = nextRuns.front().element - runs.front().element;
  for (auto [run, next] : llvm::zip_equal(runs, nextRuns))
    if (run.lane != next.lane || run.count != next.count || run.stride != next.stride ||
        next.element - run.element != shift)
      return false;
  return node.isShared || shift * node.elementBytes % kLineBytes == 0;
}

/// Addresses that are shifted by parts of a line touch lines and sectors in another way. Banks of
/// shared memory are alike.
void KernelWalk::noteShift(const AccessElement &node, const Drift &drift, bool isOneElement) {
  if (node.isShared || (isOneElement && node.width == 1))
    return;
  for (unsigned loop = 0; loop < horizon.depth(); ++loop)
    if (const int64_t part = euclideanRemainder(drift[loop] * node.elementBytes, kLineBytes)) {
      horizon.endHere(loop);
      horizon.wantLongerRounds(loop, kLineBytes / std::gcd(part, int64_t(kLineBytes)));
    }
}

/// How many warps from this one on make its request, shifted by whole lines.
unsigned KernelWalk::alikeWarps(const AccessElement &node, const ThreadIntegers &elements,
                                unsigned warp, const Lanes &active) const {
  const auto start = [&](unsigned number) {
    return elements.at(threads.rows[threads.firstRow[number]].thread) * node.elementBytes;
  };
  unsigned next = warp + 1;
  while (next < threads.warps && threads.followsOn[next] && active[next] == active[warp] &&
         (node.isShared || (start(next) - start(warp)) % kLineBytes == 0))
    ++next;
  return next - warp;
}
