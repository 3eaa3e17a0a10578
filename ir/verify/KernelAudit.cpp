#include "ir/verify/KernelAudit.h"

#include "ir/run/ProgramRun.h"
#include "ir/verify/SharedAudit.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/ranges.h>

#include <map>

using namespace stencilc;

namespace {

constexpr int64_t kNobody = -1, kSeveral = -2;

/// What happened to one element of memory.
struct ElementHistory {
  bool readable = false; ///< the caller or a launch gave it a value
  bool current = false;  ///< ... and the value may stand in the newest level
  unsigned pass = 0;     ///< to which `stores` belongs
  unsigned stores = 0;
  /// Threads of launch number `launch` that accessed it.
  unsigned launch = 0;
  int64_t writer = kNobody, reader = kNobody;
};

class Auditor final : public AccessObserver {
public:
  /// Of a run that starts from this state.
  Auditor(const Program &program, const State &state)
      : program(program), extents(state.extents), params(state.params) {}

  void start(const ProgramRun &theRun) {
    run = &theRun;
    for (auto [number, buffer] : llvm::enumerate(program.buffers))
      memories.emplace_back(run->memory(number).values.size(), startOf(buffer));
  }

  void beginPass(const Pass &) override { ++pass; }

  /// The pass stored what it owes, once each; and what else is in the newest level of a field is
  /// what an earlier pass, or the caller, made it.
  void endPass(const Pass &thePass) override {
    for (const Owed &owed : thePass.owed)
      checkOwed(owed);
    newest.clear();
    for (unsigned buffer : fieldBuffers()) {
      newest.push_back(run->memoryOf(buffer));
      checkCurrent(buffer);
    }
    ++pass; // the epilogue counts its own stores
  }

  /// Names of the caller's stand for memory of the caller's; where the newest level was moved, all
  /// of it was.
  void endRun() override {
    for (auto [number, buffer] : llvm::enumerate(program.buffers))
      if (std::holds_alternative<CallerMemory>(buffer.owner) && !isOfCaller(run->memoryOf(number)))
        complain(fmt::format("at the end of a run, {} is in the workspace", buffer.name));
      else if (std::holds_alternative<CallerResult>(buffer.owner) &&
               !memories[number].front().readable)
        complain(fmt::format("no launch writes {}, which a run owes", buffer.name));
    for (auto [buffer, memory] : llvm::zip_equal(fieldBuffers(), newest))
      if (run->memoryOf(buffer) != memory)
        for (auto [element, history] : llvm::enumerate(memories[run->memoryOf(buffer)]))
          if (history.pass != pass)
            return complain(fmt::format("{} is not copied back", name(buffer, element)));
  }

  void beginLaunch(const Launch &theLaunch) override {
    ++launchNumber;
    launch = &theLaunch;
    kernel = &program.kernels[launch->kernel];
    arguments.clear();
    for (unsigned buffer : launch->buffers)
      arguments.push_back(isConst(program.buffers[buffer]) ? nullptr
                                                           : &memories[run->memoryOf(buffer)]);
    block = -1;
  }

  void beginBlock() override {
    ++block;
    shared.beginBlock(*kernel);
  }

  void barrier(unsigned first, unsigned count) override { shared.barrier(first, count); }

  void loadGlobal(unsigned argument, size_t element, unsigned thread) override {
    if (!arguments[argument])
      return;
    ElementHistory &history = accessed(argument, element);
    if (!history.readable)
      report("reads {}, which nothing wrote", name(launch->buffers[argument], element));
    if (history.writer != kNobody)
      report("reads {} after it is written in the same launch",
             name(launch->buffers[argument], element));
    recordReader(history.reader, threadOfLaunch(thread));
  }

  void storeGlobal(unsigned argument, size_t element, unsigned thread) override {
    ElementHistory &history = accessed(argument, element);
    if (history.reader != kNobody && history.reader != threadOfLaunch(thread))
      report("writes {}, which another thread reads", name(launch->buffers[argument], element));
    if (history.pass != pass)
      history.pass = pass, history.stores = 0;
    if (++history.stores > 1)
      report("writes {} a second time", name(launch->buffers[argument], element));
    history.writer = threadOfLaunch(thread);
    history.readable = history.current = true;
  }

  void loadShared(unsigned tile, size_t element, unsigned thread) override {
    if (!shared.load(tile, element, thread))
      reportRace(tile, element);
  }

  void storeShared(unsigned tile, size_t element, unsigned thread) override {
    if (!shared.store(tile, element, thread))
      reportRace(tile, element);
  }

