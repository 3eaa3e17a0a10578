// The model of [su2015] where the paper says nothing: fewer axes, small grids, plain loads, several
// launches. Numbers follow from arithmetic done on paper for the toy GPU, which has 4 SMs of 1024
// threads and lines of 128 bytes.
#include "test/ir/StencilSource.h"
#include "test/papers/Model.h"

using namespace stencilc;

namespace {

DeviceProfile device(const char *name) { return llvm::cantFail(loadDeviceProfile(name)); }

Prediction predict(const Stencil &stencil, const std::string &schedule,
                   llvm::ArrayRef<int64_t> extents, const char *gpu = TOY_GPU) {
  const Counted counted(stencil, schedule, extents);
  PredictOptions options;
  options.registers = 32;
  return llvm::cantFail(predictSu2015(counted.counts, device(gpu), options));
}

std::string refusal(const ProgramCounts &counts, const DeviceProfile &device, int registers = 32) {
  PredictOptions options;
  options.registers = registers;
  llvm::Expected<Prediction> prediction = predictSu2015(counts, device, options);
  return prediction ? "" : llvm::toString(prediction.takeError());
}

} // namespace

TEST(Su2015Model, AnAxisThatIsNotThereIsOnePointWithoutHalo) {
  const Prediction plane = predict(stencilOf("stencil s(y, x) { field f64 u; boundary u: halo;"
                                             "  u' = u[x-1] + u[x+1] + u[y-1] + u[y+1]; }"),
                                   "baseline/32x8", {1024, 1024});
  // 8 rows with a line of 16 at both ends, and 2 rows beside them.
  EXPECT_EQ(plane.su2015->blockNet, 8 * (16 + 32 + 16) + 2 * 32);
  // 4 blocks an SM: a group of 16 is half a row wide, with a sector of 4 at both ends.
  EXPECT_EQ(plane.su2015->blocksPerGroup, 16);
  EXPECT_EQ(plane.su2015->widthY, 8 + 2);
  EXPECT_EQ(plane.su2015->heightZ, 1);
  EXPECT_EQ(plane.su2015->groupNet, (4 + 16 * 32 + 4) * (8 + 2));

  const Prediction row = predict(stencilOf("stencil s(x) { field f64 u; boundary u: halo;"
                                           "  u' = u[x-1] + u[x+1]; }"),
                                 "baseline/256", {1 << 20});
  EXPECT_EQ(row.su2015->blockNet, 16 + 256 + 16);
  EXPECT_EQ(row.su2015->groupNet, 4 + 16 * 256 + 4);
  EXPECT_EQ(row.su2015->widthY, 1);
}

TEST(Su2015Model, AChunkEndsWhereTheGridEnds) {
  const Stencil stencil = paperStencil("7pt1", ScalarType::F64);
  const Prediction longer = predict(stencil, "zblock/32x4x1/c256", {64, 64, 64});
  const Prediction exact = predict(stencil, "zblock/32x4x1/c64", {64, 64, 64});
  EXPECT_EQ(longer.su2015->stores, 64);
  EXPECT_EQ(longer.su2015->threads, exact.su2015->threads);
  EXPECT_EQ(longer.su2015->blockNet, exact.su2015->blockNet);
  EXPECT_EQ(longer.bytes.l2, exact.bytes.l2);
  EXPECT_EQ(longer.bytes.dram, exact.bytes.dram);
  // 3 c + 2 aligned loads and 2 c misaligned ones, of as many points as there are.
  EXPECT_NEAR(longer.bytes.smx / exact.bytes.smx, (8 + 2.0 / 256) / (8 + 2.0 / 64), 1e-12);
}

TEST(Su2015Model, PlainLoadsEndWhereTheGridEnds) {
  const Stencil stencil = paperStencil("7pt1", ScalarType::F64);
  const Prediction longer = predict(stencil, "zblock/32x4x1/c256/plain", {64, 64, 64}, "k20");
  const Prediction exact = predict(stencil, "zblock/32x4x1/c64/plain", {64, 64, 64}, "k20");
  // Of a warp of doubles: 42 c + 16 sectors loaded, of as many points as there are, 8 c stored.
  EXPECT_NEAR(longer.bytes.l2 / exact.bytes.l2, (50 + 16.0 / 256) / (50 + 16.0 / 64), 1e-12);
}

