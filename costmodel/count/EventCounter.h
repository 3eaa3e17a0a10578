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
  EventCounts(const Kernel &kernel, const KernelWalk &walk);

  std::vector<RequestCounts> loads, stores; ///< by number in Kernel::arrays
  std::vector<OfStatement> statements;
  std::vector<uint64_t> sides; ///< lanes that evaluated each side of a guarded value
  WarpCounts together;         ///< without barriers, which are known by their statements
  uint64_t storingWarps = 0;   ///< that store anything in global memory
};

class EventCounter : public WalkObserver {
public:
  EventCounter(const Kernel &kernel, const KernelWalk &walk);

  void global(const WarpRequest &request) override;
  void shared(const WarpRequest &request) override;
  void execute(unsigned statement, const WarpLanes &lanes) override;
  void evaluate(unsigned side, const WarpLanes &lanes) override;
  void turn(unsigned statement, const WarpLanes &lanes) override;
  void shuffle(const WarpLanes &lanes) override;
  void diverge(unsigned statement, unsigned warps) override;
  void endBlock() override;
  void beginRound() override;
  void endRound(int64_t times) override;

  EventCounts counts() const;

protected:
  struct Request {
    unsigned array;
    bool isStore;
    RequestCounts ofWarp;
    uint64_t times;
    uint64_t aligned = 0; ///< of the accesses of the warp, where that is asked for
  };
  const Kernel &kernel;
  std::vector<Request> requests;

private:
  /// What was executed since an open round began, but for rounds inside.
  struct Level {
    std::vector<EventCounts::OfStatement> sums; ///< of statements, then of sides
    std::vector<unsigned> counted;              ///< of them, those that are not 0
  };
  /// What there was when a round began.
  struct Mark {
    size_t requests;
    WarpCounts together;
    uint64_t storingWarps;
  };
  static void add(Level &level, unsigned number, const EventCounts::OfStatement &more,
                  uint64_t times = 1);
  /// Sectors of so many lanes after so many, each time anew.
  uint64_t sectorsByLanes(const WarpRequest &request, unsigned elementBytes, unsigned lanes);
  uint64_t piecesOf(const WarpRequest &request, unsigned elementBytes, unsigned pieceBytes);

  const KernelWalk &walk;
  const size_t numbers;      ///< of statements and sides
  std::vector<Level> levels; ///< the first outside all rounds
  WarpCounts together;
  uint64_t storingWarps = 0;
  std::vector<Mark> rounds; ///< that are open
  /// Of the request being counted, if it is no row.
  llvm::SmallVector<PieceRange, kLanesPerWarp> pieces;
  std::optional<WarpLanes> storing; ///< threads of the block that have stored
};

} // namespace stencilc
