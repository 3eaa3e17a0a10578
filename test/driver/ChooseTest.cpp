// The choice of a schedule. Where every example would be chosen for, some are drawn; STENCILC_SEED
// draws others, STENCILC_ALL takes all.
#include "frontend/driver/Choose.h"

#include "costmodel/compiled/Residency.h"
#include "frontend/driver/Explain.h"
#include "test/Examples.h"
#include "test/Seed.h"
#include "test/ir/StencilSource.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <fmt/format.h>

#include <thread>

using namespace stencilc;
using llvm::StringRef;

namespace {

constexpr size_t kExamples = 10; ///< of them, by a seed

const DeviceProfile &h200() {
  static const DeviceProfile device = cantFail(loadDeviceProfile("h200"));
  return device;
}

Situation onH200(const Stencil &stencil, int64_t extent = 512) {
  return {&h200(), std::vector<int64_t>(stencil.rank(), extent), {}};
}

Choice chosen(const Stencil &stencil, const Constraints &constraints, const Situation &situation) {
  return cantFail(choose(stencil, constraints, situation));
}

std::string refusal(const Stencil &stencil, const Constraints &constraints) {
  llvm::Expected<Choice> choice = choose(stencil, constraints, onH200(stencil));
  return choice ? "chosen: " + toString(choice->program->schedule) : toString(choice.takeError());
}

std::vector<std::string> schedulesOf(const Ranking &ranking) {
  std::vector<std::string> texts;
  for (const Candidate &candidate : ranking.candidates)
    texts.push_back(toString(candidate.schedule));
  return texts;
}

/// "schedule: reason".
std::vector<std::string> reasonsOf(const Ranking &ranking) {
  std::vector<std::string> texts;
  for (const Rejection &rejection : ranking.rejected)
    texts.push_back(
        (rejection.isWholeVariant ? rejection.schedule.variant : toString(rejection.schedule)) +
        ": " + rejection.reason);
  return texts;
}

bool hasOne(const std::vector<std::string> &texts, StringRef part) {
  return llvm::any_of(texts, [&](StringRef text) { return text.contains(part); });
}

bool haveAll(const std::vector<std::string> &texts, StringRef part) {
  return llvm::all_of(texts, [&](StringRef text) { return text.contains(part); });
}

/// All that is told of a choice, every candidate and its time included.
std::string reportText(const Stencil &stencil, const Situation &situation, const Choice &choice) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printReport(out, cantFail(reportOf(stencil, {}, situation, choice)), ReportForm::Json);
  return text;
}

/// The first candidate of the first variant, without its residency.
std::string simplest(const Stencil &stencil) {
  return toString(variants().front().candidates(stencil).front());
}

/// One step at a time.
Constraints singleSteps() {
  Constraints constraints;
  constraints.fuse = 1;
  return constraints;
}

/// A march of heat.stn through 64 planes.
Constraints march() {
  Constraints constraints;
  constraints.variant = findVariant("zblock");
  constraints.block = {32, 8};
  constraints.chunk = 64;
  return constraints;
}

/// Those with a point a thread, sorted.
std::vector<std::string> ofOnePoint(const Ranking &ranking) {
  std::vector<std::string> texts = schedulesOf(ranking);
  llvm::erase_if(texts, [](StringRef text) { return text.contains("/v"); });
  llvm::sort(texts);
  return texts;
}

} // namespace

TEST(Choose, IsNeverPredictedSlowerThanTheSimpleSchedule) {
  Constraints simple;
  simple.unoptimized = true;
  for (const std::string &name : drawn(exampleNames(), kExamples)) {
    const Stencil stencil = example(name);
    const Situation situation = onH200(stencil, stencil.rank() == 3 ? 512 : 4096);
    const Choice best = chosen(stencil, {}, situation);
    const Choice baseline = chosen(stencil, simple, situation);
    ASSERT_TRUE(best.forecast && baseline.forecast) << name;
    EXPECT_LE(best.forecast->predicted.total, (1 + kTie) * baseline.forecast->predicted.total)
        << name;
  }
}

