// What is left of a kernel for a walk: control flow and addresses.
#include "ir/kernel/ValueTypes.h"
#include "ir/walk/KernelWalk.h"

using namespace stencilc;

KernelWalk::Condition KernelWalk::prepareBox(const Box &box) const {
  const LaunchIntegers integers{launch.extents, launch.integers};
  Condition condition;
  condition.reserve(2 * box.size());
  for (const Range &range : box) {
    if (range.lower) {
      WalkIndex &excess = condition.emplace_back();
      excess.add(range.index, integers, 1);
      excess.add(range.lower, integers, -1);
    }
    if (range.upper) {
      WalkIndex &left = condition.emplace_back();
      left.add(range.upper, integers, 1);
      left.add(range.index, integers, -1);
      left.constant -= 1;
    }
  }
  return condition;
}

KernelWalk::AccessElement KernelWalk::ofArray(unsigned array, llvm::ArrayRef<Index> index,
                                              bool isStore, unsigned width) const {
  const ArrayLayout &layout = launch.layouts[array];
  WalkIndex element;
  element.constant = layout.origin;
  for (auto [part, stride] : llvm::zip_first(index, layout.stride))
    element.add(part, {launch.extents, launch.integers}, stride);
  const unsigned bytes = sizeInBytes(launch.kernel->arrays[array].type);
  return {array, isStore, /*isShared=*/false, bytes, width, std::move(element), {}};
}

KernelWalk::AccessElement KernelWalk::ofTile(unsigned number, llvm::ArrayRef<Index> index,
                                             bool isStore, unsigned width) const {
  const SharedTile &tile = launch.kernel->tiles[number];
  WalkIndex element;
  int64_t stride = 1;
  for (auto [part, size] : llvm::reverse(llvm::zip_equal(index, tile.shape))) {
    element.add(part, {launch.extents, launch.integers}, stride);
    stride *= size;
  }
  return {number, isStore, /*isShared=*/true, sizeInBytes(tile.type), width, std::move(element),
          {}};
}

bool KernelWalk::differsInWarps(const WalkIndex &index) const {
  bool differs = index.lane != 0;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    differs |= index.thread[dimension] != 0 && threads.differInWarps[dimension];
  for (auto [local, factor] : index.locals)
    differs |= localsDiffer[local];
  for (auto &[bend, factor] : index.bends)
    differs |= differsInWarps(bend->operand);
  return differs;
}

/// Leaves out what moves all lanes of a warp by multiples of a period: by lines, or in a tile.
WalkIndex KernelWalk::inWarp(const AccessElement &access) const {
  WalkIndex element = access.element;
  const int64_t period =
      access.isShared ? 1 : std::max<int64_t>(kLineBytes / access.elementBytes, 1);
  const auto leaveOut = [&](int64_t &factor) {
    if (factor % period == 0)
      factor = 0;
  };
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    leaveOut(element.block[dimension]);
    if (!threads.differInWarps[dimension])
      leaveOut(element.thread[dimension]);
  }
  leaveOut(element.warp);
  llvm::erase_if(element.locals, [&](const auto &term) {
    return term.second % period == 0 && !localsDiffer[term.first];
  });
  llvm::erase_if(element.bends, [&](const auto &term) {
    return term.second % period == 0 && !differsInWarps(term.first->operand);
  });
  return element;
}

void KernelWalk::prepareSide(const Value &value, Nodes &to) {
  bool hasOperands = false;
  forEachOperand(*value, [&](const Value &) { hasOperands = true; });
  if (hasOperands) {
    to.push_back({EvaluateSide{unsigned(numberedSides.size())}});
    numberedSides.push_back(value);
  }
  prepareValue(value, to);
}

