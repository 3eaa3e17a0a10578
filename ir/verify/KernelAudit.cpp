#include "ir/verify/KernelAudit.h"

#include "ir/kernel/InThreads.h"
#include "ir/verify/MemoryAudit.h"
#include "ir/verify/WarpReplay.h"
#include "ir/walk/KernelWalk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/ranges.h>

#include <deque>
#include <map>
#include <memory>
#include <mutex>

using namespace stencilc;

namespace {

/// One grid, and how launches see it.
struct Ground {
  std::vector<int64_t> extents;
  std::vector<double> params = {};
  AuditRows rows = {};
  int64_t mostBlocks = 65535; ///< along slower axes, before a launch is cut into slabs
};

/// What the blocks of each kernel were seen to do to their tiles.
using Replays = std::vector<std::unique_ptr<WarpReplay>>;

/// What a launch accesses of global memory, in order, that does nothing wrong to tiles: the same
/// launch of another pass or run does it again, to other memory.
struct WalkedLaunch {
  struct Request {
    unsigned statement;
    int thread; ///< of lane 0, counted from the first of the launch
    WarpRequest asked;
    size_t firstRun; ///< in `runs`, where its own lie
  };
  PlacedLaunch placed;
  std::vector<bool> unseen;
  std::vector<const Statement *> statements;
  std::vector<Request> requests = {};
  std::vector<LaneRun> runs = {};
};

/// By kernel and where the cover begins: a run of slabs makes many that differ in it.
using WalkedLaunches =
    std::map<std::pair<const Kernel *, std::array<int64_t, kMaxRank>>, std::deque<WalkedLaunch>>;

/// One run, launch by launch and block by block.
class Auditor final : public PlanRun, private WalkObserver {
public:
  Auditor(const Program &program, const Ground &ground, bool takesResults, Replays &replays,
          WalkedLaunches &walked)
      : PlanRun(program), ground(ground), takesResults(takesResults),
        numbers{ground.extents, ground.params}, memory(program, numbers, ground.rows, *this),
        replays(replays), walked(walked) {}

private:
  // ---- the plan -------------------------------------------------------------------------------

  llvm::Error beginPass(const Pass &) override {
    memory.beginPass();
    return llvm::Error::success();
  }

  llvm::Error endPass(const Pass &pass) override {
    memory.endPass(pass);
    numbers.step += pass.steps;
    return complaint(memory.fault);
  }

  llvm::Error endRun() override {
    memory.endRun(takesResults);
    return complaint(memory.fault);
  }

  bool wantsResults() const override { return takesResults; }

  bool isAligned(unsigned buffer, const Aligned &aligned) const override {
    return rowsAreAligned(program, {aligned.bytes, aligned.at, {buffer}}, memory.layouts());
  }

  llvm::Error perform(const Launch &launch) override {
    memory.beginLaunch(launch);
    ++launches;
    kernel = &program.kernels[launch.kernel];
    blocksBefore = turns = 0;
    const PlacedLaunch whole = place(program, launch, numbers, memory.layouts());
    for (const PlacedCover &slab :
         slabsOf(whole.cover, launch.cover, program.signature.rank(), ground.mostBlocks))
      if (llvm::Error error = walk(slabOf(whole, program, launch, numbers, slab)))
        return error;
    return llvm::Error::success();
  }

