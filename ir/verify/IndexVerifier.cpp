#include "ir/verify/IndexVerifier.h"

#include "ir/kernel/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace stencilc;

IndexVerifier::IndexVerifier(const Kernel &kernel, const Multiples &whole, VerifierFlow &flow,
                             VerifierFault &fault)
    : constraints(kernel), made(kernel.locals.size()), kernel(kernel), whole(whole), flow(flow),
      fault(fault), sources(kernel.locals.size()), ofThread(kernel.locals.size()),
      ofLane(kernel.locals.size()), steps(kernel.locals.size()), turns(kernel.locals.size()) {
  for (unsigned axis = 0; axis < kernel.rank(); ++axis)
    extents.push_back(extent(axis));
}

bool IndexVerifier::check(const IndexConstant &node) {
  if (node.name && *node.name >= kernel.constants.size())
    fault.report("definition", kernel.name, "there is no constant {}", *node.name);
  else if (node.name && kernel.constants[*node.name].value != node.value)
    fault.report("definition", kernel.name, "{} is not {}", kernel.constants[*node.name].name,
                 node.value);
  return !fault;
}

bool IndexVerifier::check(const Coordinate &node) {
  switch (node.kind) {
  case CoordinateKind::Block:
  case CoordinateKind::Thread:
    if (kernel.target == Target::Host)
      fault.report("target", kernel.name, "a host kernel has neither blocks nor threads");
    else if (node.number >= 3)
      fault.report("definition", kernel.name, "a block has no dimension {}", node.number);
    break;
  case CoordinateKind::Warp:
  case CoordinateKind::Lane:
    if (kernel.target == Target::Host)
      fault.report("target", kernel.name, "a host kernel has neither warps nor lanes");
    else if (node.number != 0)
      fault.report("definition", kernel.name, "a thread has one warp and one lane");
    break;
  case CoordinateKind::Extent:
    if (node.number >= kernel.rank())
      fault.report("definition", kernel.name, "there is no axis {}", node.number);
    break;
  case CoordinateKind::WholeParam:
    fault.report("definition", kernel.name, "it takes params as integer arguments only");
    break;
  case CoordinateKind::Argument:
    if (node.number >= kernel.integers.size())
      fault.report("definition", kernel.name, "there is no integer argument {}", node.number);
    else if (kernel.integers[node.number].isWide && !hasRoom)
      fault.report("wide", kernel.name, "`{}` stands where there is room for 32 bits",
                   kernel.integers[node.number].name);
    break;
  case CoordinateKind::Local:
    if (node.number >= kernel.locals.size())
      fault.report("definition", kernel.name, "there is no local {}", node.number);
    else if (!flow.locals[node.number])
      fault.report("definition", kernel.name, "local `{}` has no value here",
                   kernel.locals[node.number]);
    break;
  }
  return !fault;
}

bool IndexVerifier::check(const IndexMap &node) {
  if (node.axis >= kernel.rank()) {
    fault.report("definition", kernel.name, "there is no axis {}", node.axis);
    return false;
  }
  if (!check(node.index))
    return false;
  const Index &extent = extents[node.axis];
  const std::string &axis = kernel.axes[node.axis];
  if (!constraints.provesAtMost(zero, extent, 1))
    fault.report("map", kernel.name, "n{} may be 0 where an index is mapped into it", axis);
  else if (const int64_t gap = node.boundary == BoundaryKind::Reflect;
           node.boundary != BoundaryKind::Clamp &&
           !(constraints.provesAtMost(scale(extent, -1), node.index, gap) &&
             constraints.provesAtMost(node.index, scale(extent, 2), 1 + gap)))
    fault.report("map", kernel.name, "`{}` may need more than one turn of n{}",
                 toString(node.index, kernel), axis);
  return !fault;
}

bool IndexVerifier::check(const Index &index) {
  if (isShown)
    return true;
  return std::visit(
      llvm::makeVisitor([&](const IndexConstant &node) { return check(node); },
                        [&](const Coordinate &node) { return check(node); },
                        [&](const IndexSum &node) { return check(node.left) && check(node.right); },
                        [&](const IndexScale &node) { return check(node.index); },
                        [&](const IndexQuotient &node) { return check(node.index); },
                        [&](const IndexRemainder &node) { return check(node.index); },
                        [&](const IndexMin &node) { return check(node.left) && check(node.right); },
                        [&](const IndexMax &node) { return check(node.left) && check(node.right); },
                        [&](const IndexMap &node) { return check(node); }),
      index->node);
}

