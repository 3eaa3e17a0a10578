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
  flow.copies[node.tile] = CopyProgress::Started;
}

void BodyVerifier::visit(const CommitCopies &) {
  if (!onDevice("asynchronous copies"))
    return;
  for (CopyProgress &progress : flow.copies)
    progress = std::min(progress, CopyProgress::Committed);
}

void BodyVerifier::visit(const WaitCopies &) {
  if (!onDevice("asynchronous copies"))
    return;
  for (CopyProgress &progress : flow.copies)
    if (progress == CopyProgress::Committed)
      progress = CopyProgress::Awaited;
}

void BodyVerifier::checkArrived(unsigned tile) {
  if (flow.copies[tile] != CopyProgress::Awaited)
    fault.report("copy", kernel.name, "tile `{}` is read with no wait for the copies to it",
                 kernel.tiles[tile].name);
}
