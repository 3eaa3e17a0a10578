// The verifier's rules on what the warps of a block do together: barriers, roles, shuffles,
// asynchronous copies.
#include "ir/verify/BodyVerifier.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

bool BodyVerifier::onDevice(llvm::StringRef what) {
  if (kernel.target == Target::Host)
    fault.report("target", kernel.name, "a host kernel has no {}", what.str());
  return !fault;
}

std::string BodyVerifier::nameOf(WarpRange range) const {
  return range.count == 1
             ? fmt::format("warp {}", range.first)
             : fmt::format("warps {} .. {}", range.first, range.first + range.count - 1);
}

void BodyVerifier::visit(const Barrier &node) {
  if (!onDevice("barrier"))
    return;
  if (divergence != 0)
    fault.report("barrier", kernel.name, "a barrier stands where threads may diverge");
  if (flow.returned)
    fault.report("barrier", kernel.name, "a barrier follows a return of some threads");
  if (!node.group) {
    if (roles != 0)
      fault.report("barrier", kernel.name, "a barrier of the block stands in a role");
  } else if (*node.group >= kernel.groups.size()) {
    fault.report("definition", kernel.name, "there is no group {}", *node.group);
  } else {
    const WarpGroup &group = kernel.groups[*node.group];
    if (!WarpRange{group.firstWarp, group.warps}.contains(warps))
      fault.report("barrier", kernel.name, "{} reach a barrier of group `{}`, without being in it",
                   nameOf(warps), group.name);
  }
}

void BodyVerifier::visit(const Roles &node) {
  if (!onDevice("roles"))
    return;
  if (!kernel.isOfWholeWarps())
    fault.report("roles", kernel.name, "a block of {} threads is not of whole warps",
                 kernel.threads());
  unsigned free = 0;
  for (const Role &role : node.roles) {
    if (role.warps == 0 || role.firstWarp < free || role.firstWarp + role.warps > kernel.warps())
      fault.report("roles", kernel.name, "role `{}` takes warps that are not there or not free",
                   role.name);
    free = role.firstWarp + role.warps;
  }
  if (fault)
    return;
  for (const Role &role : node.roles) {
    if (!WarpRange{role.firstWarp, role.warps}.contains(warps))
      continue;
    const DifferenceConstraints::Mark mark = indices.constraints.mark();
    const llvm::BitVector registers = flow.registers, locals = flow.locals;
    ++roles;
    walk(role.body);
    --roles;
    indices.constraints.restore(mark);
    flow.registers = registers;
    flow.locals = locals;
  }
}

// ---- shuffles ---------------------------------------------------------------------------------

/// What a lane can evaluate for another: no memory, nothing that only some lanes evaluate.
static bool isOfRegisters(const Value &value) {
  bool ofRegisters = true;
  forEachValue(value, [&](const ValueNode &node) {
    ofRegisters &= std::visit(
        [](const auto &kind) {
          using Node = std::decay_t<decltype(kind)>;
          return !llvm::is_one_of<Node, LoadGlobal, LoadShared, GuardedValue, ShuffleValue>::value;
        },
        node.node);
  });
  return ofRegisters;
}

void BodyVerifier::checkShuffle(const ShuffleValue &node) {
  if (!onDevice("shuffles"))
    return;
  if (!kernel.isOfWholeWarps())
    fault.report("shuffle", kernel.name, "a block of {} threads is not of whole warps",
                 kernel.threads());
  if (node.distance < 1 || node.distance >= kLanesPerWarp)
    fault.report("shuffle", kernel.name, "no lane is {} lanes away", node.distance);
  if (laneDivergence != 0)
    fault.report("shuffle", kernel.name, "a shuffle stands where lanes of a warp may diverge");
  if (flow.lanesReturned)
    fault.report("shuffle", kernel.name, "a shuffle follows a return of some lanes of a warp");
  if (!isOfRegisters(node.operand))
    fault.report("shuffle", kernel.name, "a shuffle hands on more than registers");
  if (!fault)
    check(node.operand);
}

// ---- messages ---------------------------------------------------------------------------------

bool BodyVerifier::dependsOnPartner(const Index &index) const {
  return anyCoordinate(indices.inFull(index), [](const Coordinate &node) {
    return node == Coordinate{CoordinateKind::Block, 1};
  });
}

void BodyVerifier::checkMessage(const Index &number) {
  if (!indices.check(number))
    return;
  if (kernel.cluster != 2)
    fault.report("message", kernel.name, "a block that has no partner sends or awaits a message");
  if (laneDivergence != 0 || flow.lanesReturned)
    fault.report("message", kernel.name, "it is sent or awaited where lanes of a warp may diverge");
  if (ownLoops != 0 || returnsAlone)
    fault.report("message", kernel.name, "it is sent or awaited where the partner may not come to");
  if (indices.dependsOnThread(number) || dependsOnPartner(number))
    fault.report("message", kernel.name, "its number differs between threads");
  if (!indices.constraints.provesAtMost(constant(0), number))
    fault.report("message", kernel.name, "its number may be below 0");
}

