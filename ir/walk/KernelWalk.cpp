#include "ir/walk/KernelWalk.h"

#include "ir/kernel/ValueTypes.h"

#include <bit>

using namespace stencilc;

KernelWalk::KernelWalk(const PlacedLaunch &launch)
    : launch(launch), threads(launch.kernel->block), nodes(prepareBody(launch.kernel->body)) {}

// ---- preparation ------------------------------------------------------------------------------

KernelWalk::Condition KernelWalk::prepareBox(const Box &box) const {
  const LaunchIntegers integers{launch.extents, launch.integers};
  Condition condition;
  for (const Range &range : box) {
    const WalkIndex index = prepare(range.index, integers);
    if (range.lower) {
      condition.push_back(index);
      condition.back().add(prepare(range.lower, integers), -1);
    }
    if (range.upper) {
      condition.push_back(prepare(range.upper, integers));
      condition.back().add(index, -1);
      condition.back().constant -= 1;
    }
  }
  return condition;
}

WalkIndex KernelWalk::elementOf(unsigned array, llvm::ArrayRef<Index> index) const {
  const ArrayLayout &layout = launch.layouts[array];
  WalkIndex element;
  element.constant = layout.origin;
  for (auto [part, stride] : llvm::zip_first(index, layout.stride))
    element.add(prepare(part, {launch.extents, launch.integers}), stride);
  return element;
}

WalkIndex KernelWalk::elementOfTile(unsigned tile, llvm::ArrayRef<Index> index) const {
  WalkIndex element;
  int64_t stride = 1;
  for (auto [part, size] :
       llvm::reverse(llvm::zip_equal(index, launch.kernel->tiles[tile].shape))) {
    element.add(prepare(part, {launch.extents, launch.integers}), stride);
    stride *= size;
  }
  return element;
}

void KernelWalk::prepareValue(const Value &value, Nodes &to) const {
  if (const auto *load = std::get_if<LoadGlobal>(&value->node))
    to.push_back({AccessElement{load->array, false, false, elementOf(load->array, load->index)}});
  if (const auto *load = std::get_if<LoadShared>(&value->node))
    to.push_back({AccessElement{load->tile, false, true, elementOfTile(load->tile, load->index)}});
  if (const auto *guarded = std::get_if<GuardedValue>(&value->node)) {
    Branch branch{prepareBox(guarded->box), {}, {}, {}};
    prepareValue(guarded->inside, branch.then);
    prepareValue(guarded->outside, branch.otherwise);
    to.push_back({std::move(branch)});
  } else {
    forEachOperand(*value, [&](const Value &operand) { prepareValue(operand, to); });
  }
}

KernelWalk::Nodes KernelWalk::prepareBody(const Body &body) {
  const LaunchIntegers integers{launch.extents, launch.integers};
  Nodes result;
  for (const Statement &statement : body) {
    const unsigned number = numbered.size();
    numbered.push_back(&statement);
    result.push_back({Execute{number}});
    std::visit(
        llvm::makeVisitor(
            [&](const LetIndex &node) {
              result.push_back({SetLocal{node.local, prepare(node.value, integers)}});
            },
            [](const AssignElement &) { llvm_unreachable("the verifier refuses it"); },
            [](const ShiftPatch &) { llvm_unreachable("the verifier refuses it"); },
            [](const LoadVector &) { llvm_unreachable("the verifier refuses it"); },
            [](const StoreVector &) { llvm_unreachable("the verifier refuses it"); },
            [](const LoadSharedVector &) { llvm_unreachable("the verifier refuses it"); },
            [](const StoreSharedVector &) { llvm_unreachable("the verifier refuses it"); },
            [](const CopyAsync &) { llvm_unreachable("the verifier refuses it"); },
            [](const CommitCopies &) { llvm_unreachable("the verifier refuses it"); },
            [](const WaitCopies &) { llvm_unreachable("the verifier refuses it"); },
            [](const Roles &) { llvm_unreachable("the verifier refuses it"); },
            [](const LetPointer &) {}, [&](const Let &node) { prepareValue(node.value, result); },
            [&](const LetMutable &node) { prepareValue(node.value, result); },
            [&](const Assign &node) { prepareValue(node.value, result); },
            [&](const AssignSlot &node) { prepareValue(node.value, result); },
            [](const Rotate &) {},
            [&](const StoreGlobal &node) {
              prepareValue(node.value, result);
              result.push_back(
                  {AccessElement{node.array, true, false, elementOf(node.array, node.index)}});
            },
            [&](const StoreShared &node) {
              prepareValue(node.value, result);
              result.push_back(
                  {AccessElement{node.tile, true, true, elementOfTile(node.tile, node.index)}});
            },
            [](const Barrier &) {},
            [&](const If &node) {
              result.push_back({Branch{prepareBox(node.box), prepareBody(node.then),
                                       prepareBody(node.otherwise), number}});
            },
            [&](const ReturnUnless &node) { result.push_back({EndUnless{prepareBox(node.box)}}); },
            [&](const For &node) {
              result.push_back(
                  {Loop{number, node.local, prepare(node.begin, integers),
                        prepare(node.end, integers), node.step, prepareBody(node.body)}});
            },
            [](const Phase &) {}),
        statement.node);
  }
  return result;
}

// ---- lanes ------------------------------------------------------------------------------------

/// `count` bits from bit `first` on.
static uint32_t bits(unsigned first, unsigned count) {
  return uint32_t(((uint64_t(1) << count) - 1) << first);
}

static bool isEmpty(llvm::ArrayRef<uint32_t> lanes) {
  return llvm::all_of(lanes, [](uint32_t warp) { return warp == 0; });
}

