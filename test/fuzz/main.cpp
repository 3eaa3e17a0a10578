// stencilc-fuzz: random programs of the language against their meaning. test/README.md tells how to
// use it.
#include "ir/kernel/InThreads.h"
#include "test/fuzz/Generate.h"
#include "test/fuzz/Histogram.h"
#include "test/fuzz/InterpreterLevel.h"
#include "test/fuzz/Random.h"
#include "test/fuzz/Shrink.h"
#include "test/fuzz/TextLevel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>
#include <thread>

using namespace stencilc;
using namespace stencilc::fuzz;

namespace {

struct Options {
  uint64_t seed = 1;
  std::optional<unsigned> count;
  bool throughText = false;
  bool shrinks = true;
  std::string folder;             ///< where the texts of programs stay; empty: they are removed
  std::vector<std::string> files; ///< programs to take in place of random ones
};

constexpr unsigned kInterpreterCount = 2000, kTextCount = 300;
/// Of each file that is given.
constexpr unsigned kFileCount = 2;
/// Below this many cases, shares mean nothing.
constexpr unsigned kLeastForShares = 200;
constexpr unsigned kMostFailures = 3;
constexpr unsigned kBatch = 20; ///< cases tried at once, or compiled as one text

/// The seed of the i-th case of a run. The first is the run's own, so that one number repeats any
/// case alone; the others are far from it, so that runs with neighbouring seeds have little in
/// common.
uint64_t seedOf(uint64_t runSeed, unsigned i) {
  if (i == 0)
    return runSeed;
  Random random(runSeed + i * uint64_t(0x2545f4914f6cdd1d));
  return random.next() % 1'000'000'000'000;
}

Dialect dialectOf(const Options &options) {
  return options.throughText ? Dialect::Exact : Dialect::Whole;
}

class Fuzzer {
public:
  explicit Fuzzer(const Options &options) : options(options), histogram(dialectOf(options)) {}
  int run();

private:
  void runInterpreters(unsigned count);
  void runText(unsigned count);
  void finishOldest();
  /// The case of a seed, counted, unless the front end refuses it.
  std::optional<Case> take(unsigned number, Stencil &stencil);
  std::optional<Failure> testOne(const Case &tested);
  void report(const Case &tested, const Failure &failure);
  /// In order, until there are enough.
  template <class Cases>
  void reportAll(const Cases &cases, const std::vector<std::optional<Failure>> &found);