bool IndexVerifier::checkWide(const Index &index) {
  llvm::SaveAndRestore room(hasRoom, true);
  return check(index);
}

void IndexVerifier::enter(const Box &box) {
  for (const Range &range : box)
    for (const Index *index : {&range.index, &range.lower, &range.upper})
      if (*index && !checkWide(*index))
        return;
  if (!isShown)
    constraints.assume(box);
}

bool IndexVerifier::make(llvm::StringRef rule, unsigned local) {
  if (local >= kernel.locals.size())
    fault.report("definition", kernel.name, "there is no local {}", local);
  else if (made[local])
    fault.report(rule, kernel.name, "local `{}` is made twice", kernel.locals[local]);
  if (fault)
    return false;
  made.set(local);
  flow.locals.set(local);
  return true;
}

void IndexVerifier::define(unsigned local, const Index &value) {
  if (!check(value) || !make("definition", local))
    return;
  setSource(local, value);
  if (!isShown)
    constraints.define(local, value);
}

void IndexVerifier::defineLoop(const For &loop) {
  if (loop.step < 1)
    fault.report("loop", kernel.name, "a loop counts by {}", loop.step);
  if (!check(loop.begin) || !check(loop.end) || !make("loop", loop.local))
    return;
  // Another end moves no turn; and where the ends differ between threads, the loop diverges.
  setSource(loop.local, loop.begin);
  steps[loop.local] = loop.step;
  if (isShown)
    return;
  Index local = coordinate(CoordinateKind::Local, loop.local);
  constraints.assumeAtMost(loop.begin, local);
  constraints.assumeAtMost(local, loop.end, 1);
}

void IndexVerifier::defineTurn(const For &loop, int64_t value) {
  if (!make("loop", loop.local))
    return;
  setSource(loop.local, constant(value));
  steps[loop.local] = 0;
  turns[loop.local] = value;
  constraints.fix(loop.local, value);
}

std::optional<int64_t> IndexVerifier::staticValue(const Index &index) const {
  bool isStatic = true;
  const int64_t value = evaluate(index, [&](const Coordinate &node) -> int64_t {
    if (node.kind == CoordinateKind::Local && node.number < turns.size() && turns[node.number])
      return *turns[node.number];
    isStatic = false;
    return 1;
  });
  return isStatic ? std::optional(value) : std::nullopt;
}

Index IndexVerifier::inTurn(const Index &index) const {
  const LinearIndex form = linear(index);
  Index sum = constant(form.constant);
  for (const LinearIndex::Term &term : form.terms) {
    const std::optional<int64_t> value = staticValue(term.atom);
    sum = add(scale(value ? constant(*value) : term.atom, term.factor), sum);
  }
  return sum;
}

Index IndexVerifier::inFull(const Index &index) const {
  Index full = index;
  // Locals are made from earlier ones, so replacing them comes to an end.
  for (;;) {
    std::optional<Coordinate> named;
    anyCoordinate(full, [&](const Coordinate &part) {
      if (part.kind == CoordinateKind::Local && steps[part.number] == 0)
        named = part;
      return named.has_value();
    });
    if (!named)
      return full;
    full = replaced(full, *named, sources[named->number]);
  }
}

bool IndexVerifier::isMultipleFrom(const Index &origin, const Index &index, unsigned factor) const {
  LinearIndex difference = linearDifference(index, origin);
  auto isMultiple = [&](const LinearIndex::Term &term) {
    return term.factor % int64_t(factor) == 0;
  };
  auto isOfLocal = [](const LinearIndex::Term &term) {
    const auto *node = std::get_if<Coordinate>(&term.atom->node);
    return node && node->kind == CoordinateKind::Local;
  };
  // Locals are made from earlier ones, so replacing them comes to an end.
  for (;;) {
    llvm::erase_if(difference.terms, isMultiple);
    auto *local = llvm::find_if(difference.terms, isOfLocal);
    if (local == difference.terms.end())
      break;
    const unsigned number = std::get<Coordinate>(local->atom->node).number;
    if (steps[number] * local->factor % int64_t(factor) != 0)
      return false;
    const LinearIndex first = linear(scale(sources[number], local->factor));
    difference.terms.erase(local);
    difference.constant += first.constant;
    for (const LinearIndex::Term &part : first.terms) {
      auto *same = llvm::find_if(difference.terms, [&](const LinearIndex::Term &other) {
        return equal(other.atom, part.atom);
      });
      if (same != difference.terms.end())
        same->factor += part.factor;
      else
        difference.terms.push_back(part);
    }
  }
  return residueOfTerms(difference, factor) == 0;
}

