#include "ReportExamples.h"
#include "costmodel/report/ReportFacts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "gtest/gtest.h"

#include <set>

using namespace llvm;
using namespace stencilc;

namespace {

std::string printed(void (*print)(raw_ostream &, const Report &), const Report &report) {
  std::string text;
  raw_string_ostream out(text);
  print(out, report);
  return text;
}

json::Value asJson(const Report &report) {
  return cantFail(json::parse(printed(printReportJson, report)));
}

} // namespace

TEST(ReportText, IsThisScreen) {
  EXPECT_EQ(printed(printReportText, geometricReport()),
            R"(heat on Toy: 4.0 GStencil/s, 2.5 ms a step; bound by device memory

stencil     heat.stn, z=100 y=200 x=500: field f64 u
            a point: 7 loads, 1 store, 8 flops, 16 bytes at least
            reach: z -1 .. +1, y -1 .. +1, x -1 .. +1
device      Toy: compute capability 9.0, 10 SMs
model       geometric, calibrated on this device
            of such kernels and grids no times on Toy are kept: how wrong this is, is not known
schedule    simple/64x2x1/r8, chosen from 7 candidates
            heat_step: 80000 blocks of 128 threads, 1 point a thread
occupancy   50 %: 8 blocks on an SM, limited by threads; about 32 registers a thread, no spills

  resource           bytes/point  at least  GB/s     time  share
  storage on the SM         80.0            1000  0.80 ms   32 %
  L2                        32.0      16.0   400  0.80 ms   32 %
* device memory             24.0      16.0   100   2.4 ms   96 %
  instructions                                    0.50 ms   20 %

bottleneck  Device memory reads and writes 24.0 bytes a point, 229 MiB in all; at 100 GB/s that
              takes 2.4 ms of the step's 2.5 ms.
would help  Reuse between planes needs a window of 36 MiB and the L2 holds about 28 MiB, so 25 % of
              it is kept: a march along z would load fewer of them again.

next best
  schedule            GStencil/s    time  more time       bound by
  simple/128x2x1/r8          4.0  2.5 ms        tie  device memory
  simple/32x4x1/r8           3.6  2.8 ms      +10 %  device memory
  simple/256x1x1/r8          3.3  3.0 ms      +20 %  device memory
  march/64x4x1/c8/r4         2.9  3.5 ms      +40 %  device memory

rejected
  tile/32x32x1 and 1 more: needs 70 KiB of shared memory and a block may have 48
  pencil: needs <two> axes & no more
)");
}

// Lines 27 to 29, 6 to 26.
TEST(ReportText, Table2CanBeReadOff) {
  const std::string text = printed(printReportText, table2Report());
  for (
      const char *line : {
          "su_7pt1 on K20: 4.8 GStencil/s, 3.5 ms a step; bound by device memory\n",
          "schedule    simple/32x4x1/r16, as asked\n",
          "32 registers a thread as asked, no spills\n",
          "* device memory             33.4      16.0   161  3.5 ms  100 %\n",
          "  thread    5 aligned and 2 misaligned loads: ld 9, st 1\n",
          "  grid      16777216 threads, 131072 blocks, 16 on an SMX, 208 in a group, 631 groups\n",
          "  block     net 704.0, miss ratio 0.0183, ld 716.9, st 128\n",
          "  group     width_y 106, height_z 3, net 83952, miss ratio 0.0051, ld 84382.2, st "
          "26624\n",
          "  volumes   V_SMX 1.25 GiB, V_L2 844.9 MiB, V_GM 534.4 MiB\n",
          "  time      3.48 ms by (2), adjusted 3.49 ms by (18) with occupancy 100 % of the best\n",
      })
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  EXPECT_EQ(text.find("next best"), std::string::npos);
  EXPECT_EQ(text.find("rejected"), std::string::npos);
}

TEST(ReportText, FitsOneScreen) {
  for (const Report &report : {geometricReport(), table2Report()}) {
    SmallVector<StringRef> lines;
    const std::string text = printed(printReportText, report);
    StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
    EXPECT_LE(lines.size(), 45u);
    for (StringRef line : lines)
      EXPECT_LE(line.size(), 100u) << line.str();
  }
}

