#include "runtime/graph/GraphFile.h"

#include "runtime/apsp/Algebra.h"
#include "runtime/graph/NpyIntegers.h"

#include "gtest/gtest.h"

#include <cmath>
#include <filesystem>

using namespace stencilc;
using namespace stencilc::graph;

namespace {

class GraphFile : public testing::Test {
protected:
  void SetUp() override {
    const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::path(testing::TempDir()) / test->name();
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string &name, const std::string &text) {
    const std::string path = (folder / name).string();
    std::FILE *file = std::fopen(path.c_str(), "wb");
    EXPECT_EQ(std::fwrite(text.data(), 1, text.size(), file), text.size());
    std::fclose(file);
    return path;
  }

  /// What is wrong with a file of this text, less the folder.
  template <class T = double>
  std::string complaint(const std::string &name, const std::string &text) {
    WeightMatrix<T> graph;
    return withoutFolder(readGraph(write(name, text), anySize, graph));
  }
  std::string withoutFolder(const std::string &problem) const {
    const std::string prefix = folder.string() + "/";
    return problem.rfind(prefix, 0) == 0 ? problem.substr(prefix.size()) : problem;
  }

  static std::string anySize(int64_t) { return ""; }

  std::filesystem::path folder;
};

constexpr double none = std::numeric_limits<double>::infinity();
using Weights = std::vector<double>;

} // namespace

TEST_F(GraphFile, DimacsArcsGoOneWayAndTheLightestCounts) {
  WeightMatrix<double> graph;
  ASSERT_EQ(readGraph(write("a.gr", "c roads\np sp 3 4\na 1 2 5\na 1 2 4\r\na 1 2 6\na 3 1 0.5\n"),
                      anySize, graph),
            "");
  EXPECT_EQ(graph.n, 3);
  EXPECT_EQ(graph.weights, (Weights{none, 4, none, none, none, none, 0.5, none, none}));
}

