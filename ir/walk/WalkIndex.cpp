#include "ir/walk/WalkIndex.h"

#include <numeric>

using namespace stencilc;

// ---- preparation ------------------------------------------------------------------------------

void WalkIndex::add(const WalkIndex &other, int64_t factor) {
  constant += other.constant * factor;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    block[dimension] += other.block[dimension] * factor;
    thread[dimension] += other.thread[dimension] * factor;
  }
  warp += other.warp * factor;
  lane += other.lane * factor;
  for (auto [local, times] : other.locals)
    addLocal(local, times * factor);
  for (auto &[bend, times] : other.bends)
    bends.push_back({bend, times * factor});
}

void WalkIndex::addLocal(unsigned local, int64_t factor) {
  auto same = llvm::find_if(locals, [&](auto &term) { return term.first == local; });
  if (same == locals.end())
    locals.push_back({local, factor});
  else
    same->second += factor;
}

static WalkIndex number(int64_t value) {
  WalkIndex index;
  index.constant = value;
  return index;
}

static WalkIndex sum(WalkIndex left, const WalkIndex &right, int64_t factor = 1) {
  left.add(right, factor);
  return left;
}

static WalkIndex bend(WalkBend::Kind kind, int64_t number, WalkIndex operand) {
  WalkIndex index;
  index.bends.push_back(
      {std::make_shared<const WalkBend>(WalkBend{kind, number, std::move(operand)}), 1});
  return index;
}

static WalkIndex least(const WalkIndex &left, const WalkIndex &right) {
  return sum(right, bend(WalkBend::AtMostZero, 0, sum(left, right, -1)));
}

static WalkIndex greatest(const WalkIndex &left, const WalkIndex &right) {
  return sum(right, bend(WalkBend::AtLeastZero, 0, sum(left, right, -1)));
}

static void addCoordinate(WalkIndex &sum, const Coordinate &coordinate, int64_t factor,
                          const LaunchIntegers &launch) {
  switch (coordinate.kind) {
  case CoordinateKind::Block:
    sum.block[coordinate.number] += factor;
    return;
  case CoordinateKind::Thread:
    sum.thread[coordinate.number] += factor;
    return;
  case CoordinateKind::Warp:
    sum.warp += factor;
    return;
  case CoordinateKind::Lane:
    sum.lane += factor;
    return;
  case CoordinateKind::Extent:
    sum.constant += factor * launch.extents[coordinate.number];
    return;
  case CoordinateKind::WholeParam:
    llvm_unreachable("kernels take params as integer arguments");
  case CoordinateKind::Argument:
    sum.constant += factor * launch.arguments[coordinate.number];
    return;
  case CoordinateKind::Local:
    sum.addLocal(coordinate.number, factor);
    return;
  }
  llvm_unreachable("every kind of coordinate has a value");
}

void WalkIndex::add(const Index &index, const LaunchIntegers &launch, int64_t factor) {
  const auto of = [&](const Index &operand) { return prepare(operand, launch); };
  const auto addPrepared = [&](const WalkIndex &prepared) { add(prepared, factor); };
  std::visit(
      llvm::makeVisitor(
          [&](const IndexConstant &node) { constant += node.value * factor; },
          [&](const Coordinate &node) { addCoordinate(*this, node, factor, launch); },
          [&](const IndexSum &node) {
            add(node.left, launch, factor);
            add(node.right, launch, factor);
          },
          [&](const IndexScale &node) { add(node.index, launch, node.factor * factor); },
          [&](const IndexQuotient &node) {
            addPrepared(bend(WalkBend::Quotient, node.divisor, of(node.index)));
          },
          [&](const IndexRemainder &node) {
            const WalkIndex dividend = of(node.index);
            addPrepared(
                sum(dividend, bend(WalkBend::Quotient, node.divisor, dividend), -node.divisor));
          },
          [&](const IndexMin &node) { addPrepared(least(of(node.left), of(node.right))); },
          [&](const IndexMax &node) { addPrepared(greatest(of(node.left), of(node.right))); },
          [&](const IndexMap &node) {
            const int64_t extent = launch.extents[node.axis];
            const WalkIndex inner = of(node.index);
            if (node.boundary == BoundaryKind::Periodic)
              return addPrepared(bend(WalkBend::Wrap, extent, inner));
            if (node.boundary == BoundaryKind::Clamp)
              return addPrepared(least(greatest(inner, number(0)), number(extent - 1)));
            const int64_t gap = node.boundary == BoundaryKind::Symmetric ? 1 : 0;
            const WalkIndex fromLow = greatest(inner, sum(number(-gap), inner, -1));
            addPrepared(least(fromLow, sum(number(2 * extent - 2 + gap), fromLow, -1)));
          }),
      index->node);
}