void KernelWalk::prepareValue(const Value &value, Nodes &to) {
  const auto ofOperands = [&] {
    forEachOperand(*value, [&](const Value &operand) { prepareValue(operand, to); });
  };
  std::visit(
      llvm::makeVisitor(
          [](const LiteralValue &) {}, [](const ParamLeaf &) {}, [](const UniformValue &) {},
          [](const RegisterValue &) {}, [](const QueueSlotValue &) {}, [](const PatchElement &) {},
          [](const IndexValue &) {},
          [&](const LoadGlobal &node) {
            if (isSeen(node.array))
              to.push_back({ofArray(node.array, node.index, /*isStore=*/false)});
          },
          [&](const LoadShared &node) {
            to.push_back({ofTile(node.tile, node.index, /*isStore=*/false)});
          },
          [&](const UnaryValue &) { ofOperands(); }, [&](const BinaryValue &) { ofOperands(); },
          [&](const CompareValue &) { ofOperands(); }, [&](const SelectValue &) { ofOperands(); },
          [&](const CallValue &) { ofOperands(); }, [&](const CastValue &) { ofOperands(); },
          [&](const GuardedValue &node) {
            Branch branch{prepareBox(node.box), {}, {}, {}};
            prepareSide(node.inside, branch.then);
            prepareSide(node.outside, branch.otherwise);
            if (!branch.then.empty() || !branch.otherwise.empty())
              to.push_back({std::move(branch)});
          },
          [&](const ShuffleValue &) {
            ofOperands();
            to.push_back({HandOver{}});
          }),
      value->node);
}

KernelWalk::Nodes KernelWalk::prepareBody(const Body &body) {
  const LaunchIntegers integers{launch.extents, launch.integers};
  Nodes result;
  result.reserve(2 * body.size()); // most come with an access
  for (const Statement &statement : body) {
    const unsigned number = numbered.size();
    numbered.push_back(&statement);
    storing.push_back(false);
    result.push_back({Execute{number}});
    const auto ofValue = [&](const Value &value) { prepareValue(value, result); };
    std::visit(
        llvm::makeVisitor(
            [&](const LetIndex &node) {
              WalkIndex value = prepare(node.value, integers);
              localsDiffer[node.local] = differsInWarps(value);
              result.push_back({SetLocal{node.local, std::move(value), &node.value}});
            },
            [](const LetPointer &) {}, [&](const Let &node) { ofValue(node.value); },
            [&](const LetMutable &node) { ofValue(node.value); },
            [&](const Assign &node) { ofValue(node.value); },
            [&](const AssignSlot &node) { ofValue(node.value); }, [](const Rotate &) {},
            [&](const AssignElement &node) { ofValue(node.value); }, [](const ShiftPatch &) {},
            [&](const StoreGlobal &node) {
              ofValue(node.value);
              storing[number] = true;
              result.push_back({ofArray(node.array, node.index, /*isStore=*/true)});
            },
            [&](const StoreShared &node) {
              ofValue(node.value);
              result.push_back({ofTile(node.tile, node.index, /*isStore=*/true)});
            },
            [&](const LoadVector &node) {
              if (isSeen(node.array))
                result.push_back(
                    {ofArray(node.array, node.index, /*isStore=*/false, node.row.lanes)});
            },
            [&](const StoreVector &node) {
              storing[number] = true;
              result.push_back({ofArray(node.array, node.index, /*isStore=*/true, node.row.lanes)});
            },
            [&](const LoadSharedVector &node) {
              result.push_back({ofTile(node.tile, node.index, /*isStore=*/false, node.row.lanes)});
            },
            [&](const StoreSharedVector &node) {
              result.push_back({ofTile(node.tile, node.index, /*isStore=*/true, node.row.lanes)});
            },
            [&](const CopyAsync &node) {
              if (isSeen(node.array)) {
                AccessElement from = ofArray(node.array, node.from, /*isStore=*/false, node.lanes);
                from.isPastL1 = node.lanes * from.elementBytes == kBytesPastL1;
                result.push_back({std::move(from)});
              }
              result.push_back({ofTile(node.tile, node.to, /*isStore=*/true, node.lanes)});
            },
            [](const CommitCopies &) {}, [](const WaitCopies &) {},
            [&](const SendVector &node) {
              result.push_back({TellMessage{prepare(node.message, integers)}});
              result.push_back({ofTile(node.tile, node.from, /*isStore=*/false, node.lanes)});
              result.push_back({ofTile(node.tile, node.to, /*isStore=*/true, node.lanes)});
            },
            [&](const AwaitMessage &node) {
              result.push_back({TellMessage{prepare(node.message, integers)}});
            },
            [](const Barrier &) {},
            [&](const If &node) {
              result.push_back({Branch{prepareBox(node.box), prepareBody(node.then),
                                       prepareBody(node.otherwise), number}});
            },
            [&](const ReturnUnless &node) { result.push_back({EndUnless{prepareBox(node.box)}}); },
            [&](const For &node) {
              Loop loop{
                  number,    node.local, prepare(node.begin, integers), prepare(node.end, integers),
                  node.step, {}};
              localsDiffer[node.local] = differsInWarps(loop.begin);
              loop.body = prepareBody(node.body);
              result.push_back({std::move(loop)});
            },
            [&](const Roles &node) {
              for (const Role &role : node.roles)
                result.push_back({WarpsOnly{role.firstWarp, role.warps, prepareBody(role.body)}});
            },
            [](const Phase &) {}),
        statement.node);
  }
  return result;
}

