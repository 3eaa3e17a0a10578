#include "ir/walk/WalkIndex.h"

using namespace stencilc;

// ---- integers of threads ----------------------------------------------------------------------

BlockThreads::BlockThreads(std::array<int, 3> shape) : shape(shape) {
  const unsigned count = shape[0] * shape[1] * shape[2];
  warps = (count + kWarpLanes - 1) / kWarpLanes;
  for (unsigned thread = 0; thread < count;) {
    const int x = thread % shape[0], y = thread / shape[0] % shape[1],
              z = thread / (shape[0] * shape[1]);
    const unsigned lane = thread % kWarpLanes;
    const unsigned length = std::min<unsigned>(kWarpLanes - lane, shape[0] - x);
    rows.push_back({thread / kWarpLanes, lane, length, {x, y, z}});
    thread += length;
  }
}

int64_t ThreadIntegers::atStartOf(const ThreadRow &row) const {
  if (isListed())
    return listed[row.warp * kWarpLanes + row.lane];
  return base + step[0] * row.thread[0] + step[1] * row.thread[1] + step[2] * row.thread[2];
}

void ThreadIntegers::add(int64_t constant) {
  base += constant;
  for (int64_t &value : listed)
    value += constant;
}

void ThreadIntegers::addMultiple(const ThreadIntegers &other, int64_t factor,
                                 const BlockThreads &threads) {
  if (isListed() || other.isListed()) {
    ThreadIntegers addend = other;
    addend.list(threads);
    list(threads);
    for (auto [value, more] : llvm::zip_equal(listed, addend.listed))
      value += more * factor;
    return;
  }
  base += other.base * factor;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    step[dimension] += other.step[dimension] * factor;
}

void ThreadIntegers::list(const BlockThreads &threads) {
  if (isListed())
    return;
  std::vector<int64_t> values;
  for (const ThreadRow &row : threads.rows) {
    int64_t value = atStartOf(row);
    for (unsigned lane = 0; lane < row.count; ++lane, value += step[0])
      values.push_back(value);
  }
  *this = {.listed = std::move(values)};
}

std::pair<int64_t, int64_t> ThreadIntegers::range(const BlockThreads &threads) const {
  if (isListed()) {
    auto [least, greatest] = std::minmax_element(listed.begin(), listed.end());
    return {*least, *greatest};
  }
  int64_t least = base, greatest = base;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    int64_t reach = step[dimension] * (threads.shape[dimension] - 1);
    (reach < 0 ? least : greatest) += reach;
  }
  return {least, greatest};
}

// ---- preparation ------------------------------------------------------------------------------

void WalkIndex::add(const WalkIndex &other, int64_t factor) {
  constant += other.constant * factor;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    block[dimension] += other.block[dimension] * factor;
    thread[dimension] += other.thread[dimension] * factor;
  }
  for (auto [local, times] : other.locals) {
    auto same = llvm::find_if(locals, [&](auto &term) { return term.first == local; });
    if (same == locals.end())
      locals.push_back({local, times * factor});
    else
      same->second += times * factor;
  }
  for (auto &[bend, times] : other.bends)
    bends.push_back({bend, times * factor});
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

static WalkIndex prepare(const Coordinate &coordinate, const LaunchIntegers &launch) {
  WalkIndex index;
  switch (coordinate.kind) {
  case CoordinateKind::Block:
    index.block[coordinate.number] = 1;
    return index;
  case CoordinateKind::Thread:
    index.thread[coordinate.number] = 1;
    return index;
  case CoordinateKind::Warp:
  case CoordinateKind::Lane:
    llvm_unreachable("not walked yet");
  case CoordinateKind::Extent:
    return number(launch.extents[coordinate.number]);
  case CoordinateKind::Argument:
    return number(launch.arguments[coordinate.number]);
  case CoordinateKind::Local:
    index.locals.push_back({coordinate.number, 1});
    return index;
  }
  llvm_unreachable("a coordinate is of one of five kinds");
}

WalkIndex stencilc::prepare(const Index &index, const LaunchIntegers &launch) {
  auto of = [&](const Index &operand) { return prepare(operand, launch); };
  return std::visit(
      llvm::makeVisitor(
          [](const IndexConstant &node) { return number(node.value); },
          [&](const Coordinate &node) { return ::prepare(node, launch); },
          [&](const IndexSum &node) { return sum(of(node.left), of(node.right)); },
          [&](const IndexScale &node) { return sum({}, of(node.index), node.factor); },
          [&](const IndexQuotient &node) {
            return bend(WalkBend::Quotient, node.divisor, of(node.index));
          },
          [&](const IndexRemainder &node) {
            WalkIndex dividend = of(node.index);
            return sum(dividend, bend(WalkBend::Quotient, node.divisor, dividend), -node.divisor);
          },
          [&](const IndexMin &node) { return least(of(node.left), of(node.right)); },
          [&](const IndexMax &node) { return greatest(of(node.left), of(node.right)); },
          [&](const IndexMap &node) {
            const int64_t extent = launch.extents[node.axis];
            if (node.boundary == BoundaryKind::Periodic)
              return bend(WalkBend::Wrap, extent, of(node.index));
            return least(greatest(of(node.index), number(0)), number(extent - 1));
          }),
      index->node);
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

/// Slope of the straight piece that holds all of low .. high; none if a place of bending lies
/// between.
static std::optional<int64_t> slopeBetween(const WalkBend &bend, int64_t low, int64_t high) {
  switch (bend.kind) {
  case WalkBend::AtLeastZero:
    return low >= 0 ? std::optional(1) : high <= 0 ? std::optional(0) : std::nullopt;
  case WalkBend::AtMostZero:
    return high <= 0 ? std::optional(1) : low >= 0 ? std::optional(0) : std::nullopt;
  case WalkBend::Wrap:
    return apply(bend, high) - apply(bend, low) == high - low ? std::optional(1) : std::nullopt;
  case WalkBend::Quotient:
    return apply(bend, low) == apply(bend, high) ? std::optional(0) : std::nullopt;
  }
  llvm_unreachable("a bend is of one of four kinds");
}

static ThreadIntegers evaluate(const WalkBend &bend, const WalkPlace &place) {
  ThreadIntegers values = evaluate(bend.operand, place);
  if (!values.isListed()) {
    const auto [low, high] = values.range(place.threads);
    if (std::optional<int64_t> slope = slopeBetween(bend, low, high)) {
      values.base = apply(bend, values.base);
      for (int64_t &step : values.step)
        step *= *slope;
      return values;
    }
    values.list(place.threads);
  }
  for (int64_t &value : values.listed)
    value = apply(bend, value);
  return values;
}

ThreadIntegers stencilc::evaluate(const WalkIndex &index, const WalkPlace &place) {
  ThreadIntegers values;
  values.base = index.constant;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    values.base += index.block[dimension] * place.block[dimension];
  values.step = index.thread;
  for (auto [local, factor] : index.locals)
    values.addMultiple(place.locals[local], factor, place.threads);
  for (auto &[bend, factor] : index.bends)
    values.addMultiple(::evaluate(*bend, place), factor, place.threads);
  return values;
}
