#include "ir/walk/KernelWalk.h"

#include <bit>
#include <numeric>

using namespace stencilc;

static constexpr IntegerRange kNotNegative = {0, kUnbounded}, kNegative = {-kUnbounded, -1};

// ---- lanes ------------------------------------------------------------------------------------

/// Of first, first + step, ... those that are not negative: from one on, or up to one.
static std::pair<unsigned, unsigned> notNegative(int64_t first, int64_t step, unsigned count) {
  if (step == 0)
    return {0, first >= 0 ? count : 0};
  if (step > 0)
    return {std::clamp<int64_t>(-euclideanQuotient(first, step), 0, count), count};
  return {0, std::clamp<int64_t>(euclideanQuotient(first, -step) + 1, 0, count)};
}

/// In how many warps from the first one on the same lanes of a piece are not negative.
static int64_t warpsAlike(const RowPiece &piece) {
  const IntegerRange values = piece.rangeOfFirst();
  const int64_t growth = piece.perWarp;
  if (values.first >= 0)
    return growth < 0 ? values.first / -growth + 1 : kUnbounded;
  if (values.last < 0)
    return growth > 0 ? (-1 - values.last) / growth + 1 : kUnbounded;
  return growth == 0 ? kUnbounded : 1;
}

/// The lanes in which a piece is negative, which are the same in all its warps. Sees to it that
/// they stay so, and the others.
uint32_t KernelWalk::negativeLanes(const RowPiece &piece) {
  const auto [begin, end] = notNegative(piece.first, piece.step, piece.count);
  const auto keepWithin = [&](unsigned begin, unsigned end, const IntegerRange &bounds) {
    if (begin >= end)
      return;
    RowPiece part = piece;
    part.first += piece.step * begin;
    part.count = end - begin;
    horizon.keepWithin(part.range(), bounds, piece.drift);
  };
  keepWithin(begin, end, kNotNegative);
  keepWithin(0, begin, kNegative);
  keepWithin(end, piece.count, kNegative);
  return laneMask(piece.lane(), piece.count) &
         ~(laneMask(begin, end > begin ? end - begin : 0) << piece.lane());
}

void KernelWalk::keepNotNegative(const ThreadIntegers &values, Lanes &lanes) {
  if (values.isLinear()) {
    const IntegerRange all = values.range(threads);
    if (all.first >= 0)
      return horizon.keepWithin(all, kNotNegative, values.drift);
    if (all.last < 0) {
      horizon.keepWithin(all, kNegative, values.drift);
      lanes = Lanes(threads);
      return;
    }
  }
  Lanes kept(threads);
  values.forEachGroup(threads, [&](llvm::ArrayRef<RowPiece> pieces) {
    const unsigned place = pieces.front().place();
    lanes.within(place, pieces.front().warps, [&](Lanes::Group group) {
      while (group.warps > 0) {
        Lanes::Group alike = group;
        const auto forEachPiece = [&](const auto &visit) {
          for (const RowPiece &piece : pieces)
            if (group.lanes & laneMask(piece.lane(), piece.count))
              visit(piece.ofWarps(group.place - place, alike.warps));
        };
        forEachPiece([&](const RowPiece &piece) {
          alike.warps = std::min<int64_t>(alike.warps, warpsAlike(piece));
        });
        forEachPiece([&](const RowPiece &piece) { alike.lanes &= ~negativeLanes(piece); });
        kept.append(alike);
        group.place += alike.warps;
        group.warps -= alike.warps;
      }
    });
  });
  lanes = std::move(kept);
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
  inRounds = isOfGrid = false;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    block[dimension] = uniform(number[dimension]);
  runBlock();
}

