#include "frontend/lift/GhostContents.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

// ---- places

static bool namesLoop(const LoopTree &tree, const Polynomial &value) {
  return value.namesAny(
      [&](Symbol symbol) { return tree.symbols[symbol].kind != SymbolInfo::Kind::Param; });
}

std::optional<Spot> spotOf(const LoopTree &tree, const Levels &levels, unsigned rank,
                           const Assignment &assignment) {
  const std::vector<unsigned> dimensions = levels.dimensionsOf(assignment.target);
  if (dimensions.size() != rank || assignment.isWhole)
    return std::nullopt;
  Spot spot;
  for (unsigned axis = 0; axis < rank; ++axis) {
    const Polynomial &subscript = assignment.target.subscripts[dimensions[axis]];
    Spot::Along &along = spot.axes[axis];
    along.dimension = dimensions[axis];
    if (!namesLoop(tree, subscript)) {
      along.range = {subscript, *sum(subscript, 1)};
      continue;
    }
    for (unsigned number : assignment.loops) {
      const Loop &loop = tree.loops[number];
      const auto shift = distance(subscript, Polynomial::of(loop.variable));
      if (!shift || number == levels.loop() || along.loop)
        continue;
      if (loop.stride != Polynomial(1) || namesLoop(tree, loop.begin) || namesLoop(tree, loop.end))
        return std::nullopt;
      along = {{*sum(loop.begin, *shift), *sum(loop.end, *shift)}, number, *shift, along.dimension};
    }
    if (!along.loop)
      return std::nullopt;
  }
  for (const Guard &guard : assignment.guards) {
    const auto along = llvm::find_if(spot.axes, [&](const Spot::Along &a) {
      return a.loop && tree.loops[*a.loop].variable == guard.variable;
    });
    if (along == spot.axes.end())
      return std::nullopt;
    for (const auto &[limit, bound, sign] : {std::tuple(&guard.from, &along->range.from, 1),
                                             std::tuple(&guard.to, &along->range.to, -1)}) {
      const auto place = *limit ? sum(**limit, along->shift) : std::nullopt;
      const auto further = place ? distance(*place, *bound) : std::nullopt;
      if (*limit && !further)
        return std::nullopt;
      if (further && *further * sign > 0)
        *bound = *place;
    }
  }
  return spot;
}

std::optional<ReadSpot> spotOfRead(const LoopTree &tree, const Levels &levels, unsigned rank,
                                   const Spot &target, const Access &access) {
  const std::vector<unsigned> dimensions = levels.dimensionsOf(access);
  if (dimensions.size() != rank || !access.turns.empty())
    return std::nullopt;
  ReadSpot spot;
  for (unsigned axis = 0; axis < rank; ++axis) {
    const Polynomial &subscript = access.subscripts[dimensions[axis]];
    const Spot::Along &along = target.axes[axis];
    const auto here = along.loop
                          ? sum(Polynomial::of(tree.loops[*along.loop].variable), along.shift)
                          : std::optional(along.range.from);
    if (const auto far = here ? distance(subscript, *here) : std::nullopt)
      spot.offset[axis] = *far;
    else if (!namesLoop(tree, subscript))
      spot.at[axis] = subscript;
    else
      return std::nullopt;
  }
  return spot;
}

Storage familyOf(const Levels &levels, const Storage &storage) {
  Storage least = storage;
  std::optional<Storage> next = levels.seenNextAs(storage);
  const auto key = [](const Storage &s) { return std::pair(s.buffer, s.slot.value_or(0)); };
  for (unsigned turn = 0; next && !(*next == storage) && turn < 8; ++turn) {
    if (key(*next) < key(least))
      least = *next;
    next = levels.seenNextAs(*next);
  }
  return least;
}

bool isSame(const Boundary &left, const Boundary &right) {
  return left.kind == right.kind && left.factor == right.factor &&
         left.value.empty() == right.value.empty() &&
         (left.value.empty() || isSameValue(left.value, right.value));
}

// ---- the box

