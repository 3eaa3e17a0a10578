#include "test/fuzz/TextRun.h"

#include "ir/stencil/StencilInterpreter.h"
#include "test/harness/Arrays.h"
#include "test/harness/Engine.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace stencilc::fuzz {
namespace {

using harness::ArrayLayout;
using harness::denseStrides;
using harness::Flush;
using harness::GuardedArray;
using harness::ThreadOrder;

/// The arrays of one run, in the order of Call::buffers.
class Memory {
public:
  Memory(const Case &tested, const Signature &signature, const State &start, Flush flush);
  std::vector<void *> origins() const;
  llvm::ArrayRef<int64_t> commonStrides() const { return strides; }
  /// What is wrong with the memory after a run that left the pointers as they are in `pointers`.
  std::optional<std::string> check(const Stencil &stencil, const State &expected,
                                   llvm::ArrayRef<void *> pointers) const;

private:
  enum class Level { Current, Previous, Next };
  struct Buffer {
    unsigned array;
    Level level;
    std::unique_ptr<GuardedArray> memory;
  };
  void add(unsigned array, Level level, const Grid *contents, ArrayLayout layout);
  const GuardedArray *find(void *origin, unsigned array) const;

  std::vector<int64_t> strides; ///< of arrays with all axes
  std::vector<Buffer> buffers;
};

void forEachElement(const Grid &grid, llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  std::vector<int64_t> begin, end;
  for (size_t axis = 0; axis < grid.extents.size(); ++axis) {
    begin.push_back(-grid.low[axis]);
    end.push_back(grid.extents[axis] + grid.high[axis]);
  }
  forEachPoint(begin, end, visit);
}

Memory::Memory(const Case &tested, const Signature &signature, const State &start, Flush flush) {
  const unsigned rank = signature.rank();
  std::vector<int64_t> low(rank), high(rank); // the widest ghosts of all: strides are common
  for (const Grid &grid : start.current)
    if (grid.extents.size() == rank)
      for (unsigned axis = 0; axis < rank; ++axis) {
        low[axis] = std::max(low[axis], grid.low[axis]);
        high[axis] = std::max(high[axis], grid.high[axis]);
      }
  strides = denseStrides(start.extents, low, high, tested.pitch);

  for (auto [number, array] : llvm::enumerate(signature.arrays)) {
    if (array.kind == ArrayKind::Temp)
      continue;
    const Grid &grid = start.current[number];
    ArrayLayout layout;
    layout.elementBytes = sizeInBytes(array.type);
    layout.extents = grid.extents;
    layout.low = grid.low;
    layout.high = grid.high;
    layout.strides =
        grid.extents.size() == rank ? strides : denseStrides(grid.extents, grid.low, grid.high);
    layout.flush = flush;
    layout.padding = tested.phase;
    add(number, Level::Current, &grid, layout);
    if (array.hasPrevious)
      add(number, Level::Previous, &start.previous[number], layout);
    if (array.hasNext)
      add(number, Level::Next, nullptr, layout);
    if (!array.isField())
      buffers.back().memory->makeReadOnly();
  }
}

void Memory::add(unsigned array, Level level, const Grid *contents, ArrayLayout layout) {
  // Buffers have phases of their own in one case of four; of the odd ones others are left in which
  // the first updated points of all start a piece.
  if (layout.padding % 4 == 1)
    layout.padding += buffers.size();
  buffers.push_back({array, level, std::make_unique<GuardedArray>(std::move(layout))});
  if (contents)
    forEachElement(*contents, [&](llvm::ArrayRef<int64_t> index) {
      buffers.back().memory->set(index, contents->at(index));
    });
}

std::vector<void *> Memory::origins() const {
  std::vector<void *> pointers;
  for (const Buffer &buffer : buffers)
    pointers.push_back(buffer.memory->origin());
  return pointers;
}

const GuardedArray *Memory::find(void *origin, unsigned array) const {
  for (const Buffer &buffer : buffers)
    if (buffer.array == array && buffer.memory->origin() == origin)
      return buffer.memory.get();
  return nullptr;
}

std::optional<std::string> Memory::check(const Stencil &stencil, const State &expected,
                                         llvm::ArrayRef<void *> pointers) const {
  State seen = expected;
  for (auto [buffer, pointer] : llvm::zip_equal(buffers, pointers)) {
    const std::string &name = stencil.arrays[buffer.array].name;
    if (!buffer.memory->paddingIsIntact())
      return fmt::format("elements between the rows of `{}` were written", name);
    const GuardedArray *memory = find(pointer, buffer.array);
    if (!memory)
      return fmt::format("a pointer of `{}` names none of its buffers", name);
    if (buffer.level == Level::Next)
      continue;
    Grid &grid =
        buffer.level == Level::Current ? seen.current[buffer.array] : seen.previous[buffer.array];
    forEachElement(grid,
                   [&](llvm::ArrayRef<int64_t> index) { grid.at(index) = memory->get(index); });
  }
  std::vector<void *> distinct = pointers.vec();
  llvm::sort(distinct);
  if (llvm::unique(distinct) != distinct.end())
    return "two pointers name one buffer";
  return difference(stencil, expected, seen);
}

/// The workspace of a run: of its own, so that it shows what is read before it is written. Flush
/// right, it starts anywhere and ends at an inaccessible page.
std::unique_ptr<GuardedArray> workspace;
Flush flushOfWorkspace;
void *allocateWorkspace(size_t bytes) {
  workspace.reset();
  if (bytes == 0)
    return nullptr;
  ArrayLayout layout = {8, {static_cast<int64_t>((bytes + 7) / 8)}, {0}, {0}, {1}};
  layout.flush = flushOfWorkspace;
  workspace = std::make_unique<GuardedArray>(std::move(layout));
  return workspace->origin();
}

/// Everything one run of a form needs.
struct Run {
  const Case &tested;
  const Stencil &stencil;
  const Reference &reference;
  const TextForm &form;
  CallFunction *function;
};

Outcome call(const Run &run, const Memory &memory, std::vector<void *> &pointers,
             std::string &message, int64_t &step, llvm::ArrayRef<double *> results) {
  llvm::SmallVector<bool> isGiven;
  for (const SignatureParam &param : run.form.signature.params)
    isGiven.push_back(llvm::any_of(run.tested.params,
                                   [&](const auto &given) { return given.first == param.name; }));
  Call call = {};
  call.extents = run.reference.start.extents.data();
  call.strides = memory.commonStrides().data();
  call.buffers = pointers.data();
  call.params = run.reference.start.params.data();
  call.isGiven = isGiven.data();
  call.steps = run.tested.steps;
  call.step = run.reference.start.step;
  llvm::SmallVector<int64_t> values;
  for (auto [grid, array] : llvm::zip_first(run.reference.start.current, run.form.signature.arrays))
    if (array.overTime)
      values.push_back(grid.extents.front());
  call.values = values.data();
  call.results = results.data();
  call.allocate = allocateWorkspace;
  const Outcome outcome = run.function(call);
  message = call.message;
  step = call.step;
  return outcome;
}

std::optional<std::string> runOnce(const Run &run, Flush flush) {
  const Memory memory(run.tested, run.form.signature, run.reference.start, flush);
  flushOfWorkspace = flush;
  std::vector<void *> pointers = memory.origins();
  std::string message;
  int64_t step = 0;
  // One of several numbers is left out in turn.
  std::vector<double> numbers(run.reference.numbers.size(), std::nan(""));
  std::vector<double *> results;
  for (double &number : numbers)
    results.push_back(&number);
  if (results.size() > 1)
    results[run.tested.seed % results.size()] = nullptr;
  const Outcome outcome = call(run, memory, pointers, message, step, results);
  const bool wasRefused =
      outcome == Outcome::TooSmall || outcome == Outcome::NoRegion || outcome == Outcome::NoSteps;
  if (run.reference.isRefused ? !wasRefused : outcome != Outcome::Ok)
    return "the run returned: " + message;
  if (workspace && !workspace->paddingIsIntact())
    return "elements beside the workspace were written";
  const State &expected = run.reference.isRefused ? run.reference.start : run.reference.expected;
  for (auto [number, result] : llvm::enumerate(results))
    if (result && !run.reference.isRefused && !areSame(run.reference.numbers[number], *result))
      return fmt::format("`{}` is {} and should be {}", run.form.signature.results[number], *result,
                         run.reference.numbers[number]);
  if (run.form.signature.countsSteps && step != expected.step)
    return fmt::format("the run left step {} and not {}", step, expected.step);
  return memory.check(run.stencil, expected, pointers);
}

/// A launch that fails in the middle leaves the caller's pointers as they were.
std::optional<std::string> runWithFailingLaunch(const Run &run) {
  const Memory memory(run.tested, run.form.signature, run.reference.start, Flush::Left);
  std::vector<void *> pointers = memory.origins();
  std::string message;
  int64_t step = 0;
  std::vector<double *> results(run.reference.numbers.size());
  harness::failLaunchAfter(run.tested.seed % 4);
  const Outcome outcome = call(run, memory, pointers, message, step, results);
  harness::failLaunchAfter(-1);
  const bool hadNoSuchLaunch = outcome == Outcome::Ok || run.reference.isRefused;
  if (hadNoSuchLaunch)
    return std::nullopt;
  if (outcome != Outcome::LaunchFailed)
    return "the run with a failing launch returned: " + message;
  if (pointers != memory.origins())
    return "a launch failed and pointers have changed";
  return std::nullopt;
}

std::optional<std::string> runInAllOrders(const Run &run) {
  const Flush either = run.tested.seed % 2 ? Flush::Left : Flush::Right;
  const std::tuple<ThreadOrder, Flush, const char *> orders[] = {
      {ThreadOrder::Ascending, Flush::Left, "ascending"},
      {ThreadOrder::Descending, Flush::Right, "descending"},
      {ThreadOrder::Random, either, "random"}};
  for (const auto &[order, flush, name] : orders) {
    harness::setThreadOrder(order, run.tested.seed);
    if (auto text = runOnce(run, flush))
      return fmt::format("threads in {} order: {}", name, *text);
  }
  return runWithFailingLaunch(run);
}

std::string readAll(int file) {
  std::string text;
  std::array<char, 4096> chunk;
  for (ssize_t got; (got = read(file, chunk.data(), chunk.size())) > 0;)
    text.append(chunk.data(), got);
  return text;
}

} // namespace

