// KernelWalk: what the blocks of a kernel execute and which memory they access, warp by warp,
// without computing any value.
//
// It evaluates control flow and addresses as the semantics in ir/kernel/Kernel.h say and tells an
// observer of every request and statement in the order in which they are executed. A request comes
// in closed form from the base and the strides of its address. It shares nothing with the
// interpreter, which is the other reading of those semantics.
//
// A walk in rounds leaves out what does the same again: turns of loops and blocks of the grid that
// go the same way as one that was walked (ir/walk/TurnHorizon.h). It also tells of warps together
// that make the same request at addresses whole lines away.
//
// That of a whole grid tells of global memory in which line an access lies no more than it must:
// whatever moves all lanes of a warp by whole lines is left out of the address, as is whatever
// moves them alike in a tile. It goes through the grid several times, for a *slice* of the kernel
// each: accesses that bend along other axes (at the ends of a periodic one, say) need not be walked
// where only these do, nor statements that other conditions guard.
#pragma once

#include "ir/walk/WalkIndex.h"
#include "ir/walk/WalkLaunch.h"
#include "ir/walk/WalkRequest.h"
#include "ir/walk/WarpLanes.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc {

/// Is told what blocks do, in order. Statements are known by their number in the text, from 0 on.
/// An asynchronous copy is a load of global memory and a store to a tile. Unrolled loops have turns
/// as all others have; patches are registers and no memory.
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
  /// These threads evaluate a side of a guarded value, by its number in KernelWalk::sides().
  virtual void evaluate(unsigned /*side*/, const WarpLanes &) {}
  /// The lanes of these warps hand values to one another.
  virtual void shuffle(const WarpLanes &) {}
  /// They send to this message of their block, or await that of its partner.
  virtual void message(int64_t /*number*/, const WarpLanes &) {}
  /// So many warps run both bodies of an If.
  virtual void diverge(unsigned /*statement*/, unsigned /*warps*/) {}
  /// A block begins, ends; its numbers along x, y, z.
  virtual void beginBlock(std::array<int64_t, 3> /*block*/) {}
  virtual void endBlock() {}
  /// What is told between these happens `times` times in a row. Rounds lie in one another.
  virtual void beginRound() {}
  virtual void endRound(int64_t /*times*/) {}
};

class KernelWalk {
public:
  using Visitor = llvm::function_ref<void(const WarpRequest &)>;

  /// Prepares the kernel of a launch; the kernel must outlive this. Loads of some of its arrays may
  /// be left out: those with a bit in `unseen`.
  explicit KernelWalk(const PlacedLaunch &launch, std::vector<bool> unseen = {});

  /// Walks every turn of one block; block numbers along x, y, z.
  void walk(std::array<int64_t, 3> block, WalkObserver &observer);
  /// The same for its requests of global memory alone.
  void walk(std::array<int64_t, 3> block, Visitor visit);
  /// Walks one block in rounds; of the loop with this number, if any, the last two turns each by
  /// itself, and turn by turn what loops there are in them.
  void walkInRounds(std::array<int64_t, 3> block, std::optional<unsigned> loop,
                    WalkObserver &observer);
  /// Walks all blocks of the launch in rounds, slice by slice: what nothing guards comes first, all
  /// statements that store are in one slice. Requests alike are told of as one: of their warps only
  /// the first and how many there are.
  void walkGrid(WalkObserver &observer);

  /// The kernel's statements by their numbers: in the order of the text, bodies after their head.
  llvm::ArrayRef<const Statement *> statements() const { return numbered; }
  /// Whether a statement stores to global memory.
  bool isStore(unsigned statement) const { return storing[statement]; }
  /// The sides of its guarded values that are more than one access or number.
  llvm::ArrayRef<Value> sides() const { return numberedSides; }

private:
  using Lanes = WarpLanes;
  using LaneRuns = llvm::SmallVector<LaneRun, 4>;

