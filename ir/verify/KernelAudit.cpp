#include "ir/verify/KernelAudit.h"

#include "ir/run/ProgramRun.h"
#include "ir/verify/SharedAudit.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/ranges.h>

#include <map>

using namespace stencilc;

/// As many steps as a field can have buffers, so that each has been the target.
static constexpr unsigned kSteps = 3;

namespace {

constexpr int64_t kNobody = -1, kSeveral = -2;

/// What happened to one element of a buffer of a field.
struct ElementHistory {
  bool readable = false; ///< the caller or a launch gave it a value
  bool current = false;  ///< ... and the value may stand in the newest level
  unsigned writes = 0;   ///< in this step
  /// Threads of launch number `launch` that accessed it.
  unsigned launch = 0;
  int64_t writer = kNobody, reader = kNobody;
};

class Auditor final : public AccessObserver {
public:
  explicit Auditor(const Program &program) : program(program) {}

  void start(ProgramRun &theRun) {
    run = &theRun;
    for (auto [number, array] : llvm::enumerate(program.signature.arrays)) {
      if (!array.isField)
        continue;
      unsigned field = number;
      add({field, BufferRole::Source}, {.readable = true, .current = true});
      if (array.hasPrevious)
        add({field, BufferRole::Previous}, {.readable = true});
      if (array.hasNext)
        add({field, BufferRole::Target}, {});
    }
  }

  void beginStep() {
    for (auto &[storage, elements] : buffers)
      for (ElementHistory &element : elements)
        element.writes = 0;
  }

  /// After a step: every element of every newest level is what the step, or an earlier one that
  /// wrote this buffer, made it.
  void checkNewest() {
    for (auto [number, array] : llvm::enumerate(program.signature.arrays)) {
      if (!array.isField || !fault.empty())
        continue;
      BufferRef newest{unsigned(number), BufferRole::Source};
      for (auto [element, history] : llvm::enumerate(*historyOf(newest)))
        if (!history.current) {
          fault = fmt::format("no launch writes {} of the newest level", name(newest, element));
          break;
        }
    }
  }

  void beginLaunch(const Launch &theLaunch) override {
    ++launchNumber;
    launch = &theLaunch;
    kernel = &program.kernels[launch->kernel];
    arguments.clear();
    for (const BufferRef &buffer : launch->arrays)
      arguments.push_back(program.signature.arrays[buffer.array].isField ? historyOf(buffer)
                                                                         : nullptr);
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
      report("reads {}, which nothing wrote", name(launch->arrays[argument], element));
    if (history.writer != kNobody)
      report("reads {} after it is written in the same launch",
             name(launch->arrays[argument], element));
    recordReader(history.reader, threadOfLaunch(thread));
  }

  void storeGlobal(unsigned argument, size_t element, unsigned thread) override {
    ElementHistory &history = accessed(argument, element);
    if (history.reader != kNobody && history.reader != threadOfLaunch(thread))
      report("writes {}, which another thread reads", name(launch->arrays[argument], element));
    if (++history.writes > 1)
      report("writes {} a second time", name(launch->arrays[argument], element));
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

  void add(const BufferRef &buffer, const ElementHistory &start) {
    const Grid &grid = run->grid(buffer);
    buffers[grid.values.data()].assign(grid.values.size(), start);
  }

  /// Buffers change roles from step to step and are known by where their values lie.
  Elements *historyOf(const BufferRef &buffer) {
    return &buffers.at(run->grid(buffer).values.data());
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

  /// "u.target[3, 0]", with indices that count from point 0.
  std::string name(const BufferRef &buffer, size_t element) const {
    const Grid &grid = run->grid(buffer);
    std::vector<int64_t> index(grid.extents.size());
    for (size_t axis = index.size(); axis-- > 0;) {
      int64_t size = grid.low[axis] + grid.extents[axis] + grid.high[axis];
      index[axis] = int64_t(element % size) - grid.low[axis];
      element /= size;
    }
    static constexpr llvm::StringLiteral roles[] = {"source", "previous", "target"};
    return fmt::format("{}.{}{}", program.signature.arrays[buffer.array].name,
                       roles[unsigned(buffer.role)].str(), index);
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
  ProgramRun *run = nullptr;
  std::map<const double *, Elements> buffers;
  const Launch *launch = nullptr;
  const Kernel *kernel = nullptr;
  std::vector<Elements *> arguments; ///< of the launch; null: a const array
  SharedAudit shared;
  unsigned launchNumber = 0;
  int64_t block = -1; ///< of the launch, counted as they are run
};

/// Zeros everywhere: control flow and addresses do not depend on values.
State zeroState(const Signature &signature, llvm::ArrayRef<int64_t> extents) {
  State state;
  state.extents = extents.vec();
  state.params.assign(signature.params.size(), 0);
  state.previous.resize(signature.arrays.size());
  for (auto [number, array] : llvm::enumerate(signature.arrays)) {
    std::vector<int64_t> own, low, high;
    for (unsigned axis : array.axes) {
      own.push_back(extents[axis]);
      low.push_back(array.ghost[axis][Low]);
      high.push_back(array.ghost[axis][High]);
    }
    state.current.emplace_back(array.type, own, low, high, 0);
    if (array.hasPrevious)
      state.previous[number] = state.current.back();
  }
  return state;
}

/// Orders of warps that show what a block makes of them. Without tiles warps do not meet.
std::vector<WarpOrder> ordersFor(const Program &program) {
  auto sharesTiles = [](const Kernel &kernel) { return !kernel.tiles.empty(); };
  if (llvm::none_of(program.kernels, sharesTiles))
    return {{}};
  return {{WarpOrder::Ascending}, {WarpOrder::Descending}, {WarpOrder::Shuffled}};
}

llvm::Error auditIn(const WarpOrder &order, const Program &program, llvm::ArrayRef<int64_t> extents,
                    int phase) {
  State state = zeroState(program.signature, extents);
  Auditor auditor(program);
  InterpretOptions options;
  options.phase = phase;
  options.order = order;
  ProgramRun run(program, state, options, &auditor);
  auditor.start(run);
  for (unsigned step = 0; step < kSteps; ++step) {
    auditor.beginStep();
    if (llvm::Error error = run.step(step == 0))
      return error;
    auditor.checkNewest();
    if (!auditor.fault.empty())
      return llvm::createStringError(auditor.fault);
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error stencilc::audit(const Program &program, llvm::ArrayRef<int64_t> extents, int phase) {
  assert(extents.size() == program.signature.rank() && "one extent per axis");
  if (llvm::is_contained(extents, 0))
    return llvm::Error::success();
  for (const WarpOrder &order : ordersFor(program))
    if (llvm::Error error = auditIn(order, program, extents, phase))
      return error;
  return llvm::Error::success();
}
