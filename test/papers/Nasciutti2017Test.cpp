// Intensities and cut-offs of [nasciutti2017], and its kernels as predicted; keys in README.md.
#include "test/papers/Kernels.h"

#include <cmath>

using namespace stencilc;

namespace {

Stencil star(int radius) {
  return paperStencil(fmt::format("Inputs/star{}", radius), ScalarType::F32);
}

/// Predictions by kernel, radius and extent along x.
using Predicted = std::map<std::tuple<std::string, int, int>, PredictedKernel>;

/// nasciutti2017-kernels.csv. No kernel is said to need more than 64 registers: in Table 1 all
/// threads that an SM holds are resident.
Predicted predicted() {
  Predicted result;
  for (PredictedKernel &kernel :
       predictedKernels("nasciutti2017-kernels.csv", [](const auto &row) -> PaperCase {
         return {star(std::stoi(row.at("radius"))),
                 {256, 256, std::stoi(row.at("x"))},
                 llvm::cantFail(loadDeviceProfile("k80")),
                 64};
       })) {
    EXPECT_EQ(kernel.geometric.occupancy.fraction, 1);
    const auto &row = kernel.row;
    result[{row.at("kernel"), std::stoi(row.at("radius")), std::stoi(row.at("x"))}] =
        std::move(kernel);
  }
  return result;
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
// WHERE     section 5, a block of 32 x 16 threads and its tile (COMP)
// QUANTITY  bytes of shared memory of a block, stars of radius 1 to 5
// PUBLISHED 4 (dx + 2 R) (dy + 2 R); 4.26 KB for R = 5
// OURS      equal: 4368 bytes for R = 5
// KIND      counted
TEST(Nasciutti2017, TileBytes) {
  for (int radius = 1; radius <= 5; ++radius)
    for (const char *schedule : {"shm/32x16x1/plain/rim", "shm/32x16x1/c256/plain/reload/rim",
                                 "shm/32x16x1/c256/plain/rim"}) {
      const Counted counted(star(radius), schedule, {256, 256, 256});
      EXPECT_EQ(counted.counts.launches.at(0).sharedBytes,
                4 * (32 + 2 * radius) * (16 + 2 * radius));
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
// QUANTITY  Gflop/s of one point a thread and of a march in registers (INTZ + Reg), each with plain
//           loads (BASE) and through the read-only cache (CSL)
// PUBLISHED CSL + INTZ + Reg the best for most radii; CSL faster than BASE; INTZ + Reg helps BASE;
//           BASE the same for every radius
// OURS      nasciutti2017-kernels.csv
//           Both models: CSL + INTZ + Reg the best for every radius.
//           Model su2015: the rest too, except at radius 1. There CSL only equals BASE, as device
//           memory bounds both, and the march does not help BASE, as three groups of blocks leave
//           the device idle at the end.
//           Model geometric: the rest too, but that BASE is slower at radius 1.
// KIND      predicted (ours), measured (published)
TEST(Nasciutti2017, OrderOfKernels) {
  const Predicted kernels = predicted();
  for (int radius = 1; radius <= 5; ++radius)
    for (const Model model : {Model::Su2015, Model::Geometric}) {
      SCOPED_TRACE(fmt::format("{}, radius {}", spelling(model).str(), radius));
      const auto rate = [&](const char *kernel, int radius) {
        return kernels.at({kernel, radius, 256}).rate(model);
      };
      const double base = rate("BASE", radius), csl = rate("CSL", radius),
                   baseMarch = rate("BASE+INTZ+Reg", radius),
                   cslMarch = rate("CSL+INTZ+Reg", radius);
      EXPECT_GT(cslMarch, csl);
      EXPECT_GT(cslMarch, baseMarch);
      EXPECT_GE(csl, base);
      if (model == Model::Su2015) {
        EXPECT_EQ(csl > base, radius > 1);
        EXPECT_EQ(baseMarch > base, radius > 1);
        EXPECT_NEAR(base / rate("BASE", 3), 1, 0.12);
      } else {
        EXPECT_GT(csl, 1.05 * base);
        EXPECT_GT(baseMarch, base);
      }
    }
}

// PAPER     nasciutti2017
// WHERE     section 5, Fig. 3; section 8, Fig. 6 to 8: 256 points a side, blocks of 32 x 16
// QUANTITY  Gflop/s of tiles (COMP), and of a march that keeps nothing (INTZ)
// PUBLISHED COMP faster than BASE, but for radius 1, and slower than CSL; INTZ does not help BASE;
//           it helps CSL at small radii and hurts it at large ones, as the read-only cache is too
//           small; INTZ + Reg mends that
// OURS      model geometric: CSL + INTZ is faster than CSL up to radius 2, BASE + INTZ faster than
//           BASE everywhere. COMP is slower than CSL and BASE everywhere. Model su2015 has no
//           misses of the read-only cache, and no equation for tiles.
// KIND      predicted (ours), measured (published)
TEST(Nasciutti2017, TilesAndMarchesThatKeepNothing) {
  const Predicted kernels = predicted();
  for (int radius = 1; radius <= 5; ++radius) {
    SCOPED_TRACE(fmt::format("radius {}", radius));
    const auto rate = [&](const char *kernel) {
      return kernels.at({kernel, radius, 256}).rate(Model::Geometric);
    };
    EXPECT_LT(rate("COMP"), rate("CSL"));
    EXPECT_LT(rate("COMP"), rate("BASE"));
    EXPECT_GT(rate("BASE+INTZ"), rate("BASE"));
    EXPECT_EQ(rate("CSL+INTZ") > rate("CSL"), radius <= 2);
    EXPECT_GT(rate("CSL+INTZ+Reg"), rate("CSL+INTZ"));
    EXPECT_GT(rate("CSL+INTZ+Reg"), rate("COMP+INTZ+Reg"));
  }
}

// PAPER     nasciutti2017
// WHERE     section 6, Fig. 4 and 5
// QUANTITY  share of the reuse between planes that the L2 keeps, and Gflop/s: BASE of radius 1, CSL
//           of radius 5, before, in and after the fall
// PUBLISHED x = 320, 416, 512 and x = 96, 128, 224: hits in the L2 fall, and rates with them
// OURS      model geometric: the reuse is kept before the fall, lost after it, and about half kept
//           in it. The rates follow for CSL; those of BASE little, as the L2's own bandwidth bounds
//           them on both sides.
//           Model su2015: no fall. It lets no group of blocks find in the L2 what another left
//           there, so that planes are read again everywhere.
// KIND      predicted (ours), measured (published)
TEST(Nasciutti2017, ReuseEndsAtTheCutOff) {
  const Predicted kernels = predicted();
  const std::tuple<const char *, int, std::array<int, 3>> falls[] = {{"BASE", 1, {320, 416, 512}},
                                                                     {"CSL", 5, {96, 128, 224}}};
  for (const auto &[kernel, radius, x] : falls) {
    const auto at = [&](int i) -> const PredictedKernel & {
      return kernels.at({kernel, radius, x[i]});
    };
    EXPECT_GT(at(0).geometric.geometric->reuseKept, 0.7) << kernel;
    EXPECT_NEAR(at(1).geometric.geometric->reuseKept, 0.5, 0.2) << kernel;
    EXPECT_LT(at(2).geometric.geometric->reuseKept, 0.2) << kernel;
    EXPECT_LT(at(2).rate(Model::Geometric),
              (kernel[0] == 'C' ? 0.85 : 0.97) * at(0).rate(Model::Geometric));
    EXPECT_NEAR(at(2).su2015->bytes.dram / at(0).su2015->bytes.dram * x[0] / x[2], 1, 0.06);
  }
}
