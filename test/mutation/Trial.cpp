#include "test/mutation/Trial.h"

#include "test/fuzz/Random.h"
#include "test/fuzz/TextProgram.h"
#include "test/mutation/KernelChecks.h"
#include "test/mutation/Mutation.h"
#include "test/mutation/TextChecks.h"
#include "test/mutation/TextMutations.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Parallel.h"

#include <fmt/format.h>

#include <map>

using namespace stencilc;
using namespace stencilc::mutation;

std::vector<Trial> mutation::trialsOf(const Subject &subject, unsigned number) {
  const std::string right = fuzz::sourceOf(subject.program);
  std::vector<Trial> trials(1);
  trials[0].result.subject = number;
  trials[0].result.runsAsText = true;
  trials[0].program = subject.program;
  trials[0].source = right;
  for (Mutation &mutation : mutationsOf(subject.program)) {
    if (subject.isHandBuilt && llvm::StringRef(mutation.name).contains("_baseline"))
      continue; // a variant's
    Trial &trial = trials.emplace_back();
    trial.result = {.subject = number, .kind = mutation.kind.str(), .name = mutation.name};
    trial.program = std::move(mutation.program);
    trial.source = fuzz::sourceOf(*trial.program);
    trial.result.printsTheSame = trial.source == right;
  }
  for (TextMutation &mutation : textMutationsOf(right)) {
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
      return trial.result.kind == kind && llvm::StringRef(trial.result.name).contains(part);
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

/// Programs and compilers on all processors; then the texts, which start processes of their own.
void mutation::runAll(const Subject &subject, std::vector<Trial> &trials) {
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("stencilc-mutate", folder))
    llvm::report_fatal_error("cannot make a folder for the texts");
  auto folderOf = [&](size_t number) { return fmt::format("{}/{}", folder.str().str(), number); };
  llvm::parallelFor(0, trials.size(), [&](size_t number) {
    Trial &trial = trials[number];
    Result &result = trial.result;
    if (trial.program) {
      result.verifier = verifierFinds(*trial.program);
      result.audit = auditFinds(subject, *trial.program);
      result.run = runFinds(subject, *trial.program);
    }
    if (!result.runsAsText)
      return;
    trial.isCompiled = fuzz::compileText(subject.program, trial.source, folderOf(number));
    if (!trial.isCompiled)
      result.text = "compiler";
  });
  for (auto [number, trial] : llvm::enumerate(trials))
    if (trial.isCompiled)
      trial.result.text = textFinds(subject, folderOf(number));
  llvm::sys::fs::remove_directories(folder);
}