std::optional<int64_t> IndexVerifier::residueOfTerms(const LinearIndex &form,
                                                     int64_t factor) const {
  int64_t sum = form.constant;
  for (const LinearIndex::Term &term : form.terms) {
    const std::optional<int64_t> left = residue(term.atom, factor);
    if (!left)
      return std::nullopt;
    sum += term.factor * *left;
  }
  return euclideanRemainder(sum, factor);
}

std::optional<int64_t> IndexVerifier::residue(const Index &index, int64_t factor) const {
  const auto ofOne = [&](const Index &left, const Index &right) {
    const std::optional<int64_t> first = residue(left, factor);
    return first && first == residue(right, factor) ? first : std::nullopt;
  };
  const auto visitor = llvm::makeVisitor(
      [&](const Coordinate &node) -> std::optional<int64_t> {
        if (node.kind == CoordinateKind::Extent && whole[node.number] % factor == 0)
          return 0;
        if (node.kind == CoordinateKind::Local && steps[node.number] % factor == 0)
          return residue(sources[node.number], factor);
        if (node.kind != CoordinateKind::Argument)
          return std::nullopt;
        const auto &[name, atLeast, atMost, isWide] = kernel.integers[node.number];
        if (!atLeast || !atMost || !equal(atLeast, atMost))
          return std::nullopt;
        return residue(atLeast, factor);
      },
      [&](const IndexMin &node) { return ofOne(node.left, node.right); },
      [&](const IndexMax &node) { return ofOne(node.left, node.right); },
      [&](const IndexMap &node) -> std::optional<int64_t> {
        if (node.boundary != BoundaryKind::Periodic || whole[node.axis] % factor != 0)
          return std::nullopt;
        return residue(node.index, factor);
      },
      [](const IndexQuotient &) { return std::optional<int64_t>(); },
      [](const IndexRemainder &) { return std::optional<int64_t>(); },
      [&](const auto &) {
        LinearIndex form = linear(index);
        llvm::erase_if(form.terms,
                       [&](const LinearIndex::Term &term) { return term.factor % factor == 0; });
        return residueOfTerms(form, factor);
      });
  return std::visit(visitor, index->node);
}

/// What the steps are is the launches' affair.
void IndexVerifier::checkStep(const ArrayArgument &array, const Index &step, unsigned lanes) {
  if (!checkWide(step))
    return;
  const LinearIndex form = linear(step);
  const auto *node = form.terms.size() == 1 && form.terms.front().factor == 1
                         ? std::get_if<Coordinate>(&form.terms.front().atom->node)
                         : nullptr;
  if (!node || node->kind != CoordinateKind::Argument)
    fault.report("time", kernel.name, "`{}` of `{}` is not an integer argument and a constant",
                 toString(step, kernel), array.name);
  else if (lanes != 1)
    fault.report("time", kernel.name, "`{}` is accessed by vectors", array.name);
}

void IndexVerifier::checkList(const ArrayArgument &list, llvm::ArrayRef<Index> indices,
                              unsigned lanes) {
  if (indices.size() != list.lengths.size() || lanes != 1) {
    fault.report("type", kernel.name, "list `{}` has {} dimensions and is accessed by {} indices",
                 list.name, list.lengths.size(), indices.size());
    return;
  }
  for (auto [index, length] : llvm::zip_equal(indices, list.lengths)) {
    if (!check(index))
      return;
    if (!constraints.provesAtMost(zero, index) || !constraints.provesAtMost(index, length, 1))
      fault.report("bounds", kernel.name, "`{}` of list `{}` may leave 0 .. {}",
                   toString(index, kernel), list.name, toString(add(length, -1), kernel));
  }
}