  llvm::Error walk(const PlacedLaunch &placed) {
    std::vector<bool> unseen = memory.safeToLoad();
    firstOfWalk = blocksBefore * kernel->threads();
    const auto [blocksX, blocksY, blocksZ] = placed.blocks;
    std::deque<WalkedLaunch> &alike = walked[{kernel, placed.cover.begin}];
    for (const WalkedLaunch &known : alike)
      if (known.placed == placed && known.unseen == unseen) {
        blocksBefore += blocksX * blocksY * blocksZ;
        return repeat(known);
      }
    KernelWalk walk(placed, unseen);
    std::unique_ptr<WarpReplay> &tiles = replays[kernel - program.kernels.data()];
    if (!tiles)
      tiles = std::make_unique<WarpReplay>(*kernel);
    replay = tiles.get();
    statements = walk.statements();
    told = &alike.emplace_back(WalkedLaunch{placed, std::move(unseen), statements.vec()});
    for (int64_t z = 0; z < blocksZ; ++z)
      for (int64_t y = 0; y < blocksY; y += kernel->cluster)
        for (int64_t x = 0; x < blocksX; ++x) {
          for (int member = 0; member < kernel->cluster && seen.empty(); ++member) {
            firstThread = blocksBefore++ * kernel->threads();
            replay->beginBlock(member);
            walk.walk({x, y + member, z}, *this);
          }
          if (seen.empty())
            replay->run();
          if (!replay->fault.empty())
            note(replay->fault, replay->statementAtFault);
          if (!seen.empty())
            return complaint(seen);
        }
    return llvm::Error::success();
  }

  llvm::Error repeat(const WalkedLaunch &known) {
    statements = known.statements;
    for (const WalkedLaunch::Request &each : known.requests) {
      WarpRequest request = each.asked;
      request.runs = llvm::ArrayRef(known.runs).slice(each.firstRun, request.runs.size());
      take(request, each.thread, each.statement);
      if (!seen.empty())
        return complaint(seen);
    }
    return llvm::Error::success();
  }

  // ---- the walk -------------------------------------------------------------------------------

  void execute(unsigned number, const WarpLanes &lanes) override {
    statement = number;
    replay->execute(*statements[number], number, lanes);
  }

  void turn(unsigned number, const WarpLanes &) override {
    const LoopKind kind = std::get<For>(statements[number]->node).kind;
    if (isParallel(kind) || isVector(kind))
      ++turns;
  }

  void shuffle(const WarpLanes &lanes) override {
    for (auto [warp, mask] : llvm::enumerate(lanes.byWarp()))
      if (mask != 0 && mask != laneMask(0, kLanesPerWarp))
        note(fmt::format("{} of {} lanes of warp {} reach a shuffle", llvm::popcount(mask),
                         kLanesPerWarp, warp),
             statement);
  }

  void global(const WarpRequest &request) override {
    const bool isHost = kernel->target == Target::Host;
    const int thread =
        isHost ? turns : firstThread + int(request.warp * kLanesPerWarp) - firstOfWalk;
    told->requests.push_back({statement, thread, request, told->runs.size()});
    llvm::append_range(told->runs, request.runs);
    take(request, thread, statement);
  }

  void take(const WarpRequest &request, int thread, unsigned where) {
    memory.take(request, firstOfWalk + thread);
    if (!memory.fault.empty())
      note(memory.fault, where);
  }

  void shared(const WarpRequest &request) override { replay->take(request); }

  void message(int64_t number, const WarpLanes &lanes) override {
    replay->message(*statements[statement], number, lanes);
  }

  // ---- faults ---------------------------------------------------------------------------------

  /// Keeps the first.
  void note(llvm::StringRef what, unsigned where) {
    if (seen.empty())
      seen = fmt::format("{}: {} (launch {} of the run; {})", kernel->name, what.str(), launches,
                         headOf(*statements[where], *kernel, program.uniforms));
  }

  static llvm::Error complaint(const std::string &text) {
    return text.empty() ? llvm::Error::success() : llvm::createStringError(text);
  }

