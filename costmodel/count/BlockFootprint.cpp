#include "costmodel/count/BlockFootprint.h"
#include "ir/walk/WalkRequest.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace stencilc;

namespace {

/// Bounds indices over the threads of one block and collects what its body accesses.
class BoxCollector {
public:
  BoxCollector(const PlacedLaunch &launch, std::array<int64_t, 3> block)
      : launch(launch), kernel(*launch.kernel), block(block), locals(kernel.locals.size()),
        definitions(kernel.locals.size()) {}

  std::vector<AccessBoxes> collect() {
    loads.resize(kernel.arrays.size());
    stores.resize(kernel.arrays.size());
    visit(kernel.body);
    std::vector<AccessBoxes> result;
    for (auto [list, isStore] : {std::pair(&loads, false), std::pair(&stores, true)})
      for (auto [array, boxes] : llvm::enumerate(*list))
        if (!boxes.empty()) {
          joinBoxes(boxes);
          result.push_back({unsigned(array), isStore, std::move(boxes)});
        }
    return result;
  }

private:
  Interval bounds(const Index &index) const {
    return std::visit(
        llvm::makeVisitor(
            [](const IndexConstant &node) { return Interval{node.value, node.value}; },
            [&](const Coordinate &node) { return bounds(node); },
            [&](const IndexSum &node) {
              const Interval left = bounds(node.left), right = bounds(node.right);
              return Interval{left.first + right.first, left.last + right.last};
            },
            [&](const IndexScale &node) {
              const Interval inner = bounds(node.index);
              const int64_t first = inner.first * node.factor, last = inner.last * node.factor;
              return Interval{std::min(first, last), std::max(first, last)};
            },
            [&](const IndexQuotient &node) {
              const Interval inner = bounds(node.index);
              return Interval{euclideanQuotient(inner.first, node.divisor),
                              euclideanQuotient(inner.last, node.divisor)};
            },
            [&](const IndexRemainder &node) {
              const Interval inner = bounds(node.index);
              const Interval rest{euclideanRemainder(inner.first, node.divisor),
                                  euclideanRemainder(inner.last, node.divisor)};
              return inner.size() <= rest.size() ? rest : Interval{0, node.divisor - 1};
            },
            [&](const IndexMin &node) {
              const Interval left = bounds(node.left), right = bounds(node.right);
              return Interval{std::min(left.first, right.first), std::min(left.last, right.last)};
            },
            [&](const IndexMax &node) {
              const Interval left = bounds(node.left), right = bounds(node.right);
              return Interval{std::max(left.first, right.first), std::max(left.last, right.last)};
            },
            [&](const IndexMap &node) {
              const Interval inner = bounds(node.index);
              if (node.boundary == BoundaryKind::Periodic)
                return inner;
              const int64_t last = launch.extents[node.axis] - 1;
              return Interval{std::clamp<int64_t>(inner.first, 0, last),
                              std::clamp<int64_t>(inner.last, 0, last)};
            }),
        index->node);
  }

  Interval bounds(const Coordinate &coordinate) const {
    const auto only = [](int64_t value) { return Interval{value, value}; };
    switch (coordinate.kind) {
    case CoordinateKind::Block:
      return only(block[coordinate.number]);
    case CoordinateKind::Thread:
      return {0, kernel.block[coordinate.number] - 1};
    case CoordinateKind::Warp:
      return {0, (kernel.threads() - 1) / int64_t(kWarpLanes)};
    case CoordinateKind::Lane:
      return {0, std::min<int64_t>(kernel.threads(), kWarpLanes) - 1};
    case CoordinateKind::Extent:
      return only(launch.extents[coordinate.number]);
    case CoordinateKind::Argument:
      return only(launch.integers[coordinate.number]);
    case CoordinateKind::Local:
      return locals[coordinate.number];
    }
    llvm_unreachable("all kinds are handled");
  }

  /// Narrows locals to what a guard lets through, and those that were made from them; false if that
  /// is nothing. A guard on anything but a local and a constant is left out.
  bool narrow(const Box &box) {
    for (const Range &range : box) {
      const LinearIndex index = linear(range.index);
      if (index.terms.size() != 1 || index.terms.front().factor != 1)
        continue;
      const auto *coordinate = std::get_if<Coordinate>(&index.terms.front().atom->node);
      if (!coordinate || coordinate->kind != CoordinateKind::Local)
        continue;
      Interval &local = locals[coordinate->number];
      if (range.lower)
        local.first = std::max(local.first, bounds(range.lower).first - index.constant);
      if (range.upper)
        local.last = std::min(local.last, bounds(range.upper).last - 1 - index.constant);
      if (local.size() <= 0)
        return false;
    }
    for (auto [local, definition] : llvm::zip_equal(locals, definitions))
      if (definition) {
        const Interval now = bounds(definition);
        local = {std::max(local.first, now.first), std::min(local.last, now.last)};
      }
    return true;
  }

  void access(unsigned array, const std::vector<Index> &index, bool isStore) {
    const ArrayArgument &argument = kernel.arrays[array];
    GridBox box;
    box.fill({0, 0});
    for (auto [part, axis] : llvm::zip_equal(index, argument.axes)) {
      box[axis] = bounds(part);
      if (box[axis].size() <= 0)
        return;
    }
    (isStore ? stores : loads)[array].push_back(box);
  }

  void visit(const Value &value) {
    if (const auto *load = std::get_if<LoadGlobal>(&value->node))
      access(load->array, load->index, false);
    if (const auto *guarded = std::get_if<GuardedValue>(&value->node)) {
      const auto before = locals;
      if (narrow(guarded->box))
        visit(guarded->inside);
      locals = before;
      visit(guarded->outside);
    } else {
      forEachOperand(*value, [&](const Value &operand) { visit(operand); });
    }
  }

  void visit(const Body &body) {
    for (const Statement &statement : body)
      std::visit(llvm::makeVisitor(
                     [&](const LetIndex &node) {
                       locals[node.local] = bounds(node.value);
                       definitions[node.local] = node.value;
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
                     [](const LetPointer &) {}, [&](const Let &node) { visit(node.value); },
                     [&](const LetMutable &node) { visit(node.value); },
                     [&](const Assign &node) { visit(node.value); },
                     [&](const AssignSlot &node) { visit(node.value); }, [](const Rotate &) {},
                     [&](const StoreGlobal &node) {
                       visit(node.value);
                       access(node.array, node.index, true);
                     },
                     [&](const StoreShared &node) { visit(node.value); }, [](const Barrier &) {},
                     [&](const If &node) {
                       const auto before = locals;
                       if (narrow(node.box))
                         visit(node.then);
                       locals = before;
                       visit(node.otherwise);
                     },
                     [&](const ReturnUnless &node) { narrow(node.box); },
                     [&](const For &node) {
                       locals[node.local] = {bounds(node.begin).first, bounds(node.end).last - 1};
                       visit(node.body);
                     },
                     [](const Phase &) {}),
                 statement.node);
  }

  const PlacedLaunch &launch;
  const Kernel &kernel;
  const std::array<int64_t, 3> block;
  llvm::SmallVector<Interval, 8> locals;
  llvm::SmallVector<Index, 8> definitions;         ///< of the locals that a LetIndex made so far
  std::vector<std::vector<GridBox>> loads, stores; ///< by array
};

} // namespace

std::vector<AccessBoxes> stencilc::boxesOfBlock(const PlacedLaunch &launch,
                                                std::array<int64_t, 3> block) {
  return BoxCollector(launch, block).collect();
}
