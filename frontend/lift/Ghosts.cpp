#include "frontend/lift/Ghosts.h"

#include "frontend/lift/Cropping.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace stencilc::lift {

namespace {
class GhostFinder {
public:
  GhostFinder(LoopTree &tree, Refusals &refusals, bool mayAssumeStart)
      : tree(tree), levels(tree, refusals), mayAssumeStart(mayAssumeStart) {}

  bool find() {
    if (tree.assignments.empty() || !levels.find() || !findSpots() || !findBox() || !findCopies() ||
        !chooseKinds())
      return false;
    return edges.empty() ? leaveOut() : crop();
  }

private:
  // ---- the box of points that are no ghosts

  bool findSpots() {
    rank = levels.pointOf(tree.assignments[0].target).size();
    if (rank == 0 || rank > kMaxRank)
      return false;
    for (const Assignment &assignment : tree.assignments) {
      auto spot = spotOf(tree, levels, rank, assignment);
      if (!spot)
        return false;
      spots.push_back(std::move(*spot));
    }
    return true;
  }

  static bool isThin(const Spot::Along &along) {
    const auto length = distance(along.range.to, along.range.from);
    return !along.loop || (length && *length <= kMostLayers);
  }
  bool isThin(const Spot &spot) const {
    return llvm::any_of(llvm::ArrayRef(spot.axes).take_front(rank),
                        [](const Spot::Along &along) { return isThin(along); });
  }

  /// Layers are rows of their own, or few, before or behind all others.
  bool findBox() {
    box.rank = rank;
    for (unsigned axis = 0; axis < rank; ++axis) {
      std::optional<Range> inside, reached;
      bool isClear = true;
      for (const Spot &spot : spots) {
        if (isThin(spot))
          continue;
        const Range &range = spot.axes[axis].range;
        inside = inside ? inside : range;
        reached = reached ? reached : range;
        const auto later = distance(range.from, inside->from);
        const auto sooner = distance(inside->to, range.to),
                   further = distance(range.to, reached->to);
        if (!later || !sooner || !further) {
          isClear = false;
          continue;
        }
        inside->from = *later > 0 ? range.from : inside->from;
        inside->to = *sooner > 0 ? range.to : inside->to;
        reached->to = *further > 0 ? range.to : reached->to;
      }
      if (!inside)
        return false;
      box.inside[axis] = *inside;
      for (const Spot &spot : spots) {
        const Range &range = spot.axes[axis].range;
        if (!isThin(spot.axes[axis]))
          continue;
        const auto before = distance(inside->from, range.to),
                   behind = distance(range.from, inside->to);
        box.hasLayers[axis][0] |= before && *before >= 0;
        box.hasLayers[axis][1] |= behind && *behind >= 0;
      }
      if ((box.hasLayers[axis][0] || box.hasLayers[axis][1]) && !isClear)
        return false;
      if (box.hasLayers[axis][0] && !inside->from.number())
        return false;
      if (!box.hasLayers[axis][0])
        box.inside[axis].from = 0;
      if (!box.hasLayers[axis][1])
        box.inside[axis].to = declaredEnd(axis).value_or(reached->to);
    }
    const auto isGhost = [&](const Spot &spot) {
      for (unsigned axis = 0; axis < rank; ++axis)
        if (isThin(spot.axes[axis]) && box.isBeyond(axis, spot.axes[axis].range))
          return true;
      return false;
    };
    for (const Spot &spot : spots)
      ghosts.push_back(isGhost(spot));
    return llvm::is_contained(ghosts, true);
  }

  std::optional<Polynomial> declaredEnd(unsigned axis) const {
    for (auto [number, spot] : llvm::enumerate(spots)) {
      const Buffer &buffer = tree.buffers[tree.assignments[number].target.buffer];
      const unsigned dimension = spot.axes[axis].dimension;
      if (dimension < buffer.extents.size() && buffer.extents[dimension] && !buffer.isLocal)
        return buffer.extents[dimension];
    }
    return std::nullopt;
  }

  // ---- what the ghosts hold

  bool shareLoops(unsigned left, unsigned right) const {
    return llvm::any_of(tree.assignments[left].loops, [&](unsigned loop) {
      return loop != levels.loop() && llvm::is_contained(tree.assignments[right].loops, loop);
    });
  }

