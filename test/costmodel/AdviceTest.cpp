#include "costmodel/report/Advice.h"
#include "ReportExamples.h"
#include "costmodel/report/Confidence.h"

#include "gtest/gtest.h"

using namespace stencilc;

TEST(Advice, AtTheLeastOnlyLessWorkHelps) {
  Report report = boundBy(Bound::Dram);
  EXPECT_EQ(adviseAtTheLeast(report), "");
  report.predicted.bytes.dram = 165e6;
  EXPECT_EQ(
      adviseAtTheLeast(report),
      "Device memory moves 16.5 bytes a point and the least is 16.0: only several time steps at a "
      "time, or f32 values, would ask less of it.");
  report.mayFuse = false;
  EXPECT_EQ(adviseAtTheLeast(report),
            "Device memory moves 16.5 bytes a point and the least is 16.0: only f32 values would "
            "ask less of it.");
  report.counted.launches.front().arrays.front().elementBytes = 4;
  EXPECT_EQ(adviseAtTheLeast(report), "");
  report.mayFuse = true;
  EXPECT_EQ(
      adviseAtTheLeast(report),
      "Device memory moves 16.5 bytes a point and the least is 16.0: only several time steps at a "
      "time would ask less of it.");
}

TEST(Advice, AWindowThatTheL2CannotHoldAsksForAMarch) {
  Report report = boundBy(Bound::Dram);
  EXPECT_EQ(adviseOnWindow(report),
            "Reuse between planes needs a window of 36 MiB and the L2 holds about 28 MiB, so 25 % "
            "of it is kept: a march along z would load fewer of them again.");
  report.predicted.geometric->reuseKept = 0.95;
  EXPECT_EQ(adviseOnWindow(report), "");
  // Nothing to gain where little more than the least is moved, as marches do.
  report.predicted.geometric->reuseKept = 0;
  report.predicted.bytes.dram = 165e6;
  EXPECT_EQ(adviseOnWindow(report), "");
  EXPECT_EQ(adviseOnWindow(boundBy(Bound::L2)), "");
}

TEST(Advice, AMarchIsAskedToBeLonger) {
  Report report = boundBy(Bound::Dram);
  // 64x2x1 threads that update 8 planes each.
  report.counted.launches.front().cover = {8, 2, 64};
  ASSERT_EQ(report.counted.launches.front().pointsPerThread(), 8u);
  EXPECT_NE(adviseOnWindow(report).find(": longer marches along z"), std::string::npos);
}

// (84382 loaded of 26624 stored: 3.2 where the stencil reads one array and writes one.)
TEST(Advice, AGroupThatLoadsMoreThanItStores) {
  Report report = table2Report();
  EXPECT_EQ(adviseOnGroups(report),
            "A group of 208 blocks loads 3.2 elements for each one it stores, where 1.0 would do: "
            "blocks of more rows or a march along z would share more of what is loaded.");
  report.predicted.su2015->groupLoads = 27000;
  EXPECT_EQ(adviseOnGroups(report), "");
  EXPECT_EQ(adviseOnGroups(boundBy(Bound::Dram)), "");
}

// Of 64 points and one beyond on each side, 20 sectors of 4 f64 are read for 16: less than y's 4
// for 2 and z's 3 for 1.
TEST(Advice, TheLargestHaloIsNamed) {
  Report report = boundBy(Bound::L2);
  EXPECT_EQ(adviseOnHalo(report),
            "Along z a block reads 3 points to update 1: blocks longer along z "
            "would ask less of the L2.");
  LaunchCounts &launch = report.counted.launches.front();
  launch.extent[0] = 1; // nothing to grow along
  EXPECT_EQ(adviseOnHalo(report),
            "Along y a block reads 4 points to update 2: blocks longer along y "
            "would ask less of the L2.");
  launch.extent[1] = 2;
  EXPECT_EQ(adviseOnHalo(report), "");
  // Of equal halos that of the faster axis counts.
  launch.extent = {100, 200, 500};
  launch.cover = {1, 1, 64};
  launch.arrays.front().boxes = {{{{-1, 1}, {-1, 1}, {0, 63}}}};
  EXPECT_EQ(adviseOnHalo(report).substr(0, 40), "Along y a block reads 3 points to update");
  launch.cover[1] = 2;
  launch.extent = {1, 2, 500};
  // A block 8 points wide reads 16 in whole sectors.
  launch.cover[2] = 8;
  launch.arrays.front().boxes = {{{{0, 0}, {0, 1}, {-1, 8}}}};
  EXPECT_EQ(adviseOnHalo(report),
            "Along x a block reads 16 points, in whole pieces of 32 bytes, to "
            "update 8: blocks longer along x would ask less of the L2.");
  EXPECT_EQ(adviseOnHalo(boundBy(Bound::Issue)), "");
}

