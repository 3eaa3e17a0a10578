#include "frontend/lift/Order.h"

#include "frontend/lift/Extents.h"
#include "frontend/lift/LoopPasses.h"
#include "frontend/lift/Overlaps.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
enum class Age { Old, New };

class OrderMaker {
public:
  OrderMaker(const LoopTree &tree, const Grid &grid, Refusals &refusals)
      : tree(tree), grid(grid), refusals(refusals), areas(tree, grid) {}

  std::optional<Order> make() {
    Overlaps overlaps(tree, grid, areas, refusals);
    if (!areas.find(refusals) || !overlaps.areApart()) {
      wanted = overlaps.change();
      return std::nullopt;
    }
    order.levels.resize(grid.sweeps.size());
    needs.resize(grid.sweeps.size());
    for (unsigned reader = 0; reader < grid.sweeps.size(); ++reader)
      for (const auto &[access, read] : grid.sweeps[reader].reads)
        if (grid.arrays[read.array].isWritten && !setLevel(reader, access, read))
          return std::nullopt;
    return makeStages() ? std::optional(std::move(order)) : std::nullopt;
  }

  /// After a failure without a refusal: what to change before it is tried again.
  const std::optional<Change> &change() const { return wanted; }

private:
  /// Whether `writer` has overwritten the element before `reader` reads it.
  std::optional<Age> ageOf(unsigned writer, unsigned reader, unsigned accessNumber,
                           const GridRead &read) const {
    const Sweep &write = grid.sweeps[writer], &use = grid.sweeps[reader];
    const Access &access = tree.accesses[accessNumber];
    std::optional<Age> age;
    bool isBlocked = false;
    for (auto [mine, theirs] : llvm::zip(use.loops, write.loops)) {
      if (mine != theirs)
        break;
      const auto axisOf = [&](const Sweep &sweep) {
        return llvm::find(sweep.loopOfAxis, std::optional(mine)) - sweep.loopOfAxis.begin();
      };
      const unsigned axis = axisOf(use);
      if (axis != axisOf(write) || read.kept[axis])
        return std::nullopt;
      // The turn that writes the element, seen from the turn that reads it.
      const int64_t turns = read.offset[axis] + use.shift[axis] - write.shift[axis];
      const int64_t later = tree.loops[mine].isDownward ? -turns : turns;
      isBlocked |= tree.loops[mine].isBlocked;
      if (later == 0)
        continue;
      const Age here = later < 0 ? Age::New : Age::Old;
      // Of blocks the order is that of turns only where all loops agree about it.
      if (age && *age != here && isBlocked)
        return std::nullopt;
      age = age.value_or(here);
    }
    if (age)
      return age;
    return write.assignment < access.time ? Age::New : Age::Old;
  }

  bool setLevel(unsigned reader, unsigned accessNumber, const GridRead &read) {
    const GridArray &array = grid.arrays[read.array];
    const Access &access = tree.accesses[accessNumber];
    const auto setTo = [&](TimeLevel level) {
      order.levels[reader][accessNumber] = level;
      return true;
    };
    if (array.hasLevels() && read.storage == array.current)
      return setTo(TimeLevel::Current);
    if (array.hasLevels() && !(read.storage == array.next))
      return setTo(TimeLevel::Previous);

    const Area points = areas.pointsOf(reader, read);
    std::optional<Age> age;
    for (unsigned writer = 0; writer < grid.sweeps.size(); ++writer) {
      if (grid.sweeps[writer].array != read.array || areas.isDisjoint(points, areas.of(writer)))
        continue;
      const auto found = ageOf(writer, reader, accessNumber, read);
      if (found && age && *age != *found && cutByAge(reader, writer, read))
        return false;
      if (!found || (age && *age != *found))
        return refusals.refuse(
                   access.where,
                   "`" + array.name +
                       "` is read here partly before and partly after it is overwritten",
                   "read the old state alone, from an array that the step does not "
                   "write"),
               false;
      age = found;
      if (found == Age::New)
        needs[reader].push_back({writer, accessNumber});
      if (found == Age::New && writer == reader)
        return refuseOwn(reader, access, read), false;
    }
    if (age == Age::New)
      return setTo(TimeLevel::Next);
    if (!array.hasLevels())
      return setTo(TimeLevel::Current);
    if (array.previous && *array.previous == array.next)
      return setTo(TimeLevel::Previous);
    return refusals.refuse(access.where,
                           "`" + tree.buffers[access.buffer].name +
                               "` holds the state three steps back here",
                           "a step reads the state before it and the one before that"),
           false;
  }