void IndexVerifier::checkAccess(const ArrayArgument &array, llvm::ArrayRef<Index> indices,
                                unsigned lanes) {
  if (isShown)
    return;
  if (array.isOverTime && indices.size() == 1)
    return checkStep(array, indices.front(), lanes);
  if (!array.lengths.empty())
    return checkList(array, indices, lanes);
  if (indices.size() != array.axes.size()) {
    fault.report("type", kernel.name, "`{}` has {} axes and is accessed by {} indices", array.name,
                 array.axes.size(), indices.size());
    return;
  }
  for (auto [axis, index] : llvm::zip_equal(array.axes, indices)) {
    if (!check(index))
      return;
    auto [low, high] = array.ghost[axis];
    const int64_t more = axis == array.axes.back() ? lanes - 1 : 0;
    if (!constraints.provesAtMost(zero, index, -low))
      fault.report("bounds", kernel.name, "`{}` of `{}` may fall below {}", toString(index, kernel),
                   array.name, -low);
    else if (!constraints.provesAtMost(index, extents[axis], more + 1 - high))
      fault.report("bounds", kernel.name, "`{}` of `{}` may pass {}", toString(index, kernel),
                   array.name, toString(add(extents[axis], high - 1 - more), kernel));
  }
}

void IndexVerifier::checkAccess(const SharedTile &tile, llvm::ArrayRef<Index> indices,
                                unsigned lanes) {
  if (isShown)
    return;
  if (indices.size() != tile.shape.size()) {
    fault.report("type", kernel.name, "tile `{}` has {} axes and is accessed by {} indices",
                 tile.name, tile.shape.size(), indices.size());
    return;
  }
  for (auto [axis, index] : llvm::enumerate(indices)) {
    if (!check(index))
      return;
    const int64_t last = tile.shape[axis] - (axis + 1 == indices.size() ? tile.padding + lanes : 1);
    if (!constraints.provesAtMost(zero, index) || !constraints.provesAtMost(index, zero, -last))
      fault.report("tile", kernel.name, "`{}` of tile `{}` may leave 0 .. {}",
                   toString(index, kernel), tile.name, last);
  }
}

void IndexVerifier::setSource(unsigned local, const Index &source) {
  sources[local] = source;
  ofThread[local] = dependsOnThread(source);
  ofLane[local] = dependsOnLane(source);
}

bool IndexVerifier::dependsOnThread(const Index &index) const {
  return anyCoordinate(index, [&](const Coordinate &coordinate) {
    return coordinate.kind == CoordinateKind::Local ? ofThread[coordinate.number]
                                                    : coordinate.kind == CoordinateKind::Thread ||
                                                          coordinate.kind == CoordinateKind::Warp ||
                                                          coordinate.kind == CoordinateKind::Lane;
  });
}

bool IndexVerifier::dependsOnLane(const Index &index) const {
  return anyCoordinate(index, [&](const Coordinate &coordinate) {
    if (coordinate.kind == CoordinateKind::Local)
      return ofLane[coordinate.number];
    if (coordinate.kind != CoordinateKind::Thread)
      return coordinate.kind == CoordinateKind::Lane;
    // Where whole warps stand between two values of it, all lanes of a warp have the same.
    unsigned threads = 1;
    for (unsigned faster = 0; faster < coordinate.number; ++faster)
      threads *= kernel.block[faster];
    return threads % kLanesPerWarp != 0;
  });
}

template <class Depends> static bool anyIndex(const Box &box, Depends depends) {
  return llvm::any_of(box, [&](const Range &range) {
    return depends(range.index) || (range.lower && depends(range.lower)) ||
           (range.upper && depends(range.upper));
  });
}

bool IndexVerifier::dependsOnThread(const Box &box) const {
  return anyIndex(box, [&](const Index &index) { return dependsOnThread(index); });
}

bool IndexVerifier::dependsOnLane(const Box &box) const {
  return anyIndex(box, [&](const Index &index) { return dependsOnLane(index); });
}

bool IndexVerifier::dependsOn(const Index &index, unsigned local) const {
  return anyCoordinate(index, [&](const Coordinate &coordinate) {
    return coordinate.kind == CoordinateKind::Local &&
           (coordinate.number == local || dependsOn(sources[coordinate.number], local));
  });
}
