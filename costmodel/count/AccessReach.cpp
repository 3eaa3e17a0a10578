#include "costmodel/count/AccessReach.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <bit>
#include <numeric>

using namespace stencilc;

Bound Bound::plus(const Bound &other, int64_t factor) const {
  Bound sum{value + other.value * factor, drift, GridDimensions(dependsOn | other.dependsOn)};
  for (unsigned loop = 0; loop < kGridLoops; ++loop)
    sum.drift[loop] += other.drift[loop] * factor;
  return sum;
}

namespace {

/// Goes through the text of a kernel once.
class ReachVisit {
public:
  ReachVisit(const PlacedLaunch &launch, const std::array<Bound, 3> &block, TurnHorizon &horizon,
             llvm::function_ref<void(const AccessReach &)> visitor, std::optional<unsigned> only)
      : launch(launch), kernel(*launch.kernel), block(block), horizon(horizon), visitor(visitor),
        onlyAxis(only) {
    known.locals.assign(kernel.locals.size(), constants(0, -1));
    known.lanes = constants(0, std::min<int64_t>(kernel.threads(), kLanesPerWarp) - 1);
    play(0, (kernel.threads() + kLanesPerWarp - 1) / kLanesPerWarp);
    visit(kernel.body);
  }

private:
  /// What the coordinates of threads lie within, at a place of the text.
  struct Known {
    llvm::SmallVector<Reach, 8> locals;
    std::array<Reach, 3> threads;
    Reach warps, lanes;
  };
  /// How guards leave out what they guard, if they do: as in AccessReach.
  struct Exclusion {
    bool isMade = true, isSeparate = true;
    GridDimensions leftOut = 0;

    void add(GridDimensions dependsOn) {
      isMade = false;
      isSeparate &= std::has_single_bit(dependsOn);
      leftOut |= dependsOn;
    }
    void add(const Exclusion &other) {
      isMade &= other.isMade;
      isSeparate &= other.isSeparate;
      leftOut |= other.leftOut;
    }
  };

  // ---- bounds ----

  static Reach constants(int64_t first, int64_t last) { return {{first}, {last}}; }
  static Reach only(const Bound &bound) { return {bound, bound}; }
  static Reach only(int64_t value) { return constants(value, value); }

  /// Whether left <= right, and for how many blocks more that is so or not.
  bool isAtMost(const Bound &left, const Bound &right) {
    const Bound excess = right.plus(left, -1);
    const bool holds = excess.value >= 0;
    keepWithin(excess, holds ? IntegerRange{0, kUnbounded} : IntegerRange{-kUnbounded, -1});
    return holds;
  }
  void keepWithin(const Bound &bound, const IntegerRange &range) {
    if (bound.drift == decltype(bound.drift)())
      return;
    Drift drift = {};
    llvm::copy(bound.drift, drift.begin());
    horizon.keepWithin({bound.value, bound.value}, range, drift);
  }
  /// One of the two, by what the choice depends on, too.
  Bound chosen(Bound bound, const Bound &other) const {
    bound.dependsOn |= other.dependsOn;
    return bound;
  }
  Bound least(const Bound &left, const Bound &right) {
    return isAtMost(left, right) ? chosen(left, right) : chosen(right, left);
  }
  Bound greatest(const Bound &left, const Bound &right) {
    return isAtMost(left, right) ? chosen(right, left) : chosen(left, right);
  }
  Reach meet(const Reach &left, const Reach &right) {
    return {greatest(left.first, right.first), least(left.last, right.last)};
  }
  bool isEmpty(const Reach &reach) { return !isAtMost(reach.first, reach.last); }

  Bound quotient(const Bound &bound, int64_t divisor) {
    Bound result{euclideanQuotient(bound.value, divisor), {}, bound.dependsOn}, uneven{bound.value};
    for (unsigned loop = 0; loop < kGridLoops; ++loop)
      if (bound.drift[loop] % divisor == 0) {
        result.drift[loop] = bound.drift[loop] / divisor;
      } else {
        uneven.drift[loop] = bound.drift[loop];
        horizon.wantLongerRounds(loop, divisor / std::gcd(divisor, bound.drift[loop]));
      }
    const int64_t first = result.value * divisor;
    keepWithin(uneven, {first, first + divisor - 1});
    return result;
  }

