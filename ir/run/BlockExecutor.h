// BlockExecutor: runs a kernel block by block, all threads of a block at once.
//
// Each statement is executed for all threads that reach it before the next one starts, so a kernel
// whose barriers are right gives the same values as on a device. Every access is checked; the first
// fault stops the block.
#pragma once

#include "ir/run/Grid.h"

#include <fmt/format.h>

namespace stencilc {

/// Is told of the accesses of a kernel as they happen.
class AccessObserver {
public:
  virtual ~AccessObserver() = default;
  virtual void beginLaunch(const Launch &launch) = 0;
  virtual void beginBlock() = 0;
  virtual void barrier() = 0;
  /// One load or store of global memory is about to be made, by threads in ascending order.
  virtual void beginAccess() {}
  /// `argument` is a number in Kernel::arrays, `element` one in the Grid's values.
  virtual void loadGlobal(unsigned argument, size_t element, unsigned thread) = 0;
  virtual void storeGlobal(unsigned argument, size_t element, unsigned thread) = 0;
  virtual void loadShared(unsigned tile, size_t element, unsigned thread) = 0;
  virtual void storeShared(unsigned tile, size_t element, unsigned thread) = 0;

  std::string fault; ///< the first complaint; the run stops at it
};

class BlockExecutor {
public:
  struct Arguments {
    std::vector<int64_t> extents;
    std::vector<Grid *> arrays;    ///< one per Kernel::arrays
    std::vector<double> uniforms;  ///< one per Kernel::uniforms
    std::vector<int64_t> integers; ///< one per Kernel::integers
  };
  /// `observer` may be null.
  BlockExecutor(const Kernel &kernel, Arguments arguments, AccessObserver *observer);

  /// Block numbers along x, y, z. False after a fault.
  bool run(std::array<int64_t, 3> block);

  std::string fault; ///< "<kernel>: what was seen"

private:
  /// Numbers of threads, ascending.
  using Threads = std::vector<unsigned>;

  /// One value per thread of a register, or per element of a tile, and whether it was made.
  struct Cells {
    std::vector<double> values;
    std::vector<char> defined;
  };
  /// A row of values borrowed for one subexpression; borrowed rows are given back in order.
  class Scratch {
  public:
    explicit Scratch(BlockExecutor &owner);
    ~Scratch() { --owner.scratchUsed; }
    operator double *() { return values; }

  private:
    BlockExecutor &owner;
    double *values;
  };

  template <class... Parts> void report(fmt::format_string<Parts...> seen, Parts &&...parts);

  int64_t valueOf(const Coordinate &coordinate, unsigned thread) const;
  int64_t at(const Index &index, unsigned thread) const;
  bool holds(const Box &box, unsigned thread) const;
  Threads inside(const Box &box, const Threads &active) const;

  void run(const Body &body, Threads &active);
  void execute(const LetIndex &node, Threads &active);
  void execute(const LetPointer &, Threads &) {}
  void execute(const Let &node, Threads &active);
  void execute(const LetMutable &node, Threads &active);
  void execute(const Assign &node, Threads &active);
  void execute(const AssignSlot &node, Threads &active);
  void execute(const Rotate &node, Threads &active);
  void execute(const StoreGlobal &node, Threads &active);
  void execute(const StoreShared &node, Threads &active);
  void execute(const Barrier &, Threads &);
  void execute(const If &node, Threads &active);
  void execute(const ReturnUnless &node, Threads &active);
  void execute(const For &node, Threads &active);
  void execute(const Phase &, Threads &) {}
  template <class Node> void execute(const Node &, Threads &) {
    llvm_unreachable("the verifier refuses it");
  }
  /// Takes out the threads that have returned.
  void dropEnded(Threads &active) const;

  void evaluate(const Value &value, const Threads &active, double *out);
  void read(const Cells &row, llvm::StringRef name, const Threads &active, double *out);
  void write(Cells &row, const Value &value, const Threads &active);
  void load(const LoadGlobal &node, const Threads &active, double *out);
  void load(const LoadShared &node, const Threads &active, double *out);
  void choose(const GuardedValue &node, const Threads &active, double *out);
  std::optional<size_t> elementOf(unsigned array, llvm::ArrayRef<Index> index, unsigned thread);
  std::optional<size_t> elementOf(const SharedTile &tile, llvm::ArrayRef<Index> index,
                                  unsigned thread);

  const Kernel &kernel;
  Arguments arguments;
  AccessObserver *observer;
  std::array<int64_t, 3> block = {};
  std::vector<std::vector<int64_t>> locals; ///< [local][thread]
  std::vector<Cells> registers;
  std::vector<std::vector<Cells>> queues; ///< [queue][slot]
  std::vector<Cells> tiles;
  std::vector<char> ended; ///< per thread: has returned
  std::vector<std::unique_ptr<double[]>> scratch;
  size_t scratchUsed = 0;
};

} // namespace stencilc
