#include "test/mutation/Trial.h"

#include "test/fuzz/Random.h"
#include "test/fuzz/TextProgram.h"
#include "test/mutation/KernelChecks.h"
#include "test/mutation/Mutation.h"
#include "test/mutation/TextChecks.h"
#include "test/mutation/TextMutations.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Parallel.h"

#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <map>

using namespace stencilc;
using namespace stencilc::mutation;

/// True for a kernel that a program built by hand takes as it is, beside its own.
static bool isVariants(llvm::StringRef kernel) { return kernel.contains("_baseline"); }

static bool hasOwnKernels(const Program &program) {
  return llvm::any_of(program.kernels, [](const Kernel &kernel) {
    return !isVariants(kernel.name) && !llvm::StringRef(kernel.name).contains("_copy_frame");
  });
}

static bool takes(const Subject &subject, llvm::StringRef kind, llvm::StringRef name) {
  return subject.faults.empty() || llvm::any_of(subject.faults, [&](const HandBuilt::Fault &fault) {
           return kind == fault.kind && name.contains(fault.part);
         });
}

std::vector<Trial> mutation::trialsOf(const Subject &subject, unsigned number) {
  const std::string right = fuzz::sourceOf(subject.program);
  std::vector<Trial> trials(1);
  trials[0].result.subject = number;
  trials[0].result.runsAsText = true;
  trials[0].program = subject.program;
  trials[0].source = right;
  const bool leavesOut = subject.isCostly && hasOwnKernels(subject.program);
  for (Mutation &mutation : mutationsOf(subject.program)) {
    if ((leavesOut && llvm::StringRef(mutation.name).contains("_baseline")) ||
        !takes(subject, mutation.kind, mutation.name))
      continue;
    Trial &trial = trials.emplace_back();
    trial.result = {.subject = number, .kind = mutation.kind.str(), .name = mutation.name};
    trial.program = std::move(mutation.program);
    trial.source = fuzz::sourceOf(*trial.program);
    trial.result.printsTheSame = trial.source == right;
  }
  for (TextMutation &mutation : textMutationsOf(right)) {
    if (!takes(subject, mutation.kind, mutation.name))
      continue;
    Trial &trial = trials.emplace_back();
    trial.result = {
        .subject = number, .kind = mutation.kind.str(), .name = mutation.name, .isOfText = true};
    trial.source = std::move(mutation.text);
  }
  return trials;
}

void mutation::plant(std::vector<Trial> &trials) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> planted[] = {
      {"guard dropped", ": the guard is dropped"},
      {"index shifted", " + 2 in the load of u "},
      {"launch dropped", "_copy_frame"}};
  for (const auto &[kind, part] : planted) {
    auto found = llvm::find_if(trials, [&](const Trial &trial) {
      const llvm::StringRef name = trial.result.name;
      return trial.result.kind == kind && name.contains(part) && !name.contains("_stage");
    });
    if (found != trials.end())
      found->result.isPlanted = found->result.runsAsText = true;
  }
}

/// At random, but the second of a kind only after the first of every kind.
static std::vector<Result *> inFairOrder(std::vector<Result *> candidates, uint64_t seed) {
  fuzz::Random random(seed);
  for (size_t i = candidates.size(); i > 1; --i)
    std::swap(candidates[i - 1], candidates[random.below(i)]);
  std::map<std::string, unsigned> taken;
  std::vector<std::pair<unsigned, Result *>> order; ///< how many of its kind come before
  for (Result *candidate : candidates)
    order.emplace_back(taken[candidate->kind]++, candidate);
  llvm::stable_sort(order, llvm::less_first());
  std::vector<Result *> result;
  for (auto [before, candidate] : order)
    result.push_back(candidate);
  return result;
}

void mutation::keepSome(std::vector<Trial> &trials, size_t count, uint64_t seed) {
  std::vector<Result *> candidates;
  for (Trial &trial : llvm::drop_begin(trials))
    if (!trial.result.isOfText && !trial.result.isPlanted)
      candidates.push_back(&trial.result);
  candidates = inFairOrder(std::move(candidates), seed);
  for (Result *dropped : llvm::drop_begin(candidates, std::min(count, candidates.size())))
    dropped->isKept = false;
  llvm::erase_if(trials, [](const Trial &trial) { return !trial.result.isKept; });
}

void mutation::chooseTexts(std::vector<Trial> &trials, bool ofText, size_t count, uint64_t seed) {
  std::vector<Result *> candidates;
  for (Trial &trial : llvm::drop_begin(trials))
    if (trial.result.isOfText == ofText && !trial.result.printsTheSame)
      candidates.push_back(&trial.result);
  candidates = inFairOrder(std::move(candidates), seed);
  for (Result *chosen : llvm::ArrayRef(candidates).take_front(count))
    chosen->runsAsText = true;
}

