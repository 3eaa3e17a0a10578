// What emitted launchers say of the workspaces that they are given.
#include "test/fuzz/TextProgram.h"
#include "test/programs/HandBuilt.h"

#include "llvm/Support/FileSystem.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace stencilc;

namespace {

/// Calls `answers` of the text of a program with a file of Inputs/ after it.
std::string firstWrong(llvm::StringRef name, llvm::StringRef file) {
  const auto built =
      llvm::find_if(handBuilt(), [&](const HandBuilt &each) { return each.name == name; });
  const Program program = built->build(built->stencil());
  const std::string text = fuzz::sourceOf(program) + "\n#include \"" +
                           STENCILC_SOURCE_FOLDER "/test/programs/Inputs/" + file.str() + "\"\n";
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("stencilc-workspace", folder))
    return "no folder";
  const std::string place = folder.str().str();
  if (!fuzz::compileText(program, text, place))
    return "the text is not compiled: " + place;
  void *library = dlopen((place + "/program.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return dlerror();
  auto *answers = reinterpret_cast<const char *(*)()>(dlsym(library, "answers"));
  std::string wrong = answers ? answers() : dlerror();
  dlclose(library);
  llvm::sys::fs::remove_directories(folder);
  return wrong;
}

} // namespace

TEST(Workspaces, OfRowsAreCountedAndChecked) {
  EXPECT_EQ(firstWrong("InStagesWithGhosts", "flow_workspace.cpp"), "");
}

TEST(Workspaces, OfTheCallersStridesAreCountedAndChecked) {
  EXPECT_EQ(firstWrong("InPlace", "spread_workspace.cpp"), "");
}
