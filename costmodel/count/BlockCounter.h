// BlockCounter: adds up what one block does, as a KernelWalk tells it.
//
// Once three turns of a loop have been alike but for a shift of every address by whole lines, the
// turns up to the last few are added without being walked. The first turn walked after them must
// again be alike; `isExact` says whether it was.
#pragma once

#include "costmodel/count/Counts.h"
#include "ir/walk/KernelWalk.h"

namespace stencilc {

/// What one block does, by argument and by statement.
struct BlockCounts {
  struct OfArray {
    RequestCounts requests;
    uint64_t aligned = 0, misaligned = 0;
  };
  struct OfStatement {
    uint64_t warps = 0, lanes = 0, turns = 0, divergent = 0;
  };
  BlockCounts(const Kernel &kernel, size_t statements);
  void add(const BlockCounts &other, uint64_t times);

  std::vector<OfArray> loads, stores; ///< by number in Kernel::arrays
  std::vector<OfStatement> statements;
  SharedCounts shared;
  uint64_t storingWarps = 0; ///< that store anything in global memory
};

/// Whether a run of lanes is aligned as costmodel/count/Traffic.h says. `start`: points along the
/// contiguous axis between the first block of a row and the one that makes the request.
bool isAligned(const WarpRequest &request, const LaneRun &run, const Kernel &kernel, int64_t start);

class BlockCounter : public WalkObserver {
public:
  /// `start`: points along the contiguous axis between the first block of a row and this one.
  /// Of a long loop so many last turns are walked, two or more; all turns of every loop without a
  /// number.
  BlockCounter(const Kernel &kernel, size_t statements, int64_t start,
               std::optional<int64_t> lastTurns);

  void global(const WarpRequest &request) override;
  void shared(const WarpRequest &request) override;
  void execute(unsigned statement, const WarpLanes &lanes) override;
  void turn(unsigned statement, const WarpLanes &lanes) override;
  void diverge(unsigned statement, unsigned warps) override;
  int64_t skipTurns(int64_t left) override;

  /// Lines that several requests load from an argument, in the last two turns of a loop or, without
  /// one, in the block: what a cache of the SM must hold to serve them. Not for a counter that
  /// walks all turns.
  uint64_t linesLoadedAgain(unsigned array) const;

  BlockCounts counts;
  bool isExact = true; ///< false: the block must be walked again without skipping

private:
  /// The requests of one turn, run by run.
  struct LoggedRun {
    unsigned array;
    bool isStore;
    unsigned warp;
    LaneRun run;
  };
  using Turn = std::vector<LoggedRun>;
  uint64_t piecesOf(const WarpRequest &request, unsigned elementBytes, unsigned pieceBytes);
  bool isShifted(const Turn &from, const Turn &to, llvm::SmallVectorImpl<int64_t> &shifts) const;

  const Kernel &kernel;
  const int64_t start;
  const std::optional<int64_t> lastTurns;
  llvm::SmallVector<PieceRange, kWarpLanes>
      pieces;                            ///< of the request being counted, if it is no row
  llvm::SmallVector<char, 32> hasStored; ///< by warp

  Turn current, previous;
  BlockCounts atTurn;                   ///< when the current turn began
  unsigned alike = 0;                   ///< turns in a row that were shifts of the one before
  llvm::SmallVector<int64_t, 8> shifts; ///< of the last turn, in elements, loads then stores
  int64_t skipped = 0;                  ///< turns; the next one walked must fit
};

} // namespace stencilc
