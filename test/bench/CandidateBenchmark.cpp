// stencilc-bench BUDGETS [EXAMPLE...]: how long one candidate schedule takes to be counted and
// predicted, as choosing does for every candidate, and to be audited, as is done with the one that
// is written; of tiles of fused steps with the first of their chunks, as choosing tries all; and
// how long four fused steps, built by hand, take to be counted. Fails where the least of some runs
// is over the budget, which a machine slower than the one where budgets were set gets in
// proportion. With names, only these examples are measured (`fused`: the fused steps).
//
// Of each variant's candidates one in four is measured; STENCILC_SEED takes others, STENCILC_ALL
// all.
//
// stencilc-bench BUDGETS --slowness: how many times as long as where the budgets in milliseconds
// were set this machine takes now, on as many threads as a choice.
#include "codegen/lower/Lower.h"
#include "costmodel/model/Prediction.h"
#include "ir/kernel/InThreads.h"
#include "ir/verify/KernelVerifier.h"
#include "test/Examples.h"
#include "test/Seed.h"
#include "test/programs/Programs.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <map>
#include <random>

using namespace stencilc;

namespace {

constexpr int kRuns = 3, kAudits = 1, kRunsOfTheSlow = 20;
constexpr unsigned kOneOf = 4; ///< of so many candidates, one is measured

/// Of this thread: the machine may be busy with something else.
double processorMicroseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * now.tv_sec + 1e-3 * now.tv_nsec;
}

/// The budgets in microseconds by kind and example: lines `KIND,EXAMPLE,MICROSECONDS`.
class Budgets {
public:
  explicit Budgets(const char *file) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      llvm::report_fatal_error(llvm::Twine("cannot read ") + file);
    llvm::SmallVector<llvm::StringRef> lines, parts;
    (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef line : lines) {
      parts.clear();
      line.split(parts, ',');
      double most;
      if (parts.size() > 2 && !parts[2].getAsDouble(most))
        table[parts[0].str()][parts[1].str()] = most;
    }
  }
  /// Of an example that has none of its own: that of `any`.
  double of(const std::string &kind, const std::string &example = "any") const {
    const std::map<std::string, double> &ofKind = table.at(kind);
    const auto own = ofKind.find(example);
    return own == ofKind.end() ? ofKind.at("any") : own->second;
  }

private:
  std::map<std::string, std::map<std::string, double>> table;
};

/// A piece of work that is like counting (small pieces of memory, trees, branches) and has nothing
/// of it.
void workOfReference() {
  std::map<std::string, std::vector<unsigned>> places;
  std::minstd_rand draw(1);
  for (unsigned i = 0; i < 2000; ++i)
    places["name " + std::to_string(draw() % 1000)].push_back(i);
  if (places.size() > 1000)
    llvm::report_fatal_error("more names than were drawn");
}

/// The processor's time for it, on this thread: how fast the machine is now.
double referenceMicroseconds() {
  const double start = processorMicroseconds();
  workOfReference();
  return processorMicroseconds() - start;
}

/// The same on as many threads as a choice, by the clock: the milliseconds of a thousand pieces.
double millisecondsInThreads() {
  const auto start = std::chrono::steady_clock::now();
  doInThreads(1000, 0, [](size_t) { workOfReference(); });
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  return spent.count();
}

/// The slowest of some schedules, and what the slowest may take.
class Slowest {
public:
  Slowest(const Budgets &budgets, const std::string &kind, const std::string &example)
      : kind(kind), example(example), budget(budgets.of(kind, example)),
        reference(budgets.of("reference")) {}

  bool isOver() const { return microseconds > budget; }

  /// Times a schedule by one run, or with STENCILC_ALL by the least of some. Where that is over the
  /// budget, by the least of more; where it still is, of yet more in turns with the reference, and
  /// as if the machine were as fast as the one where the budgets were set, if it is slower.
  void time(const std::string &timed, int runs, llvm::function_ref<double()> once) {
    double least = once();
    for (int run = 1; run < runs && (takesAll() || least > budget); ++run)
      least = std::min(least, once());
    if (least > budget) {
      double slowness = std::numeric_limits<double>::infinity();
      for (int run = 0; run < kRunsOfTheSlow; ++run) {
        slowness = std::min(slowness, referenceMicroseconds() / reference);
        least = std::min(least, once());
      }
      least /= std::max(1.0, slowness);
    }
    ++count;
    sum += least;
    if (least > microseconds) {
      microseconds = least;
      schedule = timed;
    }
  }

  void print() const {
    if (count == 0)
      return;
    llvm::outs() << fmt::format("{:<17}{:<12}{:4}  mean {:6.0f} us  at most {:6.0f} us of "
                                "{:.0f}  {}{}\n",
                                example, kind, count, sum / count, microseconds, budget, schedule,
                                isOver() ? "  OVER BUDGET" : "");
    llvm::outs().flush();
  }

private:
  std::string kind, example;
  double budget, reference; ///< in microseconds
  double microseconds = 0, sum = 0;
  unsigned count = 0;
  std::string schedule;
};

