#include "test/trace/TracedText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>

#include <dlfcn.h>

namespace stencilc::trace {

static std::string readFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "";
}

TracedText::TracedText(std::string newFolder, const std::vector<std::string> &files)
    : folder(std::move(newFolder)), object(folder + "/traced.so") {
  std::vector<llvm::StringRef> command = {STENCILC_CLANG,
                                          "-x",
                                          "c++",
                                          "-std=c++20",
                                          "-O0",
                                          "-ffp-contract=off",
                                          "-gline-tables-only",
                                          "-fsanitize-coverage=edge,trace-loads,trace-stores",
                                          "-fsanitize=kernel-address",
                                          "-mllvm",
                                          "-asan-kernel-mem-intrinsic-prefix=1",
                                          "-mllvm",
                                          "-asan-instrument-reads=0",
                                          "-mllvm",
                                          "-asan-instrument-writes=0",
                                          "-mllvm",
                                          "-asan-stack=0",
                                          "-mllvm",
                                          "-asan-globals=0",
                                          "-fno-sanitize-link-runtime",
                                          "-fPIC",
                                          "-shared",
                                          "-w",
                                          "-I" STENCILC_TEST_FOLDER "/harness",
                                          "-I" STENCILC_TEST_FOLDER "/fuzz",
                                          "-o",
                                          object};
  std::vector<std::string> paths;
  for (const std::string &file : files)
    paths.push_back(folder + "/" + file);
  command.insert(command.end(), paths.begin(), paths.end());
  const std::string messages = folder + "/compiler.txt";
  if (llvm::sys::ExecuteAndWait(STENCILC_CLANG, command, std::nullopt,
                                {std::nullopt, std::nullopt, llvm::StringRef(messages)}) != 0)
    llvm::report_fatal_error(llvm::Twine(readFile(messages)));
  library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    llvm::report_fatal_error(dlerror());
}

TracedText::~TracedText() {
  dlclose(library);
  llvm::sys::fs::remove_directories(folder);
}

void *TracedText::symbol(const std::string &name) const {
  void *address = dlsym(library, name.c_str());
  if (!address)
    llvm::report_fatal_error(dlerror());
  return address;
}

std::string TracedText::lineOf(uintptr_t instruction) {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(instruction), &info))
    llvm::report_fatal_error("no loaded text has this instruction");
  const uint64_t offset = instruction - reinterpret_cast<uintptr_t>(info.dli_fbase);
  const llvm::DILineInfo line = llvm::cantFail(
      symbolizer.symbolizeCode(object, {offset, llvm::object::SectionedAddress::UndefSection}));
  const std::string text = readFile(line.FileName);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  if (line.Line == 0 || line.Line > lines.size())
    llvm::report_fatal_error("an instruction stands on no line");
  return fmt::format("{}:{}: `{}`", llvm::sys::path::filename(line.FileName).str(), line.Line,
                     lines[line.Line - 1].trim().str());
}

std::string emptyFolder() {
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("stencilc-trace", folder))
    llvm::report_fatal_error("cannot make a folder for texts");
  return folder.str().str();
}

void writeFile(const std::string &path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error)
    llvm::report_fatal_error(llvm::Twine("cannot write ") + path);
  out << text;
}

} // namespace stencilc::trace
