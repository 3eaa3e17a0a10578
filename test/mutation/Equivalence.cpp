#include "test/mutation/Equivalence.h"

#include "test/mutation/HostFormulas.h"
#include "test/mutation/LaunchBoxes.h"
#include "test/mutation/StoreBounds.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;
using namespace stencilc::mutation;

// ---- launches ---------------------------------------------------------------------------------

namespace {

/// A launch of a plan, and how many passes of a run make it; none: all.
struct TimedLaunch {
  const Launch *launch;
  std::optional<int64_t> passes;
};

void collect(const Actions &actions, std::optional<int64_t> passes,
             std::vector<TimedLaunch> &launches) {
  for (const Action &action : actions)
    std::visit(llvm::makeVisitor([&](const Launch &node) { launches.push_back({&node, passes}); },
                                 [](const Rename &) {},
                                 [&](const When &node) {
                                   const auto *first = std::get_if<FirstPasses>(&node.condition);
                                   collect(node.then, first ? first->count : passes, launches);
                                   collect(node.otherwise, passes, launches);
                                 }),
               action.node);
}

std::vector<TimedLaunch> launchesOf(const Program &program) {
  std::vector<TimedLaunch> launches;
  collect(program.plan.prologue, std::nullopt, launches);
  for (const Pass &pass : program.plan.passes)
    collect(pass.actions, std::nullopt, launches);
  collect(program.plan.epilogue, std::nullopt, launches);
  return launches;
}

bool takes(const Launch &launch, const IntegerBinding &binding) {
  return llvm::is_contained(launch.integers, binding);
}

} // namespace

/// True if `holds` is true of each launch and its mutated self.
static bool forAllLaunches(const Program &right, const Program &mutated,
                           llvm::function_ref<bool(const Launch &, const Launch &)> holds) {
  const std::vector<TimedLaunch> ours = launchesOf(right), theirs = launchesOf(mutated);
  return ours.size() == theirs.size() &&
         llvm::all_of(llvm::zip_equal(ours, theirs), [&](auto pair) {
           const auto &[one, other] = pair;
           return one.launch->kernel == other.launch->kernel && one.passes == other.passes &&
                  one.launch->buffers == other.launch->buffers && holds(*one.launch, *other.launch);
         });
}

bool mutation::haveSameBoxes(const Program &right, const Program &mutated) {
  return forAllLaunches(right, mutated, [&](const Launch &one, const Launch &other) {
    return one.cover.points == other.cover.points && one.cover.alignTo == other.cover.alignTo &&
           one.integers == other.integers &&
           forAllRuns(right.signature, [&](const RunNumbers &numbers) {
             const LaunchBox a = launchBoxOf(one, numbers), b = launchBoxOf(other, numbers);
             return (a.isEmpty && b.isEmpty) || a == b;
           });
  });
}

bool mutation::haveMoreBlocks(const Program &right, const Program &mutated) {
  const unsigned rank = right.signature.rank();
  return forAllLaunches(right, mutated, [&](const Launch &one, const Launch &other) {
    return one.cover.alignTo == other.cover.alignTo && one.integers == other.integers &&
           forAllRuns(right.signature, [&](const RunNumbers &numbers) {
             const LaunchBox a = launchBoxOf(one, numbers), b = launchBoxOf(other, numbers);
             for (unsigned axis = 0; axis < rank; ++axis) {
               // An aligned launch may start up to a line early, and then needs another block.
               const bool movesDown = one.cover.alignTo && axis + 1 == rank;
               if (a.begin[axis] != b.begin[axis] || a.blocks[axis] > b.blocks[axis] ||
                   (movesDown && one.cover.points[axis] < other.cover.points[axis]) ||
                   (takes(one, EndOf{axis}) && a.end[axis] != b.end[axis]))
                 return false;
             }
             return true;
           });
  });
}

/// The least that a bound may be: what is promised of an argument, or the bound itself.
static Index leastOf(const Index &bound, const Kernel &kernel) {
  const auto *name = std::get_if<Coordinate>(&bound->node);
  if (!name || name->kind != CoordinateKind::Argument || !kernel.integers[name->number].atLeast)
    return bound;
  return kernel.integers[name->number].atLeast;
}

/// True if something in the body stores to memory or to a tile.
static bool stores(const Body &body) {
  return llvm::any_of(body, [](const Statement &statement) {
    if (const auto *branch = std::get_if<If>(&statement.node))
      return stores(branch->then) || stores(branch->otherwise);
    if (const auto *loop = std::get_if<For>(&statement.node))
      return stores(loop->body);
    if (const auto *roles = std::get_if<Roles>(&statement.node))
      return llvm::any_of(roles->roles, [](const Role &role) { return stores(role.body); });
    return std::holds_alternative<StoreGlobal>(statement.node) ||
           std::holds_alternative<StoreVector>(statement.node) ||
           std::holds_alternative<StoreShared>(statement.node) ||
           std::holds_alternative<StoreSharedVector>(statement.node) ||
           std::holds_alternative<SendVector>(statement.node) ||
           std::holds_alternative<CopyAsync>(statement.node);
  });
}