  /// Fills the contents by the assignments to ghosts.
  bool findCopies() {
    contents.emplace(tree, levels, box, [&](const Storage &storage, unsigned from, unsigned to) {
      return isSetBetween(storage, from, to);
    });
    for (unsigned number = 0; number < spots.size(); ++number) {
      if (!ghosts[number]) {
        carryAlong(number);
        continue;
      }
      for (unsigned other = 0; other < spots.size(); ++other)
        if (other != number && shareLoops(number, other) &&
            (!ghosts[other] || !takesSameTurns(spots[number], spots[other])))
          return false;
      if (!contents->fill(number, spots[number]))
        return false;
    }
    return true;
  }

  /// A copy of all points inside takes what stands around them along.
  void carryAlong(unsigned number) {
    const Assignment &assignment = tree.assignments[number];
    const auto *read = std::get_if<Read>(&assignment.value[assignment.value.result].node);
    const Spot &spot = spots[number];
    const auto from =
        read ? spotOfRead(tree, levels, rank, spot, tree.accesses[read->array]) : std::nullopt;
    if (!from || from->offset != decltype(from->offset){} || from->at != decltype(from->at){})
      return;
    for (unsigned other = 0; other < spots.size(); ++other)
      if (other != number && shareLoops(number, other))
        return;
    std::array<Range, kMaxRank> points;
    for (unsigned axis = 0; axis < rank; ++axis) {
      points[axis] = spot.axes[axis].range;
      const auto before = distance(box.inside[axis].from, points[axis].from);
      const auto behind = distance(points[axis].to, box.inside[axis].to);
      if (!before || !behind || *before < 0 || *behind < 0)
        return;
    }
    contents->carry(number, levels.storageOf(assignment.target),
                    levels.storageOf(tree.accesses[read->array]), points);
  }

  /// A loop around both moves both along the same axis.
  bool takesSameTurns(const Spot &left, const Spot &right) const {
    for (unsigned axis = 0; axis < rank; ++axis)
      for (unsigned other = 0; other < rank; ++other)
        if (const auto &a = left.axes[axis], &b = right.axes[other];
            a.loop && a.loop == b.loop && (axis != other || a.shift != b.shift))
          return false;
    return true;
  }

  // ---- reads

  bool isFamily(const Storage &storage) const {
    return llvm::any_of(contents->all(), [&](const Content &content) {
      return familyOf(levels, content.storage) == familyOf(levels, storage);
    });
  }

  /// Points inside are set by assignments from the one to the other.
  bool isSetBetween(const Storage &storage, unsigned from, unsigned to) const {
    for (unsigned other = from; other < to; ++other)
      if (isInterior(other, storage))
        return true;
    return false;
  }

  bool isInterior(unsigned assignment, const Storage &storage) const {
    return !ghosts[assignment] && levels.storageOf(tree.assignments[assignment].target) == storage;
  }

  /// What a read sees in a cell of ghosts; null if that is nothing plain.
  const Content *seen(unsigned reader, const Access &access, const Cell &cell,
                      const std::array<Range, kMaxRank> &points) {
    const Storage storage = levels.storageOf(access);
    for (unsigned other = 0; other < spots.size(); ++other)
      if (other != reader && isInterior(other, storage) && shareLoops(reader, other))
        return nullptr;
    if (const Content *content = contents->at(storage, cell, points, access.time))
      return isSetBetween(storage, content->number + 1, access.time) ? nullptr : content;
    if (contents->isTouched(storage, cell, points, access.time))
      return nullptr;
    // Set at the end of the step before.
    if (!levels.loop() || isSetBetween(storage, 0, access.time))
      return nullptr;
    const unsigned last = spots.size();
    for (unsigned number = 0; number < last; ++number) {
      const Storage before = levels.storageOf(tree.assignments[number].target);
      const auto next = levels.seenNextAs(before);
      if (!(next.value_or(before) == storage))
        continue;
      const Content *content = contents->at(before, cell, points, last);
      if (!content || isSetBetween(before, content->number + 1, last))
        continue;
      assumesStart = true;
      return content;
    }
    return nullptr;
  }