static void remove(llvm::MutableArrayRef<uint32_t> lanes, llvm::ArrayRef<uint32_t> others) {
  for (auto [warp, other] : llvm::zip_equal(lanes, others))
    warp &= ~other;
}

/// The lanes of a row, counted from its first, where first + step * lane >= 0.
static uint32_t lanesNotNegative(int64_t first, int64_t step, unsigned count) {
  if (step == 0)
    return first >= 0 ? bits(0, count) : 0;
  if (step > 0) {
    const int64_t from = std::clamp<int64_t>(-euclideanQuotient(first, step), 0, count);
    return bits(from, count - from);
  }
  return bits(0, std::clamp<int64_t>(euclideanQuotient(first, -step) + 1, 0, count));
}

void KernelWalk::keepNotNegative(const ThreadIntegers &values, Lanes &lanes) const {
  if (!values.isListed()) {
    const auto [low, high] = values.range(threads);
    if (low >= 0)
      return;
    if (high < 0)
      return lanes.assign(lanes.size(), 0);
  }
  for (const ThreadRow &row : threads.rows) {
    uint32_t kept = 0;
    if (values.isListed())
      for (unsigned lane = 0; lane < row.count; ++lane)
        kept |= uint32_t(values.listed[row.warp * kWarpLanes + row.lane + lane] >= 0) << lane;
    else
      kept = lanesNotNegative(values.atStartOf(row), values.step[0], row.count);
    lanes[row.warp] &= ~bits(row.lane, row.count) | kept << row.lane;
  }
}

void KernelWalk::keepInside(const Condition &condition, Lanes &lanes) const {
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
  block = number;
  observer = &told;
  loopDepth = 0;
  locals.assign(launch.kernel->locals.size(), {});
  ended.assign(threads.warps, 0);
  Lanes active(threads.warps, 0);
  for (const ThreadRow &row : threads.rows)
    active[row.warp] |= bits(row.lane, row.count);
  run(nodes, active);
}

ThreadIntegers KernelWalk::valueOf(const WalkIndex &index) const {
  return evaluate(index, {threads, block, locals});
}

void KernelWalk::run(const Nodes &nodes, Lanes &active) {
  for (const Node &node : nodes) {
    if (isEmpty(active))
      return;
    std::visit([&](const auto &kind) { run(kind, active); }, node.node);
  }
}

void KernelWalk::run(const Execute &node, Lanes &active) {
  observer->execute(node.statement, active);
}

void KernelWalk::run(const SetLocal &node, Lanes &) { locals[node.local] = valueOf(node.value); }

void KernelWalk::run(const Branch &node, Lanes &active) {
  Lanes then = active, otherwise = active;
  keepInside(node.condition, then);
  remove(otherwise, then);
  if (node.statement) {
    unsigned both = 0;
    for (auto [some, others] : llvm::zip_equal(then, otherwise))
      both += some && others;
    observer->diverge(*node.statement, both);
  }
  run(node.then, then);
  run(node.otherwise, otherwise);
  remove(active, ended);
}

void KernelWalk::run(const EndUnless &node, Lanes &active) {
  Lanes leaving = active;
  keepInside(node.condition, active);
  remove(leaving, active);
  for (auto [all, some] : llvm::zip_equal(ended, leaving))
    all |= some;
}

void KernelWalk::run(const Loop &node, Lanes &active) {
  ThreadIntegers counter = valueOf(node.begin);
  ThreadIntegers left = valueOf(node.end); // of the way to the last turn, which has none left
  left.addMultiple(counter, -1, threads);
  left.add(-1);
  const bool isUniform = loopDepth++ == 0 && !left.isListed() && left.step == decltype(left.step){};
  Lanes turning = active;
  for (keepNotNegative(left, turning); !isEmpty(turning); keepNotNegative(left, turning)) {
    observer->turn(node.statement, turning);
    locals[node.local] = counter;
    run(node.body, turning);
    counter.add(node.step);
    left.add(-node.step);
    if (isUniform && left.base >= 0) {
      const int64_t skipped = observer->skipTurns(left.base / node.step + 1);
      counter.add(skipped * node.step);
      left.add(-skipped * node.step);
    }
  }
  --loopDepth;
  remove(active, ended);
}

void KernelWalk::run(const AccessElement &node, Lanes &active) {
  const ThreadIntegers elements = valueOf(node.element);
  for (auto row = threads.rows.begin(); row != threads.rows.end();) {
    const unsigned warp = row->warp;
    runs.clear();
    for (; row != threads.rows.end() && row->warp == warp; ++row)
      if (uint32_t lanes = active[warp] >> row->lane & bits(0, row->count))
        appendRuns(elements, *row, lanes);
    if (runs.empty())
      continue;
    const WarpRequest request{node.array, node.isStore, warp, runs};
    if (node.isShared)
      observer->shared(request);
    else
      observer->global(request);
  }
}

void KernelWalk::appendRuns(const ThreadIntegers &elements, const ThreadRow &row, uint32_t lanes) {
  if (elements.isListed()) {
    for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = row.lane + std::countr_zero(lanes);
      const int64_t element = elements.listed[row.warp * kWarpLanes + lane];
      LaneRun *last = runs.empty() ? nullptr : &runs.back();
      if (last && last->lane + last->count == lane &&
          (last->count == 1 || element - last->element == last->stride * last->count)) {
        if (last->count == 1)
          last->stride = element - last->element;
        ++last->count;
      } else {
        runs.push_back({lane, 1, element, 0});
      }
    }
    return;
  }
  const int64_t start = elements.atStartOf(row), stride = elements.step[0];
  while (lanes) {
    const unsigned first = std::countr_zero(lanes), count = std::countr_one(lanes >> first);
    runs.push_back({row.lane + first, count, start + stride * first, stride});
    lanes &= ~bits(first, count);
  }
}
