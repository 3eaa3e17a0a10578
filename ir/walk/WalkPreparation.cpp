// What is left of a kernel for a walk: control flow and addresses.
#include "ir/kernel/ValueTypes.h"
#include "ir/walk/KernelWalk.h"

using namespace stencilc;

KernelWalk::Condition KernelWalk::prepareBox(const Box &box) const {
  const LaunchIntegers integers{launch.extents, launch.integers};
  Condition condition;
  for (const Range &range : box) {
    const WalkIndex index = prepare(range.index, integers);
    if (range.lower) {
      condition.push_back(index);
      condition.back().add(prepare(range.lower, integers), -1);
    }
    if (range.upper) {
      condition.push_back(prepare(range.upper, integers));
      condition.back().add(index, -1);
      condition.back().constant -= 1;
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
    element.add(prepare(part, {launch.extents, launch.integers}), stride);
  const unsigned bytes = sizeInBytes(launch.kernel->arrays[array].type);
  return {array, isStore, /*isShared=*/false, bytes, width, element};
}

KernelWalk::AccessElement KernelWalk::ofTile(unsigned number, llvm::ArrayRef<Index> index,
                                             bool isStore, unsigned width) const {
  const SharedTile &tile = launch.kernel->tiles[number];
  WalkIndex element;
  int64_t stride = 1;
  for (auto [part, size] : llvm::reverse(llvm::zip_equal(index, tile.shape))) {
    element.add(prepare(part, {launch.extents, launch.integers}), stride);
    stride *= size;
  }
  return {number, isStore, /*isShared=*/true, sizeInBytes(tile.type), width, element};
}

void KernelWalk::prepareValue(const Value &value, Nodes &to) const {
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
            prepareValue(node.inside, branch.then);
            prepareValue(node.outside, branch.otherwise);
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
  for (const Statement &statement : body) {
    const unsigned number = numbered.size();
    numbered.push_back(&statement);
    result.push_back({Execute{number}});
    const auto ofValue = [&](const Value &value) { prepareValue(value, result); };
    std::visit(
        llvm::makeVisitor(
            [&](const LetIndex &node) {
              result.push_back({SetLocal{node.local, prepare(node.value, integers)}});
            },
            [](const LetPointer &) {}, [&](const Let &node) { ofValue(node.value); },
            [&](const LetMutable &node) { ofValue(node.value); },
            [&](const Assign &node) { ofValue(node.value); },
            [&](const AssignSlot &node) { ofValue(node.value); }, [](const Rotate &) {},
            [&](const AssignElement &node) { ofValue(node.value); }, [](const ShiftPatch &) {},
            [&](const StoreGlobal &node) {
              ofValue(node.value);
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
              result.push_back({ofArray(node.array, node.index, /*isStore=*/true, node.row.lanes)});
            },
            [&](const LoadSharedVector &node) {
              result.push_back({ofTile(node.tile, node.index, /*isStore=*/false, node.row.lanes)});
            },
            [&](const StoreSharedVector &node) {
              result.push_back({ofTile(node.tile, node.index, /*isStore=*/true, node.row.lanes)});
            },
            [&](const CopyAsync &node) {
              if (isSeen(node.array))
                result.push_back({ofArray(node.array, node.from, /*isStore=*/false, node.lanes)});
              result.push_back({ofTile(node.tile, node.to, /*isStore=*/true, node.lanes)});
            },
            [](const CommitCopies &) {}, [](const WaitCopies &) {}, [](const Barrier &) {},
            [&](const If &node) {
              result.push_back({Branch{prepareBox(node.box), prepareBody(node.then),
                                       prepareBody(node.otherwise), number}});
            },
            [&](const ReturnUnless &node) { result.push_back({EndUnless{prepareBox(node.box)}}); },
            [&](const For &node) {
              result.push_back(
                  {Loop{number, node.local, prepare(node.begin, integers),
                        prepare(node.end, integers), node.step, prepareBody(node.body)}});
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