/// What the checks find of a mutated Program. One built by hand stops at the first that finds
/// something, unless it runs as text; it does if nothing else sees it.
static void checkProgram(const Subject &subject, const Trial &trial, Result &result) {
  result.stopsEarly = subject.isCostly && !result.runsAsText;
  const auto isDone = [&] { return result.stopsEarly && result.isFound(); };
  result.verifier = verifierFinds(*trial.program);
  if (!isDone())
    result.audit = auditFinds(subject, *trial.program);
  if (!isDone())
    result.run = runFinds(subject, *trial.program);
  if (result.stopsEarly && !result.isFound() && !result.printsTheSame)
    result.runsAsText = true;
}

/// Runs the compiled texts, shared out among processes: what they load and start must not meet.
static void runTexts(const Subject &subject, std::vector<Trial> &trials, const std::string &folder,
                     llvm::function_ref<std::string(size_t)> folderOf) {
  const unsigned workers = llvm::parallel::strategy.compute_thread_count();
  const auto wordsOf = [&](unsigned worker) { return fmt::format("{}/words{}", folder, worker); };
  std::vector<pid_t> processes;
  for (unsigned worker = 0; worker < workers; ++worker) {
    const pid_t process = fork();
    if (process < 0)
      llvm::report_fatal_error("cannot start a process");
    if (process > 0) {
      processes.push_back(process);
      continue;
    }
    std::error_code error;
    llvm::raw_fd_ostream words(wordsOf(worker), error);
    for (size_t number = worker; number < trials.size(); number += workers)
      if (trials[number].isCompiled)
        words << number << ' ' << textFinds(subject, folderOf(number)) << '\n';
    words.close();
    _exit(words.has_error() || error ? 1 : 0);
  }
  for (auto [worker, process] : llvm::enumerate(processes)) {
    int status = 0;
    auto words = waitpid(process, &status, 0) == process && status == 0
                     ? llvm::MemoryBuffer::getFile(wordsOf(worker))
                     : llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>(
                           std::make_error_code(std::errc::io_error));
    if (!words)
      llvm::report_fatal_error("texts were not run to the end");
    for (llvm::line_iterator line(**words); !line.is_at_eof(); ++line) {
      const auto [number, word] = line->split(' ');
      size_t trial = 0;
      if (number.getAsInteger(10, trial) || trial >= trials.size())
        llvm::report_fatal_error("a word of no text");
      trials[trial].result.text = word.str();
    }
  }
}

/// Puts the Program of each trial to `check`, which says whether its text shall be compiled and
/// run.
static void runTrials(const Subject &subject, std::vector<Trial> &trials,
                      llvm::function_ref<bool(Trial &)> check) {
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("stencilc-mutate", folder))
    llvm::report_fatal_error("cannot make a folder for the texts");
  const auto folderOf = [&](size_t number) {
    return fmt::format("{}/{}", folder.str().str(), number);
  };
  llvm::parallelFor(0, trials.size(), [&](size_t number) {
    Trial &trial = trials[number];
    trial.isCompiled = false;
    if (!check(trial))
      return;
    trial.isCompiled = fuzz::compileText(subject.program, trial.source, folderOf(number));
    if (!trial.isCompiled)
      trial.result.text = "compiler";
  });
  runTexts(subject, trials, folder.str().str(), folderOf);
  llvm::sys::fs::remove_directories(folder);
}

void mutation::runAll(const Subject &subject, std::vector<Trial> &trials) {
  runTrials(subject, trials, [&](Trial &trial) {
    if (trial.program)
      checkProgram(subject, trial, trial.result);
    return trial.result.runsAsText;
  });
}

void mutation::runSurvivors(const Subject &subject, std::vector<Trial> &trials) {
  std::vector<Trial> survivors;
  for (Trial &trial : llvm::drop_begin(trials))
    if (needsMoreGrids(subject, trial.program ? &*trial.program : nullptr, trial.result)) {
      trial.result.ranOnMoreGrids = true;
      survivors.push_back(trial);
    }
  if (survivors.empty())
    return;
  const Subject more = onMoreGrids(subject);
  runTrials(more, survivors, [&](Trial &trial) {
    if (trial.result.survivesRun())
      trial.result.run = runFinds(more, *trial.program);
    return trial.result.survivesText();
  });
  auto survivor = survivors.begin();
  for (Trial &trial : trials)
    if (trial.result.ranOnMoreGrids)
      trial.result = (survivor++)->result;
}
