// What emitted launchers say of the workspaces that they are given.
#include "ir/kernel/ArrayLayout.h"
#include "test/fuzz/TextProgram.h"
#include "test/programs/HandBuilt.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace stencilc;

namespace {

const HandBuilt &builtAs(llvm::StringRef name) {
  return *llvm::find_if(handBuilt(), [&](const HandBuilt &each) { return each.name == name; });
}

class Workspaces : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> unique;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("stencilc-workspace", unique));
    folder = unique.str().str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  /// Calls `answers` of the text of a program with a file of Inputs/ after it.
  std::string firstWrong(llvm::StringRef name, llvm::StringRef file) {
    const Program program = builtAs(name).build(builtAs(name).stencil());
    const std::string text = fuzz::sourceOf(program) + "\n#include \"" +
                             STENCILC_SOURCE_FOLDER "/test/programs/Inputs/" + file.str() + "\"\n";
    if (!fuzz::compileText(program, text, folder))
      return "the text is not compiled";
    void *library = dlopen((folder + "/program.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return dlerror();
    auto *answers = reinterpret_cast<const char *(*)()>(dlsym(library, "answers"));
    std::string wrong = answers ? answers() : dlerror();
    dlclose(library);
    return wrong;
  }

  void write(llvm::StringRef file, llvm::function_ref<void(llvm::raw_ostream &)> print) const {
    std::error_code error;
    llvm::raw_fd_ostream out(path(file), error);
    ASSERT_FALSE(error);
    print(out);
  }
  std::string path(llvm::StringRef file) const { return folder + "/" + file.str(); }

  std::string folder;
};

TEST_F(Workspaces, OfRowsAreCountedAndChecked) {
  const Program program =
      builtAs("InStagesWithGhosts").build(builtAs("InStagesWithGhosts").stencil());
  EXPECT_EQ(stridesOf(workspaceRows(program), {5, 4, 33}), (std::array<int64_t, 3>{4 * 48, 48, 1}));
  EXPECT_EQ(firstWrong("InStagesWithGhosts", "flow_workspace.cpp"), "");
}

TEST_F(Workspaces, OfTheCallersStridesAreCountedAndChecked) {
  EXPECT_EQ(firstWrong("InPlace", "spread_workspace.cpp"), "");
}

TEST_F(Workspaces, AreAskedForAlignedRowsByTheirOwnStrides) {
  Program program = builtAs("InStages").build(builtAs("InStages").stencil());
  Actions &actions = program.plan.passes.front().actions;
  const Action second = actions.back();
  actions.back() = {When{Aligned{16, 0, {0, 1}}, {second}, {second}}};
  const std::string text = fuzz::sourceOf(program);
  EXPECT_NE(
      text.find("    if (reinterpret_cast<uintptr_t>(state.u) % 16 == 0 && state.stride_y % 2 "
                "== 0 &&\n"
                "        reinterpret_cast<uintptr_t>(room.bend) % 16 == 0 && room.row_y % 2 "
                "== 0) {\n"),
      std::string::npos)
      << text;
}

TEST_F(Workspaces, AreAllocatedByStandAlonePrograms) {
  const HandBuilt &built = builtAs("InStagesOnTheHost");
  const Stencil stencil = built.stencil();
  const Program program = built.build(stencil);
  const Banner banner = {"0", "smooth.stn", "stencilc", {}};
  write("smooth.h", [&](llvm::raw_ostream &out) { printHeader(out, program.signature, banner); });
  write("smooth.cpp", [&](llvm::raw_ostream &out) { out << fuzz::sourceOf(program); });
  write("main.cpp",
        [&](llvm::raw_ostream &out) { printMain(out, stencil, Target::Host, banner, "smooth.h"); });
  const std::string main = path("main"), log = path("log.txt");
  const std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(log),
                                                      llvm::StringRef(log)};
  const std::string sources[] = {path("main.cpp"), path("smooth.cpp")};
  ASSERT_EQ(llvm::sys::ExecuteAndWait(
                STENCILC_CLANG,
                {STENCILC_CLANG, "-std=c++20", "-O1", "-w", "-o", main, sources[0], sources[1]},
                std::nullopt, redirects),
            0);
  EXPECT_EQ(llvm::sys::ExecuteAndWait(main, {main, "--ny=7", "--nx=40", "--steps=3"}, std::nullopt,
                                      redirects),
            0);
}

} // namespace
