#include "costmodel/apsp/ApspRuns.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace stencilc;

namespace {

std::string complaint(StringRef csv) {
  auto runs = parseApspRuns(csv, "runs.csv");
  return runs ? "" : toString(runs.takeError());
}

} // namespace

TEST(ApspRuns, ReadsColumnsInAnyOrderAndFillsInDefaults) {
  const auto runs = cantFail(parseApspRuns("# where from\n"
                                           "n,seconds,algorithm,block,gpu\n"
                                           "\n"
                                           "96,1e-4,min-plus,32,h200\r\n"
                                           "1000,0.25,blocked,64,h200\n",
                                           "runs.csv"));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(spelling(runs[0].kernel), "min-plus/32 f32 with paths");
  EXPECT_EQ(runs[0].nodes, 96);
  EXPECT_EQ(runs[0].seconds, 1e-4);
  EXPECT_EQ(runs[0].mode, LaunchMode::Graph);
  EXPECT_EQ(runs[0].rowUnit, 1);
  EXPECT_EQ(spelling(runs[1].kernel), "blocked/64x64 f32 without paths");
}

TEST(ApspRuns, ReadsTheOptionalColumns) {
  const auto runs =
      cantFail(parseApspRuns("algorithm,block,tile,n,seconds,mode,weight,paths,row_unit\n"
                             "blocked,64,128,4000,0.01,stream,i32,yes,64\n",
                             "runs.csv"));
  EXPECT_EQ(spelling(runs[0].kernel), "blocked/64x128 i32 with paths");
  EXPECT_EQ(runs[0].mode, LaunchMode::Stream);
  EXPECT_EQ(runs[0].rowUnit, 64);
}

TEST(ApspRuns, ErrorsNameTheLine) {
  const std::string head = "algorithm,block,n,seconds\n";
  EXPECT_EQ(complaint("algorithm,block,n\n"), "runs.csv:1: there is no column `seconds`");
  EXPECT_EQ(complaint(head + "min-plus,8,50\n"),
            "runs.csv:2: has 3 fields where the first line names 4");
  EXPECT_EQ(complaint(head + "dijkstra,8,50,1\n"),
            "runs.csv:2: `dijkstra` is no algorithm; known are min-plus, floyd-warshall, blocked");
  EXPECT_EQ(complaint(head + "# fine\nmin-plus,12,50,1\n"),
            "runs.csv:3: `12` is no block width of 8, 16, 32");
  EXPECT_EQ(complaint(head + "min-plus,8,-1,1\n"), "runs.csv:2: `-1` is no number of nodes");
  EXPECT_EQ(complaint(head + "min-plus,8,50,nan\n"), "runs.csv:2: `nan` is no time in seconds");
  EXPECT_EQ(complaint("algorithm,block,n,seconds,mode\nmin-plus,8,50,1,loop\n"),
            "runs.csv:2: `loop` is no mode; it is stream or graph");
  for (const std::string unit : {"0", "-64", "row"})
    EXPECT_EQ(complaint("algorithm,block,n,seconds,row_unit\nmin-plus,8,50,1," + unit + "\n"),
              "runs.csv:2: `" + unit + "` is no unit of rows");
  EXPECT_EQ(complaint("# nothing\n"), "runs.csv: holds no line of column names");
}

TEST(ApspRuns, ShippedRunsAreReadable) {
  for (const ShippedFile &file : shippedFiles())
    if (file.name.ends_with("-apsp.csv")) {
      EXPECT_EQ(complaint(file.text), "") << file.name.str();
    }
}