TEST_F(GraphFile, MatrixMarketKnowsPatternsAndSymmetry) {
  WeightMatrix<double> graph;
  ASSERT_EQ(readGraph(write("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n% by hand\n"
                                     "2 2 2\n2 1 -1.5\n1 1 3\n"),
                      anySize, graph),
            "");
  EXPECT_EQ(graph.weights, (Weights{3, -1.5, -1.5, none}));
  ASSERT_EQ(readGraph(write("b.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                     "2 2 1\n1 2\n"),
                      anySize, graph),
            "");
  EXPECT_EQ(graph.weights, (Weights{none, 1, none, none}));
}

TEST_F(GraphFile, DenseMatricesComeInSixTypes) {
  const auto check = [&](const auto &values) {
    const std::string path = (folder / "a.npy").string();
    ASSERT_EQ(npy::write(path, {2, 2}, values), "");
    WeightMatrix<double> graph;
    ASSERT_EQ(readGraph(path, anySize, graph), "");
    EXPECT_EQ(graph.weights, Weights(values.begin(), values.end()));
  };
  check(std::vector<float>{0, 3, -2, 0});
  check(std::vector<double>{0, 3, -2, 0});
  check(std::vector<int16_t>{0, 3, -2, 0});
  check(std::vector<uint16_t>{0, 3, 2, 0});
  check(std::vector<int32_t>{0, 3, -2, 0});
  check(std::vector<int64_t>{0, 3, -2, 0});
}

TEST_F(GraphFile, IntegerMatricesSayNoEdgeByTheirInfinity) {
  const std::string path = (folder / "a.npy").string();
  const int32_t infinity = apsp::IntegerRange<int32_t>::infinity;
  ASSERT_EQ(npy::write(path, {2, 2}, std::vector<int32_t>{0, infinity, 2147483647, 0}), "");
  WeightMatrix<int32_t> graph;
  ASSERT_EQ(readGraph(path, anySize, graph), "");
  EXPECT_EQ(graph.weights, (std::vector<int32_t>{0, infinity, infinity, 0}));
}

TEST_F(GraphFile, MalformedDimacsNamesTheLine) {
  const auto problem = [&](const std::string &text) { return complaint("a.gr", text); };
  EXPECT_EQ(problem(""), "a.gr: has no problem line `p sp NODES ARCS`");
  EXPECT_EQ(problem("a 1 2 3\n"), "a.gr:1: an arc before the problem line `p sp NODES ARCS`");
  EXPECT_EQ(problem("p max 3 1\n"), "a.gr:1: a problem line reads `p sp NODES ARCS`");
  EXPECT_EQ(problem("p sp -3 1\n"), "a.gr:1: a problem line reads `p sp NODES ARCS`");
  EXPECT_EQ(problem("p sp 3 0\np sp 3 0\n"), "a.gr:2: a second problem line");
  EXPECT_EQ(problem("p sp 3 1\n\na 1 4 2\n"), "a.gr:3: node 4 is outside of 1 to 3");
  EXPECT_EQ(problem("p sp 3 1\na 0 1 2\n"), "a.gr:2: node 0 is outside of 1 to 3");
  EXPECT_EQ(problem("p sp 3 1\na x 1 2\n"), "a.gr:2: `x` is no node");
  EXPECT_EQ(problem("p sp 3 1\na 1 2\n"), "a.gr:2: an arc reads `a FROM TO WEIGHT`");
  EXPECT_EQ(problem("p sp 3 1\na 1 2 3km\n"), "a.gr:2: `3km` is no weight");
  EXPECT_EQ(problem("p sp 3 1\na 1 2 nan\n"), "a.gr:2: nan is no weight");
  EXPECT_EQ(problem("p sp 3 1\ne 1 2 3\n"), "a.gr:2: a line begins with c, p or a, not with `e`");
  EXPECT_EQ(problem("p sp 3 2\na 1 2 3\n"), "a.gr: promises 2 arcs and holds 1");
}

TEST_F(GraphFile, MalformedMatrixMarketNamesTheLine) {
  const auto problem = [&](const std::string &text) { return complaint("a.mtx", text); };
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(problem("1 1 0\n"), "a.mtx:1: a MatrixMarket file begins with `%%MatrixMarket matrix "
                                "coordinate real general`");
  EXPECT_EQ(
      problem("%%MatrixMarket matrix array real general\n"),
      "a.mtx:1: `array` is not read here; it takes coordinate (a dense matrix comes as .npy)");
  EXPECT_EQ(problem("%%MatrixMarket matrix coordinate complex general\n"),
            "a.mtx:1: `complex` is not read here; it takes real, integer or pattern");
  EXPECT_EQ(problem("%%MatrixMarket matrix coordinate real hermitian\n"),
            "a.mtx:1: `hermitian` is not read here; it takes general or symmetric");
  EXPECT_EQ(problem(head), "a.mtx: has no line of sizes `ROWS COLUMNS ENTRIES`");
  EXPECT_EQ(problem(head + "3 4 0\n"), "a.mtx:2: a graph is square, not 3 x 4");
  EXPECT_EQ(problem(head + "3 3\n"), "a.mtx:2: the sizes read `ROWS COLUMNS ENTRIES`");
  EXPECT_EQ(problem(head + "3 3 1\n1 2\n"), "a.mtx:3: an entry reads `FROM TO WEIGHT`");
  EXPECT_EQ(problem(head + "3 3 1\n1 9 2\n"), "a.mtx:3: node 9 is outside of 1 to 3");
  EXPECT_EQ(problem(head + "3 3 2\n1 2 1\n"), "a.mtx: promises 2 entries and holds 1");
}

TEST_F(GraphFile, MalformedMatricesNameTheElement) {
  const std::string path = (folder / "a.npy").string();
  WeightMatrix<float> graph;
  const auto problem = [&] { return withoutFolder(readGraph(path, anySize, graph)); };
  ASSERT_EQ(npy::write(path, {2, 3}, std::vector<float>(6)), "");
  EXPECT_EQ(problem(), "a.npy: has shape (2, 3); a graph is a square matrix");
  ASSERT_EQ(npy::write(path, {2, 2}, std::vector<float>{0, 1, std::nanf(""), 0}), "");
  EXPECT_EQ(problem(), "a.npy[1, 0]: nan is no weight");
  EXPECT_EQ(complaint("b.npy", "no matrix at all"), "b.npy: is no .npy file");
  EXPECT_EQ(complaint("c.npy", "\x93NUMPY\x01"), "c.npy: is no .npy file");
  ASSERT_EQ(npy::write(path, {1000, 1000}, std::vector<float>(6)), "");
  EXPECT_NE(problem().find("a.npy: holds 6 elements"), std::string::npos);
}

TEST_F(GraphFile, WeightsThatTheTypeCannotHoldAreRefused) {
  const auto arc = [](const std::string &weight) { return "p sp 2 1\na 1 2 " + weight + "\n"; };
  EXPECT_EQ(complaint<int32_t>("a.gr", arc("2.5")),
            "a.gr:2: weight 2.5 is no whole number; f32 and f64 take fractions");
  EXPECT_EQ(complaint<int32_t>("a.gr", arc("536870911")), "");
  EXPECT_EQ(complaint<int32_t>("a.gr", arc("536870912")),
            "a.gr:2: weight 536870912 is beyond the 32-bit range of -536870911 to 536870911");
  EXPECT_EQ(complaint<int16_t>("a.gr", arc("-9000")),
            "a.gr:2: weight -9000 is beyond the 16-bit range of -8191 to 8191");
  EXPECT_EQ(complaint<uint16_t>("a.gr", arc("32766")), "");
  EXPECT_EQ(complaint<uint16_t>("a.gr", arc("-1")),
            "a.gr:2: weight -1 is beyond the 16-bit range of 0 to 32766");
  EXPECT_EQ(complaint<float>("a.gr", arc("1e39")),
            "a.gr:2: weight 1e+39 is beyond the range of f32");
  EXPECT_EQ(complaint<double>("a.gr", arc("1e39")), "");
  EXPECT_EQ(complaint<double>("a.gr", arc("-inf")), "a.gr:2: -inf is no weight");
}

TEST_F(GraphFile, SizesAreRefusedBeforeMemoryIsTaken) {
  WeightMatrix<float> graph;
  const auto small = [](int64_t n) { return n > 100 ? std::string("too large") : std::string(); };
  EXPECT_EQ(withoutFolder(readGraph(write("a.gr", "p sp 4000000000 1\n"), small, graph)),
            "a.gr:1: too large");
  EXPECT_TRUE(graph.weights.empty());
}

TEST_F(GraphFile, UnknownFilesAreRefused) {
  WeightMatrix<float> graph;
  EXPECT_EQ(readGraph("roads.csv", anySize, graph), "roads.csv: is no .gr, .mtx or .npy file");
  EXPECT_EQ(withoutFolder(readGraph((folder / "none.gr").string(), anySize, graph)),
            "none.gr: cannot be opened");
  EXPECT_EQ(withoutFolder(readGraph((folder / "none.npy").string(), anySize, graph)),
            "none.npy: cannot be opened");
}