  Reach bounds(const Index &index) {
    return std::visit(
        llvm::makeVisitor(
            [](const IndexConstant &node) { return only(node.value); },
            [&](const Coordinate &node) { return bounds(node); },
            [&](const IndexSum &node) {
              const Reach left = bounds(node.left), right = bounds(node.right);
              return Reach{left.first.plus(right.first), left.last.plus(right.last)};
            },
            [&](const IndexScale &node) {
              const Reach inner = bounds(node.index);
              const Bound zero, first = zero.plus(inner.first, node.factor),
                                last = zero.plus(inner.last, node.factor);
              return node.factor < 0 ? Reach{last, first} : Reach{first, last};
            },
            [&](const IndexQuotient &node) {
              const Reach inner = bounds(node.index);
              return Reach{quotient(inner.first, node.divisor), quotient(inner.last, node.divisor)};
            },
            [&](const IndexRemainder &node) {
              const Reach inner = bounds(node.index);
              const auto rest = [&](const Bound &bound) {
                return bound.plus(quotient(bound, node.divisor), -node.divisor);
              };
              const Bound first = rest(inner.first), last = rest(inner.last);
              Reach all = constants(0, node.divisor - 1);
              all.first.dependsOn = first.dependsOn | last.dependsOn;
              return isAtMost(inner.last.plus(inner.first, -1), last.plus(first, -1))
                         ? Reach{chosen(first, last), last}
                         : all;
            },
            [&](const IndexMin &node) {
              const Reach left = bounds(node.left), right = bounds(node.right);
              return Reach{least(left.first, right.first), least(left.last, right.last)};
            },
            [&](const IndexMax &node) {
              const Reach left = bounds(node.left), right = bounds(node.right);
              return Reach{greatest(left.first, right.first), greatest(left.last, right.last)};
            },
            [&](const IndexMap &node) {
              const Reach inner = bounds(node.index);
              if (node.boundary == BoundaryKind::Periodic)
                return inner;
              return onGrid(node, inner);
            }),
        index->node);
  }

  /// What a map that stays on the grid makes of a reach.
  Reach onGrid(const IndexMap &map, const Reach &inner) {
    const int64_t extent = launch.extents[map.axis];
    const Bound zero, end{extent - 1};
    Reach reach = {least(greatest(inner.first, zero), end), least(greatest(inner.last, zero), end)};
    if (map.boundary == BoundaryKind::Clamp)
      return reach;
    // What is mirrored lies beside what is not.
    const int64_t gap = map.boundary == BoundaryKind::Symmetric ? 1 : 0;
    const Bound fromHigh = Bound{2 * extent - 2 + gap}.plus(inner.last, -1);
    const Bound fromLow = Bound{-gap}.plus(inner.first, -1);
    return {least(reach.first, greatest(fromHigh, zero)),
            greatest(reach.last, least(fromLow, end))};
  }

  Reach bounds(const Coordinate &coordinate) {
    switch (coordinate.kind) {
    case CoordinateKind::Block:
      return only(block[coordinate.number]);
    case CoordinateKind::Extent:
      return only(launch.extents[coordinate.number]);
    case CoordinateKind::WholeParam:
      llvm_unreachable("kernels take params as integer arguments");
    case CoordinateKind::Argument:
      return only(launch.integers[coordinate.number]);
    case CoordinateKind::Thread:
    case CoordinateKind::Warp:
    case CoordinateKind::Lane:
    case CoordinateKind::Local:
      return reachOf(coordinate);
    }
    llvm_unreachable("all kinds are handled");
  }

  // ---- guards ----