  /// A copy stores at any time between its start and its end.
  void startCopy(unsigned tile, size_t element, unsigned thread) override {
    storeShared(tile, element, thread);
  }
  void endCopy(unsigned tile, size_t element, unsigned thread) override {
    storeShared(tile, element, thread);
  }

private:
  using Elements = std::vector<ElementHistory>;

  bool isConst(const Buffer &buffer) const {
    const auto *owner = std::get_if<CallerMemory>(&buffer.owner);
    return owner && !program.signature.arrays[owner->array].isField();
  }

  bool isOfCaller(unsigned memory) const {
    return std::holds_alternative<CallerMemory>(program.buffers[memory].owner);
  }

  static ElementHistory startOf(const Buffer &buffer) {
    return std::visit(llvm::makeVisitor(
                          [](const CallerMemory &owner) -> ElementHistory {
                            return {.readable = owner.level != TimeLevel::Next,
                                    .current = owner.level == TimeLevel::Current};
                          },
                          [](const CallerResult &) -> ElementHistory { return {}; },
                          [](const WorkspaceMemory &) -> ElementHistory { return {}; }),
                      buffer.owner);
  }

  /// The names of the newest levels.
  std::vector<unsigned> fieldBuffers() const {
    std::vector<unsigned> buffers;
    for (auto [number, array] : llvm::enumerate(program.signature.arrays))
      if (array.isField())
        buffers.push_back(bufferOf(program.signature, number));
    return buffers;
  }

  void checkOwed(const Owed &owed) {
    const Elements &elements = memories[run->memoryOf(owed.buffer)];
    const Grid &grid = run->memory(run->memoryOf(owed.buffer));
    for (const OwedBox &box : owed.boxes) {
      std::vector<int64_t> begin, end;
      for (unsigned axis : program.buffers[owed.buffer].axes) {
        begin.push_back(valueOf(box.begin[axis], {extents, params}));
        end.push_back(valueOf(box.end[axis], {extents, params}));
      }
      forEachPoint(begin, end, [&](llvm::ArrayRef<int64_t> point) {
        const size_t element = grid.position(point);
        if (elements[element].pass != pass)
          complain(
              fmt::format("no launch writes {}, which a pass owes", name(owed.buffer, element)));
      });
    }
  }

  void checkCurrent(unsigned buffer) {
    for (auto [element, history] : llvm::enumerate(memories[run->memoryOf(buffer)]))
      if (!history.current)
        return complain(
            fmt::format("no launch writes {} of the newest level", name(buffer, element)));
  }

  ElementHistory &accessed(unsigned argument, size_t element) {
    ElementHistory &history = (*arguments[argument])[element];
    if (history.launch != launchNumber) {
      history.launch = launchNumber;
      history.writer = history.reader = kNobody;
    }
    return history;
  }

  static void recordReader(int64_t &reader, int64_t thread) {
    reader = reader == kNobody || reader == thread ? thread : kSeveral;
  }

  int64_t threadOfLaunch(unsigned thread) const { return block * kernel->threads() + thread; }

  /// "u_next[3, 0]", with indices that count from point 0.
  std::string name(unsigned buffer, size_t element) const {
    const Grid &grid = run->memory(run->memoryOf(buffer));
    std::vector<int64_t> index(grid.extents.size());
    for (size_t axis = index.size(); axis-- > 0;) {
      int64_t size = grid.low[axis] + grid.extents[axis] + grid.high[axis];
      index[axis] = int64_t(element % size) - grid.low[axis];
      element /= size;
    }
    return fmt::format("{}{}", program.buffers[buffer].name, index);
  }

  void complain(std::string seen) {
    if (fault.empty())
      fault = std::move(seen);
  }

  template <class... Parts> void report(fmt::format_string<Parts...> seen, Parts &&...parts) {
    if (fault.empty())
      fault = kernel->name + ": " + fmt::format(seen, std::forward<Parts>(parts)...);
  }

  void reportRace(unsigned tile, size_t element) {
    report("two threads touch element {} of tile `{}` with no barrier between", element,
           kernel->tiles[tile].name);
  }