TEST(Advice, AShapeThatWasChosenNeedsNoOther) {
  Report report = boundBy(Bound::Dram);
  report.predicted[Bound::L2] = 0.9 * report.predicted.total;
  report.isForced = true;
  EXPECT_NE(adviseOnHalo(report), "");
  report.isForced = false;
  EXPECT_EQ(adviseOnHalo(report), "");
}

// Equation (6) counts lines of 256 bytes: 32 points read 96.
TEST(Advice, ThePaperCountsTheHaloInItsOwnLines) {
  Report report = table2Report();
  report.counted.launches.front().extent = {1, 4, 256};
  EXPECT_EQ(adviseOnHalo(report),
            "Along x a block reads 96 points, in whole pieces of 256 bytes, to "
            "update 32: blocks longer along x would ask less of the L2.");
}

// 1 - exp(-1) of the bandwidth, where as many bytes are in flight as the profile's constant.
TEST(Advice, TooFewLoadsInFlight) {
  Report report = boundBy(Bound::Dram);
  EXPECT_EQ(adviseOnLoadsInFlight(report), "");
  report.predicted.geometric->inFlightBytes = 1024;
  EXPECT_EQ(adviseOnLoadsInFlight(report),
            "Loads of 1.0 KiB are under way on an SM at any time, which reaches 63 % of the "
            "bandwidth of device memory: more points per thread or more resident blocks would keep "
            "more of them under way.");
  report.predicted.occupancy.fraction = 1;
  EXPECT_NE(adviseOnLoadsInFlight(report).find(": more points per thread would keep"),
            std::string::npos);
  report.predicted[Bound::Dram] = 0;
  EXPECT_EQ(adviseOnLoadsInFlight(report), "");
}

TEST(Advice, RegistersThatLimitResidency) {
  Report report = boundBy(Bound::Latency);
  EXPECT_EQ(adviseOnRegisters(report), "");
  report.predicted.occupancy = {2, 128, 0, OccupancyLimit::Registers, 0.25};
  EXPECT_EQ(adviseOnRegisters(report),
            "Registers limit residency: at 128 a thread only 2 blocks fit on an SM (25 % of its "
            "threads); smaller blocks or fewer registers would let more in.");
  // Small blocks fill what there is.
  report.predicted.occupancy = {8, 128, 0, OccupancyLimit::Registers, 0.25};
  EXPECT_NE(adviseOnRegisters(report).find("; fewer registers would"), std::string::npos);
  // The time must depend on it.
  report.predicted.bottleneck = Bound::L2;
  EXPECT_EQ(adviseOnRegisters(report), "");
}

TEST(Advice, ThePaperAdjustsForOccupancy) {
  Report report = table2Report();
  report.predicted.occupancy.limit = OccupancyLimit::Registers;
  EXPECT_EQ(adviseOnRegisters(report), "");
  report.predicted.su2015->occupancyEfficiency = 0.75;
  EXPECT_NE(adviseOnRegisters(report), "");
}

TEST(Advice, SpillsNameThePromise) {
  Report report = boundBy(Bound::Issue);
  EXPECT_EQ(adviseOnSpills(report), "");
  report.predicted.occupancy.spilledRegisters = 12;
  EXPECT_EQ(adviseOnSpills(report),
            "A thread may use 32 registers and wants 12 more, which are spilled to memory: fewer "
            "resident blocks promised (/r in the schedule) would leave room for them.");
}

TEST(Advice, InstructionsThatAreNotArithmetic) {
  Report report = boundBy(Bound::Issue);
  EXPECT_EQ(adviseOnInstructions(report),
            "A point takes about 80 instructions for its 8 flops: more "
            "points per thread share addresses, tests and loads.");
  report.stencil.flops = 70;
  EXPECT_EQ(adviseOnInstructions(report), "");
  EXPECT_EQ(adviseOnInstructions(boundBy(Bound::Dram)), "");
  // Flops are those of one step, and so are instructions.
  report.stencil.flops = 8;
  report.counted.steps = 2;
  EXPECT_NE(adviseOnInstructions(report).find("about 40 instructions for its 8 flops"),
            std::string::npos);
  report.counted.steps = 8;
  EXPECT_EQ(adviseOnInstructions(report), "");
}

