// WarpReplay: what the warps of one block do to its tiles, and where they meet.
//
// A walk tells what each warp does in the warp's own order, but of bodies that only some warps run
// it tells all of one before the next. So what is told is kept per warp, and then gone through in
// an order in which the warps could run: each goes on until it waits at a barrier.
#pragma once

#include "ir/verify/SharedAudit.h"
#include "ir/walk/KernelWalk.h"

namespace stencilc {

class WarpReplay {
public:
  explicit WarpReplay(const Kernel &kernel);

  /// Both keep what is told; `statement` has the number `number`.
  void execute(const Statement &statement, unsigned number, const WarpLanes &lanes);
  void take(const WarpRequest &request);

  /// Goes through all that was told since the last time, one block.
  void run();

  std::string fault;             ///< the first
  unsigned statementAtFault = 0; ///< its number; that of a barrier where warps wait in vain

private:
  struct Access {
    enum { Load, Store, StartCopy } kind;
    unsigned tile, width;
    LaneRun run;
  };
  struct Commit {
    uint32_t lanes;
  };
  struct Wait {
    unsigned pending;
    uint32_t lanes;
  };
  struct Arrive {
    unsigned meeting; ///< number in `meetings`
    uint32_t lanes;
  };
  struct Event {
    unsigned statement;
    std::variant<Access, Commit, Wait, Arrive> node;
  };
  /// Where warps meet: those of the block, or of a group.
  struct Meeting {
    std::string name;
    unsigned firstWarp, warps;
    unsigned waiting = 0;
  };
  struct Warp {
    std::vector<Event> events;
    size_t next = 0;
    std::optional<unsigned> waitsAt;
  };
  struct Copy {
    unsigned tile;
    size_t element;
  };
  /// Asynchronous copies of a thread that have not arrived.
  struct Copies {
    std::vector<Copy> open;                 ///< since the last commit
    std::vector<std::vector<Copy>> batches; ///< oldest first
  };

  uint32_t lanesOf(unsigned warp) const;
  bool advance(unsigned warp);
  void perform(const Access &event, unsigned warp);
  void perform(const Commit &event, unsigned warp);
  void perform(const Wait &event, unsigned warp);
  void perform(const Arrive &event, unsigned warp);
  void reportDeadlock();
  void report(std::string seen);

  const Kernel &kernel;
  std::vector<Meeting> meetings;
  std::vector<Warp> warps;
  std::vector<Copies> copies; ///< per thread
  SharedAudit shared;
  unsigned statement = 0;    ///< of the event
  bool startsCopies = false; ///< the statement whose requests are told does
  unsigned told = 0;         ///< its number
};

} // namespace stencilc