TEST(Choose, TakesTheFirstOfItsRanking) {
  const Stencil stencil = example("heat.stn");
  const Choice choice = chosen(stencil, {}, onH200(stencil));
  EXPECT_FALSE(choice.isForced);
  ASSERT_FALSE(choice.ranking.candidates.empty());
  const Candidate &first = choice.ranking.candidates.front();
  EXPECT_TRUE(choice.program->schedule == first.schedule);
  EXPECT_EQ(choice.forecast->predicted.total, first.predicted.total);
  for (const Candidate &other : choice.ranking.candidates)
    EXPECT_LE(first.predicted.total, (1 + kTie) * other.predicted.total)
        << toString(other.schedule);
}

// Where starting a kernel takes far longer than running it, all candidates tie.
TEST(Choose, TakesTheSimplestOfATie) {
  const Stencil stencil = example("heat.stn");
  DeviceProfile slow = h200();
  slow.launching->hostInterval.value = slow.launching->graphInterval.value = 1;
  Situation situation = onH200(stencil);
  situation.device = &slow;
  const Choice choice = chosen(stencil, singleSteps(), situation);
  const std::string schedule = toString(choice.program->schedule);
  EXPECT_TRUE(StringRef(schedule).starts_with(simplest(stencil) + "/r")) << schedule;
}

TEST(Choose, TakesTheShorterMarchOfATie) {
  for (const ScalarType real : {ScalarType::F32, ScalarType::F64}) {
    const Stencil stencil = example("7pt1.stn", real);
    const Choice choice = chosen(stencil, {}, onH200(stencil));
    double least = choice.forecast->predicted.total;
    for (const Candidate &other : choice.ranking.candidates)
      least = std::min(least, other.predicted.total);
    for (const Candidate &other : choice.ranking.candidates)
      if (other.predicted.total <= (1 + kTie) * least) {
        EXPECT_GE(other.schedule.chunk, choice.program->schedule.chunk) << toString(other.schedule);
      }
  }
}

TEST(Choose, TakesTheSimplestWhereNoPointIsUpdated) {
  const Stencil stencil = example("heat.stn");
  const Choice choice = chosen(stencil, {}, onH200(stencil, 1));
  const std::string schedule = toString(choice.program->schedule);
  EXPECT_TRUE(StringRef(schedule).starts_with(simplest(stencil) + "/r")) << schedule;
  EXPECT_FALSE(choice.forecast);
  EXPECT_EQ(choice.unpredicted, "no point of a grid of this size is updated");
}

TEST(Choose, TakesFusedStepsThatSpillWhereNoPointIsUpdated) {
  const Stencil stencil = example("pressure19.stn");
  Constraints constraints;
  constraints.fuse = 3;
  ASSERT_TRUE(StringRef(refusal(stencil, constraints)).contains("registers"));
  const Choice choice = chosen(stencil, constraints, onH200(stencil, 1));
  EXPECT_EQ(choice.program->schedule.fuse, 3);
  EXPECT_EQ(choice.unpredicted, "no point of a grid of this size is updated");
}

TEST(Choose, TriesTheResidencyOfTheLoweringAndAFullSm) {
  const Stencil stencil = example("heat.stn");
  const std::vector<std::string> tried =
      ofOnePoint(chosen(stencil, march(), onH200(stencil)).ranking);
  Schedule usual = cantFail(parseSchedule("zblock/32x8x1/c64", 3));
  usual.residency = usualResidency(stencil, usual, usualCodeTable());
  std::vector<std::string> expected = {toString(usual), "zblock/32x8x1/c64/r8"};
  llvm::sort(expected);
  EXPECT_EQ(tried, expected);
}

TEST(Choose, TriesOneResidencyWhereRegistersAreAskedFor) {
  const Stencil stencil = example("heat.stn");
  Situation situation = onH200(stencil);
  situation.options.registers = 48;
  EXPECT_EQ(ofOnePoint(chosen(stencil, march(), situation).ranking).size(), 1u);
}