TEST(Advice, PrecisionHelpsWhereItsRateIsHigher) {
  Report report = boundBy(Bound::Flops);
  EXPECT_EQ(adviseOnPrecision(report), "f32 arithmetic is 2.0 times as fast on this device.");
  report.counted.launches.front().arrays.front().elementBytes = 4;
  EXPECT_EQ(adviseOnPrecision(report), "");
}

TEST(Advice, BarriersAreHiddenByOtherBlocks) {
  Report report = boundBy(Bound::Barrier);
  EXPECT_EQ(adviseOnBarriers(report), "");
  report.counted.launches.front().together.meetings = 160000;
  EXPECT_EQ(adviseOnBarriers(report), "A block passes 2 barriers and 8 blocks share an SM: more "
                                      "resident blocks would hide more of the waiting.");
}

TEST(Advice, SmallBlocksStartTooOften) {
  EXPECT_EQ(adviseOnDispatch(boundBy(Bound::Dispatch)),
            "80000 blocks start for 125 points each: larger blocks or more points per thread would "
            "start fewer.");
  EXPECT_EQ(adviseOnDispatch(boundBy(Bound::Dram)), "");
}

TEST(Advice, ShortStepsBelongInAGraph) {
  EXPECT_EQ(adviseOnLaunches(boundBy(Bound::Launch)),
            "A launch starts 4.0 us after the one before at best, in a CUDA graph 1.0 us: capture "
            "the steps in a graph, or give each more points.");
  EXPECT_EQ(adviseOnLaunches(boundBy(Bound::Dram)), "");
}

TEST(Advice, TheLastRoundOfBlocks) {
  Report report = boundBy(Bound::Dram);
  EXPECT_EQ(adviseOnTail(report), "");
  report.predicted.geometric->waves = 2.1;
  EXPECT_EQ(adviseOnTail(report),
            "The blocks fill the device 2.1 times, so that it is partly idle in the last round: "
            "smaller blocks or larger blocks divide the grid better.");
  report.predicted.geometric->waves = 1.95;
  EXPECT_EQ(adviseOnTail(report), "");
  report.predicted.geometric->waves = 0.4;
  EXPECT_EQ(adviseOnTail(report),
            "The blocks take 40 % of the places on the device: smaller blocks "
            "or fewer points per thread would fill more of them.");
}

TEST(Advice, IsToldInTheOrderOfTheRules) {
  Report report = geometricReport();
  report.predicted.occupancy.spilledRegisters = 1;
  const std::vector<std::string> all = advice(report);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0], adviseOnWindow(report));
  EXPECT_EQ(all[1], adviseOnSpills(report));
}

TEST(Confidence, UncalibratedConstantsCostADigit) {
  Report report = geometricReport();
  EXPECT_EQ(digitsOf(report), 3);
  // Of the model's sections, of the SM, of the device and its caches, and of the code table.
  EXPECT_EQ(calibrationOf(report).constants, 27u + 10 + 8 + 7);
  report.device.geometric->dependentShare.source = "uncalibrated: as on another device";
  report.device.geometric->norm.source = "uncalibrated: as on another device";
  report.device.launching->hostInterval.source = "uncalibrated: a guess";
  EXPECT_EQ(digitsOf(report), 3); // of bytes, which do not follow from these
  EXPECT_EQ(calibrationOf(report).missing,
            (std::vector<std::string>{"norm", "dependent-share", "host-interval-seconds"}));
  // What the model does not read does not matter.
  Report paper = table2Report();
  paper.device.geometric = report.device.geometric;
  EXPECT_EQ(digitsOf(paper), 3);
}

