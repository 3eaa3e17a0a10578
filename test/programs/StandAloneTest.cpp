// Stand-alone programs of what no text says yet, built for the host and run.
#include "codegen/lower/Lower.h"
#include "ir/stencil/StencilInterpreter.h"
#include "runtime/Npy.h"
#include "test/fuzz/TextProgram.h"
#include "test/ir/StencilBuilder.h"
#include "test/programs/HandBuilt.h"
#include "test/programs/Layers.h"
#include "test/programs/Reductions.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace stencilc;

namespace {

class StandAlone : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> unique;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("stencilc-main", unique));
    folder = unique.str().str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  void build(const Stencil &stencil) {
    const VerifiedProgram program =
        llvm::cantFail(lower(stencil, findVariant("host")->defaultSchedule(stencil)));
    const Banner banner = {"0", "test.stn", "stencilc", {}};
    const std::string header = stencil.name + ".h";
    write(header, [&](llvm::raw_ostream &out) { printHeader(out, program->signature, banner); });
    write("code.cpp", [&](llvm::raw_ostream &out) { out << fuzz::sourceOf(*program); });
    write("main.cpp",
          [&](llvm::raw_ostream &out) { printMain(out, stencil, Target::Host, banner, header); });
    ASSERT_EQ(execute(STENCILC_CLANG, {"-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-o",
                                       path("main"), path("main.cpp"), path("code.cpp")}),
              0)
        << output;
  }

  /// The exit code; what it prints is in `output`.
  int run(std::vector<std::string> flags) { return execute(path("main"), std::move(flags)); }

  int execute(const std::string &tool, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), tool);
    const std::string log = path("log.txt");
    const std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(log),
                                                        llvm::StringRef(log)};
    const std::vector<llvm::StringRef> words(arguments.begin(), arguments.end());
    const int code = llvm::sys::ExecuteAndWait(tool, words, std::nullopt, redirects);
    auto read = llvm::MemoryBuffer::getFile(log);
    output = read ? (*read)->getBuffer().str() : "";
    return code;
  }

  void expectPrinted(const std::string &text) const {
    EXPECT_NE(output.find(text), std::string::npos) << text << "\nin\n" << output;
  }

  void write(llvm::StringRef file, llvm::function_ref<void(llvm::raw_ostream &)> print) const {
    std::error_code error;
    llvm::raw_fd_ostream out(path(file), error);
    ASSERT_FALSE(error);
    print(out);
  }
  std::string path(llvm::StringRef file) const { return folder + "/" + file.str(); }

  std::string folder, output;
};

/// One point in the middle.
Stencil barsFromAPoint() {
  Stencil stencil = bars();
  stencil.arrays[0].init = formulaOf([](FormulaBuilder &f) {
    const ExprId isThere =
        f.compare(CompareOp::Equal, f.position(1, ScalarType::F64), f.number(20));
    return f.where(isThere, f.position(0, ScalarType::F64), f.number(0));
  });
  return stencil;
}

/// The first reduction of the state after so many steps.
double energyAfter(const Stencil &stencil, int64_t steps) {
  State state = llvm::cantFail(initialState(stencil, {9, 40}, {}));
  llvm::cantFail(interpret(stencil, state, steps));
  return llvm::cantFail(reduce(stencil, state)).front();
}

TEST_F(StandAlone, PrintsTheNumbersOfARun) {
  const Stencil stencil = barsFromAPoint();
  build(stencil);
  ASSERT_EQ(run({"--ny=9", "--nx=40", "--steps=5"}), 0) << output;
  expectPrinted(fmt::format("energy = {}\n", energyAfter(stencil, 5)));
  expectPrinted("\nslope = ");
  expectPrinted("(first run of 5 steps)");
  ASSERT_EQ(run({"--ny=9", "--nx=40", "--steps=0"}), 0) << output;
  expectPrinted(fmt::format("energy = {}\n", energyAfter(stencil, 0)));
}

TEST_F(StandAlone, EndsWhereANumberSaysSo) {
  const Stencil stencil = barsFromAPoint();
  build(stencil);
  // It falls from step to step.
  const double reached = energyAfter(stencil, 11);
  ASSERT_GT(energyAfter(stencil, 9), reached);
  ASSERT_EQ(run({"--ny=9", "--nx=40", "--steps=300", fmt::format("--until=energy<={}", reached),
                 "--every=3"}),
            0)
      << output;
  expectPrinted(fmt::format("energy = {}\n", energyAfter(stencil, 12)));
  expectPrinted("\n12 steps\n");
  // Not within so few.
  ASSERT_EQ(run({"--ny=9", "--nx=40", "--steps=2", "--until=energy<=0"}), 0) << output;
  expectPrinted("\n2 steps\n");
  EXPECT_EQ(run({"--ny=9", "--nx=40", "--until=power<1"}), 2);
  expectPrinted("--until=power<1 is not understood; it compares one of these with a number: energy "
                "slope\n");
  EXPECT_EQ(run({"--ny=9", "--nx=40", "--until=energy<much"}), 2);
}

TEST_F(StandAlone, TakesWholeParamsAndArraysOverTime) {
  Stencil stencil = layers();
  stencil.params[0].defaultValue = std::nullopt;
  stencil.arrays[1].init = formulaOf(
      [](FormulaBuilder &f) { return f.cast(ScalarType::F64, f.times(f.step(), f.step())); });
  build(stencil);
  EXPECT_EQ(run({"--nz=7", "--ny=3", "--nx=5"}), 2);
  expectPrinted("--surface=NUMBER is needed: the param has no default\n");
  EXPECT_EQ(run({"--nz=7", "--ny=3", "--nx=5", "--surface=-1"}), 1);
  expectPrinted("region");
  const std::string u = path("u.npy"), pulse = path("pulse.npy");
  ASSERT_EQ(run({"--nz=7", "--ny=3", "--nx=5", "--surface=2", "--steps=4", "--step=3",
                 "--out-u=" + u, "--out-pulse=" + pulse}),
            0)
      << output;

  State state = llvm::cantFail(initialState(stencil, {7, 3, 5}, {{"surface", 2}}, 7));
  state.step = 3;
  llvm::cantFail(interpret(stencil, state, 4));
  std::vector<int64_t> shape;
  std::vector<double> values;
  ASSERT_EQ(npy::read(u, shape, values), "");
  EXPECT_EQ(values, state.current[0].values);
  // The same from the file; one value fewer than the steps need is refused.
  ASSERT_EQ(run({"--nz=7", "--ny=3", "--nx=5", "--surface=2", "--steps=4", "--step=3",
                 "--in-pulse=" + pulse, "--out-u=" + u}),
            0)
      << output;
  ASSERT_EQ(npy::read(u, shape, values), "");
  EXPECT_EQ(values, state.current[0].values);
  EXPECT_EQ(run({"--nz=7", "--ny=3", "--nx=5", "--surface=2", "--steps=5", "--step=3",
                 "--in-pulse=" + pulse}),
            1);
}

} // namespace