  const Program &program;
  const std::vector<int64_t> extents;
  const std::vector<double> params;
  const ProgramRun *run = nullptr;
  std::vector<Elements> memories; ///< one per buffer of the program
  std::vector<unsigned> newest;   ///< per field: the memory of its newest level after a pass
  unsigned pass = 0;
  const Launch *launch = nullptr;
  const Kernel *kernel = nullptr;
  std::vector<Elements *> arguments; ///< of the launch; null: a const array
  SharedAudit shared;
  unsigned launchNumber = 0;
  int64_t block = -1; ///< of the launch, counted as they are run
};

/// Zeros everywhere: control flow and addresses do not depend on values. Arrays over time have what
/// a run of so many steps needs.
State zeroState(const Signature &signature, llvm::ArrayRef<int64_t> extents,
                std::vector<double> params, int64_t steps) {
  State state;
  state.extents = extents.vec();
  state.params = std::move(params);
  for (const SignatureArray &array : signature.arrays)
    if (array.overTime)
      state.step = std::max<int64_t>(state.step, -array.overTime->first);
  state.previous.resize(signature.arrays.size());
  for (auto [number, array] : llvm::enumerate(signature.arrays)) {
    if (array.kind == ArrayKind::Temp) {
      state.current.emplace_back();
      continue;
    }
    std::vector<int64_t> own, low, high;
    for (unsigned axis : array.axes) {
      own.push_back(extents[axis]);
      low.push_back(array.ghost[axis][Low]);
      high.push_back(array.ghost[axis][High]);
    }
    if (array.overTime) {
      own.push_back(std::max<int64_t>(state.step + steps + array.overTime->last, 0));
      low.push_back(0);
      high.push_back(0);
    }
    state.current.emplace_back(array.type, own, low, high, 0);
    if (array.hasPrevious)
      state.previous[number] = state.current.back();
  }
  return state;
}

/// Params that put regions everywhere on the grid: as usual, and each that bounds regions at the
/// ends of what is not refused, alone.
std::vector<std::vector<double>> paramsOf(const Signature &signature,
                                          llvm::ArrayRef<int64_t> extents) {
  const std::vector<double> usual = usualParams(signature, extents);
  std::vector<std::vector<double>> all = {usual};
  for (const auto &[place, range] : signature.paramRanges)
    for (const int64_t end : {-range.least, extents[place.first] - range.most}) {
      std::vector<double> params = usual;
      params[place.second] = double(end);
      if (!refusal(signature, extents, params))
        all.push_back(std::move(params));
    }
  return all;
}

/// Orders of warps that show what a block makes of them. Without tiles warps do not meet.
std::vector<WarpOrder> ordersFor(const Program &program) {
  auto sharesTiles = [](const Kernel &kernel) { return !kernel.tiles.empty(); };
  if (llvm::none_of(program.kernels, sharesTiles))
    return {{}};
  return {{WarpOrder::Ascending}, {WarpOrder::Descending}, {WarpOrder::Shuffled}};
}

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

/// Lengths of runs in which every kind of pass is performed, alone and after others, every buffer
/// is the target of some pass, and the newest level ends in each.
std::vector<int64_t> runsOf(const Plan &plan) {
  const int64_t most = plan.passes.front().steps;
  const int64_t targets = mostTargets(plan);
  std::vector<int64_t> runs = {targets * most};
  if (!plan.epilogue.empty())
    runs.push_back((targets + 1) * most);
  for (int64_t rest = 1; rest < most; ++rest) {
    runs.push_back(rest);
    runs.push_back(most + rest);
  }
  return runs;
}

llvm::Error auditIn(const WarpOrder &order, const Program &program, llvm::ArrayRef<int64_t> extents,
                    llvm::ArrayRef<double> params, int phase) {
  for (int64_t steps : runsOf(program.plan)) {
    State state = zeroState(program.signature, extents, params.vec(), steps);
    Auditor auditor(program, state);
    InterpretOptions options;
    options.phase = phase;
    options.order = order;
    ProgramRun run(program, state, options, &auditor);
    auditor.start(run);
    if (llvm::Error error = run.run(steps))
      return error;
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error stencilc::audit(const Program &program, llvm::ArrayRef<int64_t> extents, int phase) {
  assert(extents.size() == program.signature.rank() && "one extent per axis");
  if (llvm::is_contained(extents, 0))
    return llvm::Error::success();
  for (const std::vector<double> &params : paramsOf(program.signature, extents))
    for (const WarpOrder &order : ordersFor(program))
      if (llvm::Error error = auditIn(order, program, extents, params, phase))
        return error;
  return llvm::Error::success();
}

llvm::Error stencilc::audit(const Program &program) {
  constexpr int64_t kBeyond = 5; // points of a block that is not full
  constexpr int64_t kLongMarch = 32;
  std::vector<int64_t> extents;
  for (unsigned axis = 0; axis < program.signature.rank(); ++axis)
    extents.push_back(program.signature.minimumExtent[axis]);
  for (const Pass &pass : program.plan.passes)
    forEachLaunch(pass.actions, [&](const Launch &launch) {
      // Of a long march the first and the last block are enough.
      for (auto [axis, extent] : llvm::enumerate(extents)) {
        const int64_t points = launch.cover.points[axis];
        extent = std::max(extent, (points > kLongMarch ? 1 : 2) * points + kBeyond);
      }
    });
  return audit(program, extents, /*phase=*/1);
}