TEST(Confidence, OnlyWhatThePredictionReadsMatters) {
  // Eta is read for threads that update several points.
  Report paper = table2Report();
  paper.device.su2015->eta.source = "uncalibrated: not in the paper";
  EXPECT_EQ(digitsOf(paper), 3);
  paper.counted.launches.front().cover = {8, 4, 32};
  EXPECT_EQ(digitsOf(paper), 2);

  // The rate of special functions, for kernels that call them.
  Report report = geometricReport();
  report.device.geometric->specialRate.source = "uncalibrated: as on another device";
  EXPECT_TRUE(calibrationOf(report).missing.empty());
  Kernel kernel = exampleKernel();
  kernel.registers = {{"root", ScalarType::F32}};
  const Value two = makeValue(ScalarType::F32, LiteralValue{2});
  kernel.body = {{Let{0, makeValue(ScalarType::F32, CallValue{Builtin::Sqrt, {two}})}}};
  LaunchCounts &launch = report.counted.launches.front();
  launch.kernel = &kernel;
  launch.statements = {{&kernel.body.front(), 1, 0, 0, 0}};
  EXPECT_EQ(calibrationOf(report).missing, std::vector<std::string>{"special-rate"});
}

TEST(Confidence, WhatTheDeviceIsCountsToo) {
  Report report = geometricReport(), paper = table2Report();
  for (Report *of : {&report, &paper})
    of->device.clock.source = "uncalibrated: a guess";
  EXPECT_EQ(calibrationOf(report).missing, std::vector<std::string>{"clock-hertz"});
  EXPECT_EQ(digitsOf(report), 3);                    // clocks move no bytes
  EXPECT_TRUE(calibrationOf(paper).missing.empty()); // whose equations have none
  for (Report *of : {&report, &paper}) {
    of->device.sm.threads.source = "uncalibrated: a guess";
    of->device.caches.l2Bytes.source = "uncalibrated: a guess";
    EXPECT_EQ(digitsOf(*of), 2);
  }
  EXPECT_EQ(calibrationOf(paper).missing, (std::vector<std::string>{"threads", "l2-bytes"}));
  // No model reads these.
  Report unread = geometricReport();
  unread.device.memoryBytes.source = "uncalibrated: a guess";
  unread.device.computeCapability.source = "uncalibrated: a guess";
  EXPECT_TRUE(calibrationOf(unread).missing.empty());
}

// The kernel is empty: it begins, and wants and needs some registers beside all that it has not.
TEST(Confidence, WhatIsReadOfATableOfCompiledCodeCounts) {
  Report report = geometricReport();
  const std::vector<std::string> instructions = {"entry of instructions",
                                                 "array-base of instructions",
                                                 "argument of instructions"},
                                 registers = {"beside-values of registers",
                                              "beside-pointers of registers", "needed of registers",
                                              "needed-mapped of registers"};
  const unsigned all = calibrationOf(report).constants;
  std::vector<std::string> both = instructions;
  llvm::append_range(both, registers);
  report.device.code.source = "uncalibrated: another architecture's";
  EXPECT_EQ(calibrationOf(report).missing, both);
  EXPECT_EQ(calibrationOf(report).constants, all);
  report.registersAsked = 32;
  EXPECT_EQ(calibrationOf(report).missing, instructions);
  EXPECT_EQ(calibrationOf(report).constants, all - registers.size());
  report.registersAsked = 0;
  report.predicted.geometric.reset();
  report.predicted.su2015.emplace();
  report.device.su2015.emplace();
  EXPECT_EQ(calibrationOf(report).missing, registers);
}

TEST(Confidence, AValueOfATableThatNobodyMeasuredIsNamed) {
  Report report = geometricReport();
  CodeTable table = report.device.codeTable();
  table.mixes[unsigned(mixOf(Builtin::Sqrt, ScalarType::F32))].source = "uncalibrated: a guess";
  table.numbers[unsigned(CodeNumber::BesideValues)].source = "uncalibrated: a guess";
  report.device.code.value.table = std::make_shared<const CodeTable>(table);
  EXPECT_EQ(calibrationOf(report).missing, std::vector<std::string>{"beside-values of registers"});
  Kernel kernel = exampleKernel();
  kernel.registers = {{"root", ScalarType::F32}};
  const Value two = makeValue(ScalarType::F32, LiteralValue{2});
  kernel.body = {{Let{0, makeValue(ScalarType::F32, CallValue{Builtin::Sqrt, {two}})}}};
  report.counted.launches.front().kernel = &kernel;
  EXPECT_EQ(calibrationOf(report).missing,
            (std::vector<std::string>{"sqrt-f32 of functions", "beside-values of registers"}));
}

