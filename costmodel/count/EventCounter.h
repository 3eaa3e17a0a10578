// EventCounter: adds up what blocks do, as a KernelWalk tells it: requests of global and shared
// memory, and executions of statements by warps and by threads. What lies in a round counts as
// often as the round is repeated.
#pragma once

#include "costmodel/count/Counts.h"
#include "ir/walk/KernelWalk.h"

namespace stencilc {

/// What blocks do, by argument and by statement.
struct EventCounts {
  struct OfStatement {
    uint64_t warps = 0, lanes = 0, turns = 0, divergent = 0;
  };
  EventCounts(const Kernel &kernel, size_t statements);
  void add(const EventCounts &other, uint64_t times);

  std::vector<RequestCounts> loads, stores; ///< by number in Kernel::arrays
  std::vector<OfStatement> statements;
  WarpCounts together;       ///< without barriers, which are known by their statements
  uint64_t storingWarps = 0; ///< that store anything in global memory
};

class EventCounter : public WalkObserver {
public:
  EventCounter(const Kernel &kernel, size_t statements);

  void global(const WarpRequest &request) override;
  void shared(const WarpRequest &request) override;
  void execute(unsigned statement, const WarpLanes &lanes) override;
  void turn(unsigned statement, const WarpLanes &lanes) override;
  void shuffle(const WarpLanes &lanes) override;
  void diverge(unsigned statement, unsigned warps) override;
  void endBlock() override;
  void beginRound() override;
  void endRound(int64_t times) override;

  EventCounts counts;

protected:
  const Kernel &kernel;

private:
  uint64_t piecesOf(const WarpRequest &request, unsigned elementBytes, unsigned pieceBytes);

  llvm::SmallVector<PieceRange, kLanesPerWarp>
      pieces;                            ///< of the request being counted, if it is no row
  llvm::SmallVector<char, 32> hasStored; ///< by warp
  std::vector<EventCounts> rounds;       ///< what was counted when each open one began
  size_t openRounds = 0;
};

/// Wavefronts of a request of shared memory: lanes are served in groups that together ask for one
/// word of every bank: a warp of 4 bytes a lane, half a warp of 8, a quarter of 16. Each group
/// takes as many as its most loaded bank is asked for words.
unsigned sharedWavefronts(const WarpRequest &request, unsigned elementBytes);

} // namespace stencilc