TEST(Choose, LeavesThreadsTheRegistersThatTheyNeed) {
  // A long formula: all of 5 x 5 x 5 points.
  Stencil box = stencilOf("stencil box(z, y, x) { field f64 u; boundary u: fixed;"
                          "u' = sum(k=-2:2, j=-2:2, i=-2:2, sqrt(u[z+k, y+j, x+i])); }");
  std::vector<Stencil> stencils = {std::move(box)};
  for (const std::string &name : drawn(exampleNames(), kExamples, /*place=*/1))
    stencils.push_back(example(name));
  for (const Stencil &stencil : stencils) {
    const Choice choice = chosen(stencil, {}, onH200(stencil, stencil.rank() == 3 ? 512 : 4096));
    for (const Candidate &candidate : choice.ranking.candidates) {
      if (candidate.predicted.occupancy.blocks == 1)
        continue;
      EXPECT_EQ(candidate.predicted.occupancy.spilledRegisters, 0) << toString(candidate.schedule);
    }
    EXPECT_TRUE(choice.forecast->predicted.occupancy.blocks == 1 ||
                registerShortage(choice.forecast->counted, h200()).empty())
        << toString(choice.program->schedule);
  }
}

// Layers of 1024 x 1024 points are more than the L2 keeps; bands of them are not.
TEST(Choose, GoesOnInBandsWhereLayersOutgrowTheL2) {
  const Stencil stencil = example("7pt1.stn");
  Constraints single;
  single.fuse = 1;
  EXPECT_EQ(chosen(stencil, single, onH200(stencil)).program->schedule.band, 0);
  const Choice large = chosen(stencil, single, onH200(stencil, 1024));
  EXPECT_GT(large.program->schedule.band, 0);
  Schedule whole = large.program->schedule;
  whole.band = 0;
  Constraints asked;
  asked.whole = whole;
  const Choice inOne = chosen(stencil, asked, onH200(stencil, 1024));
  EXPECT_LT(large.forecast->predicted.total * 1.1, inOne.forecast->predicted.total);
  EXPECT_LT(large.forecast->predicted.geometric->windowBytes,
            inOne.forecast->predicted.geometric->windowBytes / 2);
}

TEST(Choose, TriesPatchesWhereTheModelKnowsThem) {
  const Stencil stencil = example("heat.stn");
  const Ranking ranking = chosen(stencil, {}, onH200(stencil)).ranking;
  for (StringRef text : {"zblock/32x8x1/c16/v2x1/r", "zblock/32x4x1/c64/v2x2/r"})
    EXPECT_TRUE(hasOne(schedulesOf(ranking), text)) << text.str();
  Situation byPaper = onH200(stencil);
  byPaper.options.model = Model::Su2015;
  const Ranking other = chosen(stencil, {}, byPaper).ranking;
  EXPECT_FALSE(hasOne(schedulesOf(other), "/v"));
  EXPECT_TRUE(hasOne(reasonsOf(other), "zblock/32x8x1/c16/v2x1: [su2015] knows"));
}

// Sixteen fields in patches: more than 255 registers.
TEST(Choose, TriesNoPatchesThatSpillAloneOnAnSm) {
  std::string text = "stencil many(z, y, x) {\n";
  for (int field = 0; field < 16; ++field)
    text += llvm::formatv("field f64 u{0}; boundary u{0}: clamp; u{0}' = u{0}[z-1] + u{0}[z+1];\n",
                          field);
  const Stencil stencil = stencilOf(text + "}\n");
  const Ranking ranking = chosen(stencil, {}, onH200(stencil)).ranking;
  EXPECT_FALSE(hasOne(schedulesOf(ranking), "/v2x2"));
  EXPECT_TRUE(hasOne(reasonsOf(ranking), "/v2x2/r1: a thread has at most 255 registers"));
}