void KernelWalk::walkInRounds(std::array<int64_t, 3> number, std::optional<unsigned> loop,
                              WalkObserver &told) {
  observer = &told;
  inRounds = true;
  isOfGrid = false;
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
  inRounds = isOfGrid = true;
  walkedToEnd = std::nullopt;
  cutIntoSlices();
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
  ended = Lanes(threads);
  Lanes active = Lanes::all(threads);
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

void KernelWalk::run(const EvaluateSide &node, Lanes &active) {
  observer->evaluate(node.side, active);
}

void KernelWalk::run(const SetLocal &node, Lanes &) { locals[node.local] = valueOf(node.value); }

void KernelWalk::run(const Branch &node, Lanes &active) {
  Lanes then = active;
  keepInside(node.condition, then);
  const bool tells = node.statement && (node.told & slice);
  if (then == active) {
    if (tells)
      observer->diverge(*node.statement, 0);
    run(node.then, active);
    return;
  }
  Lanes otherwise = active;
  otherwise.remove(then);
  if (tells)
    observer->diverge(*node.statement, then.warps() + otherwise.warps() - active.warps());
  run(node.then, then);
  run(node.otherwise, otherwise);
  active.remove(ended);
}

void KernelWalk::run(const HandOver &, Lanes &active) { observer->shuffle(active); }

void KernelWalk::run(const TellMessage &node, Lanes &active) {
  if (!active.isEmpty())
    observer->message(valueOf(node.number).base, active);
}

void KernelWalk::run(const WarpsOnly &node, Lanes &active) {
  Lanes playing = active;
  playing.intersect(Lanes::ofWarps(node.first, node.count, threads));
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

static constexpr int64_t kTurnsToEnd = 2; // each walked by itself, and all loops inside

void KernelWalk::run(const Loop &node, Lanes &active) {
  const ThreadIntegers begin = valueOf(node.begin), end = valueOf(node.end);
  const unsigned loop = horizon.depth();
  ThreadIntegers way = end;
  way.addMultiple(begin, -1);
  const int64_t count = (way.range(threads).last + node.step - 1) / node.step;
  // Whether all threads make as many turns, in all blocks and turns around.
  const bool isCounted = way.isUniform() && way.drift == Drift{};
  const bool isToEnd = walkedToEnd == node.statement;
  Lanes turning = active;
  const auto turn = [&](int64_t number, int64_t ofRound) {
    ThreadIntegers counter = begin;
    counter.add(number * node.step);
    if (ofRound > 0)
      counter.driftBy(loop, ofRound * node.step);
    if (!isCounted) {
      ThreadIntegers left = end;
      left.addMultiple(counter, -1);
      left.add(-1);
      keepNotNegative(left, turning);
    }
    if (turning.isEmpty() || number >= count)
      return false;
    if (node.told & slice)
      observer->turn(node.statement, turning);
    locals[node.local] = std::move(counter);
    const bool around = inLastTurns;
    inLastTurns |= isToEnd && number >= count - kTurnsToEnd;
    run(node.body, turning);
    inLastTurns = around;
    return true;
  };
  if (inRounds && !inLastTurns && loop < kFollowedLoops) {
    runRounds(count, isToEnd ? kTurnsToEnd : 0, turn);
  } else {
    for (int64_t number = 0; turn(number, 0);)
      ++number;
  }
  active.remove(ended);
}

// ---- requests ---------------------------------------------------------------------------------

static bool isWholeLines(int64_t bytes) { return bytes % int64_t(kLineBytes) == 0; }

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

void KernelWalk::run(const AccessElement &node, Lanes &active) {
  const ThreadIntegers elements = valueOf(isOfGrid ? node.inWarp : node.element);
  if (isOfGrid && liesAlikeInWarps(node, elements))
    return requestAlike(node, elements, active);
  gathered.clear();
  elements.forEachGroup(threads, [&](llvm::ArrayRef<RowPiece> pieces) {
    const unsigned place = pieces.front().place();
    active.within(place, pieces.front().warps, [&](const Lanes::Group &group) {
      llvm::SmallVector<RowPiece, 4> own;
      for (const RowPiece &piece : pieces)
        if (group.lanes & laneMask(piece.lane(), piece.count))
          own.push_back(piece.ofWarps(group.place - place, group.warps));
      request(node, own, group.lanes);
    });
  });
  for (const Gathered &request : gathered)
    tell(node, request.warp, request.runs, request.alike, /*shift=*/0);
}

/// Whether the elements of each warp are those of the first one, moved by whole lines.
bool KernelWalk::liesAlikeInWarps(const AccessElement &node, const ThreadIntegers &elements) const {
  const auto isAlike = [&](int64_t shift) {
    return node.isShared || isWholeLines(shift * node.elementBytes);
  };
  const auto startOf = [&](const WarpRun &run) { return elements.linearOn(run, run.rows.front()); };
  return elements.isLinear() && llvm::all_of(threads.runs, [&](const WarpRun &run) {
           return run.looksLikeFirst && isAlike(startOf(run).perWarp) &&
                  isAlike(startOf(run).first - startOf(threads.runs.front()).first);
         });
}

/// Requests of warps of which the same lanes are active are alike.
void KernelWalk::requestAlike(const AccessElement &node, const ThreadIntegers &elements,
                              const Lanes &active) {
  llvm::SmallVector<Lanes::Group, 4> groups;
  for (const Lanes::Group &group : active.groups()) {
    const auto known = llvm::find_if(
        groups, [&](const Lanes::Group &other) { return other.lanes == group.lanes; });
    if (known == groups.end())
      groups.push_back(group);
    else
      known->warps += group.warps;
  }
  for (const Lanes::Group &group : groups) {
    runs.clear();
    for (const ThreadRow &row : threads.runs.front().rows)
      appendRuns(runs, row.lane, row.count, elements.linearOn(threads.runs.front(), row).first,
                 elements.step[0], group.lanes, /*isNewRow=*/true);
    noteShift(node, elements.drift, runs.size() == 1 && runs.front().stride == 0);
    tell(node, threads.warpAt(group.place), runs, group.warps, /*shift=*/0);
  }
}

/// The requests of some warps; `pieces` are those with active lanes.
void KernelWalk::request(const AccessElement &node, llvm::ArrayRef<RowPiece> pieces,
                         uint32_t lanes) {
  const RowPiece &first = pieces.front();
  bool isAlike = inRounds && (node.isShared || isWholeLines(first.perWarp * node.elementBytes));
  for (const RowPiece &piece : pieces) {
    isAlike &= piece.perWarp == first.perWarp;
    for (unsigned loop = 0; loop < horizon.depth(); ++loop)
      if (piece.drift[loop] != first.drift[loop])
        horizon.endHere(loop);
  }
  const unsigned alike = isAlike ? first.warps : 1;
  for (unsigned done = 0; done < first.warps; done += alike) {
    runs.clear();
    for (const RowPiece &piece : pieces)
      appendRuns(runs, piece.lane(), piece.count, piece.first + piece.perWarp * done, piece.step,
                 lanes, /*isNewRow=*/piece.from == 0);
    if (done == 0)
      noteShift(node, first.drift, runs.size() == 1 && runs.front().stride == 0);
    const unsigned warp = first.run->first + (first.warp + done) * first.run->apart;
    if (isOfGrid)
      gather(node, warp, alike);
    else
      tell(node, warp, runs, alike, first.perWarp);
  }
}

/// Adds the request being made to those of other warps if it is one of them, moved by whole lines.
void KernelWalk::gather(const AccessElement &node, unsigned warp, unsigned alike) {
  for (Gathered &request : gathered) {
    const int64_t shift = runs.front().element - request.runs.front().element;
    const auto isMoved = [&](const LaneRun &run, const LaneRun &moved) {
      return run.lane == moved.lane && run.count == moved.count && run.stride == moved.stride &&
             run.element + shift == moved.element;
    };
    if ((node.isShared || isWholeLines(shift * node.elementBytes)) &&
        std::ranges::equal(request.runs, runs, isMoved)) {
      request.alike += alike;
      return;
    }
  }
  gathered.push_back({warp, alike, runs});
}

void KernelWalk::tell(const AccessElement &node, unsigned warp, llvm::ArrayRef<LaneRun> runs,
                      unsigned alike, int64_t shift) {
  WarpRequest request{node.array, node.isStore, warp, runs, alike, node.width, shift};
  request.isPastL1 = node.isPastL1;
  if (node.isShared)
    observer->shared(request);
  else
    observer->global(request);
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
