#include "costmodel/apsp/ApspReport.h"
#include "costmodel/apsp/ApspSweep.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace stencilc;

namespace {

const ApspKernel kNarrow = {ApspAlgorithm::MinPlus, 8, 8, "f32", true};

ApspStudy study(ArrayRef<ApspRun> runs = {}) {
  return {cantFail(loadDeviceProfile("c2075")), kNarrow, runs, 500, LaunchMode::Graph};
}

ApspReport report(int64_t nodes) {
  ApspReport report;
  report.device = cantFail(loadDeviceProfile("c2075"));
  report.nodes = nodes;
  report.studies = {study()};
  report.weight = "f32";
  return report;
}

template <class Print> std::string printed(Print print) {
  std::string text;
  raw_string_ostream out(text);
  print(out);
  return text;
}

} // namespace

TEST(ApspReport, TellsTheNextJumpAndWhy) {
  const std::string text = printed([](raw_ostream &out) { printText(out, report(80)); });
  EXPECT_NE(text.find("Buckets               64       526883000 units       +107 %"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("from n = 80 to 81: one more wave of blocks (100 -> 121 blocks)"),
            std::string::npos)
      << text;
  const std::string launch = printed([](raw_ostream &out) { printText(out, report(65)); });
  EXPECT_NE(launch.find("from n = 65 to 66: one more launch (6 -> 7)"), std::string::npos)
      << launch;
}

TEST(ApspReport, JsonKeepsCountedAndPredictedApart) {
  const std::string text = printed([](raw_ostream &out) { printJson(out, report(81)); });
  const json::Value value = cantFail(json::parse(text));
  const json::Object &kernel = *value.getAsObject()->getArray("kernels")->front().getAsObject();
  EXPECT_EQ(kernel.getObject("counted")->getObject("warps_per_sm")->getInteger("Buckets"), 128);
  EXPECT_EQ(kernel.getObject("predicted")->getString("unit"), "symbolic");
  EXPECT_EQ(kernel.getObject("predicted")->getNumber("upper"), 1091363000);
  EXPECT_EQ(kernel.getObject("measured"), nullptr);
}

TEST(ApspSweep, OneLineForEachSize) {
  const std::string csv =
      printed([](raw_ostream &out) { printSweepCsv(out, study(), {80, 81, 1}); });
  SmallVector<StringRef> lines;
  StringRef(csv).split(lines, '\n', -1, /*KeepEmpty=*/false);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], "min-plus,8,80,10,7,58,64,64,64,symbolic,477491000,526883000,526883000,"
                      "526883000,,");
}

// The mean of the four is one second at n0 = 500, as measured.
TEST(ApspSweep, OneMeasuredRunTurnsUnitsIntoSeconds) {
  const ApspStudy calibrated = study({{kNarrow, 500, 1.0}});
  const ApspPoint point = calibrated.at(500);
  EXPECT_TRUE(point.predicted.inSeconds);
  EXPECT_DOUBLE_EQ(point.predicted.interval->mean(), 1.0);
  EXPECT_EQ(point.measured, 1.0);
  EXPECT_FALSE(calibrated.at(499).measured);
}

TEST(ApspSweep, DrawsALineForEachMappingAndADotForEachRun) {
  const auto count = [](StringRef text, StringRef what) { return text.count(what); };
  const std::string symbolic =
      printed([](raw_ostream &out) { printSweepSvg(out, study(), {50, 100, 1}); });
  EXPECT_EQ(count(symbolic, "stroke-width=\"1.5\""), 4u);
  EXPECT_EQ(count(symbolic, "<circle"), 0u);
  const std::string measured = printed([](raw_ostream &out) {
    printSweepSvg(out, study({{kNarrow, 500, 1.0}, {kNarrow, 510, 1.1}}), {490, 520, 1});
  });
  EXPECT_EQ(count(measured, "<circle"), 2u);
  EXPECT_TRUE(StringRef(measured).starts_with("<svg"));
  EXPECT_TRUE(StringRef(measured).ends_with("</svg>\n"));
}
