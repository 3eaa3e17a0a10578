// TreeKernel: a kernel that combines runs of numbers in the order of ir/stencil/ReductionTree.h. On
// the device a block does so, a thread a lane; on the host a loop over lanes stands for the block.
#pragma once

#include "ir/kernel/KernelBuilder.h"
#include "ir/kernel/LaneTree.h"

namespace stencilc {

class TreeKernel {
public:
  /// The tree is that of the program's signature.
  TreeKernel(const Program &program, std::string name, Reduction::Op op);

  /// Starts the numbers of all lanes anew. The first start stands before any loop.
  void start(Body &body);
  /// Each lane starts anew and combines what it takes of a run. `append` adds to a body what calls
  /// `take` with the number that lies `after` the start of the run, or does not where none does.
  using Take = llvm::function_ref<void(Body &, Value)>;
  void takeRun(Body &body, llvm::function_ref<void(Body &, const Index &after, Take take)> append);
  /// Each lane takes the number that a tile has for it, if that is before `end`.
  void takeLanes(Body &body, unsigned tile, const Index &end);
  /// Combines the numbers of all lanes, half with half, and runs `last` with the result.
  void halve(Body &body, llvm::function_ref<Body(Value)> last);

  KernelBuilder builder;

private:
  bool isOnDevice() const { return tree.target == Target::Device; }
  Value neutral() const;
  /// The number of a lane: in a register of its thread, or in a tile.
  Value numberOf(const Index &lane) const;
  void assign(Body &body, const Index &lane, Value value) const;
  /// What `turn` adds for all lanes: in a loop, or for the own thread.
  void forLanes(Body &body, llvm::function_ref<void(Body &, const Index &lane)> turn);

  const int turnsOfRun;
  LaneTree tree;
  bool hasStarted = false;
};

} // namespace stencilc