// What is left out is slower by its forecast, or hardly faster: other blocks, chunks, wider or
// taller patches, planes loaded ahead.
TEST(Choose, FewPatchesAreEnough) {
  for (const char *name : {"7pt1.stn", "19pt.stn", "star2.stn", "hdiff.stn", "jacobi5.stn"}) {
    const Stencil stencil = example(name);
    const bool isFlat = stencil.rank() == 2;
    const Situation situation = onH200(stencil, isFlat ? 8192 : 512);
    const double best = chosen(stencil, singleSteps(), situation).forecast->predicted.total;
    const auto least = [&](const std::vector<std::string> &blocks,
                           const std::vector<std::string> &marches,
                           const std::vector<std::string> &patches) {
      double least = best;
      for (const std::string &block : blocks)
        for (const std::string &march : marches)
          for (const std::string &patch : patches) {
            Constraints constraints;
            constraints.whole = cantFail(parseSchedule(block + march + patch, stencil.rank()));
            const Choice other = chosen(stencil, constraints, situation);
            if (other.forecast && registerShortage(other.forecast->counted, h200()).empty())
              least = std::min(least, other.forecast->predicted.total);
          }
      return least;
    };
    const double wider =
        isFlat ? least({"baseline/32x2", "baseline/64x2", "baseline/128x2"}, {""},
                       {"/v2x1", "/v2x4", "/v4x1"})
               : least({"zblock/32x2x1", "zblock/64x4x1", "zblock/64x2x1", "zblock/128x1x1"},
                       {"/c8", "/c32", "/c128"}, {"/v2x1", "/v2x2", "/v2x4", "/v2x1/p1"});
    fmt::print("{}: {:+.1f} %\n", name, 100 * (best / wider - 1));
    EXPECT_LE(best / wider - 1, kTie) << name;
  }
}

TEST(Choose, TellsWhichFullSmWouldSpill) {
  const Stencil stencil = example("star2.stn");
  EXPECT_TRUE(hasOne(reasonsOf(chosen(stencil, {}, onH200(stencil)).ranking),
                     ": so many blocks on an SM leave a thread"));
}

TEST(Choose, TellsWhichVariantCannotKeepAConstraint) {
  const Stencil stencil = example("heat.stn");
  Constraints constraints;
  constraints.chunk = 20;
  const Choice choice = chosen(stencil, constraints, onH200(stencil));
  EXPECT_TRUE(haveAll(schedulesOf(choice.ranking), "/c20/"));
  EXPECT_TRUE(hasOne(reasonsOf(choice.ranking), "`baseline` has no chunk"));
}

TEST(Choose, FailsWithEveryReasonThatCountsWhereNothingIsLeft) {
  const Stencil stencil = example("wave.stn"); // which no variant fuses steps of
  Constraints fused;
  fused.fuse = 2;
  const std::string reasons = refusal(stencil, fused);
  EXPECT_TRUE(
      StringRef(reasons).starts_with("no schedule is left to choose: what a thread keeps of "
                                     "2 fused steps takes about "))
      << reasons;
  EXPECT_EQ(StringRef(reasons).count("take fewer"), 1u) << reasons;
  // Schedules that gave way to others are no reason.
  EXPECT_FALSE(StringRef(reasons).contains("fewer tiles are tried")) << reasons;
  EXPECT_FALSE(StringRef(reasons).contains("fuses no time steps")) << reasons;
  Constraints large;
  large.block = {2048};
  EXPECT_EQ(refusal(example("heat.stn"), large),
            "no schedule is left to choose: a block of 2048 threads is "
            "larger than the 1024 that a GPU launches");
}

/// So many fields on one axis, updated in one stage.
Stencil ofFields(unsigned count) {
  std::string text = "stencil many(x) {\n";
  for (unsigned field = 0; field < count; ++field)
    text += llvm::formatv("field f32 u{0}; boundary u{0}: clamp; u{0}' = u{0}[x-1];\n", field);
  return stencilOf(text + "}\n");
}

