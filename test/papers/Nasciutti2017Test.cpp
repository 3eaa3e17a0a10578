// Intensities and cut-offs of [nasciutti2017], and its kernels as predicted; keys in README.md.
#include "test/papers/Model.h"

#include "gtest/gtest.h"

#include <cmath>
#include <fmt/format.h>

using namespace stencilc;

namespace {

Stencil star(int radius) {
  return paperStencil(fmt::format("Inputs/star{}", radius), ScalarType::F32);
}

/// Gflop/s by kernel, radius and extent along x.
using Rates = std::map<std::tuple<std::string, int, int>, double>;

/// What nasciutti2017-kernels.csv holds, computed again; equal to a tenth. All threads of an SM are
/// resident, as in Table 1, since no kernel needs more than 64 registers.
Rates predictedKernels() {
  Rates rates;
  const DeviceProfile device = llvm::cantFail(loadDeviceProfile("k80"));
  for (const auto &row : paperTable("nasciutti2017-kernels.csv")) {
    const int radius = std::stoi(row.at("radius")), x = std::stoi(row.at("x"));
    const Counted counted(star(radius), row.at("schedule"), {256, 256, x});
    PredictOptions options;
    options.registers = 64;
    const Prediction prediction = llvm::cantFail(predictSu2015(counted.counts, device, options));
    double &rate = rates[{row.at("kernel"), radius, x}];
    rate = counted.counts.launches.at(0).flops / prediction.total / 1e9;
    EXPECT_EQ(prediction.occupancy.fraction, 1);
    EXPECT_NEAR(rate, std::stod(row.at("su2015")), 0.0501) << row.at("schedule") << " " << radius;
    EXPECT_EQ(spelling(prediction.bottleneck).str(), row.at("su2015_bound"));
  }
  return rates;
}

} // namespace

// PAPER     nasciutti2017
// WHERE     section 4, I(N) = (2 N - 1) / (4 (N + 1)) of the code without tiles
// QUANTITY  flop per byte requested, stars of radius 1 to 5
// PUBLISHED the formula; 0.5 in the limit
// OURS      0.406, 0.446, 0.4625, 0.471, 0.477
// KIND      counted
TEST(Nasciutti2017, Intensities) {
  const double rounded[] = {0.406, 0.446, 0.4625, 0.471, 0.477};
  for (int radius = 1; radius <= 5; ++radius) {
    const Counted counted(star(radius), "baseline/32x16x1/plain", {256, 256, 256});
    const LaunchCounts &launch = counted.counts.launches.at(0);
    uint64_t requested = 0;
    for (const ArrayCounts &array : launch.arrays)
      requested += array.launch.accesses * array.elementBytes;
    const double intensity = double(launch.flops) / requested;
    const double points = 6 * radius + 1;
    EXPECT_DOUBLE_EQ(intensity, (2 * points - 1) / (4 * (points + 1)));
    EXPECT_NEAR(intensity, rounded[radius - 1], 0.0005);
  }
}

// PAPER     nasciutti2017
// WHERE     section 6, M = 4 (Dx Dy + 2 r (Dx + Dy) + 2 r Dx Dy) with M = 1.5 MB and Dy = 256
// QUANTITY  greatest Dx for which one XY plane and all that it reads fit in the L2
// PUBLISHED 510, 306, 218, 169, 139 for r = 1 .. 5
// OURS      510.0, 305.4, 217.8, 169.2, 138.2, with 1.5 MiB. Rounded, r = 2 and r = 5 are one below
//           the print.
// KIND      counted (elements), predicted (cut-off)
TEST(Nasciutti2017, CutOffs) {
  const DeviceProfile device = llvm::cantFail(loadDeviceProfile("k80"));
  const std::pair<double, int> cases[] = {
      {510.005, 510}, {305.445, 306}, {217.842, 218}, {169.190, 169}, {138.236, 139}};
  for (int radius = 1; radius <= 5; ++radius) {
    const Counted counted(star(radius), "baseline/32x16x1/plain", {256, 256, 256});
    const LaunchCounts &launch = counted.counts.launches.at(0);
    const ArrayCounts &loads = launch.arrays.at(0);
    ASSERT_FALSE(loads.isStore);
    // Bytes of a plane of blocks that is `across` blocks wide and 256 points high.
    const auto bytes = [&](int64_t across) {
      const auto boxes = boxesOfGroup(loads.boxes, launch.cover, {1, 256 / 16, across});
      return int64_t(unionSize(boxes, 3)) * loads.elementBytes;
    };
    // They grow by the same with every block across.
    const int64_t perBlock = bytes(2) - bytes(1);
    EXPECT_EQ(bytes(16), bytes(1) + 15 * perBlock);
    const double cutOff = 32 * (1 + double(device.caches.l2Bytes - bytes(1)) / double(perBlock));
    const auto &[formula, printed] = cases[radius - 1];
    EXPECT_NEAR(cutOff, formula, 0.0005);
    EXPECT_LE(std::abs(std::lround(cutOff) - printed), 1);
  }
}

// PAPER     nasciutti2017
// WHERE     section 5, Fig. 3; section 8, Fig. 8: 256 points a side, blocks of 32 x 16
// QUANTITY  Gflop/s of one point a thread and of a march in registers (INTZ + Reg), with plain
// loads
//           (BASE) and through the read-only cache (CSL)
// PUBLISHED BASE the same for every radius; CSL faster; INTZ + Reg helps BASE; CSL + INTZ + Reg the
//           best for most radii
// OURS      model su2015: so, but that for radius 1 CSL only equals BASE, as device memory bounds
//           both, and that there the march does not help BASE, as three groups of blocks leave the
//           device idle at the end
// KIND      predicted (ours), measured (published)
TEST(Nasciutti2017, OrderOfKernels) {
  const Rates rates = predictedKernels();
  const auto at = [&](const char *kernel, int radius) { return rates.at({kernel, radius, 256}); };
  for (int radius = 1; radius <= 5; ++radius) {
    EXPECT_NEAR(at("BASE", radius) / at("BASE", 3), 1, 0.12);
    EXPECT_GT(at("CSL+INTZ+Reg", radius), at("CSL", radius));
    EXPECT_GT(at("CSL+INTZ+Reg", radius), at("BASE+INTZ+Reg", radius));
    if (radius == 1) {
      EXPECT_DOUBLE_EQ(at("CSL", radius), at("BASE", radius));
      EXPECT_LT(at("BASE+INTZ+Reg", radius), at("BASE", radius));
    } else {
      EXPECT_GT(at("CSL", radius), at("BASE", radius));
      EXPECT_GT(at("BASE+INTZ+Reg", radius), at("BASE", radius));
    }
  }
}

// PAPER     nasciutti2017
// WHERE     section 6, Fig. 4
// QUANTITY  Gflop/s of BASE, radius 1, and of CSL, radius 5, before and after the cut-off
// PUBLISHED an abrupt fall at the cut-off, where an XY plane leaves the L2
// OURS      model su2015: none. It assumes that no group of blocks finds in the L2 what another
// left
//           there, so that planes are read again on both sides of the cut-off.
// KIND      predicted (ours), measured (published)
TEST(Nasciutti2017, NoCutOffWithoutReuseBetweenGroups) {
  const Rates rates = predictedKernels();
  EXPECT_NEAR(rates.at({"BASE", 1, 512}) / rates.at({"BASE", 1, 320}), 0.956, 0.0005);
  EXPECT_NEAR(rates.at({"CSL", 5, 224}) / rates.at({"CSL", 5, 96}), 0.984, 0.0005);
}