bool Box::isBeyond(unsigned axis, const Range &range) const {
  const auto before = distance(inside[axis].from, range.to);
  const auto behind = distance(range.from, inside[axis].to);
  return (hasLayers[axis][0] && before && *before >= 0) ||
         (hasLayers[axis][1] && behind && *behind >= 0);
}

std::optional<Range> Box::clipped(unsigned axis, const Range &range) const {
  Range result = range;
  if (hasLayers[axis][0]) {
    const auto before = distance(inside[axis].from, range.from);
    // Where it begins during a run only, it is taken to be inside, which is said later.
    if (before && *before > 0)
      result.from = inside[axis].from;
  }
  if (hasLayers[axis][1]) {
    const auto behind = distance(range.to, inside[axis].to);
    if (behind && *behind > 0)
      result.to = inside[axis].to;
  }
  return result;
}

std::optional<int> Box::layerOf(unsigned axis, const Polynomial &position) const {
  const auto after = distance(position, inside[axis].from);
  const auto before = distance(inside[axis].to, position);
  if (!after && !before)
    return std::nullopt;
  if (after && *after < 0)
    return hasLayers[axis][0] && *after >= -kMostLayers ? std::optional(int(*after)) : std::nullopt;
  if (before && *before <= 0)
    return hasLayers[axis][1] && *before > -kMostLayers ? std::optional(int(1 - *before))
                                                        : std::nullopt;
  return 0;
}

Polynomial Box::positionOf(unsigned axis, int layer) const {
  return layer < 0 ? *sum(inside[axis].from, layer) : *sum(inside[axis].to, layer - 1);
}

bool Box::forEachCell(
    const std::array<Range, kMaxRank> &points,
    llvm::function_ref<bool(const Cell &, const std::array<Range, kMaxRank> &)> use) const {
  std::array<std::vector<int>, kMaxRank> layers;
  std::array<Range, kMaxRank> within = points;
  for (unsigned axis = 0; axis < kMaxRank; ++axis) {
    bool isInside = true;
    if (axis >= rank) {
      layers[axis] = {0};
      continue;
    }
    const auto length = distance(points[axis].to, points[axis].from);
    for (unsigned side : {0u, 1u}) {
      if (!hasLayers[axis][side])
        continue;
      const Polynomial &end = side ? inside[axis].to : inside[axis].from;
      const Polynomial &reached = side ? points[axis].to : points[axis].from;
      const auto beyond = side ? distance(reached, end) : distance(end, reached);
      if (!beyond && length && *length == 1)
        continue; // a position of which is known during a run only that it is inside
      if (!beyond || *beyond > kMostLayers)
        return false;
      const int64_t count = *beyond;
      const int64_t most = length ? std::min(count, *length) : count;
      if (most > 0)
        (side ? within[axis].to : within[axis].from) = end;
      isInside &= !(length && count >= *length);
      // Those furthest out come first: [reached, reached + most).
      for (int64_t layer = count - most + 1; layer <= count; ++layer)
        layers[axis].push_back(side ? int(layer) : -int(layer));
    }
    if (isInside)
      layers[axis].push_back(0);
  }
  for (int z : layers[0])
    for (int y : layers[1])
      for (int x : layers[2])
        if (!use({z, y, x}, within))
          return false;
  return true;
}

// ---- contents

/// A read, with a sign or a factor; or a number.
std::optional<GhostContents::Source> GhostContents::sourceOf(const Formula &value) const {
  const Expr::Node &node = value[value.result].node;
  const auto readOf = [&](ExprId id) -> std::optional<unsigned> {
    const auto *read = std::get_if<Read>(&value[id].node);
    return read ? std::optional(read->array) : std::nullopt;
  };
  if (const auto read = readOf(value.result))
    return Source{*read, 1};
  if (const auto *unary = std::get_if<UnaryExpr>(&node); unary && unary->op == UnaryOp::Negate)
    if (const auto read = readOf(unary->operand))
      return Source{*read, -1};
  if (const auto *both = std::get_if<BinaryExpr>(&node); both && both->op == BinaryOp::Multiply)
    for (const auto &[left, right] :
         {std::pair(both->left, both->right), {both->right, both->left}})
      if (const auto *number = std::get_if<Literal>(&value[left].node))
        if (const auto read = readOf(right))
          return Source{*read, number->value};
  const bool isNumber = llvm::all_of(value.exprs, [&](const Expr &expr) {
    const auto *param = std::get_if<ParamValue>(&expr.node);
    return std::holds_alternative<Literal>(expr.node) ||
           (param && tree.symbols[param->param].type != ScalarType::Int &&
            !tree.symbols[param->param].isMade) ||
           std::holds_alternative<UnaryExpr>(expr.node) ||
           std::holds_alternative<BinaryExpr>(expr.node);
  });
  return isNumber ? std::optional(Source{}) : std::nullopt;
}

