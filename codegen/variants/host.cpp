// host: loops instead of threads, through the same IR: what runs where there is no GPU.
#include "codegen/lower/ScheduleLimits.h"
#include "codegen/lower/StageKernel.h"
#include "codegen/lower/Variant.h"
#include "ir/verify/DifferenceConstraints.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Schedule defaultSchedule(const Stencil &) {
  Schedule schedule;
  schedule.variant = "host";
  schedule.rank = 0;
  return schedule;
}

static llvm::Error checkLegal(const Stencil &stencil, const Schedule &schedule) {
  ScheduleLimits limits;
  limits.block = false;
  return checkLimits(stencil, schedule, limits);
}

namespace {

/// Along an axis, the points at its ends whose reads see what a boundary makes of them.
struct Inside {
  std::array<int64_t, 2> margin = {}; ///< how many they are, by end
  bool hasNumbers = false;            ///< beyond the ends stand numbers, or memory's with a factor
};

/// The loops of one stage, so that the one over most points has no branch: rows beside numbers have
/// loops of their own, and the others are cut in three where boundaries bend what is read along
/// them. What is updated in place is not cut: after a loop has written an array, none may read it.
class StageLoops {
public:
  explicit StageLoops(StageKernel &stage)
      : stage(stage), rank(stage.stencil.rank()), x(rank - 1), box(stage.box) {
    for (const Read &read : stage.reads)
      for (unsigned axis : stage.stencil.arrays[read.array].axes)
        look(read, axis);
  }

  void append() {
    // Grids without points take no step.
    for (int64_t &least :
         llvm::MutableArrayRef(stage.builder.kernel.minimumExtent).take_front(rank))
      least = std::max<int64_t>(least, 1);
    std::vector<unsigned> locals;
    for (unsigned axis = 0; axis < x; ++axis) {
      locals.push_back(stage.builder.local(stage.stencil.axes[axis]));
      outer.push_back(coordinate(CoordinateKind::Local, locals.back()));
    }
    Body all;
    known = stage.letTimeReads(all);
    Body body = rows();
    for (unsigned axis = x; axis-- > 0;)
      body =
          parallelLoop(rank, axis, locals[axis], box.begin[axis], box.end[axis], std::move(body));
    llvm::move(body, std::back_inserter(all));
    stage.finish(std::move(all));
  }

private:
  void look(const Read &read, unsigned axis) {
    const int offset = read.offset[axis];
    const Side side = offset < 0 ? Low : High;
    const Boundary &boundary = stage.stencil.arrays[read.array].boundary[axis][side];
    if (std::abs(offset) <= leftOut(stage.area[axis], side))
      return;
    bool hasNumbers = false;
    switch (boundary.kind) {
    case BoundaryKind::None:
    case BoundaryKind::Fixed:
    case BoundaryKind::Halo:
      return;
    case BoundaryKind::Value:
      hasNumbers = true;
      break;
    case BoundaryKind::Reflect:
    case BoundaryKind::Symmetric:
      hasNumbers = boundary.factor != 1;
      break;
    case BoundaryKind::Clamp:
    case BoundaryKind::Periodic:
      break;
    }
    Inside &inside = insides[axis];
    inside.margin[side] = std::max<int64_t>(inside.margin[side], std::abs(offset));
    inside.hasNumbers |= hasNumbers;
  }

  Range insideOf(unsigned axis, Index index) const {
    const auto [low, high] = insides[axis].margin;
    return {std::move(index), low > 0 ? constant(low) : nullptr,
            high > 0 ? add(extent(axis), -high) : nullptr};
  }

  /// Where no read of a point looks beyond the ends of the grid.
  struct Where {
    bool isAmid = false;                ///< along the axes with numbers outside, x left out
    std::array<bool, 2> isInsideX = {}; ///< along x, by end
  };

