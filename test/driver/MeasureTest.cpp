// What measuring needs beside a GPU: whose profile a card's is, times kept on disk, the launches of
// a run with their arguments.
#include "frontend/measure/LaunchRecorder.h"
#include "frontend/measure/MeasureCache.h"
#include "frontend/measure/NativeDevice.h"

#include "codegen/lower/Lower.h"
#include "test/Examples.h"

#include "llvm/Support/FileSystem.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace stencilc;

// ---- names ------------------------------------------------------------------------------------

TEST(IsNamedAfter, FindsTheProfileAmongTheWords) {
  EXPECT_TRUE(isNamedAfter("NVIDIA H200", "H200"));
  EXPECT_TRUE(isNamedAfter("NVIDIA A100-SXM4-80GB", "A100"));
  EXPECT_TRUE(isNamedAfter("NVIDIA H100 80GB HBM3", "h100"));
}

TEST(IsNamedAfter, JoinsWordsAndLeavesAKeplerBoardsLetter) {
  EXPECT_TRUE(isNamedAfter("GeForce GTX 780", "GTX780"));
  EXPECT_TRUE(isNamedAfter("Tesla K20c", "K20"));
  EXPECT_TRUE(isNamedAfter("Tesla K20Xm", "K20X"));
}

TEST(IsNamedAfter, TakesNoPartOfAWord) {
  EXPECT_FALSE(isNamedAfter("NVIDIA H200", "H20"));
  EXPECT_FALSE(isNamedAfter("Tesla K20Xm", "K20"));
  EXPECT_FALSE(isNamedAfter("NVIDIA GH200", "H200"));
  EXPECT_FALSE(isNamedAfter("", "H200"));
}

// ---- kept times -------------------------------------------------------------------------------

namespace {

class CachedTimes : public testing::Test {
protected:
  CachedTimes() {
    llvm::cantFail(llvm::errorCodeToError(llvm::sys::fs::createUniqueDirectory("times", folder)));
    setenv("STENCILC_CACHE", folder.c_str(), 1);
  }
  ~CachedTimes() override {
    unsetenv("STENCILC_CACHE");
    llvm::sys::fs::remove_directories(folder);
  }
  llvm::SmallString<128> folder;
  std::vector<std::string> warnings;
  std::function<void(const std::string &)> warn = [this](const std::string &line) {
    warnings.push_back(line);
  };
};

} // namespace

TEST_F(CachedTimes, AreFoundByTheirWholeKey) {
  MeasureCache cache(warn);
  EXPECT_TRUE(cache.find({"text", "512"}).empty());
  cache.keep({"text", "512"}, {1.5e-3, 1.25e-3});
  EXPECT_EQ(cache.find({"text", "512"}), (std::vector<double>{1.5e-3, 1.25e-3}));
  EXPECT_EQ(MeasureCache(warn).find({"text", "512"}).size(), 2u);
  // Parts end where they end.
  EXPECT_TRUE(cache.find({"text5", "12"}).empty());
  EXPECT_TRUE(cache.find({"text"}).empty());
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CachedTimes, AreNotReadFromAFileThatSaysSomethingElse) {
  MeasureCache cache(warn);
  cache.keep({"text"}, {1e-3});
  std::error_code error;
  const std::string path = llvm::sys::fs::directory_iterator(folder, error)->path();
  for (const char *contents : {"0.001\nfast\n", "-1\n", "nan\n"}) {
    llvm::cantFail(llvm::writeToOutput(path, [&](llvm::raw_ostream &out) {
      out << contents;
      return llvm::Error::success();
    }));
    EXPECT_TRUE(cache.find({"text"}).empty()) << contents;
  }
}

TEST_F(CachedTimes, AreWarnedOfOnceWhereTheyCannotBeKept) {
  llvm::SmallString<128> file(folder);
  file += "/file";
  llvm::cantFail(
      llvm::writeToOutput(file, [](llvm::raw_ostream &) { return llvm::Error::success(); }));
  setenv("STENCILC_CACHE", file.c_str(), 1);
  MeasureCache cache(warn);
  cache.keep({"text"}, {1e-3});
  cache.keep({"other"}, {1e-3});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(llvm::StringRef(warnings[0]).contains("STENCILC_CACHE names another folder"));
  EXPECT_TRUE(cache.find({"text"}).empty());
}

// ---- launches ---------------------------------------------------------------------------------

namespace {

/// heat on 8 x 16 x 64 points, one thread a point.
struct Recorded {
  Stencil stencil = example("heat.stn");
  VerifiedProgram program = llvm::cantFail(
      lower(stencil, llvm::cantFail(parseSchedule("baseline/32x4x2", stencil.rank()))));
  DeviceGrid grid = placeBuffers(*program, {8, 16, 64}, 0);
  std::vector<uint64_t> addresses;
  std::vector<double> params = {0.4, 0.1};
  std::optional<LaunchRecorder> recorder;

  Recorded(int64_t steps) {
    for (size_t buffer = 0; buffer < program->buffers.size(); ++buffer)
      addresses.push_back((buffer + 1) << 20);
    recorder.emplace(program, grid, addresses, params, 0);
    llvm::cantFail(recorder->run({8, 16, 64}, steps));
  }
  /// The first argument, a buffer's point 0, as the buffer's number.
  size_t firstBuffer(const RecordedLaunch &launch) const {
    for (size_t buffer = 0; buffer < addresses.size(); ++buffer)
      if (launch.arguments[0] ==
          addresses[buffer] + grid.places[buffer].layout.origin * sizeof(double))
        return buffer;
    return addresses.size();
  }
};

} // namespace

TEST(LaunchRecorder, CoversTheUpdatedPointsInEveryPass) {
  const Recorded run(3);
  ASSERT_EQ(run.recorder->passEnds.size(), 3u);
  EXPECT_EQ(run.recorder->passEnds.back(), run.recorder->launches.size());
  // 62 of 64 points by 32, 14 of 16 by 4, 6 of 8 by 2.
  EXPECT_EQ(run.recorder->launches[0].blocks, (std::array<unsigned, 3>{2, 4, 3}));
}

TEST(LaunchRecorder, SwapsTheBuffersFromStepToStep) {
  const Recorded run(3);
  const auto &launches = run.recorder->launches;
  const auto &ends = run.recorder->passEnds;
  const size_t first = run.firstBuffer(launches[0]), second = run.firstBuffer(launches[ends[0]]);
  ASSERT_LT(first, run.addresses.size());
  ASSERT_LT(second, run.addresses.size());
  EXPECT_NE(first, second);
  EXPECT_EQ(run.firstBuffer(launches[ends[1]]), first);
  // The frame is copied once; later passes only update.
  EXPECT_GT(ends[0], 1u);
  EXPECT_EQ(ends[1] - ends[0], 1u);
}

TEST(LaunchRecorder, RecordsNothingOfNoSteps) {
  Recorded run(0);
  EXPECT_TRUE(run.recorder->launches.empty());
}
