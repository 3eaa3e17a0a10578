#include "test/fuzz/TextLevel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

namespace stencilc::fuzz {

TextBatch::TextBatch(std::vector<Case> newCases, std::string newFolder)
    : cases(std::move(newCases)), folder(std::move(newFolder)) {
  if (llvm::sys::fs::create_directories(folder))
    llvm::report_fatal_error("cannot make the folder of a batch");
  std::vector<TextForm> all;
  for (auto [number, tested] : llvm::enumerate(cases)) {
    std::string diagnostics;
    Entry entry;
    entry.stencil = *analyse(tested, diagnostics);
    llvm::Expected<std::vector<TextForm>> forms =
        writeForms(tested, entry.stencil, fmt::format("r{}", number), folder);
    if (forms) {
      entry.forms = std::move(*forms);
      all.insert(all.end(), entry.forms.begin(), entry.forms.end());
    } else {
      entry.failure = Failure{Failure::Unlowered, llvm::toString(forms.takeError()), ""};
    }
    entries.push_back(std::move(entry));
  }
  std::error_code error;
  llvm::raw_fd_ostream out(folder + "/calls.cpp", error);
  printCalls(out, all);
  out.close();
  startCompiler();
}

void TextBatch::startCompiler() {
  // Contraction is off, so --fp=contract keeps the reference's bits too. The harness has no use for
  // launch bounds, nor for the constants in them. Random programs compare whole numbers with
  // themselves. They find the harness in this executable.
  const llvm::StringRef flags =
      "-x c++ -std=c++20 -O0 -ffp-contract=off -fPIC -shared -Wall -Wextra -Werror "
      "-Wno-unknown-pragmas -Wno-unused-const-variable -Wno-tautological-compare";
  std::vector<std::string> command = {STENCILC_CLANG, "-I" STENCILC_TEST_FOLDER "/harness",
                                      "-I" STENCILC_TEST_FOLDER "/fuzz"};
  for (llvm::StringRef flag : llvm::split(flags, ' '))
    command.push_back(flag.str());
  command.insert(command.end(), {"-o", folder + "/batch.so", folder + "/calls.cpp"});
  for (const Entry &entry : entries)
    for (const TextForm &form : entry.forms)
      command.push_back(folder + "/" + form.source);
  std::vector<char *> arguments;
  for (std::string &word : command)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 2, (folder + "/compiler.txt").c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (posix_spawn(&compiler, STENCILC_CLANG, &actions, nullptr, arguments.data(), environ) != 0)
    llvm::report_fatal_error("cannot start " STENCILC_CLANG);
  posix_spawn_file_actions_destroy(&actions);
}

static std::string readFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "";
}

std::vector<std::optional<Failure>> TextBatch::finish() {
  int status = 0;
  waitpid(compiler, &status, 0);
  std::vector<std::optional<Failure>> failures;
  if (status != 0) {
    // One of them is at fault; alone, each tells.
    if (cases.size() == 1 && !entries[0].failure)
      entries[0].failure = Failure{Failure::NotCompiled, readFile(folder + "/compiler.txt"), ""};
    for (size_t number = 0; number < cases.size(); ++number)
      failures.push_back(
          cases.size() == 1 ? entries[number].failure
                            : testThroughText(cases[number], fmt::format("{}/{}", folder, number)));
    return failures;
  }

  void *library = dlopen((folder + "/batch.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    llvm::report_fatal_error(dlerror());
  for (size_t number = 0; number < cases.size(); ++number) {
    run(number, library);
    failures.push_back(entries[number].failure);
  }
  dlclose(library);
  return failures;
}

void TextBatch::run(size_t number, void *library) {
  Entry &entry = entries[number];
  const Case &tested = cases[number];
  const Reference reference =
      referenceOf(tested, entry.stencil, llvm::cantFail(startOf(tested, entry.stencil)));
  for (const TextForm &form : entry.forms) {
    if (entry.failure)
      return;
    auto *function = reinterpret_cast<CallFunction *>(dlsym(library, callName(form).c_str()));
    if (!function)
      llvm::report_fatal_error(dlerror());
    entry.failure = runForm(tested, entry.stencil, reference, form, function);
  }
}

std::optional<Failure> testThroughText(const Case &tested, const std::string &folder) {
  return TextBatch({tested}, folder).finish().front();
}

} // namespace stencilc::fuzz
