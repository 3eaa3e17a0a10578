// WarpReplay: what the warps of one block do to its tiles, and where they meet.
//
// A walk tells what each warp does in the warp's own order, but of bodies that only some warps run
// it tells all of one before the next. So what is told is kept per warp, and then gone through in
// an order in which the warps could run: each goes on until it waits at a barrier.
//
// Turns of a march, and blocks, do much the same again. A barrier of the whole block leaves nothing
// of what came before but what the tiles hold and which copies are under way; so what is done
// between two of them is gone through but once for each state in which it begins.
#pragma once

#include "ir/verify/SharedAudit.h"
#include "ir/walk/KernelWalk.h"

#include <map>

namespace stencilc {

class WarpReplay {
public:
  explicit WarpReplay(const Kernel &kernel);

  /// Both keep what is told; `statement` has the number `number`.
  void execute(const Statement &statement, unsigned number, const WarpLanes &lanes);
  void take(const WarpRequest &request);

  /// Goes through all that was told since the last time, one block. What was told of others is
  /// remembered.
  void run();

  std::string fault;             ///< the first
  unsigned statementAtFault = 0; ///< its number; that of a barrier where warps wait in vain

private:
  /// Without padding: events are compared byte by byte.
  struct Event {
    enum Kind : uint32_t { Load, Store, StartCopy, Commit, Wait, Arrive } kind;
    uint32_t statement;
    uint32_t number;    ///< of the tile; of copies that may be under way; of the meeting
    uint32_t width = 0; ///< of an access
    LaneRun run = {};   ///< likewise
    uint32_t lanes = 0; ///< of what is no access
    uint32_t none = 0;
  };
  static constexpr unsigned kWholeBlock = 0; ///< number in `meetings`
  /// Where warps meet: those of the block, or of a group.
  struct Meeting {
    std::string name;
    unsigned firstWarp, warps;
    unsigned waiting = 0;
  };
  struct Warp {
    std::vector<Event> events;
    std::vector<size_t> ends; ///< of the parts that barriers of the block make of the events
    size_t next = 0, end = 0; ///< of the events that are gone through
    std::optional<unsigned> waitsAt;
  };
  struct Copy {
    uint32_t tile, element;
  };
  /// Asynchronous copies of a thread that have not arrived.
  struct Copies {
    std::vector<Copy> open;                 ///< since the last commit
    std::vector<std::vector<Copy>> batches; ///< oldest first
  };

  /// What is left behind a barrier of the block.
  struct State {
    SharedAudit::Contents contents;
    std::vector<Copies> copies;
  };
  /// Of the bytes of some events.
  using Digest = std::pair<uint64_t, uint64_t>;

  uint32_t lanesOf(unsigned warp) const;
  /// Parts of the block that end at barriers of all its warps, or with it; none if they do not all
  /// reach the same.
  std::optional<size_t> parts() const;
  llvm::ArrayRef<Event> eventsOf(const Warp &warp, size_t part) const;
  Digest digestOf(size_t part) const;
  /// Goes through a part that begins in a state; all that is told if there is no part.
  void perform(const State &begin, std::optional<size_t> part);
  /// The number of the state in which the block is.
  unsigned numberOfState();
  bool advance(unsigned warp);
  void access(const Event &event, unsigned warp);
  void commit(const Event &event, unsigned warp);
  void wait(const Event &event, unsigned warp);
  void arrive(const Event &event, unsigned warp);
  void reportDeadlock();
  void report(std::string seen);

  const Kernel &kernel;
  std::vector<Meeting> meetings;
  std::vector<Warp> warps;
  std::vector<Copies> copies; ///< per thread
  SharedAudit shared;
  std::vector<State> states;               ///< that were met, first that of a block which begins
  std::map<std::string, unsigned> numbers; ///< of states, by their bytes
  std::map<std::pair<unsigned, Digest>, unsigned> behind; ///< parts without a fault
  unsigned statement = 0;                                 ///< of the event
  bool startsCopies = false; ///< the statement whose requests are told does
  unsigned told = 0;         ///< its number
};

} // namespace stencilc