WalkIndex stencilc::prepare(const Index &index, const LaunchIntegers &launch) {
  WalkIndex prepared;
  prepared.add(index, launch, 1);
  return prepared;
}

static void addSign(WalkIndex &sum, const Index &index, const LaunchIntegers &launch) {
  if (const auto *least = std::get_if<IndexMin>(&index->node)) {
    addSign(sum, least->left, launch);
    addSign(sum, least->right, launch);
  } else {
    sum.add(bend(WalkBend::AtMostZero, 0, prepare(index, launch)), 1);
  }
}

WalkIndex stencilc::prepareSign(const Index &index, const LaunchIntegers &launch) {
  WalkIndex sum;
  addSign(sum, index, launch);
  return sum;
}

// ---- evaluation -------------------------------------------------------------------------------

static int64_t apply(const WalkBend &bend, int64_t value) {
  switch (bend.kind) {
  case WalkBend::AtLeastZero:
    return std::max<int64_t>(value, 0);
  case WalkBend::AtMostZero:
    return std::min<int64_t>(value, 0);
  case WalkBend::Wrap:
    return value < 0 ? value + bend.number : value < bend.number ? value : value - bend.number;
  case WalkBend::Quotient:
    return euclideanQuotient(value, bend.number);
  }
  llvm_unreachable("a bend is of one of four kinds");
}

namespace {
/// The integers around one between which a bend is linear.
struct Straight {
  IntegerRange bounds;
  int64_t slope; ///< 0 or 1
};
} // namespace

static Straight straightAt(const WalkBend &bend, int64_t value) {
  switch (bend.kind) {
  case WalkBend::AtLeastZero:
    return value >= 0 ? Straight{{0, kUnbounded}, 1} : Straight{{-kUnbounded, 0}, 0};
  case WalkBend::AtMostZero:
    return value > 0 ? Straight{{0, kUnbounded}, 0} : Straight{{-kUnbounded, 0}, 1};
  case WalkBend::Wrap:
    if (value < 0)
      return {{-kUnbounded, -1}, 1};
    if (value < bend.number)
      return {{0, bend.number - 1}, 1};
    return {{bend.number, kUnbounded}, 1};
  case WalkBend::Quotient: {
    const int64_t first = euclideanQuotient(value, bend.number) * bend.number;
    return {{first, first + bend.number - 1}, 0};
  }
  }
  llvm_unreachable("a bend is of one of four kinds");
}

/// How many of first, first + step, ... lie within the bounds, in which the first does.
static int64_t countWithin(const IntegerRange &bounds, int64_t first, int64_t step) {
  if (step == 0)
    return kUnbounded;
  return step > 0 ? (bounds.last - first) / step + 1 : (first - bounds.first) / -step + 1;
}

/// How the bend of drifting values drifts, which lie on one straight. A quotient of integers that
/// grow by multiples of its divisor grows as evenly; other growth asks for longer rounds.
static Drift bentDrift(const WalkBend &bend, const Straight &straight, IntegerRange values,
                       Drift drift, TurnHorizon &horizon) {
  Drift bent = {};
  for (unsigned loop = 0; loop < kFollowedLoops; ++loop) {
    if (drift[loop] == 0)
      continue;
    if (bend.kind != WalkBend::Quotient) {
      bent[loop] = drift[loop] * straight.slope;
    } else if (drift[loop] % bend.number == 0) {
      bent[loop] = drift[loop] / bend.number;
      drift[loop] = 0;
    } else {
      horizon.wantLongerRounds(loop, bend.number / std::gcd(bend.number, drift[loop]));
    }
  }
  horizon.keepWithin(values, straight.bounds, drift);
  return bent;
}

/// Whether values that grow evenly from warp to warp bend at the same lanes in every one.
static bool bendsAlike(const WalkBend &bend, const RowPiece &piece) {
  return piece.perWarp == 0 ||
         (bend.kind == WalkBend::Quotient && piece.perWarp % bend.number == 0);
}

