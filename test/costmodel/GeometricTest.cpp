// The geometric model: each of its terms where it rules.
#include "costmodel/model/GeometricTraffic.h"

#include "codegen/lower/Lower.h"
#include "ir/verify/KernelVerifier.h"
#include "test/costmodel/GeometricSetting.h"
#include "test/ir/StencilSource.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace stencilc;

namespace geometric {
namespace {

double dramBytesOfPoint(const Setting &setting, const DeviceProfile &device = h200()) {
  return predicted(setting, device).bytes.dram / points(setting);
}

} // namespace

TEST(KeptReuse, FallsFromAllToNothingAroundTheCapacity) {
  EXPECT_EQ(keptReuse(0, 100, 0.6), 1);
  EXPECT_NEAR(keptReuse(100, 100, 0.6), 0.5, 0.001);
  EXPECT_GT(keptReuse(50, 100, 0.6), 0.95);
  EXPECT_LT(keptReuse(150, 100, 0.6), 0.05);
}

TEST(Geometric, MovesEveryValueOnceWhereLayersFitInTheL2) {
  // u read and written, 8 bytes each; a layer is three planes read and one written, 8 MiB.
  EXPECT_NEAR(dramBytesOfPoint({.schedule = "baseline/32x8x1"}), 16, 0.2);
  // u, kappa and g read: kappa and u have a window of three planes.
  EXPECT_NEAR(dramBytesOfPoint({.example = "7pt3.stn", .schedule = "baseline/32x8x1"}), 32, 1);
}

TEST(Geometric, ReadsThreePlanesWhereALayerOutgrowsTheL2) {
  // Planes of 32 MiB: u[z-1], u[z] and u[z+1] all come from device memory.
  const Setting plain{.schedule = "baseline/32x8x1", .extents = {2048, 2048, 2048}};
  EXPECT_NEAR(dramBytesOfPoint(plain), 3 * 8 + 8, 0.5);
  // A march keeps the column in registers: two planes more for each chunk of 64.
  const Setting march{.schedule = "zblock/32x8x1/c64", .extents = {2048, 2048, 2048}};
  EXPECT_NEAR(dramBytesOfPoint(march), 8 + 8 + 8 * 2. / 64, 0.5);
}

TEST(Geometric, BlocksSideBySideKeepWhatTheyShare) {
  // However far they march: the ends of a grid of 256 planes are all that is loaded twice.
  for (const char *schedule : {"zblock/32x8x1/c16/r8", "zblock/32x8x1/c256/r8"}) {
    const Setting setting{.schedule = schedule, .extents = {256, 256, 2048}};
    EXPECT_NEAR(dramBytesOfPoint(setting), 8 + 8, 8 * 2. / 16 + 0.2) << schedule;
  }
}

// 16384 blocks in 64 layers of 256: of two blocks of 128 threads on an SM, 264 run at once.
TEST(Geometric, AMarchFindsWhatTheOneBelowLoadedLast) {
  const auto bytes = [](const char *schedule) {
    return dramBytesOfPoint({.example = "star4.stn", .schedule = schedule});
  };
  // 8 of the 16 planes that a march loads were loaded last: were they lost, it were 24 bytes.
  const double oneWave = bytes("zblock/32x4x1/c8/v2x4/r2/flat/tile");
  EXPECT_LT(oneWave, 18);
  // What is loaded all at once lies a whole layer apart.
  EXPECT_GT(bytes("baseline/32x4x8"), oneWave);
}

TEST(Geometric, AMarchLosesRowsThatItLoadsAgainTurnsLater) {
  // Bytes of the L2 a point at 512^3, counted on an H200: of patches a sixth of what a turn
  // loads again is gone by then, of one point a thread nothing.
  const auto l2 = [](const char *example, const char *schedule) {
    const Setting setting{example, schedule};
    return predicted(setting, h200()).bytes.l2 / points(setting);
  };
  EXPECT_NEAR(l2("7pt1.stn", "zblock/32x8x1/c16/v2x2/r4") / 20.502, 1, .03);
  EXPECT_NEAR(l2("7pt2.stn", "zblock/32x8x1/c16/v2x2/r3") / 28.184, 1, .02);
  EXPECT_NEAR(l2("7pt2.stn", "zblock/32x8x1/c32/r4") / 28.551, 1, .02);
}

TEST(Geometric, CopiesThatBeginWithinASectorReadItTwice) {
  // Bytes of the L2 a point and step at 512^3, counted on an H100; in a sum over distinct sectors
  // a third is missing.
  const Setting setting{.example = "../test/papers/Inputs/27pt.stn",
                        .schedule = "temporal/32x8x1/c86/t2/v2x6/p2/r1"};
  EXPECT_NEAR(predicted(setting, h200()).bytes.l2 / points(setting) / 14.963, 1, .02);
}

TEST(Geometric, LongMarchesTakeDeviceMemoryLonger) {
  DeviceProfile device = h200();
  device.geometric->l2RequestBytes.value = 0; // which differ by schedule, too
  const auto ofMemory = [&](const char *schedule) {
    const Prediction prediction = predicted({.schedule = schedule}, device);
    return prediction[Bound::Dram] / prediction.bytes.dram;
  };
  const double loss = h200().geometric->marchLoss;
  EXPECT_NEAR(ofMemory("zblock/32x8x1/c64") / ofMemory("baseline/32x8x1"), 1 + 6 * loss, 1e-3);
  EXPECT_NEAR(ofMemory("zblock/32x8x1/c8") / ofMemory("baseline/32x8x1"), 1 + 3 * loss, 1e-3);
}

TEST(Geometric, KeepsASmallGridInTheL2) {
  const Setting setting{.schedule = "baseline/32x8x1", .extents = {64, 64, 64}};
  const Prediction prediction = predicted(setting, h200());
  EXPECT_LT(prediction.bytes.dram, 0.01 * 16 * points(setting));
  EXPECT_EQ(prediction.bottleneck, Bound::Launch);
  EXPECT_GT(prediction.total, h200().launching->hostInterval);
  EXPECT_LT(prediction.total, 2 * h200().launching->hostInterval);
}

TEST(Geometric, ReadsAnArrayWithFewerAxesButOnce) {
  const auto bytesOfPoint = [](const char *constant) {
    const std::string source = fmt::format("stencil scaled(y, x) {{ field f64 u; const f64 {};"
                                           "  boundary u: fixed; u' = c*u; }}",
                                           constant);
    const Stencil stencil = stencilOf(source);
    const Schedule schedule = llvm::cantFail(parseSchedule("baseline/32x8", 2));
    const VerifiedProgram program = llvm::cantFail(
        KernelVerifier::verify(findVariant(schedule.variant)->lower(stencil, schedule)));
    const ProgramCounts counts = llvm::cantFail(countProgram(program, {16384, 16384}));
    const Prediction prediction =
        llvm::cantFail(predict(counts, h200(), {Model::Geometric, std::nullopt}));
    return std::array<double, 2>{double(counts.compulsoryReadBytes) / counts.points,
                                 prediction.bytes.dram / counts.points};
  };
  // u, c and the new u; or c for a row only.
  const auto [leastOfFull, ofFull] = bytesOfPoint("c");
  EXPECT_EQ(leastOfFull, 16);
  EXPECT_NEAR(ofFull, 24, 0.1);
  const auto [leastOfRow, ofRow] = bytesOfPoint("c(x)");
  EXPECT_NEAR(leastOfRow, 8, 0.001);
  EXPECT_NEAR(ofRow, 16, 0.1);
}

// Marches of whole chunks do nothing on a grid of fewer planes, but are launched.
TEST(Geometric, ALaunchThatStoresNothingTakesItsStart) {
  const Stencil stencil =
      stencilOf("stencil s(z, y, x) { field f32 u; boundary u: clamp; u' = u[y-1] + u[x+1]; }");
  const auto total = [&](const char *schedule) {
    const VerifiedProgram program = loweredAsUsual(stencil, schedule);
    return llvm::cantFail(predict(llvm::cantFail(countProgram(program, {3, 512, 512})), h200(), {}))
        .total;
  };
  const double without = total("zblock/32x8x1/c4/v4x2/r2"),
               with = total("zblock/32x8x1/c4/v4x2/r2/flat");
  EXPECT_GT(with, without);
  EXPECT_LT(with, without + 2 * h200().launching->stepStart);
}

// What few blocks take is what one takes that is alone on an SM: the others are idle.
TEST(Geometric, BlocksThatLeaveSmsIdleTakeAsLongAsOne) {
  const auto total = [](int64_t rows) {
    return predicted({.schedule = "zblock/32x8x1/c64/r1", .extents = {64, rows, 32}}, h200()).total;
  };
  EXPECT_NEAR(total(64) / total(16), 1, 0.02); // of eight and of two blocks
}

// Rows of 8 numbers of f32 are a sector: a request of the L2 each, four times as many as of lines.
TEST(Geometric, ShortRowsTakeRequestsOfTheirOwn) {
  DeviceProfile device = h200();
  const auto ofMemory = [&](const char *schedule) {
    return predicted({.schedule = schedule, .real = ScalarType::F32}, device)[Bound::Dram];
  };
  const double wide = ofMemory("baseline/32x8x1"), narrow = ofMemory("baseline/8x8x4");
  EXPECT_GT(narrow, 1.1 * wide);
  device.geometric->l2RequestBytes.value = 0;
  EXPECT_LT(ofMemory("baseline/8x8x4"), 1.02 * ofMemory("baseline/32x8x1"));
}

// Eight blocks of a warp each that wait for nothing: each issues an instruction a clock, though an
// SM has four schedulers.
TEST(Geometric, AWarpAloneDoesNotKeepAnSmBusy) {
  DeviceProfile device = h200();
  device.geometric->dependentShare.value = 0;
  device.geometric->l2Latency.value = device.geometric->dramInFlightBytes.value = 1e-3;
  const Setting setting{.schedule = "zblock/32x1x1/c64/r1", .extents = {64, 8, 32}};
  const Prediction prediction = predicted(setting, device);
  const double instructions =
      prediction.geometric->instructionsPerPoint * points(setting) / device.threadsPerWarp / 8;
  const double clocks = (prediction.total - device.launching->stepStart) * device.clock;
  EXPECT_GT(clocks, instructions);
  EXPECT_LT(clocks, 1.5 * instructions);
}

// As above; each instruction of code that the SM does not keep is fetched, and takes so many
// clocks.
TEST(Geometric, AWarpWaitsForInstructionsOfLongCode) {
  DeviceProfile device = h200();
  device.geometric->dependentShare.value = 0;
  device.geometric->l2Latency.value = device.geometric->dramInFlightBytes.value = 1e-3;
  const Setting setting{.schedule = "zblock/32x1x1/c64/r1", .extents = {64, 8, 32}};
  const auto clocksOf = [&](double kept) {
    device.geometric->keptInstructions.value = kept;
    return (predicted(setting, device).total - device.launching->stepStart) * device.clock;
  };
  const double instructions = predicted(setting, device).geometric->instructionsPerPoint *
                              points(setting) / device.threadsPerWarp / 8;
  const double fetched = device.geometric->fetchClocks * instructions;
  EXPECT_GT(clocksOf(1), fetched);
  EXPECT_LT(clocksOf(1), 1.3 * fetched);
  // A turn of the march has far fewer instructions than the whole of it.
  EXPECT_LT(clocksOf(instructions / 4), 1.5 * instructions);
}

TEST(Geometric, SpilledRegistersThatTheL1DoesNotKeepPassTheL2) {
  const Setting setting{.example = "star4.stn",
                        .schedule = "temporal/32x8x1/c64/t2/v4x4/p1/r4",
                        .real = ScalarType::F32};
  DeviceProfile device = h200();
  const Prediction small = predicted(setting, device);
  device.caches.l1Bytes.value *= 8;
  const Prediction large = predicted(setting, device);
  ASSERT_GT(small.occupancy.spilledRegisters, 0);
  EXPECT_GT(small.bytes.l2, 2 * large.bytes.l2);
}

/// Bytes of the L2 at a point that so many spilled words add, where 1024 threads have 256 bytes of
/// the L1 each.
static double spilledPastL1(const char *schedule, int words) {
  const Setting setting{.schedule = schedule};
  const VerifiedProgram program =
      loweredAsUsual(example(setting.example, setting.real), setting.schedule);
  const ProgramCounts counts = llvm::cantFail(countProgram(program, setting.extents));
  const auto l2 = [&](int bytes) {
    PredictOptions options{.model = Model::Geometric};
    for (const LaunchCounts &launch : counts.launches)
      options.compiled[launch.kernel->name] = {.registers = 64, .spilledBytes = bytes};
    return llvm::cantFail(predict(counts, h200(), options)).bytes.l2;
  };
  return (l2(4 * words) - l2(0)) / points(setting);
}

// 4 and 8 blocks of 256 threads leave each 64 and 32 registers.
TEST(Geometric, SpillsTwiceWhatIsMissingBeyond64Registers) {
  const auto spilled = [](const char *example, const char *schedule) {
    return predicted({.example = example, .schedule = schedule}, h200()).occupancy.spilledRegisters;
  };
  const int many = spilled("star5.stn", "baseline/32x8x1/v4x2/r8"),
            fewer = spilled("star5.stn", "baseline/32x8x1/v4x2/r4");
  ASSERT_GT(fewer, 64);
  EXPECT_EQ(many - fewer, 2 * (64 - 32));
  const int some = spilled("star2.stn", "baseline/32x8x1/v2x2/r8"),
            less = spilled("star2.stn", "baseline/32x8x1/v2x2/r4");
  ASSERT_LE(some, 64);
  EXPECT_EQ(some - less, 64 - 32);
}

TEST(Geometric, TheL1KeepsSpillsThatTakeHalfOfIt) {
  const char *march = "zblock/32x8x1/c64";
  EXPECT_NEAR(spilledPastL1(march, 32), 0, 1e-6);
  EXPECT_NEAR(spilledPastL1(march, 40), 40 * 4 / 2., 1e-6);
  EXPECT_NEAR(spilledPastL1(march, 48), 48 * 4, 1e-6);
  EXPECT_NEAR(spilledPastL1(march, 96), 96 * 4, 1e-6);
}

TEST(Geometric, MarchesWithoutPatchesStoreNothingThatTheySpillAgain) {
  EXPECT_NEAR(spilledPastL1("baseline/32x8x1", 48), 2 * 48 * 4, 1e-6);
  EXPECT_NEAR(spilledPastL1("zblock/32x8x1/c64/v2x1", 48), 2 * 48 * 4 / 2., 1e-6); // of two points
}

// 132 marches of 64 planes, one an SM, and as many of two planes beside them.
TEST(Geometric, MarchesThatEndWithTheGridTakeWhatTheyMarch) {
  const auto total = [](int64_t planes) {
    const Setting setting{.schedule = "zblock/32x8x1/c64/r1", .extents = {planes, 96, 352}};
    return predicted(setting, h200()).total;
  };
  EXPECT_GT(total(66), total(64));
  EXPECT_LT(total(66), 1.2 * total(64));
}

TEST(Geometric, ArithmeticOfF32TakesNoTimeBesideItsIssue) {
  const auto ratio = [](ScalarType real) {
    const Setting setting{.schedule = "temporal/32x12x1/c64/t4/v2x3/p1/r1", .real = real};
    DeviceProfile free = h200();
    free.geometric->fp32Rate.value = free.geometric->fp64Rate.value = 1e6;
    return predicted(setting, h200()).total / predicted(setting, free).total;
  };
  EXPECT_EQ(ratio(ScalarType::F32), 1);
  EXPECT_GT(ratio(ScalarType::F64), 1.02); // its pipe takes an instruction every other clock
}

// Where planes are copied ahead, memory that is not the longest takes next to no time; numbers that
// are loaded ahead into registers are waited for.
TEST(Geometric, CopiesThatComeInTimeKeepNothingWaiting) {
  const auto ratio = [](Setting setting) {
    DeviceProfile fast = h200(), faster = h200();
    fast.geometric->dramBandwidth.value *= 4;
    faster.geometric->dramBandwidth.value *= 8;
    return predicted(setting, fast).total / predicted(setting, faster).total;
  };
  EXPECT_LT(ratio({.schedule = "temporal/32x12x1/c128/t4/v2x3/p2/r1"}), 1.0001);
  EXPECT_GT(ratio({.example = "jacobi5.stn",
                   .schedule = "temporal/32x1/c192/t8/v2x1/p3/r12",
                   .extents = {8192, 8192}}),
            1.001);
}

// The more planes are on their way, the less memory is idle between those of a turn and the next.
TEST(Geometric, TurnsThatLoadFurtherAheadKeepMemoryBusier) {
  const auto seconds = [](const char *schedule) {
    return predicted({.example = "star3.stn", .schedule = schedule}, h200()).total;
  };
  const double one = seconds("zblock/32x4x1/c16/v2x4/p1/r2/flat/tile"),
               two = seconds("zblock/32x4x1/c16/v2x4/p2/r2/flat/tile"),
               three = seconds("zblock/32x4x1/c16/v2x4/p3/r2/flat/tile");
  EXPECT_GT(one / two, 1.03);
  EXPECT_GT(two / three, 1);
  EXPECT_LT(two / three, one / two);
}

// Marches of one warp use no tile: all that they ask of shared memory is to shuffle.
TEST(Geometric, ShufflesMoveAWordInAClock) {
  const auto seconds = [](ScalarType real) {
    return predicted({.example = "jacobi5.stn",
                      .schedule = "temporal/32x1/c192/t8/v2x1/p3/r12",
                      .real = real,
                      .extents = {8192, 8192}},
                     h200())[Bound::Shared];
  };
  EXPECT_GT(seconds(ScalarType::F32), 0);
  EXPECT_DOUBLE_EQ(seconds(ScalarType::F64), 2 * seconds(ScalarType::F32));
}

TEST(Geometric, SmallBlocksAreBoundByTheirDispatch) {
  const Setting setting{.schedule = "baseline/32x2x1", .real = ScalarType::F32};
  const Prediction prediction = predicted(setting, h200());
  EXPECT_EQ(prediction.bottleneck, Bound::Dispatch);
  EXPECT_GE(prediction.total, points(setting) / 64 / h200().launching->blocksPerSecond);
}

TEST(Geometric, SaysWhichSectionAProfileLacks) {
  DeviceProfile device = h200();
  device.launching.reset();
  const Stencil stencil = example("7pt1.stn");
  const VerifiedProgram program =
      llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule("baseline/32x8x1", 3))));
  auto prediction = predict(llvm::cantFail(countProgram(program, {64, 64, 64})), device, {});
  ASSERT_FALSE(prediction);
  const std::string message = llvm::toString(prediction.takeError());
  EXPECT_NE(message.find("`geometric` needs the section `launching`"), std::string::npos)
      << message;
}

} // namespace geometric
