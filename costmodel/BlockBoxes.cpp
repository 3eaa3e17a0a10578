#include "costmodel/BlockBoxes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace stencilc;

// ---- bounding indices -------------------------------------------------------------------------

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
    PointBox box;
    box.fill({0, 0});
    for (auto [part, axis] : llvm::zip_equal(index, argument.axes)) {
      box[axis] = bounds(part);
      if (box[axis].size() <= 0)
        return;
    }
    (isStore ? stores : loads)[array].push_back(box);
  }

  void visit(const Value &value) {
    std::visit(
        llvm::makeVisitor([](const LiteralValue &) {}, [](const ParamLeaf &) {},
                          [](const UniformValue &) {}, [](const RegisterValue &) {},
                          [](const QueueSlotValue &) {}, [](const LoadShared &) {},
                          [&](const LoadGlobal &node) { access(node.array, node.index, false); },
                          [&](const UnaryValue &node) { visit(node.operand); },
                          [&](const BinaryValue &node) {
                            visit(node.left);
                            visit(node.right);
                          },
                          [&](const CompareValue &node) {
                            visit(node.left);
                            visit(node.right);
                          },
                          [&](const SelectValue &node) {
                            visit(node.condition);
                            visit(node.then);
                            visit(node.otherwise);
                          },
                          [&](const CallValue &node) {
                            for (const Value &operand : node.operands)
                              visit(operand);
                          },
                          [&](const CastValue &node) { visit(node.operand); },
                          [&](const GuardedValue &node) {
                            const auto before = locals;
                            if (narrow(node.box))
                              visit(node.inside);
                            locals = before;
                            visit(node.outside);
                          }),
        value->node);
  }

  void visit(const Body &body) {
    for (const Statement &statement : body)
      std::visit(llvm::makeVisitor(
                     [&](const LetIndex &node) {
                       locals[node.local] = bounds(node.value);
                       definitions[node.local] = node.value;
                     },
                     [](const LetAddress &) {}, [&](const Let &node) { visit(node.value); },
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
  llvm::SmallVector<Index, 8> definitions;          ///< of the locals that a LetIndex made so far
  std::vector<std::vector<PointBox>> loads, stores; ///< by array
};

} // namespace

std::vector<AccessBoxes> stencilc::boxesOfBlock(const PlacedLaunch &launch,
                                                std::array<int64_t, 3> block) {
  return BoxCollector(launch, block).collect();
}

// ---- unions -----------------------------------------------------------------------------------

/// Makes `box` the union of both if that is a box.
static bool join(PointBox &box, const PointBox &other) {
  unsigned differing = 0, at = 0;
  bool isInside = true, surrounds = true;
  for (unsigned axis = 0; axis < kMaxRank; ++axis) {
    const Interval &own = box[axis], &others = other[axis];
    isInside &= others.first <= own.first && own.last <= others.last;
    surrounds &= own.first <= others.first && others.last <= own.last;
    if (own != others) {
      ++differing;
      at = axis;
    }
  }
  if (surrounds)
    return true;
  if (isInside) {
    box = other;
    return true;
  }
  const Interval &own = box[at], &others = other[at];
  if (differing > 1 || own.last + 1 < others.first || others.last + 1 < own.first)
    return false;
  box[at] = {std::min(own.first, others.first), std::max(own.last, others.last)};
  return true;
}

void stencilc::joinBoxes(std::vector<PointBox> &boxes) {
  for (bool joined = true; joined;) {
    joined = false;
    for (size_t kept = 0; kept < boxes.size(); ++kept)
      for (size_t next = kept + 1; next < boxes.size();)
        if (join(boxes[kept], boxes[next])) {
          boxes.erase(boxes.begin() + next);
          joined = true;
        } else {
          ++next;
        }
  }
}

/// Calls `row(z, y, count, pieces)` for each group of equal rows of the union: `count` rows, in
/// each of which so many pieces along the contiguous axis are covered.
template <class Measure>
static uint64_t unionOf(llvm::ArrayRef<PointBox> boxes, unsigned rank, const Measure &measure) {
  const unsigned contiguous = rank - 1;
  // Cuts along the other axes, between which nothing changes.
  std::array<llvm::SmallVector<int64_t, 8>, kMaxRank> cuts;
  for (unsigned axis = 0; axis < kMaxRank; ++axis) {
    if (axis == contiguous) {
      cuts[axis] = {0, 1};
      continue;
    }
    for (const PointBox &box : boxes)
      cuts[axis].append({box[axis].first, box[axis].last + 1});
    llvm::sort(cuts[axis]);
    cuts[axis].erase(std::unique(cuts[axis].begin(), cuts[axis].end()), cuts[axis].end());
  }
  uint64_t sum = 0;
  llvm::SmallVector<Interval, 8> along;
  std::array<int64_t, kMaxRank> cell;
  const auto covers = [&](const PointBox &box) {
    for (unsigned axis = 0; axis < kMaxRank; ++axis)
      if (axis != contiguous && (cell[axis] < box[axis].first || box[axis].last < cell[axis]))
        return false;
    return true;
  };
  for (size_t i = 0; i + 1 < cuts[0].size(); ++i)
    for (size_t j = 0; j + 1 < cuts[1].size(); ++j)
      for (size_t k = 0; k + 1 < cuts[2].size(); ++k) {
        cell = {cuts[0][i], cuts[1][j], cuts[2][k]};
        along.clear();
        for (const PointBox &box : boxes)
          if (covers(box))
            along.push_back(box[contiguous]);
        const uint64_t rows = uint64_t(cuts[0][i + 1] - cuts[0][i]) *
                              (cuts[1][j + 1] - cuts[1][j]) * (cuts[2][k + 1] - cuts[2][k]);
        if (!along.empty())
          sum += rows * measure(along);
      }
  return sum;
}

/// How many integers the intervals cover together; sorts them.
static uint64_t covered(llvm::MutableArrayRef<Interval> intervals) {
  llvm::sort(intervals,
             [](const Interval &left, const Interval &right) { return left.first < right.first; });
  uint64_t sum = 0;
  int64_t end = intervals.front().first;
  for (const Interval &interval : intervals) {
    sum += std::max<int64_t>(interval.last + 1 - std::max(interval.first, end), 0);
    end = std::max(end, interval.last + 1);
  }
  return sum;
}

uint64_t stencilc::unionSize(llvm::ArrayRef<PointBox> boxes, unsigned rank) {
  return unionOf(boxes, rank, [](llvm::MutableArrayRef<Interval> along) { return covered(along); });
}

uint64_t stencilc::unionPieces(llvm::ArrayRef<PointBox> boxes, unsigned rank,
                               int64_t pieceElements) {
  return unionOf(boxes, rank, [&](llvm::MutableArrayRef<Interval> along) {
    for (Interval &interval : along)
      interval = {euclideanQuotient(interval.first, pieceElements),
                  euclideanQuotient(interval.last, pieceElements)};
    return covered(along);
  });
}

std::vector<PointBox> stencilc::boxesOfGroup(llvm::ArrayRef<PointBox> boxes,
                                             const std::array<int64_t, kMaxRank> &cover,
                                             const std::array<int64_t, kMaxRank> &blocks) {
  std::vector<PointBox> group(boxes.begin(), boxes.end());
  for (PointBox &box : group)
    for (unsigned axis = 0; axis < kMaxRank; ++axis)
      box[axis].last += (blocks[axis] - 1) * cover[axis];
  joinBoxes(group);
  return group;
}