  /// A coordinate in which threads differ, and what is added to it.
  struct Moved {
    const Coordinate *coordinate = nullptr; ///< null: the index is nothing of the kind
    int64_t by = 0;
  };
  static Moved movedBy(int64_t constant, const Index &index) {
    const auto *coordinate = std::get_if<Coordinate>(&index->node);
    return coordinate && usesOf(*coordinate) != 0 ? Moved{coordinate, constant} : Moved();
  }
  static Moved movedOf(const Index &index) {
    if (std::holds_alternative<Coordinate>(index->node))
      return movedBy(0, index);
    const LinearIndex sum = linear(index);
    return sum.terms.size() == 1 && sum.terms.front().factor == 1
               ? movedBy(sum.constant, sum.terms.front().atom)
               : Moved();
  }

  /// What it is that an index uses, as bits: coordinates in which threads differ. Locals with high
  /// numbers share one.
  using Uses = uint64_t;
  static Uses usesOf(const Coordinate &coordinate) {
    constexpr unsigned kLocals = 59;
    switch (coordinate.kind) {
    case CoordinateKind::Block:
    case CoordinateKind::Extent:
    case CoordinateKind::WholeParam:
    case CoordinateKind::Argument:
      return 0;
    case CoordinateKind::Thread:
      return Uses(1) << coordinate.number;
    case CoordinateKind::Warp:
      return Uses(1) << 3;
    case CoordinateKind::Lane:
      return Uses(1) << 4;
    case CoordinateKind::Local:
      return Uses(1) << (5 + std::min(coordinate.number, kLocals - 1));
    }
    llvm_unreachable("all kinds are handled");
  }
  static Uses usesOf(const Index &index) {
    Uses uses = 0;
    anyCoordinate(index, [&](const Coordinate &coordinate) {
      uses |= usesOf(coordinate);
      return false;
    });
    return uses;
  }

  Reach &reachOf(const Coordinate &coordinate) {
    switch (coordinate.kind) {
    case CoordinateKind::Thread:
      return known.threads[coordinate.number];
    case CoordinateKind::Warp:
      return known.warps;
    case CoordinateKind::Lane:
      return known.lanes;
    case CoordinateKind::Local:
      return known.locals[coordinate.number];
    case CoordinateKind::Block:
    case CoordinateKind::Extent:
    case CoordinateKind::WholeParam:
    case CoordinateKind::Argument:
      break;
    }
    llvm_unreachable("threads do not differ in it");
  }

  /// Puts another reach in the place of one, until what is known is restored.
  void set(Reach &place, const Reach &reach) {
    replaced.push_back({&place, place});
    place = reach;
  }
  void restore(size_t mark) {
    for (; replaced.size() > mark; replaced.pop_back())
      *replaced.back().first = replaced.back().second;
  }

  /// Only these warps are looked at from here on.
  void play(unsigned first, unsigned count) {
    set(known.warps, constants(first, int64_t(first) + count - 1));
    Interval numbers = {
        int64_t(first) * kLanesPerWarp,
        std::min<int64_t>((int64_t(first) + count) * kLanesPerWarp, kernel.threads()) - 1};
    for (auto [length, along] : llvm::zip_equal(kernel.block, known.threads)) {
      const Interval rows = {numbers.first / length, numbers.last / length};
      set(along, rows.size() == 1 ? constants(numbers.first % length, numbers.last % length)
                                  : constants(0, length - 1));
      numbers = rows;
    }
  }

  /// Narrows coordinates to what a guard lets through, and locals that were made from them. A guard
  /// on more than one coordinate and a constant is left out. Returns how it leaves out everything,
  /// if it does.
  Exclusion narrow(const Box &box) {
    Exclusion excluded;
    Uses narrowed = 0;
    for (const Range &range : box) {
      const auto [coordinate, constant] = movedOf(range.index);
      if (!coordinate)
        continue;
      Reach &own = reachOf(*coordinate);
      Reach inside = own;
      if (range.lower)
        inside.first = greatest(own.first, bounds(range.lower).first.plus(-constant));
      if (range.upper)
        inside.last = least(own.last, bounds(range.upper).last.plus(-1 - constant));
      set(own, inside);
      if (isEmpty(inside))
        excluded.add(inside.dependsOn());
      narrowed |= usesOf(*coordinate);
    }
    narrowDefined(narrowed);
    return excluded;
  }