  // What is left of a kernel when values are dropped.
  struct Node;
  using Nodes = std::vector<Node>;
  struct SetLocal {
    unsigned local;
    WalkIndex value;
    const Index *index; ///< that the value was made of
  };
  struct AccessElement {
    unsigned array; ///< or tile
    bool isStore, isShared;
    unsigned elementBytes, width;
    WalkIndex element; ///< the first of `width`
    /// The same without what moves all lanes of a warp and makes no difference; only walkGrid has
    /// it.
    WalkIndex inWarp;
    bool isPastL1 = false;
  };
  struct Execute {
    unsigned statement;
  };
  /// As bits. That of bit 0 has what nothing guards and whose address bends nowhere, the last one
  /// belongs to what is needed only where the kernel is walked as a whole.
  using Slices = uint64_t;
  /// All integers that must not be negative.
  using Condition = std::vector<WalkIndex>;
  struct Branch {
    Condition condition;
    Nodes then, otherwise;
    std::optional<unsigned> statement; ///< none: a guarded value
    Slices told = ~Slices(0);          ///< in which it is told of, if it is a statement
  };
  struct EvaluateSide {
    unsigned side;
  };
  struct HandOver {};
  struct TellMessage {
    WalkIndex number;
  };
  struct WarpsOnly {
    unsigned first, count;
    Nodes body;
  };
  struct EndUnless {
    Condition condition;
  };
  struct Loop {
    unsigned statement, local;
    WalkIndex begin, end;
    int64_t step;
    Nodes body;
    Slices told = ~Slices(0); ///< in which its turns are told of
  };
  struct Node {
    std::variant<SetLocal, AccessElement, Execute, EvaluateSide, Branch, HandOver, TellMessage,
                 WarpsOnly, EndUnless, Loop>
        node;
    Slices slices = ~Slices(0); ///< in which it takes part
  };

  Nodes prepareBody(const Body &body);
  void prepareValue(const Value &value, Nodes &nodes);
  void prepareSide(const Value &value, Nodes &nodes);
  Condition prepareBox(const Box &box) const;
  void keepSigns(Nodes &nodes, std::vector<char> &isExact) const;
  bool isSeen(unsigned array) const { return array >= unseen.size() || !unseen[array]; }
  AccessElement ofArray(unsigned array, llvm::ArrayRef<Index> index, bool isStore,
                        unsigned width = 1) const;
  AccessElement ofTile(unsigned tile, llvm::ArrayRef<Index> index, bool isStore,
                       unsigned width = 1) const;
  bool differsInWarps(const WalkIndex &index) const;
  WalkIndex inWarp(const AccessElement &access) const;

  // WalkSlices.cpp
  class Slicing;
  void cutIntoSlices();

  void run(const Nodes &nodes, Lanes &active);
  void run(const SetLocal &node, Lanes &active);
  void run(const AccessElement &node, Lanes &active);
  void run(const Execute &node, Lanes &active);
  void run(const EvaluateSide &node, Lanes &active);
  void run(const Branch &node, Lanes &active);
  void run(const HandOver &node, Lanes &active);
  void run(const TellMessage &node, Lanes &active);
  void run(const WarpsOnly &node, Lanes &active);
  void run(const EndUnless &node, Lanes &active);
  void run(const Loop &node, Lanes &active);
  void runBlock();
  template <class Turn> void runRounds(int64_t count, int64_t alone, const Turn &turn);
  template <class RunBlock> void runBlocksAlong(unsigned dimension, const RunBlock &run);

  ThreadIntegers valueOf(const WalkIndex &index);
  uint32_t negativeLanes(const RowPiece &piece);
  void keepNotNegative(const ThreadIntegers &values, Lanes &lanes);
  void keepInside(const Condition &condition, Lanes &lanes);
  void request(const AccessElement &node, llvm::ArrayRef<RowPiece> pieces, uint32_t lanes);
  bool liesAlikeInWarps(const AccessElement &node, const ThreadIntegers &elements) const;
  void requestAlike(const AccessElement &node, const ThreadIntegers &elements, const Lanes &active);
  void gather(const AccessElement &node, unsigned warp, unsigned alike);
  void tell(const AccessElement &node, unsigned warp, llvm::ArrayRef<LaneRun> runs, unsigned alike,
            int64_t shift);
  void noteShift(const AccessElement &node, const Drift &drift, bool isOneElement);

  const PlacedLaunch launch;
  const std::vector<bool> unseen; ///< per Kernel::arrays, or empty: whose loads nobody is told of
  const BlockThreads threads;
  std::vector<const Statement *> numbered;
  std::vector<bool> storing; ///< of each of them
  std::vector<Value> numberedSides;
  std::vector<char> localsDiffer; ///< of each local, whether lanes of one warp differ in it
  Nodes nodes;
  Slices slices = 0;         ///< all there are, once walkGrid has cut the kernel into them
  Slices slice = ~Slices(0); ///< the one that is walked, or all

  // Of the block that is walked.
  std::array<ThreadIntegers, 3> block;
  std::vector<ThreadIntegers> locals;
  Lanes ended{threads};
  WalkObserver *observer = nullptr;
  LaneRuns runs; ///< of the request being made
  struct Gathered {
    unsigned warp, alike;
    LaneRuns runs;
  };
  llvm::SmallVector<Gathered, 2> gathered; ///< requests of one access
  TurnHorizon horizon;
  bool inRounds = false, isOfGrid = false; ///< how is walked
  std::optional<unsigned> walkedToEnd;     ///< the loop whose last turns are walked
  bool inLastTurns = false;                ///< of that loop
};

} // namespace stencilc