// ---- signs ------------------------------------------------------------------------------------

/// Whether an index is `factor` times one local, and a constant.
static bool isLocal(const WalkIndex &index, int64_t factor, int64_t constant) {
  return index.locals.size() == 1 && index.locals.front().second == factor &&
         index.constant == constant && index.bends.empty() && index.warp == 0 && index.lane == 0 &&
         index.block == decltype(index.block){} && index.thread == decltype(index.thread){};
}

static void markExact(const WalkIndex &index, std::vector<char> &isExact) {
  for (auto [local, factor] : index.locals)
    isExact[local] = true;
  for (auto &[bend, factor] : index.bends)
    markExact(bend->operand, isExact);
}

/// Where all that is asked of a local is whether it is less than 0, leaves no more than that of it:
/// minima of distances to the ends of a grid bend amid the grid, of which nobody is to know. From
/// the last node back: whatever uses a local comes before what sets it.
void KernelWalk::keepSigns(Nodes &nodes, std::vector<char> &isExact) const {
  const auto use = [&](const WalkIndex &index) { markExact(index, isExact); };
  const auto test = [&](const Condition &condition) {
    for (const WalkIndex &index : condition)
      if (!isLocal(index, 1, 0) && !isLocal(index, -1, -1))
        use(index);
  };
  for (Node &node : llvm::reverse(nodes))
    std::visit(llvm::makeVisitor(
                   [&](SetLocal &set) {
                     if (isExact[set.local] || !std::get_if<IndexMin>(&(*set.index)->node))
                       return use(set.value);
                     set.value = prepareSign(*set.index, {launch.extents, launch.integers});
                     for (auto &[bend, factor] : set.value.bends)
                       if (!isLocal(bend->operand, 1, 0))
                         use(bend->operand);
                   },
                   [&](const AccessElement &access) { use(access.element); },
                   [](const Execute &) {}, [](const EvaluateSide &) {},
                   [&](Branch &branch) {
                     keepSigns(branch.otherwise, isExact);
                     keepSigns(branch.then, isExact);
                     test(branch.condition);
                   },
                   [](const HandOver &) {},
                   [&](const TellMessage &message) { use(message.number); },
                   [&](WarpsOnly &some) { keepSigns(some.body, isExact); },
                   [&](const EndUnless &end) { test(end.condition); },
                   [&](Loop &loop) {
                     keepSigns(loop.body, isExact);
                     use(loop.begin);
                     use(loop.end);
                   }),
               node.node);
}