TEST(ReportText, SaysWhatARunLaunchesBesideItsPasses) {
  Report report = geometricReport();
  EXPECT_EQ(printed(printReportText, report).find("\nrun "), std::string::npos);
  report.steps = 7;
  report.run = RunPrediction{7, 2e-2, {}};
  EXPECT_EQ(printed(printReportText, report).find("\nrun "), std::string::npos);
  report.run->beside = {{"heat_home", "It returns.", 2, 1.24e-4},
                        {"heat_step", "A step.", -1, -2.5e-3}};
  EXPECT_NE(printed(printReportText, report)
                .find("\nrun         of 7 steps, beside its passes:\n"
                      "            +2 heat_home, 120 us: It returns.\n"
                      "            -1 heat_step, -2.5 ms: A step.\n"),
            std::string::npos)
      << printed(printReportText, report);
}

TEST(ReportText, AnUncalibratedModelHasTwoDigitsOfBytes) {
  Report report = geometricReport();
  report.device.geometric->norm.source = "uncalibrated: as on another device";
  std::string text = printed(printReportText, report);
  EXPECT_NE(text.find("geometric; not calibrated on this device: norm\n"), std::string::npos);
  EXPECT_NE(text.find("reads and writes 24.0 bytes a point"), std::string::npos);
  report.device.geometric->l2Softness.source = "uncalibrated: as on another device";
  text = printed(printReportText, report);
  EXPECT_NE(text.find("reads and writes 24 bytes a point"), std::string::npos);
  EXPECT_NE(text.find("not calibrated on this device: l2-softness, norm; hence two digits\n"),
            std::string::npos)
      << text;
}

TEST(ReportText, SeveralStepsHaveATimeTogether) {
  Report report = geometricReport();
  report.steps = 1000;
  report.run = RunPrediction{1000, 2.6, {}};
  EXPECT_NE(printed(printReportText, report).find("2.5 ms a step, 2.6 s for 1000 steps;"),
            std::string::npos);
}

// Three next best, then the best of each variant that has not been named.
TEST(ReportFacts, NextBestAndTheBestOfFurtherVariants) {
  const FactTable table = factsOf(geometricReport()).candidates;
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"simple/128x2x1/r8", "4.0", "2.5 ms", "tie",
                                                     "device memory"}));
  EXPECT_EQ(table.rows[2][0], "simple/256x1x1/r8");
  EXPECT_EQ(table.rows[3][0], "march/64x4x1/c8/r4");
}

// The ranking puts the simpler first where times tie; the table is in the order of its times.
TEST(ReportFacts, NextBestAreInTheOrderOfTheirTimes) {
  Report report = geometricReport();
  report.candidates[2].predicted.total = 1.008 * report.predicted.total;
  const FactTable table = factsOf(report).candidates;
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0][0], "simple/32x4x1/r8");
  EXPECT_EQ(table.rows[1][0], "simple/128x2x1/r8");
  EXPECT_EQ(table.rows[2][0], "simple/256x1x1/r8");
}

TEST(ReportFacts, ArraysOfOneKindAndTypeStandTogether) {
  Report report = geometricReport();
  report.stencil.arrays = {"field f32 vx", "const f32 rho", "field f32 vy", "field f64 p"};
  const Fact stencil = factsOf(report).facts.front();
  EXPECT_EQ(stencil.lines.front(),
            "heat.stn, z=100 y=200 x=500: field f32 vx vy, const f32 rho, field f64 p");
}

// A forced schedule may be slower than what would be chosen, and the chosen one within kTie slower.
TEST(ReportFacts, CandidatesMayBeFaster) {
  Report report = geometricReport();
  report.candidates[1].predicted.total = 0.9 * report.predicted.total;
  report.candidates[2].predicted.total = 0.997 * report.predicted.total;
  const FactTable table = factsOf(report).candidates;
  EXPECT_EQ(table.rows[0][3], "-10 %");
  EXPECT_EQ(table.rows[1][3], "tie");
}