class Bench {
public:
  explicit Bench(const char *budgets) : budgets(budgets) {}
  void run(const std::string &name);
  void countFusedSteps();
  bool isOver = false;

private:
  double choosing(const VerifiedProgram &program, llvm::ArrayRef<int64_t> extents) const;
  double auditing(const VerifiedProgram &program) const;
  /// Asked of each candidate in turn: true of those that are measured.
  bool isDrawn() { return takesAll() || (seedOfRun() + asked++) % kOneOf == 0; }
  void close(const Slowest &slowest) {
    slowest.print();
    isOver |= slowest.isOver();
  }

  Budgets budgets;
  uint64_t asked = 0;
  DeviceProfile device = llvm::cantFail(loadDeviceProfile("h200"));
};

double Bench::choosing(const VerifiedProgram &program, llvm::ArrayRef<int64_t> extents) const {
  const double start = processorMicroseconds();
  const ProgramCounts counted = llvm::cantFail(countProgram(program, extents));
  llvm::consumeError(predict(counted, device, {}).takeError());
  return processorMicroseconds() - start;
}

double Bench::auditing(const VerifiedProgram &program) const {
  const double start = processorMicroseconds();
  llvm::cantFail(auditLowered(program));
  return processorMicroseconds() - start;
}

void Bench::run(const std::string &name) {
  const Stencil stencil = example(name);
  const std::string stem = llvm::sys::path::stem(name).str();
  const std::vector<int64_t> extents(stencil.rank(), stencil.rank() == 2 ? 8192 : 512);
  Slowest choices(budgets, "candidate", stem), tiles(budgets, "tile", stem),
      fused(budgets, "fused", stem), audits(budgets, "audit", stem),
      fusedAudits(budgets, "fused audit", stem);
  for (const Variant *variant : variantsFor(stencil)) {
    if (!variant->candidates) {
      const Schedule schedule = variant->defaultSchedule(stencil);
      if (fuses(schedule)) // audited when asked for; no choice waits for it
        continue;
      const VerifiedProgram program = llvm::cantFail(lower(stencil, schedule));
      audits.time(toString(schedule), kAudits, [&] { return auditing(program); });
      continue;
    }
    std::vector<Schedule> withoutChunk; // of fused steps: the first of their chunks is enough
    for (const Schedule &schedule : variant->candidates(stencil)) {
      const bool isFused = fuses(schedule);
      if (isFused) {
        Schedule tile = schedule;
        tile.chunk = 0;
        if (llvm::is_contained(withoutChunk, tile))
          continue;
        withoutChunk.push_back(std::move(tile));
      }
      if (!isDrawn() || llvm::errorToBool(variant->checkLegal(stencil, schedule)))
        continue;
      const VerifiedProgram program = llvm::cantFail(lower(stencil, schedule));
      Slowest &counted = isFused ? fused : schedule.hasFlag("tile") ? tiles : choices;
      counted.time(toString(schedule), kRuns, [&] { return choosing(program, extents); });
      (isFused ? fusedAudits : audits).time(toString(schedule), kAudits, [&] {
        return auditing(program);
      });
    }
  }
  for (const Slowest *slowest : {&choices, &tiles, &audits, &fused, &fusedAudits})
    close(*slowest);
}

void Bench::countFusedSteps() {
  Slowest counts(budgets, "built", "fused steps");
  for (const auto &[warps, rows, chunk] : {std::array{8, 4, 64}, {12, 3, 128}, {8, 4, 510}}) {
    const VerifiedProgram program = llvm::cantFail(
        KernelVerifier::verify(fusedPlanes(example("heat.stn"), 4, warps, rows, chunk)));
    counts.time(fmt::format("{} warps of {} rows, chunks of {}", warps, rows, chunk), kRuns, [&] {
      const double start = processorMicroseconds();
      llvm::cantFail(countProgram(program, {512, 512, 512}));
      return processorMicroseconds() - start;
    });
  }
  close(counts);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "usage: stencilc-bench BUDGETS [--slowness | EXAMPLE...]\n";
    return 2;
  }
  const llvm::ArrayRef<const char *> named(argv + 2, argc - 2);
  if (llvm::is_contained(named, llvm::StringRef("--slowness"))) {
    llvm::outs() << millisecondsInThreads() / Budgets(argv[1]).of("reference", "choice") << '\n';
    return 0;
  }
  Bench bench(argv[1]);
  for (const std::string &name : exampleNames())
    if (named.empty() || llvm::is_contained(named, llvm::sys::path::stem(name)))
      bench.run(name);
  if (named.empty() || llvm::is_contained(named, llvm::StringRef("fused")))
    bench.countFusedSteps();
  return bench.isOver;
}
