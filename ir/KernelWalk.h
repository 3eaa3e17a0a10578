// KernelWalk: which global memory a block of a kernel accesses, warp by warp, without computing any
// value.
//
// It evaluates control flow and addresses as the semantics in ir/Kernel.h say and calls back for
// every request in the order in which its statements are executed. A request comes in closed form
// from the base and the strides of its address; lanes are enumerated only where an index bends
// between them. It shares nothing with the interpreter, which is the other reading of those
// semantics.
#pragma once

#include "ir/WalkIndex.h"
#include "ir/WalkLaunch.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc {

class KernelWalk {
public:
  using Visitor = llvm::function_ref<void(const WarpRequest &)>;

  /// Prepares the kernel of a launch; the kernel must outlive this.
  explicit KernelWalk(const PlacedLaunch &launch);

  /// Visits all requests of one block; block numbers along x, y, z.
  void walk(std::array<int64_t, 3> block, Visitor visit);

private:
  /// Per warp, the active lanes as bits.
  using Lanes = llvm::SmallVector<uint32_t, 32>;

  // What is left of a kernel when values are dropped.
  struct Node;
  using Nodes = std::vector<Node>;
  struct SetLocal {
    unsigned local;
    WalkIndex value;
  };
  struct AccessElement {
    unsigned array;
    bool isStore;
    WalkIndex element;
  };
  /// All integers that must not be negative.
  using Condition = std::vector<WalkIndex>;
  struct Branch {
    Condition condition;
    Nodes then, otherwise;
  };
  struct EndUnless {
    Condition condition;
  };
  struct Loop {
    unsigned local;
    WalkIndex begin, end;
    int64_t step;
    Nodes body;
  };
  struct Node {
    std::variant<SetLocal, AccessElement, Branch, EndUnless, Loop> node;
  };

  Nodes prepareBody(const Body &body) const;
  void prepareValue(const Value &value, Nodes &nodes) const;
  Condition prepareBox(const Box &box) const;
  WalkIndex elementOf(unsigned array, llvm::ArrayRef<Index> index) const;

  void run(const Nodes &nodes, Lanes &active);
  void run(const SetLocal &node, Lanes &active);
  void run(const AccessElement &node, Lanes &active);
  void run(const Branch &node, Lanes &active);
  void run(const EndUnless &node, Lanes &active);
  void run(const Loop &node, Lanes &active);

  ThreadIntegers valueOf(const WalkIndex &index) const;
  void keepNotNegative(const ThreadIntegers &values, Lanes &lanes) const;
  void keepInside(const Condition &condition, Lanes &lanes) const;
  void appendRuns(const ThreadIntegers &elements, const ThreadRow &row, uint32_t lanes);

  const PlacedLaunch launch;
  const BlockThreads threads;
  Nodes nodes;

  // Of the block that is walked.
  std::array<int64_t, 3> block = {};
  std::vector<ThreadIntegers> locals;
  Lanes ended;
  const Visitor *visit = nullptr;
  llvm::SmallVector<LaneRun, kWarpLanes> runs; ///< of the request being made
};

} // namespace stencilc