TEST(Choose, RefusesMoreArgumentsThanTheDevicePasses) {
  const DeviceProfile kepler = cantFail(loadDeviceProfile("k20"));
  Constraints constraints;
  constraints.variant = findVariant("baseline");
  constraints.block = {64};
  const auto choiceOf = [&](unsigned fields, const DeviceProfile &device) {
    return choose(ofFields(fields), constraints, Situation{&device, {1 << 20}, {}});
  };
  // Two pointers a field, the extent and where the first block starts.
  EXPECT_TRUE(bool(choiceOf(255, kepler)));
  EXPECT_EQ(toString(choiceOf(256, kepler).takeError()),
            "no schedule is left to choose: `many_baseline` takes 4104 bytes of arguments, and "
            "K20 passes a kernel 4096; updates in stages of their own, and fewer numbers made of "
            "params, take fewer");
  EXPECT_TRUE(bool(choiceOf(256, h200())));
  // A schedule that is forced is no better off.
  constraints.whole = cantFail(parseSchedule("baseline/64", 1));
  EXPECT_TRUE(bool(choiceOf(255, kepler)));
  EXPECT_EQ(toString(choiceOf(256, kepler).takeError()),
            "`many_baseline` takes 4104 bytes of arguments, and K20 passes a kernel 4096; updates "
            "in stages of their own, and fewer numbers made of params, take fewer");
  // Nobody says for which GPU.
  EXPECT_TRUE(bool(choose(ofFields(256), constraints, std::nullopt)));
}

TEST(Choose, LeavesOutWhatCannotWin) {
  const Stencil stencil = example("heat.stn");
  const Ranking ranking = chosen(stencil, {}, onH200(stencil, 20)).ranking;
  EXPECT_FALSE(hasOne(schedulesOf(ranking), "/c128"));
  EXPECT_TRUE(hasOne(reasonsOf(ranking), "/c128: a shorter chunk reaches"));
  // The first candidate has to keep the rule, too.
  EXPECT_FALSE(hasOne(schedulesOf(ranking), "/c64"));
  EXPECT_TRUE(hasOne(schedulesOf(ranking), "/c32"));
}

TEST(Choose, TakesAWholeScheduleAsItIs) {
  const Stencil stencil = example("heat.stn");
  Constraints constraints;
  constraints.whole = cantFail(parseSchedule("zblock/64x4x1/c16/r4", 3));
  const Choice choice = chosen(stencil, constraints, onH200(stencil));
  EXPECT_TRUE(choice.isForced);
  EXPECT_EQ(toString(choice.program->schedule), "zblock/64x4x1/c16/r4");
  EXPECT_TRUE(choice.forecast);
  EXPECT_TRUE(choice.ranking.candidates.empty());
}

TEST(Choose, AsksNoModelWithoutASituation) {
  const Stencil stencil = example("heat.stn");
  Constraints constraints;
  constraints.block = {64, 2};
  const Choice choice = cantFail(choose(stencil, constraints, std::nullopt));
  const std::string schedule = toString(choice.program->schedule);
  EXPECT_TRUE(StringRef(schedule).starts_with("baseline/64x2x1/")) << schedule;
  EXPECT_FALSE(choice.forecast);
  EXPECT_EQ(choice.unpredicted, "");
}

TEST(Choose, IsTheSameWhateverTheNumberOfThreads) {
  const char *names[] = {"heat.stn", "7pt3.stn", "gray_scott.stn"};
  for (const char *name : drawn(names, 1)) {
    const Stencil stencil = example(name);
    Situation situation = onH200(stencil);
    situation.threads = 1;
    const Choice alone = chosen(stencil, {}, situation);
    const std::string report = reportText(stencil, situation, alone);
    for (unsigned threads : {2, 4, 4, 64}) {
      situation.threads = threads;
      const Choice together = chosen(stencil, {}, situation);
      EXPECT_EQ(together.program->schedule, alone.program->schedule) << name << " " << threads;
      EXPECT_EQ(reportText(stencil, situation, together), report) << name << " " << threads;
    }
  }
}

