#include "frontend/lift/Cropping.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

void Cropping::crop(unsigned buffer) {
  if (!llvm::is_contained(cropped, buffer))
    cropped.push_back(buffer);
}

bool Cropping::apply() {
  if (!clipAssignments() || !findDimensions() || !cropBuffers())
    return false;
  dropGhosts();
  return true;
}

/// Points in layers are made by copies of whole arrays only, and are no part of the state.
bool Cropping::clipAssignments() {
  for (auto [number, spot] : llvm::enumerate(spots)) {
    Assignment &assignment = tree.assignments[number];
    for (unsigned axis = 0; axis < box.rank && !ghosts[number]; ++axis) {
      const Spot::Along &along = spot.axes[axis];
      const auto range = box.clipped(axis, along.range);
      if (!range || *range == along.range)
        continue;
      const auto *read = std::get_if<Read>(&assignment.value[assignment.value.result].node);
      const auto where = read ? spotOfRead(tree, levels, box.rank, spot, tree.accesses[read->array])
                              : std::nullopt;
      if (!where || where->offset != decltype(where->offset){} || !along.loop)
        return false;
      assignment.guards.push_back({tree.loops[*along.loop].variable,
                                   *sum(range->from, -along.shift), *sum(range->to, -along.shift)});
    }
  }
  return true;
}

bool Cropping::note(unsigned buffer, unsigned number, unsigned axis, const Range &points) {
  if (!box.hasLayers[axis][0] && !box.hasLayers[axis][1])
    return true;
  const auto clipped = box.clipped(axis, points);
  const bool isInside = clipped && *clipped == points;
  for (Dimension &known : dimensions)
    if (known.buffer == buffer && known.number == number) {
      known.isInside &= isInside;
      return known.axis == axis;
    }
  dimensions.push_back({buffer, number, axis, isInside});
  return true;
}

bool Cropping::findDimensions() {
  for (auto [number, spot] : llvm::enumerate(spots)) {
    if (ghosts[number])
      continue;
    const Assignment &assignment = tree.assignments[number];
    std::array<Range, kMaxRank> points;
    for (unsigned axis = 0; axis < box.rank; ++axis) {
      points[axis] = *box.clipped(axis, spot.axes[axis].range);
      if (!note(assignment.target.buffer, spot.axes[axis].dimension, axis, points[axis]))
        return false;
    }
    for (const Expr &expr : assignment.value.exprs) {
      const auto *read = std::get_if<Read>(&expr.node);
      if (!read)
        continue;
      const Access &access = tree.accesses[read->array];
      const std::vector<unsigned> own = levels.dimensionsOf(access);
      for (auto [place, dimension] : llvm::enumerate(own)) {
        const Polynomial &subscript = access.subscripts[dimension];
        for (unsigned axis = 0; axis < box.rank; ++axis) {
          const Spot::Along &along = spot.axes[axis];
          const bool isOwn = own.size() == box.rank && place == axis;
          const auto here = along.loop
                                ? sum(Polynomial::of(tree.loops[*along.loop].variable), along.shift)
                                : std::optional(along.range.from);
          const auto far = distance(subscript, *here);
          if (!isOwn && !(along.loop && far && own.size() < box.rank))
            continue;
          if (!far)
            return false;
          if (!note(access.buffer, dimension, axis,
                    {*sum(points[axis].from, *far), *sum(points[axis].to, *far)}))
            return false;
        }
      }
    }
  }
  return true;
}

bool Cropping::cropBuffers() {
  for (const Dimension &dimension : dimensions) {
    Buffer &buffer = tree.buffers[dimension.buffer];
    const Range &inside = box.inside[dimension.axis];
    if (dimension.number >= buffer.extents.size())
      return false;
    auto &extent = buffer.extents[dimension.number];
    const bool isCropped = dimension.isInside || llvm::is_contained(cropped, dimension.buffer);
    buffer.around.resize(buffer.extents.size());
    auto &[before, after] = buffer.around[dimension.number];
    before = isCropped ? inside.from : Polynomial();
    if (extent && box.hasLayers[dimension.axis][1]) {
      const auto rest =
          difference(*extent, isCropped ? inside.to : *difference(inside.to, inside.from));
      if (!rest || (rest->number() && *rest->number() < 0))
        return false;
      after = *rest;
    } else if (!extent && isCropped && box.hasLayers[dimension.axis][1])
      after = kMostLayers;
    if (extent)
      extent = *difference(*extent, *sum(before, after));
    if (before == Polynomial())
      continue;
    const auto move = [&](Access &access) {
      if (access.buffer == dimension.buffer)
        access.subscripts[dimension.number] =
            *difference(access.subscripts[dimension.number], before);
    };
    for (Access &access : tree.accesses)
      move(access);
    for (auto [number, assignment] : llvm::enumerate(tree.assignments))
      move(assignment.target);
  }
  return true;
}