  /// Narrows locals to what they can be now that some of what they were made from is narrower.
  void narrowDefined(Uses narrowed) {
    if (!(narrowed & usesOfDefinitions))
      return;
    for (const Definition &definition : definitions)
      if (definition.uses & narrowed) {
        Reach &local = known.locals[definition.local];
        set(local, meet(local, bounds(definition.value)));
        narrowed |= usesOf(Coordinate{CoordinateKind::Local, definition.local});
      }
  }

  // ---- the text ----

  template <class VisitInside> void visitWithin(const Box &box, const VisitInside &visitInside) {
    const size_t before = replaced.size();
    const Exclusion outside = around;
    around.add(narrow(box));
    visitInside();
    around = outside;
    restore(before);
  }

  /// `width`: elements along the contiguous axis.
  void access(unsigned array, const std::vector<Index> &index, bool isStore, unsigned width = 1) {
    const ArrayArgument &argument = kernel.arrays[array];
    AccessReach made{.array = array,
                     .isStore = isStore,
                     .isMade = around.isMade,
                     .leftOut = around.leftOut,
                     .isSeparate = around.isSeparate};
    for (auto [axis, part] : llvm::zip_first(argument.axes, index)) {
      if (onlyAxis && axis != *onlyAxis)
        continue;
      Reach &along = made.along[axis];
      along = bounds(part);
      if (isEmpty(along))
        made.isMade = false;
      else if (axis == argument.contiguousAxis(kernel.rank()))
        along.last = along.last.plus(width - 1);
    }
    visitor(made);
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
                            visitWithin(node.box, [&] { visit(node.inside); });
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
                set(known.locals[node.local], bounds(node.value));
                definitions.push_back({node.local, node.value, usesOf(node.value)});
                usesOfDefinitions |= definitions.back().uses;
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
              [](const CommitCopies &) {}, [](const WaitCopies &) {}, [](const SendVector &) {},
              [](const AwaitMessage &) {}, [&](const Roles &node) { visit(node); },
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
                const size_t before = replaced.size();
                visitWithin(node.box, [&] { visit(node.then); });
                visit(node.otherwise);
                restore(before);
              },
              [&](const ReturnUnless &node) { narrow(node.box); },
              [&](const For &node) {
                set(known.locals[node.local],
                    {bounds(node.begin).first, bounds(node.end).last.plus(-1)});
                visit(node.body);
              },
              [](const Phase &) {}),
          statement.node);
  }

  void visit(const Roles &node) {
    for (const Role &role : node.roles) {
      const size_t before = replaced.size();
      play(role.firstWarp, role.warps);
      narrowDefined(~Uses(0));
      visit(role.body);
      restore(before);
    }
  }

  const PlacedLaunch &launch;
  const Kernel &kernel;
  const std::array<Bound, 3> &block;
  TurnHorizon &horizon;
  const llvm::function_ref<void(const AccessReach &)> visitor;
  const std::optional<unsigned> onlyAxis;
  Known known;
  Exclusion around;
  llvm::SmallVector<std::pair<Reach *, Reach>, 8> replaced; ///< in `known`, in order
  struct Definition {
    unsigned local;
    const Index &value;
    Uses uses;
  };
  llvm::SmallVector<Definition, 16> definitions; ///< that a LetIndex made so far
  Uses usesOfDefinitions = 0;                    ///< of any of them
};

} // namespace

void stencilc::visitAccesses(const PlacedLaunch &launch, const std::array<Bound, 3> &block,
                             TurnHorizon &horizon,
                             llvm::function_ref<void(const AccessReach &)> visitor,
                             std::optional<unsigned> axis) {
  ReachVisit(launch, block, horizon, visitor, axis);
}
