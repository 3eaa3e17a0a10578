#include "costmodel/count/BlockFootprint.h"
#include "ir/walk/WalkRequest.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace stencilc;

namespace {

/// What a map makes of an interval; a periodic one goes on beyond the end instead.
Interval mappedBounds(const IndexMap &map, const Interval &inner, int64_t extent) {
  if (map.boundary == BoundaryKind::Periodic)
    return inner;
  Interval bounds = {std::clamp<int64_t>(inner.first, 0, extent - 1),
                     std::clamp<int64_t>(inner.last, 0, extent - 1)};
  // What is mirrored lies beside what is not.
  for (int64_t outside : {inner.first, inner.last})
    if (outside < 0 || outside >= extent) {
      const int64_t mirrored = mapped(map.boundary, outside, extent);
      bounds = {std::min(bounds.first, mirrored), std::max(bounds.last, mirrored)};
    }
  return bounds;
}

/// Bounds indices over the threads of one block and collects what its body accesses.
class BoxCollector {
public:
  BoxCollector(const PlacedLaunch &launch, std::array<int64_t, 3> block)
      : launch(launch), kernel(*launch.kernel), block(block), definitions(kernel.locals.size()) {
    known.locals.resize(kernel.locals.size());
    known.lanes = {0, std::min<int64_t>(kernel.threads(), kWarpLanes) - 1};
    play(0, (kernel.threads() + kWarpLanes - 1) / kWarpLanes);
  }

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
  /// What the coordinates of threads lie within, at a place of the text.
  struct Known {
    llvm::SmallVector<Interval, 8> locals;
    std::array<Interval, 3> threads;
    Interval warps, lanes;
  };

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
              return mappedBounds(node, inner, launch.extents[node.axis]);
            }),
        index->node);
  }

  Interval bounds(const Coordinate &coordinate) const {
    const auto only = [](int64_t value) { return Interval{value, value}; };
    switch (coordinate.kind) {
    case CoordinateKind::Block:
      return only(block[coordinate.number]);
    case CoordinateKind::Extent:
      return only(launch.extents[coordinate.number]);
    case CoordinateKind::Argument:
      return only(launch.integers[coordinate.number]);
    case CoordinateKind::Thread:
      return known.threads[coordinate.number];
    case CoordinateKind::Warp:
      return known.warps;
    case CoordinateKind::Lane:
      return known.lanes;
    case CoordinateKind::Local:
      return known.locals[coordinate.number];
    }
    llvm_unreachable("all kinds are handled");
  }

  /// The coordinate that an index is, but for a constant, if threads differ in it.
  Interval *ownOf(const LinearIndex &index) {
    if (index.terms.size() != 1 || index.terms.front().factor != 1)
      return nullptr;
    const auto *coordinate = std::get_if<Coordinate>(&index.terms.front().atom->node);
    if (!coordinate)
      return nullptr;
    switch (coordinate->kind) {
    case CoordinateKind::Block:
    case CoordinateKind::Extent:
    case CoordinateKind::Argument:
      return nullptr;
    case CoordinateKind::Thread:
      return &known.threads[coordinate->number];
    case CoordinateKind::Warp:
      return &known.warps;
    case CoordinateKind::Lane:
      return &known.lanes;
    case CoordinateKind::Local:
      return &known.locals[coordinate->number];
    }
    llvm_unreachable("all kinds are handled");
  }

  /// Only these warps are looked at from here on.
  void play(unsigned first, unsigned count) {
    known.warps = {first, int64_t(first) + count - 1};
    Interval numbers = {known.warps.first * kWarpLanes,
                        std::min<int64_t>((known.warps.last + 1) * kWarpLanes, kernel.threads()) -
                            1};
    for (auto [length, along] : llvm::zip_equal(kernel.block, known.threads)) {
      const Interval rows = {numbers.first / length, numbers.last / length};
      along = rows.size() == 1 ? Interval{numbers.first % length, numbers.last % length}
                               : Interval{0, length - 1};
      numbers = rows;
    }
  }

  /// Narrows coordinates to what a guard lets through, and locals that were made from them; false
  /// if that is nothing. A guard on more than one coordinate and a constant is left out.
  bool narrow(const Box &box) {
    for (const Range &range : box) {
      const LinearIndex index = linear(range.index);
      Interval *own = ownOf(index);
      if (!own)
        continue;
      if (range.lower)
        own->first = std::max(own->first, bounds(range.lower).first - index.constant);
      if (range.upper)
        own->last = std::min(own->last, bounds(range.upper).last - 1 - index.constant);
      if (own->size() <= 0)
        return false;
    }
    narrowDefined();
    return true;
  }

  /// Narrows locals to what they can be now that what they were made from is narrower.
  void narrowDefined() {
    for (auto [local, definition] : llvm::zip_equal(known.locals, definitions))
      if (definition) {
        const Interval now = bounds(definition);
        local = {std::max(local.first, now.first), std::min(local.last, now.last)};
      }
  }

  /// `width`: elements along the contiguous axis.
  void access(unsigned array, const std::vector<Index> &index, bool isStore, unsigned width = 1) {
    const ArrayArgument &argument = kernel.arrays[array];
    GridBox box;
    box.fill({0, 0});
    for (auto [part, axis] : llvm::zip_equal(index, argument.axes)) {
      box[axis] = bounds(part);
      if (box[axis].size() <= 0)
        return;
    }
    box[argument.axes.back()].last += width - 1;
    (isStore ? stores : loads)[array].push_back(box);
  }

  void visit(const Value &value) {
    const auto visitOperands = [&] {
      forEachOperand(*value, [&](const Value &operand) { visit(operand); });
    };
    std::visit(
        llvm::makeVisitor([](const LiteralValue &) {}, [](const ParamLeaf &) {},
                          [](const UniformValue &) {}, [](const RegisterValue &) {},
                          [](const QueueSlotValue &) {}, [](const LoadShared &) {},
                          [](const PatchElement &) {}, [](const IndexValue &) {},
                          [&](const LoadGlobal &node) { access(node.array, node.index, false); },
                          [&](const UnaryValue &) { visitOperands(); },
                          [&](const BinaryValue &) { visitOperands(); },
                          [&](const CompareValue &) { visitOperands(); },
                          [&](const SelectValue &) { visitOperands(); },
                          [&](const CallValue &) { visitOperands(); },
                          [&](const CastValue &) { visitOperands(); },
                          [&](const GuardedValue &node) {
                            const Known before = known;
                            if (narrow(node.box))
                              visit(node.inside);
                            known = before;
                            visit(node.outside);
                          },
                          [&](const ShuffleValue &) { visitOperands(); }),
        value->node);
  }

  void visit(const Body &body) {
    for (const Statement &statement : body)
      std::visit(
          llvm::makeVisitor(
              [&](const LetIndex &node) {
                known.locals[node.local] = bounds(node.value);
                definitions[node.local] = node.value;
              },
              [&](const AssignElement &node) { visit(node.value); }, [](const ShiftPatch &) {},
              [&](const LoadVector &node) {
                access(node.array, node.index, false, node.row.lanes);
              },
              [&](const StoreVector &node) {
                access(node.array, node.index, true, node.row.lanes);
              },
              [](const LoadSharedVector &) {}, [](const StoreSharedVector &) {},
              [&](const CopyAsync &node) { access(node.array, node.from, false, node.lanes); },
              [](const CommitCopies &) {}, [](const WaitCopies &) {},
              [&](const Roles &node) { visit(node); }, [](const LetPointer &) {},
              [&](const Let &node) { visit(node.value); },
              [&](const LetMutable &node) { visit(node.value); },
              [&](const Assign &node) { visit(node.value); },
              [&](const AssignSlot &node) { visit(node.value); }, [](const Rotate &) {},
              [&](const StoreGlobal &node) {
                visit(node.value);
                access(node.array, node.index, true);
              },
              [&](const StoreShared &node) { visit(node.value); }, [](const Barrier &) {},
              [&](const If &node) {
                const Known before = known;
                if (narrow(node.box))
                  visit(node.then);
                known = before;
                visit(node.otherwise);
              },
              [&](const ReturnUnless &node) { narrow(node.box); },
              [&](const For &node) {
                known.locals[node.local] = {bounds(node.begin).first, bounds(node.end).last - 1};
                visit(node.body);
              },
              [](const Phase &) {}),
          statement.node);
  }

  void visit(const Roles &node) {
    const Known before = known;
    for (const Role &role : node.roles) {
      play(role.firstWarp, role.warps);
      narrowDefined();
      visit(role.body);
      known = before;
    }
  }

  const PlacedLaunch &launch;
  const Kernel &kernel;
  const std::array<int64_t, 3> block;
  Known known;
  llvm::SmallVector<Index, 8> definitions;         ///< of the locals that a LetIndex made so far
  std::vector<std::vector<GridBox>> loads, stores; ///< by array
};

} // namespace

std::vector<AccessBoxes> stencilc::boxesOfBlock(const PlacedLaunch &launch,
                                                std::array<int64_t, 3> block) {
  return BoxCollector(launch, block).collect();
}