void Cropping::dropGhosts() {
  tree.keepAssignments([&](unsigned number) { return !ghosts[number]; });
}

void unrollLayers(LoopTree &tree) {
  const auto layersOf = [&](unsigned number) -> std::optional<int64_t> {
    const Loop &loop = tree.loops[number];
    const auto length = distance(loop.end, loop.begin);
    const bool isFew = loop.begin.number() && length && *length >= 1 && *length <= kMostLayers;
    return isFew && loop.stride == Polynomial(1) && !loop.isDownward && loop.becomes.empty()
               ? length
               : std::nullopt;
  };
  for (unsigned number = 0; number < tree.loops.size(); ++number) {
    const auto layers = layersOf(number);
    const Symbol variable = tree.loops[number].variable;
    const auto isIn = [&](const Assignment &a) { return llvm::is_contained(a.loops, number); };
    const auto first = llvm::find_if(tree.assignments, isIn);
    const auto last = std::find_if_not(first, tree.assignments.end(), isIn);
    const bool isGathered = llvm::any_of(tree.reductions, [&](const Gathered &gathered) {
      return llvm::is_contained(gathered.loops, number);
    });
    if (!layers || isGathered || first == last || std::any_of(last, tree.assignments.end(), isIn))
      continue;
    const unsigned begin = first - tree.assignments.begin(), count = last - first;
    std::vector<Assignment> turns;
    bool isPlain = true;
    for (int64_t layer = 0; layer < *layers && isPlain; ++layer)
      for (const Assignment &assignment : llvm::ArrayRef(tree.assignments).slice(begin, count)) {
        const Polynomial turn = *sum(tree.loops[number].begin, layer);
        const auto moved = [&](Access access) {
          for (Polynomial &subscript : access.subscripts) {
            const auto there = subscript.with(variable, turn);
            isPlain &= there && !tree.hidesIn(subscript, variable);
            subscript = there.value_or(subscript);
          }
          access.time += layer * count;
          isPlain &= access.turns.empty();
          return access;
        };
        Assignment copy = assignment;
        llvm::erase(copy.loops, number);
        copy.target = moved(copy.target);
        copy.value = Formula();
        std::vector<ExprId> ids;
        for (const Expr &expr : assignment.value.exprs) {
          Expr::Node node = withOperands(expr.node, ids);
          const auto *position = std::get_if<AxisValue>(&node);
          isPlain &= !position || position->axis != variable;
          if (auto *read = std::get_if<Read>(&node)) {
            tree.accesses.push_back(moved(tree.accesses[read->array]));
            read->array = tree.accesses.size() - 1;
          }
          ids.push_back(copy.value.add(expr.type, std::move(node)));
        }
        copy.value.result = ids[assignment.value.result];
        isPlain &= copy.guards.empty();
        turns.push_back(std::move(copy));
      }
    if (!isPlain)
      continue;
    const unsigned more = turns.size() - count;
    const auto later = [&](unsigned &time) { time += time >= begin + count ? more : 0; };
    std::vector<bool> isMine(tree.accesses.size());
    for (const Assignment &turn : turns)
      for (const Expr &expr : turn.value.exprs)
        if (const auto *read = std::get_if<Read>(&expr.node))
          isMine[read->array] = true;
    for (auto [place, access] : llvm::enumerate(tree.accesses))
      if (!isMine[place])
        later(access.time);
    for (unsigned place = begin + count; place < tree.assignments.size(); ++place)
      later(tree.assignments[place].target.time);
    for (Gathered &gathered : tree.reductions)
      later(gathered.time);
    tree.assignments.erase(tree.assignments.begin() + begin,
                           tree.assignments.begin() + begin + count);
    tree.assignments.insert(tree.assignments.begin() + begin, turns.begin(), turns.end());
  }
}

} // namespace stencilc::lift