TEST(ReportFacts, TheOtherResidencySaysWhyNot) {
  Report report = geometricReport();
  const auto occupancy = [&] { return factsOf(report).facts.back(); };
  ASSERT_EQ(occupancy().label, "occupancy");
  EXPECT_EQ(occupancy().lines.size(), 1u);
  Candidate other = report.candidates.front();
  other.schedule = scheduleOf("simple/64x2x1/r4");
  other.predicted.occupancy.blocks = 4;
  other.predicted.geometric->inFlightBytes = 4096;
  other.predicted.total *= 1.08;
  report.candidates.push_back(other);
  ASSERT_EQ(occupancy().lines.size(), 2u);
  EXPECT_EQ(occupancy().lines[1], "8.0 KiB are under way on an SM at any time; with 4 blocks, 4.0 "
                                  "KiB, a step would take 8 % more time");
}

TEST(ReportFacts, ThePapersModelKnowsOccupanciesOnly) {
  Report report = table2Report();
  Candidate other = report.candidates.front();
  other.schedule = scheduleOf("simple/32x4x1/r8");
  other.predicted.occupancy.blocks = 1;
  other.predicted.occupancy.fraction = 0.0625;
  other.predicted.total *= 0.99;
  report.candidates.push_back(other);
  EXPECT_EQ(factsOf(report).facts.back().lines.back(),
            "with 1 block, 6 %, a step would take 1 % less time");
  report.candidates.back().predicted.total = 0.999 * report.predicted.total;
  EXPECT_EQ(factsOf(report).facts.back().lines.back(),
            "with 1 block, 6 %, a step would take about as long");
  // One is no "groups".
  report.predicted.su2015->groups = 1;
  EXPECT_NE(printed(printReportText, report).find("208 in a group, 1 group\n"), std::string::npos);
}

TEST(ReportFacts, EqualReasonsStandTogether) {
  const FactTable table = factsOf(geometricReport()).rejected;
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][0], "tile/32x32x1 and 1 more");
  EXPECT_EQ(table.rows[1][0], "pencil");
}

// Where another does as well, nothing is lost.
TEST(ReportFacts, WhatGaveWayToAnotherComesLast) {
  Report report = geometricReport();
  report.rejected.insert(report.rejected.begin(), {scheduleOf("simple/64x2x1/plain"), "one cache",
                                                   false, Rejection::Grounds::Another});
  const FactTable table = factsOf(report).rejected;
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0][0], "tile/32x32x1 and 1 more");
  EXPECT_EQ(table.rows[2][0], "simple/64x2x1/plain");
}

TEST(ReportFacts, ManyReasonsAreCut) {
  Report report = geometricReport();
  report.rejected.clear();
  for (int i = 0; i < 8; ++i)
    report.rejected.push_back({scheduleOf("tile/1x1x1"), "reason " + std::to_string(i)});
  const FactTable table = factsOf(report).rejected;
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_EQ(table.rows[4],
            (std::vector<std::string>{"others", "4 further reasons, all in the JSON"}));
}

TEST(ReportFacts, EachBottleneckHasItsSentence) {
  std::set<std::string> sentences;
  for (unsigned i = 0; i < kBounds; ++i) {
    Report report = geometricReport();
    report.predicted.bottleneck = Bound(i);
    report.predicted[Bound(i)] = 2.3e-3;
    const std::string sentence = factsOf(report).bottleneck.lines.front();
    EXPECT_NE(sentence.find("2.3 ms of the step's 2.5 ms"), std::string::npos) << sentence;
    sentences.insert(sentence);
  }
  EXPECT_EQ(sentences.size(), kBounds);
}