bool GhostContents::fill(unsigned number, const Spot &spot) {
  const Assignment &assignment = tree.assignments[number];
  const auto source = sourceOf(assignment.value);
  if (!source)
    return false;
  std::array<Range, kMaxRank> points;
  for (unsigned axis = 0; axis < box.rank; ++axis)
    points[axis] = spot.axes[axis].range;
  return box.forEachCell(points, [&](const Cell &cell, const auto &within) {
    Content content{levels.storageOf(assignment.target),
                    cell,
                    within,
                    {},
                    source->factor,
                    std::nullopt,
                    number};
    // What stands inside of the box is the state: it is made by no such loop.
    if (cell == Cell{})
      return false;
    if (source->access)
      return fillCell(std::move(content), spot, *source);
    content.value = assignment.value;
    contents.push_back(std::move(content));
    return true;
  });
}

bool GhostContents::fillCell(Content content, const Spot &spot, const Source &source) {
  const Access &access = tree.accesses[*source.access];
  const auto where = spotOfRead(tree, levels, box.rank, spot, access);
  if (!where || !(levels.storageOf(access) == content.storage))
    return false;
  Cell from = {};
  std::array<Range, kMaxRank> points = content.points; // of the copy's source
  for (unsigned axis = 0; axis < box.rank; ++axis) {
    if (content.cell[axis] == 0) {
      if (where->at[axis] || where->offset[axis] != 0)
        return false;
      continue;
    }
    const auto position = where->at[axis]
                              ? where->at[axis]
                              : sum(box.positionOf(axis, content.cell[axis]), where->offset[axis]);
    const auto layer = position ? box.layerOf(axis, *position) : std::nullopt;
    if (!layer)
      return false;
    from[axis] = *layer;
    // How far in it is may be known during a run only: then it has to be set everywhere.
    points[axis] = box.inside[axis];
    content.at[axis] = position;
  }
  if (from != Cell{}) {
    const Content *other = at(content.storage, from, points, content.number);
    // A corner that is set before the edges is set again after them, if it is ever read.
    if (!other || isSetBetween(content.storage, other->number + 1, content.number)) {
      content.isKnown = false;
      contents.push_back(std::move(content));
      return true;
    }
    for (unsigned axis = 0; axis < box.rank; ++axis)
      if (from[axis] != 0)
        content.at[axis] = other->at[axis];
    // Two factors round twice.
    if ((other->value && content.factor != 1) ||
        (std::abs(content.factor) != 1 && std::abs(other->factor) != 1))
      return false;
    content.factor *= other->factor;
    content.value = other->value;
  }
  contents.push_back(std::move(content));
  return true;
}

void GhostContents::carry(unsigned number, const Storage &to, const Storage &from,
                          const std::array<Range, kMaxRank> &points) {
  box.forEachCell(points, [&](const Cell &cell, const auto &within) {
    if (cell == Cell{})
      return true;
    const Content *found = at(from, cell, within, number);
    Content content{to, cell, within, {}, 1, std::nullopt, number};
    content.isKnown = found && !isSetBetween(from, found->number + 1, number);
    if (content.isKnown) {
      content.at = found->at;
      content.factor = found->factor;
      content.value = found->value;
    }
    contents.push_back(std::move(content));
    return true;
  });
}

