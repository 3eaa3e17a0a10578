#include "test/fuzz/TextProgram.h"

#include "test/ir/UncheckedProgramFactory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

namespace stencilc::fuzz {

static const Banner kBanner = {"0", "program.stn", "stencilc", {}};

static std::string headerName(const Program &program) { return program.signature.name + ".h"; }

std::string sourceOf(const Program &program) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printSource(out, UncheckedProgramFactory::make(program), kBanner, headerName(program),
              FloatMode::Contract);
  return text;
}

static TextForm formOf(const Program &program) {
  return {.name = program.signature.name,
          .source = "program.cpp",
          .schedule = toString(program.schedule),
          .target = program.target,
          .signature = program.signature};
}

static void write(const std::string &path, llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error)
    llvm::report_fatal_error(llvm::Twine("cannot write ") + path);
  print(out);
}

bool compileText(const Program &program, llvm::StringRef source, const std::string &folder) {
  if (llvm::sys::fs::create_directories(folder))
    llvm::report_fatal_error(llvm::Twine("cannot make ") + folder);
  write(folder + "/" + headerName(program),
        [&](llvm::raw_ostream &out) { printHeader(out, program.signature, kBanner); });
  write(folder + "/program.cpp", [&](llvm::raw_ostream &out) { out << source; });
  write(folder + "/call.cpp", [&](llvm::raw_ostream &out) {
    out << "#include \"program.cpp\"\n";
    printCalls(out, formOf(program));
  });
  // Warnings would catch a few faults too, by chance: runs shall. The executable that loads the
  // text has the libraries that it needs.
  const std::string output = folder + "/program.so", input = folder + "/call.cpp",
                    log = folder + "/compiler.txt";
  const llvm::StringRef arguments[] = {STENCILC_CLANG,
                                       "-std=c++20",
                                       "-O0",
                                       "-ffp-contract=off",
                                       "-fPIC",
                                       "-shared",
                                       "-nostdlib",
                                       "-w",
                                       "-I" STENCILC_SOURCE_FOLDER "/test/harness",
                                       "-I" STENCILC_SOURCE_FOLDER "/test/fuzz",
                                       "-o",
                                       output,
                                       input};
  return llvm::sys::ExecuteAndWait(STENCILC_CLANG, arguments, std::nullopt,
                                   {std::nullopt, std::nullopt, llvm::StringRef(log)}) == 0;
}

std::optional<Failure> runText(const Program &program, const Stencil &stencil,
                               llvm::ArrayRef<Case> cases, llvm::ArrayRef<Reference> references,
                               const std::string &folder, unsigned seconds) {
  void *library = dlopen((folder + "/program.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    llvm::report_fatal_error(dlerror());
  const TextForm form = formOf(program);
  auto *function = reinterpret_cast<CallFunction *>(dlsym(library, callName(form).c_str()));
  if (!function)
    llvm::report_fatal_error(dlerror());
  std::optional<Failure> failure;
  for (auto [tested, reference] : llvm::zip_equal(cases, references))
    if ((failure = runForm(tested, stencil, reference, form, function, seconds)))
      break;
  dlclose(library);
  return failure;
}

} // namespace stencilc::fuzz
