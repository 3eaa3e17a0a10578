// WarpExecutor: runs one warp of a block, all its lanes in step.
//
// Each statement is executed for all lanes that reach it before the next one starts; where lanes
// part, those inside the Box go first. What is left to do is a stack of frames, so that a warp can
// stop at a barrier and go on later.
#pragma once

#include "ir/run/BlockState.h"
#include "ir/run/Lanes.h"

namespace stencilc {

class WarpExecutor {
public:
  /// `block` outlives this.
  WarpExecutor(BlockState &block, unsigned number);
  WarpExecutor(WarpExecutor &&) = default;

  /// Goes to the kernel's first statement, with nothing defined.
  void start();
  /// Runs until the warp waits at a barrier, has ended, or the block has a fault.
  void run();
  bool hasEnded() const { return frames.empty(); }
  unsigned number() const { return warp; }

  /// 0: at a barrier of the block; else one more than a number in Kernel::groups.
  std::optional<unsigned> waitsAt;
  /// It has come to where it awaits a message.
  const AwaitMessage *awaits = nullptr;
  /// Takes in the message awaited, if it has come.
  bool takeMessage();

private:
  /// One value per lane, and which lanes have it.
  struct Row {
    std::array<double, kLanesPerWarp> values;
    Lanes defined;
  };
  using Integers = std::array<int64_t, kLanesPerWarp>;
  using Positions = llvm::SmallVector<Integers, 4>;
  /// A body that some lanes are in.
  struct Frame {
    const Body *body;
    Lanes lanes;
    const For *loop = nullptr; ///< whose body it is
    size_t next = 0;           ///< statement
  };
  struct Copy {
    unsigned tile;
    size_t element;
    double value;
  };
  /// Asynchronous copies of one lane that have not arrived.
  struct Copies {
    std::vector<Copy> open;                 ///< since the last commit
    std::vector<std::vector<Copy>> batches; ///< oldest first
  };
  /// A row of values borrowed for one subexpression; borrowed rows are given back in order.
  class Scratch {
  public:
    explicit Scratch(WarpExecutor &owner);
    ~Scratch() { --owner.scratchUsed; }
    operator double *() { return values; }

  private:
    WarpExecutor &owner;
    double *values;
  };

  int64_t valueOf(const Coordinate &coordinate, unsigned lane) const;
  int64_t at(const Index &index, unsigned lane) const;
  /// The same for many lanes.
  void evaluate(const Index &index, Lanes lanes, Integers &out) const;
  /// Of each index.
  Positions positionsOf(llvm::ArrayRef<Index> indices, Lanes lanes) const;
  Lanes inside(const Box &box, Lanes lanes) const;
  unsigned threadOf(unsigned lane) const {
    return block->firstThread + warp * kLanesPerWarp + lane;
  }

  void enter(const Body &body, Lanes lanes, const For *loop = nullptr);
  /// False once no lane has a turn of the loop left.
  bool startTurn(Frame &frame);

  /// Each row but the last `distance` takes the one `distance` after it.
  void shift(std::vector<Row> &rows, size_t distance, Lanes lanes);

  // Statements; each may add frames.
  void execute(const LetIndex &node, Lanes lanes);
  void execute(const LetPointer &, Lanes) {}
  void execute(const Let &node, Lanes lanes);
  void execute(const LetMutable &node, Lanes lanes);
  void execute(const Assign &node, Lanes lanes);
  void execute(const AssignSlot &node, Lanes lanes);
  void execute(const Rotate &node, Lanes lanes);
  void execute(const AssignElement &node, Lanes lanes);
  void execute(const ShiftPatch &node, Lanes lanes);
  void execute(const StoreGlobal &node, Lanes lanes);
  void execute(const StoreShared &node, Lanes lanes);
  void execute(const LoadVector &node, Lanes lanes);
  void execute(const StoreVector &node, Lanes lanes);
  void execute(const LoadSharedVector &node, Lanes lanes);
  void execute(const StoreSharedVector &node, Lanes lanes);
  void execute(const CopyAsync &node, Lanes lanes);
  void execute(const CommitCopies &node, Lanes lanes);
  void execute(const WaitCopies &node, Lanes lanes);
  void execute(const SendVector &node, Lanes lanes);
  void execute(const AwaitMessage &node, Lanes lanes);
  void execute(const Barrier &node, Lanes lanes);
  void execute(const If &node, Lanes lanes);
  void execute(const ReturnUnless &node, Lanes lanes);
  void execute(const For &node, Lanes lanes);
  void execute(const Roles &node, Lanes lanes);
  void execute(const Phase &, Lanes) {}

  // Values (WarpValues.cpp).
  void evaluate(const Value &value, Lanes lanes, double *out);
  void noteOperation(Lanes lanes);
  void read(const Row &row, llvm::StringRef name, Lanes lanes, double *out);
  void write(Row &row, const Value &value, Lanes lanes);
  void choose(const GuardedValue &node, Lanes lanes, double *out);
  void shuffle(const ShuffleValue &node, Lanes lanes, double *out);

  // Memory (WarpMemory.cpp). Each takes the first of `count` consecutive elements, and gives none
  // after a fault.
  std::optional<size_t> elementOf(unsigned array, llvm::ArrayRef<Integers> at, unsigned lane,
                                  unsigned count = 1);
  std::optional<size_t> elementOf(const SharedTile &tile, llvm::ArrayRef<Integers> at,
                                  unsigned lane, unsigned count = 1);
  /// The rows of the patch from the element at `at` on; `at` is the same for all lanes.
  Row *rowsOf(unsigned patch, llvm::ArrayRef<Index> at, Lanes lanes, unsigned count = 1);
  /// The same for a row that all lanes can read.
  const Row *readableRows(const PatchRow &row, Lanes lanes);
  double loadGlobal(unsigned array, size_t element, unsigned lane);
  double loadShared(unsigned tile, size_t element, unsigned lane);
  void storeGlobal(unsigned array, size_t element, unsigned lane, double value);
  void storeShared(unsigned tile, size_t element, unsigned lane, double value);
  void load(const LoadGlobal &node, Lanes lanes, double *out);
  void load(const LoadShared &node, Lanes lanes, double *out);
  void beginAccess();

  BlockState *block;
  const Kernel *kernel;
  unsigned warp;
  Lanes all;                                           ///< those that stand for a thread
  std::array<std::array<int, kLanesPerWarp>, 3> place; ///< of each lane's thread along x, y, z
  std::vector<Integers> locals, loopEnds;              ///< [local]
  std::vector<Row> registers;
  std::vector<std::vector<Row>> queues, patches; ///< [queue][slot], [patch][element]
  std::vector<Copies> copies;                    ///< per lane
  Lanes ended;                                   ///< have returned
  std::vector<Frame> frames;                     ///< the innermost last
  std::vector<std::unique_ptr<double[]>> scratch;
  size_t scratchUsed = 0;
};

} // namespace stencilc