/// The outermost branches that store to memory.
static void findBranches(const Body &body, std::vector<const If *> &branches) {
  for (const Statement &statement : body) {
    if (const auto *branch = std::get_if<If>(&statement.node);
        branch && (stores(branch->then) || stores(branch->otherwise)))
      branches.push_back(branch);
    if (const auto *loop = std::get_if<For>(&statement.node))
      findBranches(loop->body, branches);
  }
}

/// True if the first guard of the kernel, or else each of its branches, keeps out the points before
/// `begin` along the axis.
static bool guardsFrom(const Kernel &kernel, unsigned axis, const Index &begin) {
  auto keepsOut = [&](const Box &box) {
    return llvm::any_of(box, [&](const Range &range) {
      return range.lower && toString(range.index, kernel) == kernel.axes[axis] &&
             constantDifference(leastOf(range.lower, kernel), begin).value_or(-1) >= 0;
    });
  };
  for (const Statement &statement : kernel.body)
    if (auto *guard = std::get_if<ReturnUnless>(&statement.node); guard && keepsOut(guard->box))
      return true;
  std::vector<const If *> branches;
  findBranches(kernel.body, branches);
  return !branches.empty() &&
         llvm::all_of(branches, [&](const If *branch) { return keepsOut(branch->box); });
}

bool mutation::beginBeforeGuard(const Program &right, const Program &mutated) {
  return forAllLaunches(right, mutated, [&](const Launch &one, const Launch &other) {
    if (one.cover.points != other.cover.points || one.integers != other.integers)
      return false;
    for (unsigned axis = 0; axis < right.signature.rank(); ++axis) {
      const std::optional<int64_t> later =
          constantDifference(other.cover.begin[axis], one.cover.begin[axis]);
      if (!equal(one.cover.end[axis], other.cover.end[axis]) || !later || *later > 0 ||
          (*later < 0 && !guardsFrom(right.kernels[one.kernel], axis, one.cover.begin[axis])))
        return false;
    }
    return true;
  });
}

/// True if launches differ in nothing but the bounds of their boxes: where an axis begins if
/// `isBegin`, else where it ends, by so many points, and there alone where `mayDiffer`.
static bool differInBounds(const Program &right, const Program &mutated, bool isBegin, int64_t by,
                           llvm::function_ref<bool(const Launch &, unsigned axis)> mayDiffer) {
  return forAllLaunches(right, mutated, [&](const Launch &one, const Launch &other) {
    const Cover &own = one.cover, &changed = other.cover;
    if (own.points != changed.points || own.alignTo != changed.alignTo ||
        one.integers != other.integers)
      return false;
    for (unsigned axis = 0; axis < right.signature.rank(); ++axis) {
      const auto differsWrongly = [&](const Index &bound, const Index &shifted) {
        return !mayDiffer(one, axis) || constantDifference(shifted, bound).value_or(0) != by;
      };
      const bool sameBegin = equal(own.begin[axis], changed.begin[axis]);
      const bool sameEnd = equal(own.end[axis], changed.end[axis]);
      if ((!sameBegin && (!isBegin || differsWrongly(own.begin[axis], changed.begin[axis]))) ||
          (!sameEnd && (isBegin || differsWrongly(own.end[axis], changed.end[axis]))))
        return false;
    }
    return true;
  });
}

bool mutation::endOnePointEarlier(const Program &right, const Program &mutated) {
  return differInBounds(right, mutated, /*isBegin=*/false, -1,
                        [](const Launch &, unsigned) { return true; });
}

bool mutation::beginOnePointLaterInALine(const Program &right, const Program &mutated) {
  return differInBounds(right, mutated, /*isBegin=*/true, 1,
                        [&](const Launch &launch, unsigned axis) {
                          return launch.cover.alignTo && axis + 1 == right.signature.rank();
                        });
}

bool mutation::beginOnePointLaterInARow(const Program &right, const Program &mutated) {
  return differInBounds(right, mutated, /*isBegin=*/true, 1, [&](const Launch &, unsigned axis) {
    return axis + 1 == right.signature.rank();
  });
}