  /// Calls `use` with each cell of ghosts that the read goes to, and the points there.
  bool
  forEachGhost(unsigned reader, const Access &access,
               llvm::function_ref<bool(const Cell &, const std::array<Range, kMaxRank> &)> use) {
    const auto where = spotOfRead(tree, levels, rank, spots[reader], access);
    if (!where)
      return false;
    std::array<Range, kMaxRank> points;
    for (unsigned axis = 0; axis < rank; ++axis) {
      const auto range = box.clipped(axis, spots[reader].axes[axis].range);
      if (!range)
        return false;
      points[axis] = {*sum(range->from, where->offset[axis]), *sum(range->to, where->offset[axis])};
    }
    return box.forEachCell(points, [&](const Cell &cell, const auto &within) {
      return cell == Cell{} || use(cell, within);
    });
  }

  template <class Use> bool forEachRead(Use use) {
    for (unsigned reader = 0; reader < spots.size(); ++reader) {
      if (ghosts[reader])
        continue;
      for (const Expr &expr : tree.assignments[reader].value.exprs)
        if (const auto *read = std::get_if<Read>(&expr.node))
          if (const Access &access = tree.accesses[read->array];
              isFamily(levels.storageOf(access)) &&
              !forEachGhost(reader, access, [&](const Cell &cell, const auto &points) {
                return use(reader, access, cell, points);
              }))
            return false;
    }
    return true;
  }

  /// Each end's boundary, by what stands straight beyond it; then corners have to follow from them.
  bool chooseKinds() {
    struct End {
      Storage family;
      unsigned axis, side;
      std::vector<Boundary> kinds; ///< that it can be
    };
    std::vector<End> ends;
    const auto layersOf = [](const Cell &cell) {
      return llvm::count_if(cell, [](int c) { return c; });
    };
    const bool isPlain = forEachRead(
        [&](unsigned reader, const Access &access, const Cell &cell, const auto &points) {
          const Content *content = seen(reader, access, cell, points);
          if (!content || layersOf(cell) != 1)
            return content != nullptr;
          const unsigned axis = llvm::find_if(cell, [](int c) { return c; }) - cell.begin();
          const unsigned side = cell[axis] > 0;
          const Storage family = familyOf(levels, levels.storageOf(access));
          std::vector<Boundary> kinds = contents->kinds(*content, axis, cell[axis]);
          const auto known = llvm::find_if(ends, [&](const End &end) {
            return end.family == family && end.axis == axis && end.side == side;
          });
          if (known == ends.end())
            ends.push_back({family, axis, side, std::move(kinds)});
          else
            llvm::erase_if(known->kinds, [&](const Boundary &kind) {
              return llvm::none_of(kinds, [&](const Boundary &k) { return isSame(kind, k); });
            });
          return true;
        });
    if (!isPlain || (assumesStart && !mayAssumeStart))
      return false;
    for (const End &end : ends) {
      if (end.kinds.empty())
        return false;
      const Range &inside = box.inside[end.axis];
      edges.push_back(
          {end.family, end.axis, end.side, end.kinds[0], *difference(inside.to, inside.from)});
    }
    completePeriods();
    // Else it is not plain what stands there at the start.
    if (assumesStart &&
        !llvm::all_of(contents->all(), [&](const Content &content) { return isOneOf(content); }))
      return false;
    return forEachRead([&](unsigned reader, const Access &access, const Cell &cell,
                           const auto &points) {
      const Content *content = seen(reader, access, cell, points);
      return content && (layersOf(cell) == 1 ||
                         contents->follows(*content, cell, [&](unsigned axis, unsigned side) {
                           return edgeOf(familyOf(levels, levels.storageOf(access)), axis, side);
                         }));
    });
  }

  /// It agrees with what was found out about the end, if it is straight beyond one.
  bool isOneOf(const Content &content) const {
    const unsigned axis =
        llvm::find_if(content.cell, [](int c) { return c; }) - content.cell.begin();
    const Boundary *edge = edgeOf(familyOf(levels, content.storage), axis, content.cell[axis] > 0);
    if (!edge || llvm::count_if(content.cell, [](int c) { return c; }) != 1)
      return true;
    return llvm::any_of(contents->kinds(content, axis, content.cell[axis]),
                        [&](const Boundary &kind) { return isSame(kind, *edge); });
  }

  const Boundary *edgeOf(const Storage &family, unsigned axis, unsigned side) const {
    for (const Edge &edge : edges)
      if (edge.storage == family && edge.axis == axis && edge.side == side)
        return &edge.boundary;
    return nullptr;
  }