TEST(Choose, IsTheSameFromManyThreadsAtOnce) {
  const Stencil stencil = example("heat.stn");
  const std::vector<std::string> alone = schedulesOf(chosen(stencil, {}, onH200(stencil)).ranking);
  std::array<std::vector<std::string>, 4> together;
  std::vector<std::thread> threads;
  for (std::vector<std::string> &schedules : together)
    threads.emplace_back(
        [&] { schedules = schedulesOf(chosen(stencil, {}, onH200(stencil)).ranking); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::vector<std::string> &schedules : together)
    EXPECT_EQ(schedules, alone);
}

TEST(Choose, PredictsNothingThatLeavesAThreadTooFewRegisters) {
  const Stencil stencil = example("star2.stn");
  const Situation situation = onH200(stencil);
  const auto isPredicted = [&](const char *text) {
    return tryOut(stencil, llvm::cantFail(parseSchedule(text, stencil.rank())), situation)
        .has_value();
  };
  EXPECT_TRUE(isPredicted("zblock/32x8x1/c8"));
  EXPECT_TRUE(isPredicted("zblock/32x8x1/c8/r2"));
  EXPECT_FALSE(isPredicted("zblock/32x8x1/c8/r8"));
}

// ---- large stencils ----------------------------------------------------------------------------

namespace {

/// By how much the best of the fewer candidates that are tried is slower than the best of all.
double lossOf(const Stencil &stencil, size_t mostLowered, size_t &tried) {
  Situation situation = onH200(stencil, stencil.rank() == 3 ? 512 : 8192);
  const double best =
      chosen(stencil, singleSteps(), situation).ranking.candidates.front().predicted.total;
  situation.mostLowered = mostLowered;
  const Choice choice = chosen(stencil, singleSteps(), situation);
  tried = choice.ranking.candidates.size();
  return choice.ranking.candidates.front().predicted.total / best - 1;
}

} // namespace

TEST(Choose, TriesAllCandidatesOfTheExamples) {
  for (const std::string &name : drawn(exampleNames(), kExamples, /*place=*/2)) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(hasOne(reasonsOf(chosen(example(name), {}, onH200(example(name))).ranking),
                        "fewer schedules are tried"));
  }
}

TEST(Choose, LosesLittleWhereFewerAreTried) {
  for (const std::string &name : drawn(exampleNames(), kExamples)) {
    SCOPED_TRACE(name);
    const Stencil stencil = example(name);
    size_t expressions = countValues(stencil); // of the larger form
    if (llvm::Expected<StencilForm> form = withTempsAgain(stencil))
      expressions = std::max(expressions, countValues(form->stencil));
    else
      llvm::consumeError(form.takeError());
    size_t some, few;
    const double ofRows = lossOf(stencil, 85 * expressions, some),
                 ofBlocks = lossOf(stencil, 48 * expressions, few);
    fmt::print("{}: {} tried: {:+.1f} %, {} tried: {:+.1f} %\n", name, some, 100 * ofRows, few,
               100 * ofBlocks);
    if (stencil.rank() > 1) { // else only so many shapes that a few are all
      EXPECT_LT(few, some);
    }
    // Of a tie the simpler comes first, so that this much says nothing.
    EXPECT_LE(ofRows, kTie);
    EXPECT_LE(ofBlocks, kTie);
  }
}

TEST(Choose, TriesTheUsualScheduleOfTheLargest) {
  std::string sum = "u";
  for (int distance = 1; distance <= 400; ++distance)
    sum += " + u[x-" + std::to_string(distance) + "] + u[y+" + std::to_string(distance) + "]";
  const Stencil stencil =
      stencilOf("stencil far(y, x) { field f32 u; boundary u: clamp; u' = " + sum + "; }");
  Situation situation = onH200(stencil, 8192);
  situation.mostLowered = 1;
  const Choice choice = chosen(stencil, {}, situation);
  for (const Candidate &candidate : choice.ranking.candidates) {
    Schedule usual = findVariant(candidate.schedule.variant)->defaultSchedule(stencil);
    usual.residency = candidate.schedule.residency;
    EXPECT_EQ(candidate.schedule, usual);
  }
  EXPECT_TRUE(hasOne(reasonsOf(choice.ranking), "fewer schedules are tried"));
}