TEST(Su2015Model, FewWarpsInAChunkMissNoLessForIt) {
  DeviceProfile toy = device(TOY_GPU);
  toy.su2015->eta.value = 0.5;
  ASSERT_GT(toy.su2015->coresPerSm.value / toy.threadsPerWarp.value, 2);
  const Counted counted(paperStencil("7pt1", ScalarType::F64), "zblock/32x1x1/c2", {64, 64, 64});
  PredictOptions options;
  options.registers = 32;
  const Prediction few = llvm::cantFail(predictSu2015(counted.counts, toy, options));
  // One warp with two points, fewer than run at once: they share the planes that both need.
  const double alone = few.su2015->blocksPerSmx * few.su2015->blockNet * 8.0 /
                       toy.su2015->storageBytes * toy.su2015->delta;
  EXPECT_DOUBLE_EQ(few.su2015->smxMissRatio, alone * (1 + 2) / (2 + 2));
}

TEST(Su2015Model, PlainLoadsOfKeplerCrossFromTheL2EachTime) {
  const Stencil stencil = paperStencil("7pt1", ScalarType::F64);
  const Prediction plain = predict(stencil, "baseline/32x4x1/plain", {256, 256, 256}, "k20");
  // A warp of doubles: 5 requests of 8 sectors, 2 of 9, and 8 sectors stored.
  const double points = 256.0 * 256 * 256;
  EXPECT_EQ(plain.bytes.l2, points / 32 * 32 * (5 * 8 + 2 * 9 + 8));
  EXPECT_EQ(plain.su2015->smxMissRatio, 0);
  const Prediction cached = predict(stencil, "baseline/32x4x1", {256, 256, 256}, "k20");
  EXPECT_LT(cached.bytes.l2, plain.bytes.l2);
  EXPECT_EQ(cached.bytes.smx, plain.bytes.smx);
  EXPECT_EQ(cached.bytes.dram, plain.bytes.dram);
  // The toy GPU keeps both in its L1.
  EXPECT_EQ(predict(stencil, "baseline/32x4x1/plain", {256, 256, 256}).bytes.l2,
            predict(stencil, "baseline/32x4x1", {256, 256, 256}).bytes.l2);
}

TEST(Su2015Model, LaunchesFollowOneAnother) {
  const Counted counted(paperStencil("7pt1", ScalarType::F64), "baseline/32x4x1", {64, 64, 64});
  ProgramCounts twice = counted.counts;
  twice.launches.push_back(twice.launches.at(0));
  PredictOptions options;
  options.registers = 32;
  const DeviceProfile toy = device(TOY_GPU);
  const Prediction one = llvm::cantFail(predictSu2015(counted.counts, toy, options));
  const Prediction two = llvm::cantFail(predictSu2015(twice, toy, options));
  EXPECT_DOUBLE_EQ(two.total, 2 * one.total);
  EXPECT_DOUBLE_EQ(two.bytes.l2, 2 * one.bytes.l2);
  EXPECT_DOUBLE_EQ(two[Bound::Dram], 2 * one[Bound::Dram]);
  EXPECT_EQ(two.su2015->blocks, one.su2015->blocks); // those of one launch
  // In a step that makes two, each takes half.
  twice.steps = 2;
  EXPECT_DOUBLE_EQ(llvm::cantFail(predictSu2015(twice, toy, options)).total, one.total);
  EXPECT_EQ(one.levels[2].leastBytes, 64 * 64 * 64 * 16);
}

TEST(Su2015Model, SaysWhatItCannotPredict) {
  const Counted counted(paperStencil("7pt1", ScalarType::F64), "baseline/32x32x1", {64, 64, 64});
  const DeviceProfile toy = device(TOY_GPU);
  EXPECT_EQ(refusal(counted.counts, toy), "");
  EXPECT_EQ(refusal(counted.counts, toy, 128),
            "a block of `su_7pt1_baseline` does not fit on an SM of toy (registers)");

  ProgramCounts sharing = counted.counts;
  sharing.launches.at(0).together.shared.requests = 1;
  EXPECT_EQ(refusal(sharing, toy),
            "the model `su2015` counts loads from registers to the caches of an SM only, and "
            "`su_7pt1_baseline` uses its shared memory");

  DeviceProfile bare = toy;
  bare.su2015.reset();
  EXPECT_NE(refusal(counted.counts, bare).find("the model `su2015` needs the section `su2015`"),
            std::string::npos);
}