bool mutation::beginAlike(const Program &right, const Program &mutated, bool inSlabs) {
  const unsigned rank = right.signature.rank();
  return forAllLaunches(right, mutated, [&](const Launch &one, const Launch &other) {
    std::vector<unsigned> moved; // axes whose `first` goes elsewhere
    for (auto [own, mutant] : llvm::zip_equal(one.integers, other.integers))
      if (const auto *first = std::get_if<FirstOf>(&own); first && own != mutant)
        moved.push_back(first->axis);
    return forAllRuns(right.signature, [&](const RunNumbers &numbers) {
      const LaunchBox box = launchBoxOf(one, numbers);
      return llvm::all_of(moved, [&](unsigned axis) {
        const bool isCut = axis + 1 < rank && box.blocks[axis] > 1;
        return box.isEmpty || (box.begin[axis] == box.begin[moved[0]] && !(inSlabs && isCut));
      });
    });
  });
}

bool mutation::mayBeEmptyAlongX(const Program &program) {
  const unsigned x = program.signature.rank() - 1;
  return llvm::all_of(launchesOf(program), [&](const TimedLaunch &timed) {
    const Launch &launch = *timed.launch;
    return !forAllRuns(program.signature, [&](const RunNumbers &numbers) {
      return launchBoxOf(launch, numbers).blocks[x] > 0;
    });
  });
}

bool mutation::beginAlikeSomewhere(const Program &program) {
  return llvm::any_of(launchesOf(program), [&](const TimedLaunch &timed) {
    const Launch &launch = *timed.launch;
    for (unsigned axis = 1; axis < program.signature.rank(); ++axis)
      for (unsigned other = 0; other < axis; ++other)
        if (equal(launch.cover.begin[axis], launch.cover.begin[other]))
          return true;
    return false;
  });
}

/// True if every launch of the kernel has blocks of one point along the axis, and ends there at the
/// bound of a guard.
static bool hasSinglesTo(const Program &program, unsigned kernel, unsigned axis,
                         const Index &bound) {
  return llvm::all_of(launchesOf(program), [&](const TimedLaunch &timed) {
    const Launch &launch = *timed.launch;
    const auto *name = std::get_if<Coordinate>(&bound->node);
    const bool isArgument = name && name->kind == CoordinateKind::Argument;
    return launch.kernel != kernel ||
           (launch.cover.points[axis] == 1 &&
            (isArgument ? launch.integers[name->number] == IntegerBinding(EndOf{axis})
                        : equal(bound, launch.cover.end[axis])));
  });
}

bool mutation::guardsSinglesLess(const Program &right, const Program &mutated) {
  bool areLess = false;
  for (auto [number, kernel] : llvm::enumerate(right.kernels)) {
    const Kernel &other = mutated.kernels[number];
    if (kernel.body.size() != other.body.size())
      return false;
    for (auto [statement, changed] : llvm::zip_equal(kernel.body, other.body)) {
      const auto *guard = std::get_if<ReturnUnless>(&statement.node);
      const auto *less = std::get_if<ReturnUnless>(&changed.node);
      if (!guard || !less)
        continue;
      for (const Range &range : guard->box) {
        const auto kept = llvm::find_if(
            less->box, [&](const Range &own) { return equal(own.index, range.index); });
        const Index upper = kept == less->box.end() ? nullptr : kept->upper;
        if (!range.upper || (upper && equal(upper, range.upper)))
          continue;
        const auto axis = llvm::find(kernel.axes, toString(range.index, kernel));
        if (axis == kernel.axes.end() || (range.lower && kept == less->box.end()) ||
            (upper && constantDifference(upper, range.upper).value_or(-1) < 0) ||
            !hasSinglesTo(right, number, axis - kernel.axes.begin(), range.upper))
          return false;
        areLess = true;
      }
    }
  }
  return areLess;
}

// ---- stores -----------------------------------------------------------------------------------

bool mutation::guardIsNeeded(const Program &program) {
  Program unguarded = program;
  for (Kernel &kernel : unguarded.kernels)
    llvm::erase_if(kernel.body, [](const Statement &statement) {
      return std::holds_alternative<ReturnUnless>(statement.node);
    });
  return !llvm::any_of(launchesOf(program), [&](const TimedLaunch &timed) {
    const Launch &launch = *timed.launch;
    return StoreBounds(program.kernels[launch.kernel], launch) ==
           StoreBounds(unguarded.kernels[launch.kernel], launch);
  });
}

static bool haveSameStores(const Program &right, const Program &mutated,
                           StoreBounds::Counted counted) {
  return forAllLaunches(right, mutated, [&](const Launch &one, const Launch &other) {
    return StoreBounds(right.kernels[one.kernel], one, counted) ==
           StoreBounds(mutated.kernels[other.kernel], other, counted);
  });
}

bool mutation::haveSameStores(const Program &right, const Program &mutated) {
  return ::haveSameStores(right, mutated, StoreBounds::Counted::All);
}

bool mutation::differInLoads(const Program &right, const Program &mutated) {
  return ::haveSameStores(right, mutated, StoreBounds::Counted::Stores);
}

