// Reports made by hand, from round numbers and from [su2015] Table 2: no model, no profile.
#pragma once

#include "costmodel/report/Report.h"

namespace stencilc {

/// A kernel for counts to point to; three axes.
inline const Kernel &exampleKernel() {
  static const Kernel kernel = [] {
    Kernel made;
    made.name = "heat_step";
    made.axes = {"z", "y", "x"};
    return made;
  }();
  return kernel;
}

inline Schedule scheduleOf(llvm::StringRef text) {
  return llvm::cantFail(parseSchedule(text, exampleKernel().rank()));
}

/// u at seven points, on z=100, y=200, x=500: 1e7 points of f64. One launch of blocks of 64x2x1.
inline Report emptyReport() {
  Report report;
  report.stencil = {"heat",
                    "heat.stn",
                    {"z", "y", "x"},
                    {"field f64 u"},
                    7,
                    1,
                    8,
                    16,
                    {"z -1 .. +1", "y -1 .. +1", "x -1 .. +1"}};
  report.device.name = "Toy";
  report.device.computeCapability = {9.0, "made up"};
  report.device.code = {{"sm90", llvm::cantFail(loadCodeTable("sm90"))}, "made up"};
  report.device.sms = {10, "made up"};
  report.device.memoryBytes = {1 << 30, "made up"};
  report.device.caches.l2Bytes = {1 << 20, "made up"};
  report.device.caches.sectorBytes = {32, "made up"};
  report.extents = {100, 200, 500};

  ArrayCounts load;
  load.array = 0;
  load.isStore = load.readOnlyPath = false;
  load.name = "u";
  load.elementBytes = 8;
  load.points = 10000000;
  load.aligned = 5;
  load.misaligned = 2;
  load.boxes = {
      {{{-1, 1}, {0, 1}, {0, 63}}}, {{{0, 0}, {-1, 2}, {0, 63}}}, {{{0, 0}, {0, 1}, {-1, 64}}}};
  LaunchCounts launch;
  launch.kernel = &exampleKernel();
  launch.threads = 128;
  launch.warps = 4;
  launch.cover = {1, 2, 64};
  launch.extent = {100, 200, 500};
  launch.blocks = {100, 100, 8};
  launch.blockCount = 80000;
  launch.points = 10000000;
  launch.arrays = {load};
  ProgramCounts &counts = report.counted;
  counts.schedule = scheduleOf("simple/64x2x1/r8");
  counts.axes = {"z", "y", "x"};
  counts.extents = report.extents;
  counts.launches = {launch};
  counts.points = launch.points;
  counts.compulsoryReadBytes = counts.compulsoryWriteBytes = 80000000;

  Prediction &predicted = report.predicted;
  predicted.schedule = counts.schedule;
  predicted.occupancy = {8, 32, 0, OccupancyLimit::Threads, 0.5};
  report.tryOut = [](const Schedule &) { return 1e-9; }; // whatever is tried helps
  return report;
}

/// Bound by device memory: 240 of 160 MB at 100 GB/s, 2.4 of 2.5 ms; nothing calibrated to miss.
inline Report geometricReport() {
  Report report = emptyReport();
  report.device.geometric.emplace();
  report.device.geometric->dramInFlightBytes.value = 1024;
  report.device.geometric->fp32Rate.value = 128;
  report.device.geometric->fp64Rate.value = 64;
  report.device.launching.emplace();
  report.device.launching->hostInterval.value = 4e-6;
  report.device.launching->graphInterval.value = 1e-6;
  Prediction &predicted = report.predicted;
  predicted.model = "geometric";
  predicted.bytes = {800e6, 320e6, 240e6};
  predicted.levels = {{{"SM", 800e6, 0, 1000e9, 0.8e-3},
                       {"L2", 320e6, 160e6, 400e9, 0.8e-3},
                       {"device memory", 240e6, 160e6, 100e9, 2.4e-3}}};
  predicted[Bound::Smx] = predicted[Bound::L2] = 0.8e-3;
  predicted[Bound::Dram] = 2.4e-3;
  predicted[Bound::Issue] = 0.5e-3;
  predicted.total = 2.5e-3;
  predicted.bottleneck = Bound::Dram;
  predicted.geometric = GeometricQuantities{.windowBytes = 36 << 20,
                                            .effectiveBytes = 28 << 20,
                                            .reuseKept = 0.25,
                                            .inFlightBytes = 8192,
                                            .waves = 100.5,
                                            .instructionsPerPoint = 80};
  report.candidates = {{predicted.schedule, predicted}};
  for (const auto &[schedule, times] :
       {std::pair("simple/128x2x1/r8", 1.012), std::pair("simple/32x4x1/r8", 1.1),
        std::pair("simple/256x1x1/r8", 1.2), std::pair("simple/512x1x1/r4", 1.3),
        std::pair("march/64x4x1/c8/r4", 1.4), std::pair("march/32x4x1/c8/r4", 1.5)}) {
    Candidate candidate{scheduleOf(schedule), predicted};
    candidate.predicted.total *= times;
    report.candidates.push_back(candidate);
  }
  const std::string tooLarge = "needs 70 KiB of shared memory and a block may have 48";
  report.rejected = {{scheduleOf("tile/32x32x1"), tooLarge},
                     {scheduleOf("tile/32x16x1"), tooLarge},
                     {scheduleOf("pencil/1x1x1"), "needs <two> axes & no more", true}};
  return report;
}

/// A prediction in which `bound` takes nine tenths of the time.
inline Report boundBy(Bound bound) {
  Report report = geometricReport();
  report.predicted.seconds = {};
  report.predicted.bottleneck = bound;
  report.predicted[bound] = 0.9 * report.predicted.total;
  return report;
}

/// The worked example of [su2015], Table 2: 7PT-1 of 256^3 points on a K20, blocks of 32x4x1.
inline Report table2Report() {
  Report report = emptyReport();
  report.stencil.name = "su_7pt1";
  report.device.name = "K20";
  report.device.sms.value = 13;
  report.device.su2015.emplace();
  report.device.su2015->smxLineBytes.value = 256;
  report.extents = report.counted.extents = {256, 256, 256};
  report.counted.points = 256 * 256 * 256;
  report.counted.compulsoryReadBytes = report.counted.compulsoryWriteBytes = 128 << 20;
  LaunchCounts &launch = report.counted.launches.front();
  launch.cover = {1, 4, 32};
  launch.extent = {256, 256, 256};
  launch.blocks = {256, 64, 8};
  launch.blockCount = 131072;
  launch.points = report.counted.points;
  launch.arrays.front().boxes = {
      {{{-1, 1}, {0, 3}, {0, 31}}}, {{{0, 0}, {-1, 4}, {0, 31}}}, {{{0, 0}, {0, 3}, {-1, 32}}}};
  report.isForced = true;
  report.registersAsked = 32;
  Prediction &predicted = report.predicted;
  predicted.model = "su2015";
  predicted.schedule = report.counted.schedule = scheduleOf("simple/32x4x1/r16");
  predicted.bytes = {1342177280.0, 844.9067 * (1 << 20), 534.4001 * (1 << 20)};
  predicted.levels = {{{"SM", predicted.bytes.smx, 0, 1215.35e9, 1.1044e-3},
                       {"L2", predicted.bytes.l2, 0, 367.87e9, 2.4083e-3},
                       {"device memory", predicted.bytes.dram, 268435456, 160.88e9, 3.4831e-3}}};
  predicted[Bound::Smx] = 1.1044e-3;
  predicted[Bound::L2] = 2.4083e-3;
  predicted[Bound::Dram] = 3.4831e-3;
  predicted.total = 3.4831e-3;
  predicted.bottleneck = Bound::Dram;
  predicted.occupancy = {16, 32, 0, OccupancyLimit::Threads, 1.0};
  predicted.su2015 = Su2015Quantities{.alignedLoads = 5,
                                      .misalignedLoads = 2,
                                      .loads = 9,
                                      .stores = 1,
                                      .threads = 16777216,
                                      .blocks = 131072,
                                      .blocksPerSmx = 16,
                                      .blocksPerGroup = 208,
                                      .groups = 631,
                                      .blockNet = 704,
                                      .smxMissRatio = 0.0183333,
                                      .blockLoads = 716.9067,
                                      .blockStores = 128,
                                      .widthY = 106,
                                      .heightZ = 3,
                                      .groupNet = 83952,
                                      .l2MissRatio = 0.00512402,
                                      .groupLoads = 84382.17,
                                      .groupStores = 26624,
                                      .unadjustedSeconds = 3.4831e-3,
                                      .adjustedSeconds = 3.4886e-3,
                                      .occupancyEfficiency = 1};
  report.candidates = {{predicted.schedule, predicted}};
  return report;
}

} // namespace stencilc