// 160 MB a step; 80 blocks share the device at a time.
TEST(Confidence, WarnsWhereTheModelIsOutOfItsRange) {
  Report report = geometricReport();
  EXPECT_TRUE(cautions(report).empty());
  report.device.caches.l2Bytes.value = 160000000;
  report.predicted.geometric->waves = 1.9;
  const std::vector<std::string> all = cautions(report);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0], "The arrays of a step take 150 MiB and the L2 has 150 MiB: what a step leaves "
                    "there for the next one decides, which is out of the models' range.");
  EXPECT_EQ(all[1],
            "The blocks fill the device 1.9 times; below 2 it shows on which SM each happens "
            "to run, which no model here follows.");
}

TEST(Confidence, WarnsOfArraysThatDoNotFit) {
  Report report = geometricReport();
  report.counted.heldBytes = report.device.memoryBytes.value;
  EXPECT_TRUE(cautions(report).empty());
  ++report.counted.heldBytes;
  ASSERT_EQ(cautions(report).size(), 1u);
  EXPECT_EQ(cautions(report)[0],
            "The arrays of a step take 1.0 GiB and the device has 1.0 GiB: they do not fit.");
}

TEST(Confidence, WarnsOfShortStepsWhereNoLaunchIsKnown) {
  Report report = table2Report();
  report.predicted.total = 51e-9;
  report.device.launching.emplace();
  EXPECT_TRUE(cautions(report).empty());
  report.device.launching.reset();
  ASSERT_EQ(cautions(report).size(), 1u);
  EXPECT_EQ(cautions(report)[0], "What a launch takes on K20 is not known: a step that is as short "
                                 "as this one may last as long as its launches.");
}

// The paper has no launches; a time that they set is as good as their interval.
TEST(Confidence, ThePapersModelReadsTheIntervalWhereItBinds) {
  Report report = table2Report();
  report.device.launching.emplace();
  report.device.launching->hostInterval.source = "uncalibrated: another device's";
  EXPECT_EQ(digitsOf(report), 3);
  report.predicted.bottleneck = Bound::Launch;
  EXPECT_EQ(calibrationOf(report).missing, std::vector<std::string>{"host-interval-seconds"});
}

TEST(Confidence, CountsRoundsOfThePapersBlocks) {
  Report report = table2Report();
  EXPECT_TRUE(cautions(report).empty());
  report.predicted.su2015->blocks = 208;
  EXPECT_EQ(cautions(report).size(), 1u);
}

namespace {

/// Everything that is said of the schedule while it is limited by all that a schedule can change.
std::vector<std::string> adviceOnSchedule(Report report) {
  report.predicted.occupancy = {2, 128, 12, OccupancyLimit::Registers, 0.25};
  report.predicted.geometric->inFlightBytes = 1024;
  report.predicted.geometric->waves = 2.1;
  report.counted.launches.front().together.meetings = 160000;
  std::vector<std::string> all;
  for (const Bound bound :
       {Bound::Dram, Bound::L2, Bound::Latency, Bound::Issue, Bound::Barrier, Bound::Dispatch}) {
    report.predicted.seconds = {};
    report.predicted.bottleneck = bound;
    report.predicted[bound] = 0.9 * report.predicted.total;
    for (const std::string &text : advice(report))
      all.push_back(text);
  }
  return all;
}

} // namespace

TEST(Advice, ThatTheModelRefutesIsNotGiven) {
  Report report = geometricReport();
  EXPECT_GE(adviceOnSchedule(report).size(), 10u);
  const double total = report.predicted.total;
  report.tryOut = [=](const Schedule &) { return total / 1.01; }; // less than a tie
  EXPECT_EQ(adviceOnSchedule(report), std::vector<std::string>{});
  report.tryOut = [](const Schedule &) { return std::nullopt; };
  EXPECT_EQ(adviceOnSchedule(report), std::vector<std::string>{});
}

TEST(Advice, NamesOnlyTheChangesThatHelp) {
  Report report = table2Report();
  report.tryOut = [](const Schedule &schedule) { return schedule.block[1] == 8 ? 1e-3 : 1.; };
  EXPECT_NE(adviseOnGroups(report).find("would do: blocks of more rows would share"),
            std::string::npos);
  // A march is asked of whichever variant has one.
  report.tryOut = [](const Schedule &schedule) {
    return schedule.chunk > 1 && schedule.variant.empty() ? 1e-3 : 1.;
  };
  EXPECT_NE(adviseOnGroups(report).find("would do: a march along z would share"),
            std::string::npos);
}