  const Ground &ground;
  const bool takesResults;
  RunNumbers numbers; ///< of the pass under way
  MemoryAudit memory;
  Replays &replays;
  WalkedLaunches &walked;       ///< on this ground
  WalkedLaunch *told = nullptr; ///< of them, the one that is walked
  WarpReplay *replay = nullptr; ///< of the launch
  const Kernel *kernel = nullptr;
  llvm::ArrayRef<const Statement *> statements;
  unsigned launches = 0, statement = 0;
  int blocksBefore = 0; ///< of the launch
  int firstThread = 0;  ///< of the block, counted through the launch
  int firstOfWalk = 0;  ///< of the slab
  int turns = 0;        ///< of the launch's independent loops on a host, inner ones too
  std::string seen;     ///< the first fault in a launch
};

// ---- runs -------------------------------------------------------------------------------------

size_t longestCycle(const Rename &rename) {
  const std::map<unsigned, unsigned> memoryOf(rename.pairs.begin(), rename.pairs.end());
  size_t longest = 1;
  for (const auto &[first, second] : memoryOf) {
    size_t length = 1;
    for (auto next = memoryOf.find(second);
         next != memoryOf.end() && next->first != first && length < memoryOf.size(); ++length)
      next = memoryOf.find(next->second);
    longest = std::max(longest, length);
  }
  return longest;
}

/// As many passes as put each name to each memory that it may stand for.
int64_t mostTargets(const Plan &plan) {
  size_t most = 1;
  for (const Pass &pass : plan.passes)
    for (const Action &action : pass.actions)
      if (const auto *rename = std::get_if<Rename>(&action.node))
        most = std::max(most, longestCycle(*rename));
  return most;
}

/// Lengths of runs in which every kind of pass is performed, alone and after the longest one, every
/// buffer is the target of some pass, and the newest level ends in each.
std::vector<int64_t> runsOf(const Plan &plan, llvm::ArrayRef<int64_t> extents) {
  const int64_t most = steadyPass(plan, extents).steps;
  const int64_t targets = mostTargets(plan);
  std::vector<int64_t> runs = {targets * most};
  if (!plan.epilogue.empty())
    runs.push_back((targets + 1) * most);
  for (const Pass &pass : plan.passes)
    if (pass.steps < most)
      llvm::append_range(runs, std::array<int64_t, 2>{pass.steps, most + pass.steps});
  if (most > 1)
    runs.push_back(2 * most - 1);
  llvm::sort(runs);
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return runs;
}

bool isTooLarge(const Ground &ground) {
  constexpr double kMost = 1 << 20;
  double points = 1;
  for (int64_t extent : ground.extents)
    points *= extent;
  return points > kMost;
}

/// Rows of several long blocks, such as sums are taken of.
bool isOfLongRows(int64_t rowPoints) { return rowPoints > 1 << 11; }

/// Planes of a long march.
bool isLong(int64_t planes) { return planes > 1 << 7; }

/// On such a grid one length of run is enough: shorter grids see what runs of several may do to one
/// another.
bool isLong(llvm::ArrayRef<int64_t> extents) {
  return isOfLongRows(extents.back()) ||
         llvm::any_of(extents.drop_back(), [](int64_t extent) { return isLong(extent); });
}

/// Params that put regions everywhere on the grid: as usual, and each that bounds regions at the
/// ends of what is not refused, alone.
std::vector<std::vector<double>> paramsOf(const Signature &signature,
                                          llvm::ArrayRef<int64_t> extents) {
  const std::vector<double> usual = usualParams(signature, extents);
  std::vector<std::vector<double>> all;
  if (!refusal(signature, extents, usual))
    all.push_back(usual);
  for (const auto &[place, range] : signature.paramRanges)
    for (const int64_t end : {-range.least, extents[place.first] - range.most}) {
      std::vector<double> params = usual;
      params[place.second] = double(end);
      if (!refusal(signature, extents, params))
        all.push_back(std::move(params));
    }
  return all;
}

llvm::Error auditOn(const Program &program, Ground ground, Replays &replays) {
  WalkedLaunches walked;
  for (std::vector<double> &params : paramsOf(program.signature, ground.extents)) {
    ground.params = std::move(params);
    // Results are taken after the shortest run: what no step has made yet is undefined there.
    const std::vector<int64_t> runs =
        isLong(ground.extents)
            ? std::vector<int64_t>{steadyPass(program.plan, ground.extents).steps}
            : runsOf(program.plan, ground.extents);
    for (int64_t steps : runs)
      if (llvm::Error error = Auditor(program, ground, steps == runs.front(), replays, walked)
                                  .run(ground.extents, steps))
        return llvm::createStringError(fmt::format("{}, in {} steps on {} points",
                                                   toString(std::move(error)), steps,
                                                   fmt::join(ground.extents, " x ")));
  }
  return llvm::Error::success();
}

// ---- grounds ----------------------------------------------------------------------------------

/// What the launches ask of an axis.
struct AxisNeeds {
  int64_t least;      ///< the least extent that is allowed
  int64_t margin = 0; ///< points at both ends that some launch leaves out, which else goes through
  int64_t points = 1; ///< that a block of any launch advances, at most

