// stencilc-mutate: makes small mistakes on purpose and asks every check to find them. README.md
// beside this file tells how to use it.
#include "test/mutation/Reasons.h"
#include "test/mutation/Trial.h"

#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <map>

using namespace stencilc;
using namespace stencilc::mutation;

namespace {

struct Options {
  uint64_t seed = 1;
  unsigned sample = 40;      ///< mutations of each variant's Programs that run as text
  bool takesAll = false;     ///< instead of a sample
  std::string onlyVariant;   ///< empty: all
  std::string onlyNamed;     ///< mutations whose names have this; empty: all
  std::string resultsFolder; ///< where tables are kept; empty: nowhere
};

/// Of a costly subject, for each one that runs as text.
constexpr unsigned kPrograms = 4;
/// Of each variant, at each level.
constexpr unsigned kLeastMutations = 25;
/// Of a costly subject that has no more, all run as text where all are asked for.
constexpr size_t kFew = 400;
/// Costly ones in a sample; another seed takes others.
constexpr unsigned kCostly = 2;

void keepSomeCostly(std::vector<Subject> &subjects, uint64_t seed) {
  const auto first = llvm::find_if(subjects, [](const Subject &own) { return own.isCostly; });
  const uint64_t count = subjects.end() - first;
  std::vector<Subject> kept;
  for (uint64_t number = 0; number < std::min<uint64_t>(kCostly, count); ++number)
    kept.push_back(std::move(first[(kCostly * seed + number) % count]));
  subjects.erase(first, subjects.end());
  llvm::move(kept, std::back_inserter(subjects));
}

/// Time of processors: on Programs in this process, on texts in others.
struct Seconds {
  double programs, texts;
};

Seconds secondsSoFar() {
  const auto of = [](int whose) {
    rusage usage = {};
    getrusage(whose, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  };
  return {of(RUSAGE_SELF), of(RUSAGE_CHILDREN)};
}

class Mutator {
public:
  explicit Mutator(Options options) : options(std::move(options)) {}
  int run();

private:
  void runSubject(unsigned number);
  /// The right program must pass every check.
  void checkControl(const Result &result);
  void checkCounts();
  void checkReasons();
  void keepTables() const;

  Options options;
  std::vector<Subject> subjects;
  std::map<std::string, unsigned> subjectsOf; ///< by variant
  std::vector<Result> results;
  std::vector<std::string> faults;
};

void Mutator::runSubject(unsigned number) {
  const Subject &subject = subjects[number];
  const Seconds start = secondsSoFar();
  const size_t before = results.size();
  std::vector<Trial> trials = trialsOf(subject, number);
  if (number == 0 || subjects[number - 1].variant != subject.variant)
    plant(trials);
  if (subject.isCostly && !options.takesAll)
    keepSome(trials, kPrograms * options.sample, options.seed + number);
  llvm::erase_if(trials, [&](const Trial &trial) {
    return &trial != &trials[0] && !llvm::StringRef(trial.result.name).contains(options.onlyNamed);
  });
  // A subject of few faults has few texts of its own, or none.
  const unsigned share = std::max(llvm::divideCeil(options.sample, subjectsOf[subject.variant]),
                                  subject.faults.empty() ? 0 : kLeastMutations);
  const bool allAsText =
      options.takesAll && subject.faults.empty() && (!subject.isCostly || trials.size() <= kFew);
  const size_t programs = allAsText ? trials.size() : share;
  const size_t texts = options.takesAll ? trials.size() : llvm::divideCeil(share, 2);
  chooseTexts(trials, /*ofText=*/false, programs, options.seed + number);
  chooseTexts(trials, /*ofText=*/true, texts, options.seed + number);
  runAll(subject, trials);
  runSurvivors(subject, trials);

  checkControl(trials[0].result);
  for (Trial &trial : llvm::drop_begin(trials)) {
    if (trial.result.isOfText && !trial.result.runsAsText)
      continue;
    const Program *mutated = trial.program ? &*trial.program : nullptr;
    if (std::optional<std::string> fault = judge(subject, mutated, trial.result))
      faults.push_back(std::move(*fault));
    if (trial.result.reason && !options.onlyNamed.empty())
      llvm::outs() << fmt::format("({}) explains {}: {}\n", trial.result.reason, trial.result.kind,
                                  trial.result.name);
    results.push_back(std::move(trial.result));
  }
  const Seconds end = secondsSoFar();
  llvm::outs() << fmt::format(
      "{} of {}: {} mutations, {:.0f} s of processors on Programs, {:.0f} s on texts\n",
      subject.variant, subject.stencilName, results.size() - before, end.programs - start.programs,
      end.texts - start.texts);
  llvm::outs().flush();
}

void Mutator::checkControl(const Result &result) {
  const Subject &subject = subjects[result.subject];
  const std::string *words[] = {&result.verifier, &result.audit, &result.run, &result.text};
  for (const std::string *word : words)
    if (!word->empty())
      faults.push_back(
          fmt::format("{} of {}, which is right: {}", subject.variant, subject.stencilName, *word));
}

void Mutator::checkCounts() {
  for (const auto &[variant, count] : subjectsOf) {
    unsigned programs = 0, texts = 0;
    for (const Result &result : results)
      if (subjects[result.subject].variant == variant) {
        programs += !result.isOfText;
        texts += result.runsAsText;
      }
    if (programs < kLeastMutations || texts < kLeastMutations)
      faults.push_back(
          fmt::format("{}: only {} mutations, {} of them as text", variant, programs, texts));
  }
}

/// A reason that nothing needs explains nothing; all of them are needed by all mutations alone.
void Mutator::checkReasons() {
  for (const Reason &reason : reasons())
    if (llvm::none_of(results,
                      [&](const Result &result) { return result.reason == reason.letter; }))
      faults.push_back(fmt::format("no mutation needs reason ({})", reason.letter));
}

void Mutator::keepTables() const {
  auto keep = [&](const std::string &name, llvm::function_ref<void(llvm::raw_ostream &)> print) {
    std::error_code error;
    llvm::raw_fd_ostream out(fmt::format("{}/{}.txt", options.resultsFolder, name), error);
    if (error)
      llvm::report_fatal_error(llvm::Twine("cannot write into ") + options.resultsFolder);
    print(out);
  };
  keep("planted", [&](llvm::raw_ostream &out) { printPlanted(out, subjects, results); });
  keep(options.takesAll ? "all" : "sample",
       [&](llvm::raw_ostream &out) { printSummary(out, results); });
  if (options.takesAll)
    return; // thousands of lines
  for (const auto &[variant, count] : subjectsOf)
    keep(variant, [&](llvm::raw_ostream &out) { printTable(out, variant, subjects, results); });
}

int Mutator::run() {
  llvm::outs() << fmt::format("stencilc-mutate --seed={} {}\n", options.seed,
                              options.takesAll ? "--all"
                                               : fmt::format("--sample={}", options.sample));
  llvm::outs().flush();
  subjects = mutation::subjects();
  if (!options.onlyVariant.empty())
    llvm::erase_if(subjects,
                   [&](const Subject &subject) { return subject.variant != options.onlyVariant; });
  else if (!options.takesAll)
    keepSomeCostly(subjects, options.seed);
  for (const Subject &subject : subjects)
    ++subjectsOf[subject.variant];
  if (subjects.empty())
    faults.push_back(fmt::format("{}: no subject has this name", options.onlyVariant));
  for (unsigned number = 0; number < subjects.size(); ++number)
    runSubject(number);

  if (options.onlyNamed.empty())
    checkCounts();
  if (options.takesAll && options.onlyVariant.empty() && options.onlyNamed.empty())
    checkReasons();
  printPlanted(llvm::outs(), subjects, results);
  llvm::outs() << "\n";
  printSummary(llvm::outs(), results);
  if (!options.resultsFolder.empty())
    keepTables();
  for (const std::string &fault : faults)
    llvm::outs() << "FAILED: " << fault << "\n";
  return faults.empty() ? 0 : 1;
}

bool parse(llvm::StringRef argument, Options &options) {
  if (argument.consume_front("--seed="))
    return !argument.getAsInteger(10, options.seed);
  if (argument.consume_front("--sample="))
    return !argument.getAsInteger(10, options.sample);
  if (argument.consume_front("--variant=")) {
    options.onlyVariant = argument.str();
    return true;
  }
  if (argument.consume_front("--name=")) {
    options.onlyNamed = argument.str();
    return true;
  }
  if (argument.consume_front("--results=")) {
    options.resultsFolder = argument.str();
    return true;
  }
  if (argument == "--all")
    return options.takesAll = true;
  return false;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i)
    if (!parse(argv[i], options)) {
      llvm::errs() << fmt::format("stencilc-mutate: `{}` is not understood\n"
                                  "usage: stencilc-mutate [--seed=N] [--sample=N | --all] "
                                  "[--variant=NAME] [--name=PART] [--results=DIR]\n",
                                  argv[i]);
      return 2;
    }
  return Mutator(std::move(options)).run();
}
