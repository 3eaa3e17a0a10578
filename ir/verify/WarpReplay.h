// WarpReplay: what the warps of one block do to its tiles, and where they meet.
//
// A walk tells what each warp does in the warp's own order, but of bodies that only some warps run
// it tells all of one before the next. So what is told is kept per warp, and then gone through in
// an order in which the warps could run: each goes on until it waits at a barrier.
//
// Blocks of a cluster are gone through together. What one sends to the other may arrive at any time
// after the other's last sending before it and until it is awaited; then it was stored by the lanes
// that wait, so that those who read it are held to the same rules as with other stores.
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

  /// What is told from now on is of this block of a cluster.
  void beginBlock(unsigned member) { told.member = member; }
  /// These keep what is told; `statement` has the number `number`.
  void execute(const Statement &statement, unsigned number, const WarpLanes &lanes);
  void take(const WarpRequest &request);
  void message(const Statement &of, int64_t number, const WarpLanes &lanes);

  /// Goes through all that was told since the last time, one block. What was told of others is
  /// remembered.
  void run();

  std::string fault;             ///< the first
  unsigned statementAtFault = 0; ///< its number; that of a barrier where warps wait in vain

private:
  /// Without padding: events are compared byte by byte.
  struct Event {
    enum Kind : uint32_t { Load, Store, StartCopy, Commit, Wait, Send, Await, Arrive } kind;
    uint32_t statement;
    uint32_t number;    ///< of the tile; of copies that may be under way; of the meeting
    uint32_t width = 0; ///< of an access
    LaneRun run = {};   ///< likewise
    uint32_t lanes = 0; ///< of what is no access
    int32_t ahead = 0;  ///< of sending, awaiting: messages between the one that is next and its own
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
    bool awaits = false; ///< the message of the last event, which has not come
  };
  struct Copy {
    uint32_t tile, element;
  };
  /// What a block of a cluster has got from its partner.
  struct Mail {
    static constexpr uint32_t kNobody = ~0u;
    struct Element {
      uint32_t tile, element, lane; ///< that sent it
    };
    struct Letter {
      uint32_t bytes = 0;
      std::vector<Element> elements = {};
    };
    uint32_t warp = kNobody;         ///< that sends and awaits
    int32_t behind = 0;              ///< messages that the partner has awaited and it has not
    std::array<Letter, 2> letters;   ///< of the message that it awaits next, and the one after
    uint32_t hasSent = false;        ///< some of the message that it awaits next
    std::vector<Copy> before, since; ///< accessed in time of the next message: before that, since
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
    std::vector<Mail> mails;
  };
  /// Of the bytes of some events.
  using Digest = std::pair<uint64_t, uint64_t>;

  uint32_t lanesOf(unsigned warp) const;
  unsigned memberOf(unsigned warp) const { return warp / ofBlock; }
  /// Number of a tile among those of all blocks of the cluster.
  unsigned tileOf(unsigned member, unsigned tile) const {
    return member * kernel.tiles.size() + tile;
  }
  void noteAccess(unsigned member, unsigned tile, size_t element);
  /// The warp is the one that sends and awaits, and does so in turn.
  bool isInTurn(const Event &event, unsigned warp);
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
  void send(const Event &event, unsigned warp);
  bool takeMessage(const Event &event, unsigned warp);
  void arrive(const Event &event, unsigned warp);
  void reportDeadlock();
  void report(std::string seen);

  const Kernel &kernel;
  std::vector<Meeting> meetings;
  const unsigned ofBlock;     ///< warps
  std::vector<Warp> warps;    ///< of all blocks of a cluster
  std::vector<Copies> copies; ///< per thread
  std::vector<Mail> mails;    ///< per block of a cluster
  SharedAudit shared;
  std::vector<State> states;               ///< that were met, first that of a block which begins
  std::map<std::string, unsigned> numbers; ///< of states, by their bytes
  std::map<std::pair<unsigned, Digest>, unsigned> behind; ///< parts without a fault
  unsigned statement = 0;                                 ///< of the event
  /// What is told now.
  struct {
    unsigned member = 0, statement = 0;
    int32_t ahead = 0;                 ///< of a message
    Event::Kind stores = Event::Store; ///< what a request that stores is
    std::vector<int64_t> awaited;      ///< messages, per member
  } told;
  // Per block of a cluster: sendings so far, and how many of them were before those that have
  // allowed its partner to send the message that it awaits next; those before an element's last
  // access.
  std::vector<uint32_t> sent, allowed;
  std::vector<std::vector<uint32_t>> lastAccess; ///< [tile of a member][element]
};

} // namespace stencilc