Reference referenceOf(const Case &tested, const Stencil &stencil, State start) {
  Reference reference = {start, std::move(start), false, {}};
  reference.isRefused = llvm::errorToBool(interpret(stencil, reference.expected, tested.steps));
  reference.numbers.resize(stencil.reductions.size());
  if (reference.isRefused || stencil.reductions.empty())
    return reference;
  if (auto numbers = reduce(stencil, reference.expected))
    reference.numbers = std::move(*numbers);
  else
    reference.isRefused = llvm::errorToBool(numbers.takeError());
  return reference;
}

std::optional<Failure> runForm(const Case &tested, const Stencil &stencil,
                               const Reference &reference, const TextForm &form,
                               CallFunction *function, unsigned seconds) {
  int ends[2];
  if (pipe(ends) != 0)
    llvm::report_fatal_error("cannot open a pipe");
  const pid_t child = fork();
  if (child < 0)
    llvm::report_fatal_error("cannot start a process");
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO); // the harness reports there too
    const rlimit limit = {seconds, seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
    if (auto text = runInAllOrders({tested, stencil, reference, form, function}))
      llvm::errs() << *text;
    _exit(0);
  }
  close(ends[1]);
  std::string text = readAll(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return Failure{Failure::Crashed, fmt::format("signal {}: {}", WTERMSIG(status), text),
                   form.schedule};
  if (!text.empty())
    return Failure{Failure::Differs, std::move(text), form.schedule};
  return std::nullopt;
}

} // namespace stencilc::fuzz