  /// Wants the reader cut where the points that it reads of the writer begin and end; false if they
  /// do so nowhere inside of it.
  bool cutByAge(unsigned reader, unsigned writer, const GridRead &read) {
    for (unsigned axis = 0; axis < grid.rank; ++axis) {
      const Cut cut{reader, axis,
                    placesInside(grid.sweeps[reader].region[axis], grid.sweeps[writer].region[axis],
                                 -read.offset[axis])};
      if (!cut.places.empty()) {
        wanted = cut;
        return true;
      }
    }
    return false;
  }

  /// An update that reads what it has just made.
  void refuseOwn(unsigned reader, const Access &access, const GridRead &read) {
    const Sweep &sweep = grid.sweeps[reader];
    std::string here, there;
    for (unsigned axis = 0; axis < grid.rank; ++axis) {
      const std::string name = sweep.loopOfAxis[axis]
                                   ? tree.symbols[tree.loops[*sweep.loopOfAxis[axis]].variable].name
                                   : tree.text(sweep.region[axis].from);
      const int64_t far = sweep.loopOfAxis[axis] ? read.offset[axis] : 0;
      here += (here.empty() ? "" : ", ") + name;
      there += (there.empty() ? "" : ", ") + name +
               (far ? (far > 0 ? "+" : "") + std::to_string(far) : std::string());
    }
    refuseOrder(refusals, access.where, here, there, grid.arrays[read.array].name);
  }

  bool makeStages() {
    order.stages.assign(grid.sweeps.size(), 0);
    // Longest chains: after as many rounds as there are sweeps, something goes round in circles.
    for (unsigned round = 0; round <= grid.sweeps.size(); ++round) {
      bool hasChanged = false;
      for (unsigned reader = 0; reader < grid.sweeps.size(); ++reader)
        for (const auto &[writer, access] : needs[reader])
          if (order.stages[reader] <= order.stages[writer]) {
            order.stages[reader] = order.stages[writer] + 1;
            hasChanged = true;
            if (round == grid.sweeps.size())
              return refusals.refuse(tree.accesses[access].where,
                                     "two arrays need each other's new values here, turn by turn: "
                                     "the order of the points matters",
                                     "read the old state of one of them"),
                     false;
          }
      if (!hasChanged)
        return true;
    }
    return true;
  }

  const LoopTree &tree;
  const Grid &grid;
  Refusals &refusals;
  Order order;
  Areas areas;
  std::optional<Change> wanted;
  /// By reader: the writers whose new values it reads, and where.
  std::vector<std::vector<std::pair<unsigned, unsigned>>> needs;
};
} // namespace

std::optional<Order> makeOrder(const LoopTree &tree, Grid &grid, Refusals &refusals) {
  constexpr unsigned kCuts = 64;
  for (unsigned cuts = 0; cuts < kCuts; ++cuts) {
    OrderMaker maker(tree, grid, refusals);
    std::optional<Order> order = maker.make();
    if (order)
      setBeyond(grid);
    if (order || !maker.change())
      return order;
    apply(grid, *maker.change());
  }
  return refusals.refuse(tree.where, "what is read before and after it is overwritten are too many "
                                     "parts of the grid");
}

} // namespace stencilc::lift