static bool overlaps(const Content &content, const Cell &cell,
                     const std::array<Range, kMaxRank> &points, unsigned rank) {
  for (unsigned axis = 0; axis < rank; ++axis)
    if (cell[axis] == 0) {
      const auto before = distance(content.points[axis].from, points[axis].to);
      const auto behind = distance(points[axis].from, content.points[axis].to);
      if ((before && *before >= 0) || (behind && *behind >= 0))
        return false;
    }
  return true;
}

const Content *GhostContents::at(const Storage &storage, const Cell &cell,
                                 const std::array<Range, kMaxRank> &points, unsigned time) const {
  for (const Content &content : llvm::reverse(contents)) {
    if (!(content.storage == storage) || content.cell != cell || content.number >= time ||
        !overlaps(content, cell, points, box.rank))
      continue;
    if (!content.isKnown)
      return nullptr;
    for (unsigned axis = 0; axis < box.rank; ++axis)
      if (cell[axis] == 0) {
        const auto before = distance(points[axis].from, content.points[axis].from);
        const auto behind = distance(content.points[axis].to, points[axis].to);
        if (!before || !behind || *before < 0 || *behind < 0)
          return nullptr;
      }
    return &content;
  }
  return nullptr;
}

bool GhostContents::isTouched(const Storage &storage, const Cell &cell,
                              const std::array<Range, kMaxRank> &points, unsigned time) const {
  return llvm::any_of(contents, [&](const Content &content) {
    return content.storage == storage && content.cell == cell && content.number < time &&
           overlaps(content, cell, points, box.rank);
  });
}

/// The position inside that a boundary shows in a layer.
static Polynomial shownBy(BoundaryKind kind, const Range &inside, int layer) {
  const Polynomial &first = inside.from, last = *sum(inside.to, -1);
  const int64_t far = std::abs(layer);
  const bool isLow = layer < 0;
  switch (kind) {
  case BoundaryKind::Periodic:
    return isLow ? *sum(inside.to, -far) : *sum(first, far - 1);
  case BoundaryKind::Symmetric:
    return isLow ? *sum(first, far - 1) : *sum(last, 1 - far);
  case BoundaryKind::Reflect:
    return isLow ? *sum(first, far) : *sum(last, -far);
  default:
    return isLow ? first : last;
  }
}

std::vector<Boundary> GhostContents::kinds(const Content &content, unsigned axis, int layer) const {
  if (!content.isKnown)
    return {};
  if (content.value)
    return {Boundary{BoundaryKind::Value, *content.value, 1}};
  std::vector<Boundary> result;
  for (BoundaryKind kind : {BoundaryKind::Clamp, BoundaryKind::Periodic, BoundaryKind::Symmetric,
                            BoundaryKind::Reflect}) {
    const bool isMirror = kind == BoundaryKind::Symmetric || kind == BoundaryKind::Reflect;
    if (distance(*content.at[axis], shownBy(kind, box.inside[axis], layer)) == 0 &&
        (isMirror || content.factor == 1))
      result.push_back(Boundary{kind, {}, content.factor});
  }
  return result;
}

bool GhostContents::follows(
    const Content &content, const Cell &cell,
    llvm::function_ref<const Boundary *(unsigned axis, unsigned side)> edge) const {
  double factor = 1;
  for (unsigned axis = 0; axis < box.rank; ++axis) {
    if (cell[axis] == 0)
      continue;
    const Boundary *boundary = edge(axis, cell[axis] > 0);
    if (!boundary)
      return false;
    if (boundary->kind != BoundaryKind::Value) {
      factor *= boundary->factor;
      continue;
    }
    // Of several numbers that of the first axis.
    return content.value && isSameValue(*content.value, boundary->value);
  }
  if (content.value || content.factor != factor)
    return false;
  for (unsigned axis = 0; axis < box.rank; ++axis)
    if (cell[axis] != 0 && distance(*content.at[axis], shownBy(edge(axis, cell[axis] > 0)->kind,
                                                               box.inside[axis], cell[axis])) != 0)
      return false;
  return true;
}

} // namespace stencilc::lift
