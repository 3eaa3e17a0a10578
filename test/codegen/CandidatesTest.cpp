#include "codegen/lower/Candidates.h"
#include "test/Examples.h"
#include "test/ir/StencilSource.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

TEST(Candidates, OfEveryExampleAreLegalAndBeginWithTheDefault) {
  for (const std::string &name : exampleNames()) {
    const Stencil stencil = example(name);
    for (const Variant *variant : variantsFor(stencil)) {
      if (!variant->candidates)
        continue;
      SCOPED_TRACE(name + " " + variant->name.str());
      const std::vector<Schedule> candidates = variant->candidates(stencil);
      EXPECT_EQ(candidates.front(), variant->defaultSchedule(stencil));
      for (size_t i = 0; i < candidates.size(); ++i) {
        const Schedule &candidate = candidates[i];
        SCOPED_TRACE(toString(candidate));
        EXPECT_FALSE(errorToBool(variant->checkLegal(stencil, candidate)));
        EXPECT_EQ(std::count(candidates.begin(), candidates.end(), candidate), 1);
        EXPECT_GE(candidate.threads(), fuses(candidate) ? 32 : 64);
        EXPECT_GE(candidate.block[0], 16);
      }
    }
  }
}

TEST(Candidates, TilesAreForFarRows) {
  const auto countOf = [](const std::string &name, ScalarType real, llvm::StringRef what) {
    const Stencil stencil = example(name, real);
    const std::vector<Schedule> all = findVariant("zblock")->candidates(stencil);
    return llvm::count_if(all, [&](const Schedule &candidate) {
      return llvm::StringRef(toString(candidate)).contains(what);
    });
  };
  EXPECT_EQ(countOf("star4.stn", ScalarType::F64, "/v2x4/flat/tile"), 6);
  EXPECT_EQ(countOf("star4.stn", ScalarType::F64, "/v2x4/p1/flat/tile"), 6); // loaded ahead
  EXPECT_EQ(countOf("star4.stn", ScalarType::F64, "/v2x4/p2/flat/tile"), 6);
  EXPECT_EQ(countOf("star4.stn", ScalarType::F32, "zblock/16x8x1/c8/v4x2/flat/tile"), 1);
  EXPECT_EQ(countOf("star4.stn", ScalarType::F32, "tile"), 12); // eight points a thread, too
  EXPECT_EQ(countOf("7pt1.stn", ScalarType::F64, "tile"), 0);   // reads the next rows alone
  // Three rows a thread: where a full box of one array is read.
  EXPECT_EQ(countOf("box27.stn", ScalarType::F32, "/v2x3/flat"), 2);
  EXPECT_EQ(countOf("19pt.stn", ScalarType::F32, "/v2x3"), 0);
}

// Of 125 points in f64, three of the four tiles of which most is right need more shared memory than
// a block has: others come in their place.
TEST(Candidates, OfFusedStepsHaveRoomInSharedMemory) {
  const Stencil stencil =
      stencilOf("stencil box(z, y, x) { field f64 u; boundary u: fixed;"
                "  u' = sum(k=-2:2, j=-2:2, i=-2:2, 0.008*u[z+k, y+j, x+i]); }");
  const std::vector<Schedule> all = findVariant("temporal")->candidates(stencil);
  EXPECT_TRUE(llvm::is_contained(
      all, llvm::cantFail(parseSchedule("temporal/16x16x1/c128/t2/v2x2/p2", 3))));
}

// In x alone, 64 to 1024 threads: five shapes. In x and y, x from 16 to all threads: 3, 4, 5, 6, 7.
// In three dimensions the rest is split again: of 64 threads 1 + 2 + 3 ways, and so on.
TEST(Candidates, AreAllPowersOfTwoOfEveryChunkAndFlag) {
  Schedule first;
  first.block = {96, 1, 1};
  EXPECT_EQ(candidatesIn(first, 1, {1}, {}).size(), 1 + 5u);
  EXPECT_EQ(candidatesIn(first, 2, {1}, {}).size(), 1 + 3 + 4 + 5 + 6 + 7u);
  EXPECT_EQ(candidatesIn(first, 3, {1}, {}).size(), 1 + 6 + 10 + 15 + 21 + 28u);
  EXPECT_EQ(candidatesIn(first, 1, {8, 16}, {"plain"}).size(), 1 + 5 * 2 * 2u);
}

TEST(Candidates, PutFirstWhatIsChosenAmongEquals) {
  Schedule first;
  first.rank = 2;
  std::vector<std::string> order;
  for (const Schedule &candidate : candidatesIn(first, 2, {8, 16}, {"plain"}))
    order.push_back(toString(candidate));
  const auto place = [&](llvm::StringRef text) {
    return std::find(order.begin(), order.end(), text) - order.begin();
  };
  EXPECT_LT(place("baseline/32x8/c8"), place("baseline/64x4/c8"));
  EXPECT_LT(place("baseline/256x1/c8"), place("baseline/32x4/c8"));
  EXPECT_LT(place("baseline/32x4/c8"), place("baseline/32x16/c8"));
  EXPECT_LT(place("baseline/1024x1/c8"), place("baseline/16x16/c8"));
  EXPECT_LT(place("baseline/16x64/c8"), place("baseline/32x8/c16"));
  EXPECT_LT(place("baseline/16x64/c16"), place("baseline/32x8/c8/plain"));
  EXPECT_LT(place("baseline/16x64/c16/plain"), std::ptrdiff_t(order.size()));
}

TEST(Candidates, PutSmallBlocksOfPatchesFirst) {
  const std::vector<Schedule> all =
      findVariant("baseline")->candidates(example("burgers.stn", ScalarType::F32));
  const auto place = [&](llvm::StringRef text) {
    return llvm::find(all, llvm::cantFail(parseSchedule(text, 2))) - all.begin();
  };
  EXPECT_LT(place("baseline/32x4/v4x2"), place("baseline/32x8/v4x2"));
  EXPECT_LT(place("baseline/32x4/v4x1"), place("baseline/32x8/v4x2"));
  EXPECT_LT(place("baseline/32x8/v4x2"), std::ptrdiff_t(all.size()));
}

} // namespace
