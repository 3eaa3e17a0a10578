#include "test/mutation/TextChecks.h"

#include "test/ir/UncheckedProgramFactory.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>
#include <fmt/format.h>

using namespace stencilc;
using namespace stencilc::mutation;

static const Banner kBanner = {"0", "mutated.stn", "stencilc-mutate", {}};

static std::string headerName(const Program &program) { return program.signature.name + ".h"; }

std::string mutation::sourceOf(const Program &program) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printSource(out, UncheckedProgramFactory::make(program), kBanner, headerName(program),
              FloatMode::Contract);
  return text;
}

static fuzz::TextForm formOf(const Subject &subject) {
  const Program &program = subject.program;
  return {.name = program.signature.name,
          .source = "mutant.cpp",
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

bool mutation::compile(const Subject &subject, llvm::StringRef source, const std::string &folder) {
  if (llvm::sys::fs::create_directories(folder))
    llvm::report_fatal_error(llvm::Twine("cannot make ") + folder);
  write(folder + "/" + headerName(subject.program),
        [&](llvm::raw_ostream &out) { printHeader(out, subject.program.signature, kBanner); });
  write(folder + "/mutant.cpp", [&](llvm::raw_ostream &out) { out << source; });
  write(folder + "/call.cpp", [&](llvm::raw_ostream &out) {
    out << "#include \"mutant.cpp\"\n";
    fuzz::printCalls(out, formOf(subject));
  });
  // Warnings would catch a few mutations too, by chance: runs shall. The executable that loads the
  // text has the libraries that it needs.
  const std::string output = folder + "/mutant.so", input = folder + "/call.cpp",
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

/// One word for what a run in the harness found.
static std::string wordFor(const fuzz::Failure &failure) {
  llvm::StringRef text = failure.text;
  if (failure.kind == fuzz::Failure::Crashed)
    return text.contains("harness: barrier") ? "barrier"
           : text.starts_with("signal 14")   ? "endless"
                                             : "guard page";
  if (!text.consume_front("threads in ascending order: "))
    return "order"; // right in one order of threads, wrong in another
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> words[] = {
      {"between the rows", "padding"}, {"the run returned", "status"}, {"is nan", "NaN"},
      {"should be", "value"},          {"pointer", "pointers"},        {"harness:", "barrier"}};
  for (const auto &[part, word] : words)
    if (text.contains(part))
      return word.str();
  llvm::report_fatal_error("no word for: " + text);
}

std::string mutation::textFinds(const Subject &subject, const std::string &folder) {
  void *library = dlopen((folder + "/mutant.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    llvm::report_fatal_error(dlerror());
  const fuzz::TextForm form = formOf(subject);
  auto *function =
      reinterpret_cast<fuzz::CallFunction *>(dlsym(library, fuzz::callName(form).c_str()));
  std::string word;
  for (auto [tested, reference] : llvm::zip_equal(subject.cases, subject.references))
    if (auto failure = fuzz::runForm(tested, subject.stencil, reference, form, function)) {
      word = wordFor(*failure);
      break;
    }
  dlclose(library);
  return word;
}