// Waits and work are shares of one step, neither of which fills it.
TEST(ReportFacts, WhatIsWaitedForMayBeShorterThanTheWork) {
  Report report = boundBy(Bound::Latency);
  EXPECT_EQ(factsOf(report).bottleneck.lines.front(),
            "Threads wait for their loads, 2.3 ms of the step's 2.5 ms, with too few others to run "
            "meanwhile.");
  report.predicted[Bound::Latency] = 1e-3;
  report.predicted[Bound::Flops] = 1.4e-3;
  EXPECT_EQ(
      factsOf(report).bottleneck.lines.front(),
      "Threads wait for their loads, 1.0 ms of the step's 2.5 ms, with too few others to run "
      "meanwhile. A part of the work goes on beside it: the longest, arithmetic, takes 56 % of "
      "the step, and waiting keeps it from more.");
}

TEST(ReportJson, HasWhatScriptsRead) {
  const json::Value value = asJson(table2Report());
  const json::Object &root = *value.getAsObject();
  EXPECT_EQ(root.getString("stencil"), "su_7pt1");
  EXPECT_EQ(root.getString("gpu"), "K20");
  EXPECT_EQ(root.getString("model"), "su2015");
  EXPECT_EQ(root.getString("schedule"), "simple/32x4x1/r16");
  EXPECT_EQ(root.getString("bottleneck"), "dram");
  EXPECT_EQ(root.getObject("volumes")->getInteger("smx_bytes"), 1342177280);
  EXPECT_DOUBLE_EQ(*root.getObject("times_ms")->getNumber("l2"), 2.4083);
  EXPECT_EQ(root.getObject("times_ms")->getNumber("issue"), std::nullopt);
  EXPECT_DOUBLE_EQ(*root.getNumber("predicted_ms"), 3.4831);
  EXPECT_DOUBLE_EQ(*root.getNumber("gstencils_per_s"), 16777216 / 3.4831e-3 / 1e9);
  EXPECT_EQ(root.getObject("su2015")->getInteger("groups"), 631);
  EXPECT_EQ(root.getObject("geometric"), nullptr);
  EXPECT_EQ((*root.getArray("levels"))[2].getAsObject()->getString("name"), "device memory");
}

TEST(ReportJson, KeepsCountedAndPredictedApart) {
  const json::Value value = asJson(geometricReport());
  const json::Object &root = *value.getAsObject();
  EXPECT_EQ(root.getObject("counted")->getInteger("points"), 10000000);
  const json::Object &launch = *(*root.getObject("counted")->getArray("launches"))[0].getAsObject();
  EXPECT_EQ(launch.getInteger("blocks"), 80000);
  EXPECT_EQ(root.getArray("candidates")->size(), 7u);
  EXPECT_EQ(root.getArray("rejected")->size(), 3u);
  EXPECT_DOUBLE_EQ(*root.getObject("geometric")->getNumber("waves"), 100.5);
}

TEST(ReportHtml, SaysWhatTheTextSays) {
  const std::string page = printed(printReportHtml, geometricReport());
  for (const char *piece :
       {"<h1>heat on Toy: 4.0 GStencil/s, 2.5 ms a step; bound by device memory</h1>",
        "<tr class=\"marked\"><td>device memory</td><td>24.0</td><td>16.0</td><td>100</td>"
        "<td>2.4 ms</td><td>96 %</td></tr>",
        "needs &lt;two&gt; axes &amp; no more", "prefers-color-scheme: dark"})
    EXPECT_NE(page.find(piece), std::string::npos) << piece;
  EXPECT_EQ(StringRef(page).count("<svg"), 2u);
  EXPECT_EQ(StringRef(page).count("class=\"bar"), 7u);
  EXPECT_EQ(StringRef(page).count("class=\"bar chosen\""), 1u);
  EXPECT_EQ(StringRef(page).count("class=\"slope"), 3u);
  // Nothing is loaded from elsewhere.
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST(PredictionText, HasAUnitOnEachLine) {
  std::string text;
  raw_string_ostream out(text);
  print(out, table2Report().predicted);
  for (const char *line :
       {"model su2015\n", "bytes.smx 1342177280 B a step\n", "time.dram 0.0034831 s a step\n",
        "bottleneck dram\n", "su2015.width_y 106 rows\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}