  /// The loops over a row.
  Body rows() {
    Body body;
    Point first = outer;
    first.push_back(constant(0));
    readsOfRow.emplace(stage.readsAt({first}).movedAlong(x, constant(0), stage.reads, body));
    Box amid; // no numbers beside the row
    for (unsigned axis = 0; axis < x; ++axis)
      if (insides[axis].hasNumbers)
        amid.push_back(insideOf(axis, outer[axis]));
    if (amid.empty()) {
      appendCut(body, /*isAmid=*/false);
    } else {
      If rows{std::move(amid), {}, {}};
      appendCut(rows.then, /*isAmid=*/true);
      appendLoop(rows.otherwise, box.begin[x], box.end[x], {});
      body.push_back({std::move(rows)});
    }
    return body;
  }

  /// Appends the loops over a row, cut where boundaries bend what is read along it.
  void appendCut(Body &body, bool isAmid) {
    const auto [low, high] = insides[x].margin;
    const bool isInPlace = llvm::any_of(
        stage.reads, [&](const Read &read) { return stage.arrays.isOverwritten(read); });
    if (isInPlace || (low == 0 && high == 0))
      return appendLoop(body, box.begin[x], box.end[x], {isAmid, {}});
    const Index first = low > 0 ? later(box.begin[x], constant(low)) : box.begin[x];
    const Index last = high > 0 ? earlier(box.end[x], add(extent(x), -high)) : box.end[x];
    Body most; // made first: it has the names without numbers
    appendLoop(most, first, last, {isAmid, {true, true}});
    if (low > 0)
      appendLoop(body, box.begin[x], earlier(first, box.end[x]),
                 {isAmid, {false, isPlain(first) && isAtMost(add(first, high), extent(x))}});
    llvm::move(most, std::back_inserter(body));
    if (high > 0)
      appendLoop(body, later(first, last), box.end[x], {isAmid, {true, false}});
  }

  void appendLoop(Body &body, Index begin, Index end, Where where) {
    const unsigned local = stage.builder.localOfBody(stage.stencil.axes[x]);
    Point point = outer;
    point.push_back(coordinate(CoordinateKind::Local, local));
    Body each;
    GridReads reads = readsOfRow->movedAlong(x, point[x], {}, each);
    for (Side side : {Low, High}) {
      if (where.isInsideX[side])
        reads.keepInside(x, side);
      for (unsigned axis = 0; axis < x; ++axis)
        if (where.isAmid && insides[axis].hasNumbers)
          reads.keepInside(axis, side);
    }
    stage.letPointers(each, point);
    stage.appendUpdates(each, point, reads, known);
    llvm::move(parallelLoop(rank, x, local, std::move(begin), std::move(end), std::move(each)),
               std::back_inserter(body));
  }

  bool isAtMost(const Index &left, const Index &right) const {
    return DifferenceConstraints(stage.builder.kernel).provesAtMost(left, right);
  }
  /// What the verifier follows as a bound: of an extreme it must not need both operands.
  static bool isPlain(const Index &bound) {
    return !std::holds_alternative<IndexMin>(bound->node) &&
           !std::holds_alternative<IndexMax>(bound->node);
  }
  Index earlier(const Index &left, const Index &right) const {
    return isPlain(left) && isAtMost(left, right)    ? left
           : isPlain(right) && isAtMost(right, left) ? right
                                                     : minimum(left, right);
  }
  Index later(const Index &left, const Index &right) const {
    return isPlain(right) && isAtMost(left, right)  ? right
           : isPlain(left) && isAtMost(right, left) ? left
                                                    : maximum(left, right);
  }

  StageKernel &stage;
  const unsigned rank, x;
  const PointBox &box;
  std::array<Inside, kMaxRank> insides = {};
  Point outer; ///< all coordinates but x
  KnownValues known;
  std::optional<GridReads> readsOfRow; ///< with names for what they need of the other axes
};

} // namespace

static Program lower(const Stencil &stencil, const Schedule &) {
  StepLowering step(stencil, Target::Host);
  for (unsigned part = 0; part < step.parts.size(); ++part) {
    StageKernel stage(step, part, "step", /*readOnlyPath=*/false);
    StageLoops(stage).append();
  }
  return step.finish();
}

namespace stencilc {
extern const Variant hostVariant;
const Variant hostVariant = {
    .name = "host",
    .summary = "loops for a CPU (--target=host)",
    .defaultSchedule = defaultSchedule,
    .checkLegal = checkLegal,
    .lower = lower,
    .target = Target::Host,
};
} // namespace stencilc