  /// Enough for blocks at both ends and one between, the last not full if there is a way; of long
  /// blocks, the ends are enough.
  int64_t severalBlocks() const {
    constexpr int64_t kLong = 32, kTail = 5;
    const int64_t tail = std::clamp<int64_t>(points - 1, 1, kTail);
    return std::max(least, margin + (points > kLong ? 1 : 2) * points + tail);
  }
  /// Enough for a block that is not full; beside long rows, which cost as much, for one point.
  int64_t fewPoints(bool besideLongRows = false) const {
    return std::max(least, margin + (besideLongRows ? 1 : 3));
  }
};

std::vector<AxisNeeds> needsOf(const Program &program) {
  constexpr int64_t kMuch = 1 << 20;
  const unsigned rank = program.signature.rank();
  const std::vector<int64_t> much(rank, kMuch);
  const std::vector<double> params = usualParams(program.signature, much);
  const RunNumbers numbers = {much, params};
  std::vector<AxisNeeds> needs;
  for (unsigned axis = 0; axis < rank; ++axis) {
    AxisNeeds &own = needs.emplace_back();
    own.least = std::max<int64_t>(program.signature.minimumExtent[axis], 1);
    for (const Pass &pass : program.plan.passes)
      own.least = std::max(own.least, pass.minimumExtent[axis]);
    forEachLaunchOf(program.plan, [&](const Launch &launch) {
      own.points = std::max<int64_t>(own.points, launch.cover.points[axis]);
      const int64_t begin = valueOf(launch.cover.begin[axis], numbers);
      const int64_t leftOut = begin + kMuch - valueOf(launch.cover.end[axis], numbers);
      if (leftOut < kMuch / 2)
        own.margin = std::max(own.margin, leftOut);
    });
  }
  return needs;
}

/// Extents with several blocks along as many axes at once as keep the grid small, in turn, and few
/// points along the others. `several` has a bit for each axis that may have them.
void addExtents(llvm::ArrayRef<AxisNeeds> needs, unsigned several,
                std::vector<std::vector<int64_t>> &found) {
  constexpr int64_t kSmall = 1 << 14;
  std::vector<int64_t> extents;
  int64_t points = 1;
  const bool hasLongRows =
      (several >> (needs.size() - 1) & 1) != 0 && isOfLongRows(needs.back().severalBlocks());
  for (auto [axis, own] : llvm::enumerate(needs)) {
    extents.push_back(several >> axis & 1 ? own.severalBlocks() : own.fewPoints(hasLongRows));
    points *= extents.back();
  }
  const auto reachesAsFar = [&](const std::vector<int64_t> &other) {
    return llvm::all_of(llvm::zip_equal(other, extents),
                        [](const auto &pair) { return std::get<0>(pair) >= std::get<1>(pair); });
  };
  if (points <= kSmall || llvm::popcount(several) <= 1) {
    if (llvm::none_of(found, reachesAsFar))
      found.push_back(std::move(extents));
    return;
  }
  for (unsigned axis = 0; axis < needs.size(); ++axis)
    if (several >> axis & 1)
      addExtents(needs, several & ~(1u << axis), found);
}

/// The conditions of one kind.
template <class Kind>
void findConditions(const Actions &actions, std::vector<const Kind *> &found) {
  for (const Action &action : actions)
    if (const auto *when = std::get_if<When>(&action.node)) {
      if (const auto *condition = std::get_if<Kind>(&when->condition))
        found.push_back(condition);
      findConditions(when->then, found);
      findConditions(when->otherwise, found);
    }
}
template <class Kind> std::vector<const Kind *> conditionsOf(const Plan &plan) {
  std::vector<const Kind *> found;
  findConditions(plan.prologue, found);
  for (const Pass &pass : plan.passes)
    findConditions(pass.actions, found);
  findConditions(plan.epilogue, found);
  return found;
}

/// Rows that fulfil the first condition of the plan that asks where they lie.
std::optional<AuditRows> alignedRows(const Program &program) {
  const std::vector<const Aligned *> found = conditionsOf<Aligned>(program.plan);
  if (found.empty())
    return std::nullopt;
  constexpr int64_t kLine = kLineBytes / 4; // elements of the smallest type
  return AuditRows{euclideanRemainder(-found.front()->at, kLine), kLine};
}

/// The least grid around this one of which pieces are whole.
std::vector<int64_t> withWholePieces(const WholePieces &pieces, std::vector<int64_t> extents) {
  for (const WholePieces::Along &along : pieces.axes)
    while (!areWhole({{along}}, extents))
      ++extents[along.axis];
  return extents;
}

std::vector<Ground> groundsFor(const Program &program) {
  const std::vector<AxisNeeds> needs = needsOf(program);
  std::vector<std::vector<int64_t>> large;
  addExtents(needs, (1u << needs.size()) - 1, large);
  std::vector<Ground> grounds;
  for (const std::vector<int64_t> &extents : large)
    grounds.push_back({extents, {}, {.origin = 1}});
  if (const std::optional<AuditRows> rows = alignedRows(program))
    for (const std::vector<int64_t> &extents : large) {
      grounds.push_back({extents, {}, *rows});
      for (const WholePieces *pieces : conditionsOf<WholePieces>(program.plan))
        grounds.push_back({withWholePieces(*pieces, extents), {}, *rows});
    }
  std::vector<int64_t> few, least;
  for (const AxisNeeds &own : needs) {
    few.push_back(own.fewPoints());
    least.push_back(own.least);
  }
  for (unsigned axis = 0; axis + 1 < needs.size(); ++axis) {
    // Along such an axis, only grids of millions of points take several launches.
    if (isLong(needs[axis].points))
      continue;
    Ground &slabs = grounds.emplace_back(Ground{few});
    slabs.extents[axis] += needs[axis].points;
    slabs.mostBlocks = 1;
  }
  grounds.push_back({least});
  return grounds;
}

} // namespace