/// In how many warps from the first one on a piece bends at the same lanes.
static int64_t warpsAlike(const WalkBend &bend, const RowPiece &piece) {
  if (bendsAlike(bend, piece))
    return kUnbounded;
  const IntegerRange values = piece.rangeOfFirst(), bounds = straightAt(bend, values.first).bounds;
  if (values.last > bounds.last)
    return 1;
  return countWithin(bounds, piece.perWarp > 0 ? values.last : values.first, piece.perWarp);
}

/// Adds what a bend makes of a piece that bends at the same lanes in all its warps.
static void appendBent(const WalkBend &bend, RowPiece piece, TurnHorizon &horizon,
                       std::vector<RowPiece> &bent) {
  const bool isAlike = bendsAlike(bend, piece);
  while (piece.count > 0) {
    const Straight straight = straightAt(bend, piece.first);
    RowPiece &part = bent.emplace_back(piece);
    part.count =
        std::min<int64_t>(piece.count, countWithin(straight.bounds, piece.first, piece.step));
    piece.from += part.count;
    piece.first += piece.step * part.count;
    piece.count -= part.count;
    // Where warps are on different straights, each is where the first is on its own.
    part.drift = bentDrift(bend, straight, isAlike ? part.rangeOfFirst() : part.range(), part.drift,
                           horizon);
    part.first = apply(bend, part.first);
    part.step = part.count > 1 ? part.step * straight.slope : 0;
    part.perWarp = isAlike && bend.kind == WalkBend::Quotient ? part.perWarp / bend.number
                                                              : part.perWarp * straight.slope;
  }
}

static ThreadIntegers evaluate(const WalkBend &bend, const WalkPlace &place) {
  ThreadIntegers values = evaluate(bend.operand, place);
  if (values.isLinear()) {
    const IntegerRange all = values.range(place.threads);
    const Straight straight = straightAt(bend, all.first);
    if (all.last <= straight.bounds.last) {
      values.base = apply(bend, values.base);
      for (int64_t &step : values.step)
        step *= straight.slope;
      values.drift = bentDrift(bend, straight, all, values.drift, place.horizon);
      return values;
    }
  }
  std::vector<RowPiece> bent;
  values.forEachGroup(place.threads, [&](llvm::ArrayRef<RowPiece> group) {
    const unsigned warps = group.front().warps;
    for (unsigned done = 0, next; done < warps; done = next) {
      next = warps;
      for (const RowPiece &piece : group)
        next = std::min<int64_t>(next, done + warpsAlike(bend, piece.ofWarps(done, 1)));
      for (const RowPiece &piece : group)
        appendBent(bend, piece.ofWarps(done, next - done), place.horizon, bent);
    }
  });
  values.pieces = std::move(bent);
  return values;
}

/// Multiples of the numbers of warps and lanes; linear in threadIdx where a row of threads is a
/// warp, or the block is one.
static ThreadIntegers ofWarpsAndLanes(int64_t ofWarp, int64_t ofLane, const BlockThreads &threads) {
  const std::array<int, 3> &shape = threads.shape;
  ThreadIntegers values;
  if (threads.warps == 1) {
    values.step = {ofLane, ofLane * shape[0], ofLane * shape[0] * shape[1]};
  } else if (shape[0] == kLanesPerWarp) {
    values.step = {ofLane, ofWarp, ofWarp * shape[1]};
  } else {
    for (const WarpRun &run : threads.runs)
      for (const ThreadRow &row : run.rows)
        values.pieces.push_back({&run, &row, 0, run.count, 0, row.count,
                                 ofWarp * run.first + ofLane * row.lane, ofLane, ofWarp * run.apart,
                                 Drift{}});
  }
  return values;
}

ThreadIntegers stencilc::evaluate(const WalkIndex &index, const WalkPlace &place) {
  ThreadIntegers values;
  values.base = index.constant;
  values.step = index.thread;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (index.block[dimension] != 0)
      values.addMultiple(place.block[dimension], index.block[dimension]);
  if (index.warp != 0 || index.lane != 0)
    values.addMultiple(ofWarpsAndLanes(index.warp, index.lane, place.threads), 1);
  for (auto [local, factor] : index.locals)
    values.addMultiple(place.locals[local], factor);
  for (auto &[bend, factor] : index.bends)
    values.addMultiple(::evaluate(*bend, place), factor);
  return values;
}
