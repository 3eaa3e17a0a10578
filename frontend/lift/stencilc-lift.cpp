// stencilc-lift: from loops in C or C++ to a .stn file. The whole flow is in Understood.cpp.
#include "frontend/lift/Check.h"
#include "frontend/lift/ClangRun.h"
#include "frontend/lift/LiftOptions.h"
#include "frontend/lift/LiftedText.h"
#include "frontend/lift/Wrapper.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <unistd.h>

using namespace llvm;
using namespace stencilc;
using namespace stencilc::lift;

namespace {

enum ExitCode { kDone = 0, kRefused = 1, kUsage = 2, kOurFault = 70 };

void exitAfterCrash(void *) {
  constexpr StringLiteral message =
      "stencilc-lift: internal error: crashed; please report the input\n";
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(kOurFault);
}

int fail(const Twine &message, ExitCode code) {
  errs() << "stencilc-lift: " << message << "\n";
  return code;
}

/// The program of that name in our folder.
std::string besideUs(StringRef name) {
  static int here;
  SmallString<128> path(sys::fs::getMainExecutable("", &here));
  sys::path::remove_filename(path);
  sys::path::append(path, name);
  return path.str().str();
}

Expected<std::string> textOf(const Understood &found, const LiftOptions &options) {
  if (options.wantsWrapper)
    return wrapperText(found, found.lifted.stencil.name + ".h", options.keep);
  std::string text = stencilc::lift::lift(found.lifted, found.tree.name, options.input);
  if (const std::string fault = whyDifferent(text, found.lifted.stencil); !fault.empty()) {
    errs() << "stencilc-lift: internal error: the text would not mean the stencil:\n" << fault;
    ::_exit(kOurFault);
  }
  return text;
}

int run(const LiftOptions &options) {
  auto compilation = compilationOf(options.input, options.database, options.flags);
  if (!compilation)
    return fail("error: " + toString(compilation.takeError()), kUsage);
  if (!sys::fs::exists(options.input))
    return fail("error: there is no file `" + options.input + "`", kRefused);
  std::vector<Understood> found;
  const std::vector<std::string> wanted =
      options.functions.empty() ? std::vector<std::string>{""} : options.functions;
  const bool isClean = runClang(**compilation, options.input, [&](clang::ASTContext &context) {
    for (const std::string &function : wanted)
      if (auto understood = understand(context, function))
        found.push_back(std::move(*understood));
  });
  if (!isClean || found.size() != wanted.size())
    return kRefused;
  if (options.check) {
    const CheckOptions how{options.input, options.flags, besideUs("stencilc")};
    if (Error error = check(found, how, outs()))
      return fail("error: " + toString(std::move(error)), kRefused);
    return kDone;
  }
  Expected<std::string> text = textOf(found[0], options);
  if (!text)
    return fail("error: " + toString(text.takeError()), kRefused);
  std::error_code error;
  raw_fd_ostream out(options.output, error);
  if (error)
    return fail("error: `" + options.output + "`: " + error.message(), kRefused);
  out << *text;
  return kDone;
}

} // namespace

int main(int argc, char **argv) {
  sys::AddSignalHandler(exitAfterCrash, nullptr);
  Expected<LiftOptions> options = parseLiftOptions(ArrayRef<const char *>(argv, argc).drop_front());
  if (!options)
    return fail("error: " + toString(options.takeError()), kUsage);
  if (options->wantsHelp)
    printLiftHelp(outs());
  else if (options->wantsVersion)
    outs() << "stencilc-lift " << STENCILC_VERSION << "\n";
  else
    return run(*options);
  return kDone;
}
