// KernelWalk: what a block of a kernel executes and which memory it accesses, warp by warp, without
// computing any value.
//
// It evaluates control flow and addresses as the semantics in ir/kernel/Kernel.h say and tells an
// observer of every request and statement in the order in which they are executed. A request comes
// in closed form from the base and the strides of its address; lanes are enumerated only where an
// index bends between them. It shares nothing with the interpreter, which is the other reading of
// those semantics.
#pragma once

#include "ir/walk/WalkIndex.h"
#include "ir/walk/WalkLaunch.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc {

/// Per warp of a block, lanes as bits.
using WarpLanes = llvm::SmallVector<uint32_t, 32>;

/// Is told what a block does, in order. Statements are known by their number in the text, from 0
/// on.
class WalkObserver {
public:
  virtual ~WalkObserver() = default;
  /// A load or store of global memory.
  virtual void global(const WarpRequest &) {}
  /// A load or store of a shared tile: the request's `array` is a number in Kernel::tiles, its
  /// elements count from the start of the tile.
  virtual void shared(const WarpRequest &) {}
  /// These threads execute a statement: of a loop, they come to it.
  virtual void execute(unsigned /*statement*/, const WarpLanes &) {}
  /// These threads begin a turn of a loop.
  virtual void turn(unsigned /*statement*/, const WarpLanes &) {}
  /// So many warps run both bodies of an If.
  virtual void diverge(unsigned /*statement*/, unsigned /*warps*/) {}
  /// All threads have ended a turn of a loop that has the same bounds for them all and is in no
  /// other loop; so many are left. Returns how many of these to leave out.
  virtual int64_t skipTurns(int64_t /*left*/) { return 0; }
};

class KernelWalk {
public:
  using Visitor = llvm::function_ref<void(const WarpRequest &)>;

  /// Prepares the kernel of a launch; the kernel must outlive this.
  explicit KernelWalk(const PlacedLaunch &launch);

  /// Walks one block; block numbers along x, y, z.
  void walk(std::array<int64_t, 3> block, WalkObserver &observer);
  /// The same for its requests of global memory alone.
  void walk(std::array<int64_t, 3> block, Visitor visit);

  /// The kernel's statements by their numbers: in the order of the text, bodies after their head.
  llvm::ArrayRef<const Statement *> statements() const { return numbered; }

private:
  using Lanes = WarpLanes;

  // What is left of a kernel when values are dropped.
  struct Node;
  using Nodes = std::vector<Node>;
  struct SetLocal {
    unsigned local;
    WalkIndex value;
  };
  struct AccessElement {
    unsigned array; ///< or tile
    bool isStore, isShared;
    WalkIndex element;
  };
  struct Execute {
    unsigned statement;
  };
  /// All integers that must not be negative.
  using Condition = std::vector<WalkIndex>;
  struct Branch {
    Condition condition;
    Nodes then, otherwise;
    std::optional<unsigned> statement; ///< none: a guarded value
  };
  struct EndUnless {
    Condition condition;
  };
  struct Loop {
    unsigned statement, local;
    WalkIndex begin, end;
    int64_t step;
    Nodes body;
  };
  struct Node {
    std::variant<SetLocal, AccessElement, Execute, Branch, EndUnless, Loop> node;
  };

  Nodes prepareBody(const Body &body);
  void prepareValue(const Value &value, Nodes &nodes) const;
  Condition prepareBox(const Box &box) const;
  WalkIndex elementOf(unsigned array, llvm::ArrayRef<Index> index) const;
  WalkIndex elementOfTile(unsigned tile, llvm::ArrayRef<Index> index) const;

  void run(const Nodes &nodes, Lanes &active);
  void run(const SetLocal &node, Lanes &active);
  void run(const AccessElement &node, Lanes &active);
  void run(const Execute &node, Lanes &active);
  void run(const Branch &node, Lanes &active);
  void run(const EndUnless &node, Lanes &active);
  void run(const Loop &node, Lanes &active);

  ThreadIntegers valueOf(const WalkIndex &index) const;
  void keepNotNegative(const ThreadIntegers &values, Lanes &lanes) const;
  void keepInside(const Condition &condition, Lanes &lanes) const;
  void appendRuns(const ThreadIntegers &elements, const ThreadRow &row, uint32_t lanes);

  const PlacedLaunch launch;
  const BlockThreads threads;
  std::vector<const Statement *> numbered;
  Nodes nodes;

  // Of the block that is walked.
  std::array<int64_t, 3> block = {};
  std::vector<ThreadIntegers> locals;
  Lanes ended;
  unsigned loopDepth = 0;
  WalkObserver *observer = nullptr;
  llvm::SmallVector<LaneRun, kWarpLanes> runs; ///< of the request being made
};

} // namespace stencilc