llvm::Error stencilc::audit(const Program &program, llvm::ArrayRef<int64_t> extents, int phase) {
  assert(extents.size() == program.signature.rank() && "one extent per axis");
  if (llvm::is_contained(extents, 0))
    return llvm::Error::success();
  Replays replays(program.kernels.size());
  return auditOn(program, {extents.vec(), {}, {phase, 1}}, replays);
}

llvm::Error stencilc::audit(const Program &program) {
  std::vector<Ground> grounds = groundsFor(program);
  llvm::erase_if(grounds, isTooLarge);
  std::vector<std::string> faults(grounds.size());
  std::mutex guard;
  std::vector<Replays> idle; // what is known of kernels, used by one thread at a time
  doInThreads(grounds.size(), 0, [&](size_t number) {
    Replays replays(program.kernels.size());
    if (std::lock_guard held(guard); !idle.empty()) {
      replays = std::move(idle.back());
      idle.pop_back();
    }
    if (llvm::Error error = auditOn(program, grounds[number], replays))
      faults[number] = llvm::toString(std::move(error));
    std::lock_guard held(guard);
    idle.push_back(std::move(replays));
  });
  const auto fault = llvm::find_if(faults, [](const auto &text) { return !text.empty(); });
  return fault == faults.end() ? llvm::Error::success() : llvm::createStringError(*fault);
}
