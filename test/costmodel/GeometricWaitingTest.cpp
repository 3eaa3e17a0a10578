// The geometric model: what warps and blocks wait for.
#include "codegen/lower/Lower.h"
#include "costmodel/model/RunPrediction.h"
#include "ir/verify/KernelVerifier.h"
#include "test/costmodel/GeometricSetting.h"
#include "test/ir/StencilSource.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

using namespace stencilc;

namespace geometric {

TEST(Geometric, WaitsWhereTooLittleIsOnItsWay) {
  // 255 registers leave one block of 256 threads on an SM.
  const Setting few{.schedule = "baseline/32x8x1/r1", .registers = 255};
  const Prediction prediction = predicted(few, h200());
  EXPECT_EQ(prediction.occupancy.blocks, 1);
  EXPECT_EQ(prediction.bottleneck, Bound::Latency);
  EXPECT_GT(prediction.total, 1.5 * predicted({.schedule = "baseline/32x8x1"}, h200()).total);
}

/// Where a kernel waits in its machine code so often, in a pass that stores so often.
static Prediction waiting(const char *schedule, std::optional<LoadWaits> waits) {
  const Setting setting{.schedule = schedule};
  const VerifiedProgram program =
      loweredAsUsual(example(setting.example, setting.real), setting.schedule);
  const ProgramCounts counts = llvm::cantFail(countProgram(program, setting.extents));
  PredictOptions options{.model = Model::Geometric};
  for (const LaunchCounts &launch : counts.launches)
    options.compiled[launch.kernel->name] = {.registers = 128, .spilledBytes = 0, .waits = waits};
  return llvm::cantFail(predict(counts, h200(), options));
}

TEST(Geometric, WaitsAsOftenAsMachineCodeSays) {
  const auto total = [](const char *schedule, std::optional<LoadWaits> waits) {
    return waiting(schedule, waits).total;
  };
  const char *point = "baseline/32x8x1";
  EXPECT_NEAR(total(point, LoadWaits{1, 0}), total(point, {}), 1e-12); // as estimated
  EXPECT_GT(total(point, LoadWaits{3, 0}), 1.05 * total(point, {}));
  EXPECT_EQ(total(point, LoadWaits{3, 4}), total(point, {})); // its text has no loop

  const char *march = "zblock/32x8x1/c64";
  EXPECT_GT(total(march, LoadWaits{6, 2}), 1.05 * total(march, LoadWaits{2, 2}));
  EXPECT_NEAR(total(march, LoadWaits{6, 2}), total(march, LoadWaits{12, 4}),
              1e-12); // turns in a pass
  EXPECT_EQ(total(march, LoadWaits{6, 0}), total(march, {}));
}

/// The geometric mean of the estimate, a phase of a kernel of one point, and of four later ones at
/// half.
TEST(Geometric, WaitsForTheMeanOfMachineCodeAndEstimate) {
  const char *point = "baseline/32x8x1";
  const auto latency = [&](double phases) {
    return waiting(point, LoadWaits{phases, 0})[Bound::Latency];
  };
  const double phase = latency(4) - latency(1); // of loads: the rest waits for instructions
  EXPECT_NEAR((latency(9) - latency(1)) / phase,
              (std::sqrt(1 + 0.5 * 8) - 1) / (std::sqrt(1 + 0.5 * 3) - 1), 1e-6);
}

/// Machine code does not say which warps fill tiles, nor how long ago a turn loaded what it uses.
TEST(Geometric, WaitsOfTilesAndOfLoadsAheadStayEstimated) {
  for (const char *schedule : {"shm/32x8x1/c64", "zblock/32x8x1/c64/p1"})
    EXPECT_EQ(waiting(schedule, LoadWaits{9, 1}).total, waiting(schedule, {}).total) << schedule;
}

TEST(Geometric, ALoopThatFillsATileIsNoMarch) {
  Program program = *loweredAsUsual(example("7pt1.stn"), "baseline/32x8x1");
  DeviceProfile device = h200();
  device.geometric->dependentShare.value = 0; // what is waited for is loads
  const auto inFlight = [&] {
    const VerifiedProgram verified = llvm::cantFail(KernelVerifier::verify(program));
    return llvm::cantFail(predict(llvm::cantFail(countProgram(verified, {512, 512, 512})), device,
                                  {Model::Geometric, /*registers=*/32}))
        .geometric->inFlightBytes;
  };
  const double alone = inFlight();
  Kernel &kernel = program.kernels[0];
  kernel.tiles.push_back({"tile", ScalarType::F64, {4, 8, 32}});
  kernel.locals.push_back("turn");
  const Index turn = coordinate(CoordinateKind::Local, kernel.locals.size() - 1);
  const auto thread = [](unsigned number) { return coordinate(CoordinateKind::Thread, number); };
  For fill{LoopKind::Serial, unsigned(kernel.locals.size() - 1), constant(0), constant(4), 1, {}};
  fill.body.push_back(
      {StoreShared{0, {turn, thread(1), thread(0)}, makeValue(ScalarType::F64, LiteralValue{0})}});
  kernel.body.insert(kernel.body.begin(), {fill});
  EXPECT_EQ(inFlight(), alone);
  std::get<For>(kernel.body.front().node).steady = SteadyLoop{};
  EXPECT_NE(inFlight(), alone);
}

TEST(Geometric, BarriersOfAMarchTakeLongerForMoreWarps) {
  // With 32 registers 2048 threads share an SM, whatever the block, and all of them together pass
  // as many barriers: times differ only as one barrier does.
  const auto seconds = [](const char *schedule) {
    return predicted({.schedule = schedule, .registers = 32}, h200())[Bound::Barrier];
  };
  const double two = seconds("shm/32x2x1/c64"), four = seconds("shm/32x4x1/c64"),
               eight = seconds("shm/32x8x1/c64");
  const GeometricConstants constants = *h200().geometric;
  const double barrier = constants.barrierLatency, others = barrier + constants.l1Latency;
  EXPECT_NEAR(four / two, (others + 2 * barrier) / (others + barrier), 0.01);
  EXPECT_NEAR(eight / two, (others + 3 * barrier) / (others + barrier), 0.01);
  EXPECT_EQ(seconds("shm/32x1x1/c64"), 0); // a warp waits for no other
  // Warps of a block that marches nowhere have all begun at once.
  EXPECT_NEAR(seconds("shm/32x8x1") / seconds("shm/32x2x1"), 1, 0.01);
  // Nor do warps come later that loaded a phase ahead: twice the latency adds one, not four.
  DeviceProfile slower = h200();
  slower.geometric->barrierLatency.value *= 2;
  const Setting ahead{.schedule = "temporal/32x8x1/c64/t2/v2x2/p1"};
  EXPECT_NEAR(predicted(ahead, slower)[Bound::Barrier] / predicted(ahead, h200())[Bound::Barrier],
              (others + barrier) / others, 0.01);
}

TEST(Geometric, ACapOnRegistersLetsFewerTurnsOverlap) {
  DeviceProfile device = h200();
  device.geometric->dependentShare.value = 0; // what is waited for is loads
  const Prediction free =
      predicted({.schedule = "zblock/32x8x1/c512/r5", .real = ScalarType::F32}, device);
  const Prediction capped =
      predicted({.schedule = "zblock/32x8x1/c512/r8", .real = ScalarType::F32}, device);
  EXPECT_EQ(free.occupancy.freedom, 1);
  const double freedom = capped.occupancy.freedom;
  EXPECT_GT(freedom, 0);
  EXPECT_LT(freedom, 1);
  // The loop is unrolled by four; with all registers free loads are issued together as the table
  // says, of five a turn. What more blocks share in the L1 makes little difference.
  const CodeTable &table = device.codeTable();
  const double together = table[CodeNumber::LoadsAtOnce] / 5;
  EXPECT_GT(together, table[CodeNumber::TurnsAtOnce]);
  EXPECT_NEAR(capped.geometric->inFlightBytes / free.geometric->inFlightBytes,
              8 * (1 + freedom * (together - 1)) / (5 * together), 5e-3);
}

TEST(Geometric, WhereFewRegistersAreLeftAMarchHasNoneForItsTiles) {
  const auto registers = [](const char *schedule) {
    return predicted({.schedule = schedule, .real = ScalarType::F32}, h200()).occupancy.registers;
  };
  // Four blocks of 128 threads leave a thread 128 registers, five leave 96. It wants fewer than
  // either, so that the promise does not cap them.
  const int ofATile = std::lround(h200().codeTable()[CodeNumber::TileInMarch]);
  const int many = registers("shm/128x1x1/c32/r4"), few = registers("shm/128x1x1/c32/r5");
  EXPECT_LT(many, 96);
  EXPECT_NEAR(many - few, ofATile, 1);
  // Without a march, or with tiles of several rows, it wants as many under both promises.
  EXPECT_EQ(registers("shm/128x1x1/r4"), registers("shm/128x1x1/r5"));
  EXPECT_EQ(registers("shm/64x2x1/c32/r4"), registers("shm/64x2x1/c32/r5"));
}

/// A device on which a kernel loads so many words at once where it has no registers left.
static DeviceProfile loading(double words) { return with(CodeNumber::WordsAtOnce, words); }

// 21 loads a turn: with few registers in batches, of which only the first has a new row.
TEST(Geometric, LoadsThatRegistersDoNotHoldWaitForOthers) {
  const Setting capped{.example = "star5.stn", .schedule = "zblock/32x32x1/c64/r1"},
      free{.example = "star5.stn", .schedule = "zblock/32x4x1/c64/r4"};
  EXPECT_GT(predicted(capped, loading(12)).total, 1.05 * predicted(capped, loading(42)).total);
  EXPECT_EQ(predicted(free, loading(12)).total, predicted(free, loading(42)).total);
}

// Of eight words a turn, behind whose two divisions half a phase is waited for each, two batches
// keep it waiting no longer; four do.
TEST(Geometric, WhatIsLoadedAfterADivisionIsABatchOfItsOwn) {
  const Stencil stencil =
      stencilOf("stencil s(y, x) { field f64 u; const f64 a, b, c; boundary: clamp;"
                " u' = u[y+1]*(a/(b/c)); }");
  const VerifiedProgram program = loweredAsUsual(stencil, "zblock/128x1/c32/r16");
  const ProgramCounts counts = llvm::cantFail(countProgram(program, {4096, 4096}));
  const auto seconds = [&](double words) {
    return llvm::cantFail(predict(counts, loading(words), {Model::Geometric}))[Bound::Latency];
  };
  EXPECT_EQ(seconds(4), seconds(8));
  EXPECT_GT(seconds(2), seconds(4));
}

TEST(Geometric, ThePromiseOfTheReadOnlyPathLetsTurnsOverlap) {
  DeviceProfile device = h200();
  const auto ratio = [&] {
    return predicted({.schedule = "zblock/32x8x1/c64/plain"}, device).total /
           predicted({.schedule = "zblock/32x8x1/c64"}, device).total;
  };
  EXPECT_GT(ratio(), 1.05);
  // No kernel waits for the one before: only a cache of its own takes the promise.
  device.computeCapability.value = 8;
  EXPECT_EQ(ratio(), 1);
  device.caches.readOnlyLoads.value = LoadPath::ReadOnly;
  EXPECT_GT(ratio(), 1.05);
  device = with(CodeNumber::LoadsAtOnce, 1, with(CodeNumber::TurnsAtOnce, 1));
  EXPECT_EQ(ratio(), 1);
}

// A block begins whole: the fewer share an SM, the more of it waits for the first loads.
TEST(Geometric, MarchesOfLargeBlocksWaitForTheirFirstLoads) {
  const auto lost = [](const char *schedule) {
    DeviceProfile device = h200();
    const double all = predicted({.schedule = schedule}, device).total;
    device.geometric->l2Latency.value = device.geometric->dramInFlightBytes.value = 1e-3;
    return all / predicted({.schedule = schedule}, device).total;
  };
  EXPECT_GT(lost("zblock/128x8x1/c8/r1"), 1.05 * lost("zblock/32x4x1/c8/r8"));
  EXPECT_GT(lost("zblock/128x8x1/c8/r1"), lost("zblock/128x8x1/c64/r1"));
}

// With several points a thread a large block need not wait for all of itself.
TEST(Geometric, WarpsOfAPatchedBlockAreInStepInPart) {
  const auto time = [](const char *schedule) {
    return predicted({.schedule = schedule, .real = ScalarType::F32}, h200()).total;
  };
  const auto slower = [&](const char *points) {
    return time(fmt::format("baseline/128x8x1{}/r1", points).c_str()) /
           time(fmt::format("baseline/32x8x1{}/r4", points).c_str());
  };
  EXPECT_LT(slower("/v1x2"), 1.1);
  EXPECT_GT(slower(""), 1.1);
}

// One block on an SM. Behind its only barrier it is in step as if it had none, and waits for all of
// its chains; in a march others of it work meanwhile, so that longer chains cost ever more of
// themselves.
TEST(Geometric, WarpsThatMeetOnceWaitForTheirChainsTogether) {
  const auto growth = [](const char *schedule) {
    const auto seconds = [&](double chain) {
      DeviceProfile device = h200();
      device.geometric->dependentClocks.value *= chain;
      return predicted({.schedule = schedule, .registers = 255}, device).total;
    };
    return (seconds(3) - seconds(2)) / (seconds(2) - seconds(1));
  };
  EXPECT_NEAR(growth("baseline/32x8x1"), 1, 0.01);
  EXPECT_NEAR(growth("shm/32x8x1"), 1, 0.01);
  EXPECT_GT(growth("shm/32x8x1/c64"), 1.05);
}

// Of a row of 2^24 points a copy moves four, and the warps of all others end at once.
TEST(Geometric, WarpsThatEndAtOnceHaveNoOtherMakeTheirInstructions) {
  const Stencil stencil = stencilOf("stencil ends(x) { field f64 u; const f64 f; boundary: fixed;"
                                    " u' on x[2:-2] = u[x+1]; u' on x[0] = f; }");
  const VerifiedProgram program = loweredAsUsual(stencil, "baseline/128");
  const std::vector<int64_t> extents = {1 << 24};
  const ProgramCounts counts = llvm::cantFail(countProgram(program, extents));
  const RunCounts run = llvm::cantFail(countRun(program, extents, 2));
  const DeviceProfile device = h200();
  const Prediction step = llvm::cantFail(predict(counts, device, {Model::Geometric}));
  const RunPrediction whole =
      llvm::cantFail(predictRun(run, counts, step, device, {Model::Geometric}));
  EXPECT_LT(whole.total, 4 * step.total);
}

// A warp waits for a chain of FP64 as long as the table says, in divisions of f64 alone.
TEST(Geometric, DivisionsWaitForWhatTheyAreMadeOf) {
  const auto waiting = [](const char *real, const char *operation, double waits) {
    const DeviceProfile device = with(CodeNumber::Fp64Waits, waits);
    const Stencil stencil =
        stencilOf(fmt::format("stencil s(y, x) {{ field {} u; boundary u: clamp;"
                              "  u' = u[x-1] {} u[x+1]; }}",
                              real, operation));
    const VerifiedProgram program = loweredAsUsual(stencil, "baseline/32x8");
    return llvm::cantFail(predict(llvm::cantFail(countProgram(program, {4096, 4096})), device,
                                  {Model::Geometric, /*registers=*/32}))[Bound::Latency];
  };
  EXPECT_GT(waiting("f64", "/", 2), waiting("f64", "/", 1));
  EXPECT_EQ(waiting("f64", "*", 2), waiting("f64", "*", 1));
  EXPECT_EQ(waiting("f32", "/", 2), waiting("f32", "/", 1));
}

} // namespace geometric
