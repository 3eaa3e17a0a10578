// stencilc-bench BUDGETS [EXAMPLE...]: how long one candidate schedule takes to be counted and
// predicted, as choosing does for every candidate, and to be audited, as is done with the one that
// is written; of tiles of fused steps with the first of their chunks, as choosing tries all; and
// how long four fused steps, built by hand, take to be counted. Fails where the least of some runs
// is over the budget. With names, only these examples are measured (`fused`: the fused steps).
#include "codegen/lower/Lower.h"
#include "costmodel/model/Prediction.h"
#include "ir/verify/KernelVerifier.h"
#include "test/Examples.h"
#include "test/programs/Programs.h"

#include <fmt/format.h>

#include <ctime>
#include <map>

using namespace stencilc;

namespace {

constexpr int kRuns = 3, kAudits = 1, kRunsOfTheSlow = 20;

/// Of this thread: the machine may be busy with something else.
double processorMicroseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * now.tv_sec + 1e-3 * now.tv_nsec;
}

/// The budgets of one kind in budgets.csv: lines `KIND,EXAMPLE,MICROSECONDS`; `any` is every other
/// example.
std::map<std::string, double> readBudgets(const char *file, llvm::StringRef kind) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    llvm::report_fatal_error(llvm::Twine("cannot read ") + file);
  std::map<std::string, double> budgets;
  llvm::SmallVector<llvm::StringRef> lines, parts;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    parts.clear();
    line.split(parts, ',');
    double most;
    if (parts[0] == kind && !parts[2].getAsDouble(most))
      budgets[parts[1].str()] = most;
  }
  if (!budgets.contains("any"))
    llvm::report_fatal_error(llvm::Twine(file) + " bounds no " + kind);
  return budgets;
}

/// The slowest of some schedules.
struct Slowest {
  double budget;
  int runs; ///< of each, at least
  double microseconds = 0, sum = 0;
  unsigned count = 0;
  std::string schedule = {};

  bool isOver() const { return microseconds > budget; }
  /// Times a schedule by the least of some runs, of more where that is over the budget.
  void time(const Schedule &timed, llvm::function_ref<double()> once) {
    double least = once();
    for (int run = 1; run < runs || (run < kRunsOfTheSlow && least > budget); ++run)
      least = std::min(least, once());
    ++count;
    sum += least;
    if (least > microseconds) {
      microseconds = least;
      schedule = toString(timed);
    }
  }
  void print(llvm::StringRef example, llvm::StringRef what) const {
    llvm::outs() << fmt::format("{:<17}{:<12}{:4}  mean {:6.0f} us  at most {:6.0f} us of "
                                "{:.0f}  {}{}\n",
                                example.str(), what.str(), count, sum / count, microseconds, budget,
                                schedule, isOver() ? "  OVER BUDGET" : "");
    llvm::outs().flush();
  }
};

class Bench {
public:
  explicit Bench(const char *budgets)
      : candidateBudgets(readBudgets(budgets, "candidate")),
        fusedBudgets(readBudgets(budgets, "fused")), auditBudgets(readBudgets(budgets, "audit")),
        fusedAuditBudgets(readBudgets(budgets, "fused audit")),
        handBuilt(readBudgets(budgets, "built")) {}
  void run(const std::string &name);
  void countFusedSteps();
  bool isOver = false;

private:
  static double budgetOf(const std::map<std::string, double> &budgets, const std::string &stem) {
    const auto own = budgets.find(stem);
    return own == budgets.end() ? budgets.at("any") : own->second;
  }
  double choosing(const VerifiedProgram &program, llvm::ArrayRef<int64_t> extents) const;
  double auditing(const VerifiedProgram &program) const;

  std::map<std::string, double> candidateBudgets, fusedBudgets, auditBudgets, fusedAuditBudgets,
      handBuilt;
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
  Slowest choices{budgetOf(candidateBudgets, stem), kRuns},
      fused{budgetOf(fusedBudgets, stem), kRuns}, audits{budgetOf(auditBudgets, stem), kAudits},
      fusedAudits{budgetOf(fusedAuditBudgets, stem), kAudits};
  for (const Variant *variant : variantsFor(stencil)) {
    if (!variant->candidates) {
      const Schedule schedule = variant->defaultSchedule(stencil);
      if (schedule.fuse > 1) // audited when asked for; no choice waits for it
        continue;
      const VerifiedProgram program = llvm::cantFail(lower(stencil, schedule));
      audits.time(schedule, [&] { return auditing(program); });
      continue;
    }
    std::vector<Schedule> tiles; // of fused steps, with the first of their chunks
    for (const Schedule &schedule : variant->candidates(stencil)) {
      if (schedule.fuse > 1) {
        Schedule tile = schedule;
        tile.chunk = 0;
        if (llvm::is_contained(tiles, tile))
          continue;
        tiles.push_back(std::move(tile));
      }
      if (llvm::errorToBool(variant->checkLegal(stencil, schedule)))
        continue;
      const VerifiedProgram program = llvm::cantFail(lower(stencil, schedule));
      (schedule.fuse > 1 ? fused : choices).time(schedule, [&] {
        return choosing(program, extents);
      });
      (schedule.fuse > 1 ? fusedAudits : audits).time(schedule, [&] { return auditing(program); });
    }
  }
  choices.print(stem, "candidates");
  audits.print(stem, "audits");
  if (fused.count > 0) {
    fused.print(stem, "fused steps");
    fusedAudits.print(stem, "audits");
  }
  isOver |= choices.isOver() || fused.isOver() || audits.isOver() || fusedAudits.isOver();
}

void Bench::countFusedSteps() {
  const double budget = handBuilt.at("any");
  double slowest = 0;
  for (const auto &[warps, rows, chunk] : {std::array{8, 4, 64}, {12, 3, 128}, {8, 4, 510}}) {
    const VerifiedProgram program = llvm::cantFail(
        KernelVerifier::verify(fusedPlanes(example("heat.stn"), 4, warps, rows, chunk)));
    double least = std::numeric_limits<double>::infinity();
    for (int run = 0; run < kRunsOfTheSlow; ++run) {
      const double start = processorMicroseconds();
      llvm::cantFail(countProgram(program, {512, 512, 512}));
      least = std::min(least, processorMicroseconds() - start);
    }
    slowest = std::max(slowest, least);
  }
  isOver |= slowest > budget;
  llvm::outs() << fmt::format(
      "fused steps      3 programs               counted in at most {:.0f} us "
      "of {:.0f}{}\n",
      slowest, budget, slowest > budget ? "  OVER BUDGET" : "");
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "usage: stencilc-bench BUDGETS [EXAMPLE...]\n";
    return 2;
  }
  const llvm::ArrayRef<const char *> named(argv + 2, argc - 2);
  Bench bench(argv[1]);
  for (const std::string &name : exampleNames())
    if (named.empty() || llvm::is_contained(named, llvm::sys::path::stem(name)))
      bench.run(name);
  if (named.empty() || llvm::is_contained(named, llvm::StringRef("fused")))
    bench.countFusedSteps();
  return bench.isOver;
}