  /// What goes round does so both ways, be it that only one is read.
  void completePeriods() {
    std::vector<Edge> others;
    for (const Edge &edge : edges)
      if (edge.boundary.kind == BoundaryKind::Periodic &&
          !edgeOf(edge.storage, edge.axis, 1 - edge.side))
        others.push_back({edge.storage, edge.axis, 1 - edge.side, edge.boundary, edge.points});
    llvm::append_range(edges, others);
  }

  // ---- without them

  std::string names() const {
    std::vector<std::string> names;
    for (const Content &content : contents->all())
      if (const std::string &name = tree.buffers[familyOf(levels, content.storage).buffer].name;
          !llvm::is_contained(names, name))
        names.push_back(name);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  /// A number over all points may be made of them.
  bool areGathered() const {
    return llvm::any_of(tree.reductions, [&](const Gathered &gathered) {
      return llvm::any_of(gathered.value.exprs, [&](const Expr &expr) {
        const auto *read = std::get_if<Read>(&expr.node);
        return read && isFamily(levels.storageOf(tree.accesses[read->array]));
      });
    });
  }

  /// A copy of more points than those inside takes the ghosts along, for others to read.
  bool areCopied() const {
    for (unsigned reader = 0; reader < spots.size(); ++reader)
      for (const Expr &expr : tree.assignments[reader].value.exprs) {
        const auto *read = std::get_if<Read>(&expr.node);
        const Access *access = read ? &tree.accesses[read->array] : nullptr;
        if (!access || ghosts[reader] || !isFamily(levels.storageOf(*access)))
          continue;
        for (unsigned axis = 0; axis < rank; ++axis) {
          const Range &range = spots[reader].axes[axis].range;
          const auto clipped = box.clipped(axis, range);
          if (!clipped || !(*clipped == range))
            return true;
        }
      }
    return false;
  }

  /// Nothing here reads them: they are for whoever comes next.
  bool leaveOut() {
    if (!mayAssumeStart || areGathered() || areCopied())
      return false;
    Cropping(tree, levels, box, spots, ghosts).dropGhosts();
    for (const Content &content : contents->all()) {
      LeftOut left{familyOf(levels, content.storage), {}, {}};
      for (unsigned axis = 0; axis < rank; ++axis) {
        left.from[axis] = box.inside[axis].from;
        left.to[axis] = box.inside[axis].to;
      }
      tree.leftOut.push_back(std::move(left));
    }
    tree.assumptions.push_back(fmt::format(
        "what C keeps around the points of {} is read nowhere here, and not brought up to date",
        names()));
    return true;
  }

  /// The grid is the box: loops that make ghosts go, subscripts count from its first point.
  bool crop() {
    Cropping cropping(tree, levels, box, spots, ghosts);
    const auto cropLevel = [&](const Access &access) {
      if (const Storage storage = levels.storageOf(access); isFamily(storage))
        cropping.crop(storage.buffer);
    };
    for (const Assignment &assignment : tree.assignments)
      cropLevel(assignment.target);
    for (const Access &access : tree.accesses)
      cropLevel(access);
    const std::string all = names();
    if (!cropping.apply())
      return false;
    tree.edges = std::move(edges);
    const bool isOne = !llvm::StringRef(all).contains(',');
    tree.assumptions.push_back(fmt::format(
        "what C keeps around the points of {} is {} boundary here, and not brought up to date", all,
        isOne ? "its" : "their"));
    tree.assumesStart = assumesStart;
    if (assumesStart)
      tree.assumptions.push_back(
          fmt::format("around the points of {} stands at the start what the loops set there", all));
    return true;
  }

  LoopTree &tree;
  Levels levels;
  const bool mayAssumeStart;
  bool assumesStart = false;
  unsigned rank = 0;
  std::vector<Spot> spots; ///< by assignment
  std::vector<bool> ghosts;
  Box box;
  std::optional<GhostContents> contents;
  std::vector<Edge> edges;
};
} // namespace

bool takeGhostsAsBoundaries(LoopTree &tree, Refusals &refusals, bool mayAssumeStart) {
  const Refusals::Trial trial(refusals);
  LoopTree cropped = tree;
  unrollLayers(cropped);
  if (!GhostFinder(cropped, refusals, mayAssumeStart).find())
    return false;
  tree = std::move(cropped);
  return true;
}

} // namespace stencilc::lift