bool mutation::hasLoopOfLoads(const Program &program,
                              llvm::function_ref<bool(llvm::StringRef)> isIt) {
  return llvm::any_of(program.kernels, [&](const Kernel &kernel) {
    return llvm::any_of(kernel.body, [&](const Statement &statement) {
      const auto *loop = std::get_if<For>(&statement.node);
      return loop && !stores(loop->body) && isIt(kernel.locals[loop->local]);
    });
  });
}

static void lengthenLoops(Body &body) {
  for (Statement &statement : body)
    if (auto *loop = std::get_if<For>(&statement.node)) {
      loop->end = add(loop->end, 1);
      lengthenLoops(loop->body);
    }
}

bool mutation::loopsMayRunLonger(const Program &program) {
  return llvm::any_of(launchesOf(program), [&](const TimedLaunch &timed) {
    const Launch &launch = *timed.launch;
    const Kernel &kernel = program.kernels[launch.kernel];
    Kernel longer = kernel;
    lengthenLoops(longer.body);
    const bool hasLoops = llvm::any_of(kernel.body, [](const Statement &statement) {
      return std::holds_alternative<For>(statement.node);
    });
    return hasLoops && StoreBounds(kernel, launch) == StoreBounds(longer, launch);
  });
}

/// True if both leave the same formulas on all grids of few points, which are more than the margins
/// of the subjects.
static bool leaveSameFormulas(const Program &one, const Launch &launch, const Program &other,
                              const Launch &changed) {
  constexpr int64_t mostPoints = 11;
  return forAllRuns(one.signature, [&](const RunNumbers &numbers) {
    if (llvm::any_of(numbers.extents, [](int64_t extent) { return extent > mostPoints; }))
      return true;
    const std::optional<HostFormulas> formulas = formulasOf(one, launch, numbers);
    return formulas && formulas == formulasOf(other, changed, numbers);
  });
}

bool mutation::haveSameFormulas(const Program &right, const Program &mutated) {
  return forAllLaunches(right, mutated, [&](const Launch &one, const Launch &other) {
    return leaveSameFormulas(right, one, mutated, other);
  });
}

/// Calls `visit` for each loop in the body whose begin is the later of two.
static void forEachLaterBegin(Body &body, llvm::function_ref<void(For &, const IndexMax &)> visit) {
  for (Statement &statement : body) {
    if (auto *branch = std::get_if<If>(&statement.node)) {
      forEachLaterBegin(branch->then, visit);
      forEachLaterBegin(branch->otherwise, visit);
    }
    if (auto *loop = std::get_if<For>(&statement.node)) {
      if (const auto *later = std::get_if<IndexMax>(&loop->begin->node))
        visit(*loop, *later);
      forEachLaterBegin(loop->body, visit);
    }
  }
}

bool mutation::loopMayBeginEarlier(const Program &program,
                                   llvm::function_ref<bool(llvm::StringRef)> isIt) {
  return llvm::any_of(launchesOf(program), [&](const TimedLaunch &timed) {
    Program earlier = program;
    Kernel &kernel = earlier.kernels[timed.launch->kernel];
    bool isFound = false;
    forEachLaterBegin(kernel.body, [&](For &loop, const IndexMax &later) {
      const auto [left, right] = later;
      if (!isIt(toString(right, kernel)))
        return;
      loop.begin = maximum(left, add(right, -1));
      isFound = true;
    });
    return isFound && leaveSameFormulas(program, *timed.launch, earlier, *timed.launch);
  });
}

bool mutation::marchesThroughBranches(const Program &program) {
  auto holds = [](const Body &body, auto isKind) {
    return llvm::any_of(body, [&](const Statement &statement) { return isKind(statement.node); });
  };
  auto marches = [&](const Statement &statement) {
    auto *loop = std::get_if<For>(&statement.node);
    return loop &&
           holds(loop->body, [](auto &node) { return std::holds_alternative<Rotate>(node); }) &&
           !holds(loop->body, [](auto &node) { return std::holds_alternative<StoreGlobal>(node); });
  };
  return llvm::any_of(program.kernels,
                      [&](const Kernel &kernel) { return llvm::any_of(kernel.body, marches); });
}

/// True if the statement touches registers alone, or gives warps their roles.
static bool isIdleOutsideRoles(const Statement &statement) {
  const auto *loop = std::get_if<For>(&statement.node);
  return std::holds_alternative<LetIndex>(statement.node) ||
         std::holds_alternative<AssignElement>(statement.node) ||
         std::holds_alternative<Roles>(statement.node) ||
         (loop && llvm::all_of(loop->body, isIdleOutsideRoles));
}

bool mutation::haveIdleWarps(const Program &right, const Program &mutated) {
  for (auto [kernel, other] : llvm::zip_equal(right.kernels, mutated.kernels))
    if (other.threads() > kernel.threads() && llvm::all_of(kernel.body, isIdleOutsideRoles))
      return true;
  return false;
}