  Options options;
  std::string folder;
  std::vector<std::string> given; ///< texts of the files
  Histogram histogram;
  std::deque<TextBatch> batches;
  unsigned failures = 0;
};

std::optional<Case> Fuzzer::take(unsigned number, Stencil &stencil) {
  const uint64_t seed = seedOf(options.seed, number);
  Case tested;
  if (given.empty())
    tested = generate(seed, dialectOf(options));
  else
    tested.text = given[number % given.size()];
  std::string diagnostics;
  if (std::optional<Stencil> analysed = analyse(tested, diagnostics)) {
    stencil = std::move(*analysed);
    if (given.empty())
      histogram.add(tested, stencil);
    else
      tested = generateFor(tested.text, stencil, seed);
    return tested;
  }
  report(tested, {Failure::Refused, diagnostics, ""});
  return std::nullopt;
}

std::optional<Failure> Fuzzer::testOne(const Case &tested) {
  std::string diagnostics;
  std::optional<Stencil> stencil = analyse(tested, diagnostics);
  if (!stencil)
    return Failure{Failure::Refused, diagnostics, ""};
  return options.throughText ? testThroughText(tested, folder + "/shrink")
                             : testInterpreters(tested, *stencil);
}

void Fuzzer::runInterpreters(unsigned count) {
  for (unsigned begin = 0; begin < count && failures < kMostFailures; begin += kBatch) {
    std::vector<std::pair<Case, Stencil>> cases;
    for (unsigned i = begin; i < std::min(begin + kBatch, count); ++i) {
      Stencil stencil;
      if (std::optional<Case> tested = take(i, stencil))
        cases.emplace_back(std::move(*tested), std::move(stencil));
    }
    std::vector<std::optional<Failure>> found(cases.size());
    doInThreads(cases.size(), 0, [&](size_t number) {
      const auto &[tested, stencil] = cases[number];
      found[number] = testInterpreters(tested, stencil);
    });
    reportAll(llvm::make_first_range(cases), found);
  }
}

void Fuzzer::runText(unsigned count) {
  const unsigned most = std::max(1u, std::thread::hardware_concurrency()); // compilers at once
  std::vector<Case> cases;
  for (unsigned i = 0; i < count && failures < kMostFailures; ++i) {
    Stencil stencil;
    if (std::optional<Case> tested = take(i, stencil))
      cases.push_back(std::move(*tested));
    if (cases.size() < kBatch && i + 1 < count)
      continue;
    if (batches.size() == most)
      finishOldest();
    batches.emplace_back(std::move(cases), fmt::format("{}/batch{}", folder, i / kBatch));
    cases.clear();
  }
  while (!batches.empty())
    finishOldest();
}

void Fuzzer::finishOldest() {
  const std::vector<std::optional<Failure>> found = batches.front().finish();
  reportAll(batches.front().tested(), found);
  batches.pop_front();
}

template <class Cases>
void Fuzzer::reportAll(const Cases &cases, const std::vector<std::optional<Failure>> &found) {
  for (const auto &[tested, failure] : llvm::zip_equal(cases, found))
    if (failure && failures < kMostFailures)
      report(tested, *failure);
}

void Fuzzer::report(const Case &tested, const Failure &failure) {
  ++failures;
  llvm::outs() << fmt::format("\nFAILED at seed {}\n{}\n", tested.seed, failure.text);
  llvm::outs().flush(); // shrinking takes minutes
  ShrunkCase shrunk = {tested, failure};
  if (options.shrinks && given.empty() && failure.kind != Failure::Refused)
    shrunk = shrink(tested, failure, options.throughText ? 150 : 3000,
                    [&](const Case &candidate) { return testOne(candidate); });
  const Case &smallest = shrunk.smallest;
  llvm::outs() << "\n" << toText(smallest) << "\n";
  std::string diagnostics;
  std::optional<Stencil> stencil = analyse(smallest, diagnostics);
  llvm::outs() << fmt::format(
      "real is {}, extents {}, steps {}, phase {}, pitch {}{}{}\n{}\n",
      spelling(smallest.real).str(),
      fmt::join(stencil ? extentsOf(smallest, *stencil) : smallest.extents, "x"), smallest.steps,
      smallest.phase, smallest.pitch,
      smallest.maxGridYZ < 65535 ? fmt::format(", slabs of {} blocks", smallest.maxGridYZ) : "",
      shrunk.failure.schedule.empty() ? "" : ", schedule " + shrunk.failure.schedule,
      shrunk.failure.text);
  for (const auto &[name, value] : smallest.params)
    llvm::outs() << fmt::format("{} = {}\n", name, value);
  if (given.empty())
    llvm::outs() << fmt::format("repeat: stencilc-fuzz --seed={} --count=1{}\n", tested.seed,
                                options.throughText ? " --through-text" : "");
  llvm::outs().flush();
}

int Fuzzer::run() {
  for (const std::string &file : options.files)
    given.push_back(llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(file)))
                        ->getBuffer()
                        .str());
  const unsigned usual = !given.empty()        ? kFileCount * given.size()
                         : options.throughText ? kTextCount
                                               : kInterpreterCount;
  const unsigned count = options.count.value_or(usual);
  llvm::outs() << fmt::format("stencilc-fuzz --seed={} --count={}{}\n", options.seed, count,
                              options.throughText ? " --through-text" : "");
  llvm::outs().flush();
  if (options.throughText) {
    llvm::SmallString<128> path(options.folder);
    if (path.empty() && llvm::sys::fs::createUniqueDirectory("stencilc-fuzz", path))
      llvm::report_fatal_error("cannot make a folder for the programs");
    folder = path.str().str();
    runText(count);
    if (options.folder.empty())
      llvm::sys::fs::remove_directories(folder);
  } else {
    runInterpreters(count);
  }

  if (failures == 0) {
    llvm::outs() << fmt::format("{} programs, no difference", count);
    llvm::outs() << (given.empty() ? ". Of them have:\n" : "\n");
    if (given.empty())
      histogram.print(llvm::outs());
  }
  bool fails = failures > 0;
  if (!fails && given.empty() && count >= kLeastForShares)
    for (const std::string &feature : histogram.rareFeatures()) {
      llvm::outs() << fmt::format("FAILED: fewer than 5 % of the programs have: {}\n", feature);
      fails = true;
    }
  return fails ? 1 : 0;
}

bool parse(llvm::StringRef argument, Options &options) {
  if (argument.consume_front("--seed="))
    return !argument.getAsInteger(10, options.seed);
  if (argument.consume_front("--count=")) {
    unsigned count;
    if (argument.getAsInteger(10, count))
      return false;
    options.count = count;
    return true;
  }
  if (argument.consume_front("--keep=")) {
    options.folder = argument.str();
    return !argument.empty();
  }
  if (argument == "--through-text")
    return options.throughText = true;
  if (argument == "--shrink" || argument == "--no-shrink") {
    options.shrinks = argument == "--shrink";
    return true;
  }
  if (argument.starts_with("-"))
    return false;
  options.files.push_back(argument.str());
  return true;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i)
    if (!parse(argv[i], options)) {
      llvm::errs() << fmt::format("stencilc-fuzz: `{}` is not understood\n"
                                  "usage: stencilc-fuzz [--seed=N] [--count=N] [--through-text] "
                                  "[--keep=DIR] [--no-shrink] [FILE.stn...]\n",
                                  argv[i]);
      return 2;
    }
  return Fuzzer(std::move(options)).run();
}