void BodyVerifier::visit(const SendVector &node) {
  if (!onDevice("messages") || !tileExists(node.tile))
    return;
  const SharedTile &tile = kernel.tiles[node.tile];
  const unsigned bytes = node.lanes * sizeInBytes(tile.type);
  if (bytes != 8 && bytes != 16)
    fault.report("message", kernel.name, "{} elements of {} do not go at once", node.lanes,
                 spelling(tile.type).str());
  if (fault)
    return;
  checkSharedVector(node.tile, node.from, node.lanes, "message");
  checkSharedVector(node.tile, node.to, node.lanes, "message");
  checkArrived(node.tile, node.from);
  if (!fault)
    checkMessage(node.message);
}

void BodyVerifier::visit(const AwaitMessage &node) {
  if (!onDevice("messages"))
    return;
  if (node.bytes == 0 || node.bytes >= 1u << 20)
    fault.report("message", kernel.name, "it has {} bytes", node.bytes);
  checkMessage(node.message);
}

// ---- asynchronous copies ----------------------------------------------------------------------

void BodyVerifier::visit(const CopyAsync &node) {
  if (!onDevice("asynchronous copies") || !arrayExists(node.array) || !tileExists(node.tile))
    return;
  const ArrayArgument &array = kernel.arrays[node.array];
  const SharedTile &tile = kernel.tiles[node.tile];
  if (array.access != Access::Read)
    fault.report("access", kernel.name, "`{}` is copied but not only read", array.name);
  checkType(tile.name, tile.type, array.type);
  const unsigned bytes = node.lanes * sizeInBytes(array.type);
  if ((node.lanes != 1 && node.lanes != 2 && node.lanes != 4) || bytes > 16)
    fault.report("copy", kernel.name, "no copy moves {} elements of {}", node.lanes,
                 spelling(array.type).str());
  if (fault)
    return;
  checkGlobalVector(node.array, node.from, node.lanes, "copy");
  checkSharedVector(node.tile, node.to, node.lanes, "copy");
  Index place = placeOf(node.tile, node.to);
  if (place && indices.dependsOnThread(place))
    place = nullptr;
  flow.copies.start(node.tile, std::move(place));
}

void BodyVerifier::visit(const CommitCopies &) {
  if (onDevice("asynchronous copies"))
    flow.copies.commit();
}

void BodyVerifier::visit(const WaitCopies &node) {
  if (onDevice("asynchronous copies"))
    flow.copies.wait(node.pending);
}

Index BodyVerifier::placeOf(unsigned number, llvm::ArrayRef<Index> index) const {
  const SharedTile &tile = kernel.tiles[number];
  if (tile.shape.size() == 1)
    return nullptr;
  const Index place = indices.inFull(index.front());
  const auto *inRing = std::get_if<IndexRemainder>(&place->node);
  return inRing && inRing->divisor == tile.shape.front() ? inRing->index : place;
}

void BodyVerifier::checkArrived(unsigned number, llvm::ArrayRef<Index> index) {
  if (fault || flow.copies.to(number).empty())
    return;
  const SharedTile &tile = kernel.tiles[number];
  const Index place = placeOf(number, index);
  // Less than a length behind `from`, and not there.
  const auto isBehind = [&](const Index &from, const Index &to) {
    return indices.constraints.provesAtMost(from, to, 1) &&
           indices.constraints.provesAtMost(to, from, 1 - tile.shape.front());
  };
  for (const CopiesUnderway::Copy &copy : flow.copies.to(number)) {
    if (place && copy.place) {
      const std::optional<int64_t> distance = constantDifference(place, copy.place);
      if (distance ? *distance % tile.shape.front() != 0
                   : isBehind(place, copy.place) || isBehind(copy.place, place))
        continue;
    }
    fault.report("copy", kernel.name, "tile `{}` is read with no wait for the copies to it",
                 tile.name);
  }
}

/// True if a wait stands in it: copies of all turns are not under way at once.
static bool waits(const Body &body) {
  return llvm::any_of(body, [](const Statement &statement) {
    bool found = std::holds_alternative<WaitCopies>(statement.node);
    forEachBody(statement, [&](const Body &inner) { found = found || waits(inner); });
    return found;
  });
}

// Before the first turn, the loop's local is where the loop begins. Said so, a place is what later
// turns call it that move on by one.
void BodyVerifier::beginTurns(const For &loop) {
  if (!waits(loop.body))
    return;
  const Index turn = coordinate(CoordinateKind::Local, loop.local);
  const Index before = scale(indices.inFull(loop.begin), -1);
  if (!indices.dependsOnThread(before))
    flow.copies.move([&](const Index &place) { return add(place, add(turn, before)); });
}

void BodyVerifier::moveTurn(const For &loop) {
  const Coordinate turn{CoordinateKind::Local, loop.local};
  const bool isAwaited = waits(loop.body);
  flow.copies.move([&](const Index &place) -> Index {
    if (!anyCoordinate(place, [&](const Coordinate &part) { return part == turn; }))
      return place;
    return isAwaited ? replaced(place, turn, add(coordinate(turn.kind, turn.number), -loop.step))
                     : nullptr;
  });
}

void BodyVerifier::endTurns(const For &loop) {
  const Coordinate turn{CoordinateKind::Local, loop.local};
  const bool endsThere = loop.step == 1 && !indices.dependsOnThread(loop.end) &&
                         indices.constraints.provesAtMost(loop.begin, loop.end);
  flow.copies.move([&](const Index &place) -> Index {
    if (!anyCoordinate(place, [&](const Coordinate &part) { return part == turn; }))
      return place;
    return endsThere ? replaced(place, turn, indices.inFull(loop.end)) : nullptr;
  });
}
