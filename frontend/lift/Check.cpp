#include "frontend/lift/Check.h"

#include "frontend/lift/CheckText.h"
#include "frontend/lift/CheckedFunction.h"
#include "frontend/lift/LiftedText.h"
#include "frontend/lift/Numbers.h"
#include "frontend/lift/RunText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>

using namespace llvm;

namespace stencilc::lift {

namespace {
/// A folder that is gone afterwards.
class WorkFolder {
public:
  WorkFolder() { isThere = !sys::fs::createUniqueDirectory("stencilc-lift", path); }
  WorkFolder(const WorkFolder &) = delete;
  ~WorkFolder() {
    if (isThere)
      sys::fs::remove_directories(path);
  }
  explicit operator bool() const { return isThere; }

  std::string file(const Twine &name) const { return (path + "/" + name).str(); }
  Error write(const Twine &name, StringRef text) const {
    std::error_code error;
    raw_fd_ostream out(file(name), error);
    if (error)
      return createStringError(error, "cannot write " + file(name));
    out << text;
    return Error::success();
  }

private:
  SmallString<128> path;
  bool isThere = false;
};

/// Runs a program; what it prints goes to `log`.
Expected<int> runProgram(ArrayRef<std::string> command, const std::string &log) {
  std::string program = command[0];
  if (!StringRef(program).contains('/')) {
    const auto found = sys::findProgramByName(program);
    if (!found)
      return createStringError("there is no `" + program + "` here");
    program = *found;
  }
  SmallVector<StringRef, 32> arguments(command.begin(), command.end());
  const std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log), StringRef(log)};
  std::string message;
  const int status =
      sys::ExecuteAndWait(program, arguments, std::nullopt, redirects, /*SecondsToWait=*/600,
                          /*MemoryLimit=*/0, &message);
  if (status < 0)
    return createStringError("`" + command[0] + "`: " + message);
  return status;
}

std::string contentOf(const std::string &path) {
  const auto text = MemoryBuffer::getFile(path);
  return text ? (*text)->getBuffer().str() : "";
}

/// The names that a linker has not found.
std::vector<std::string> undefinedIn(StringRef log) {
  std::vector<std::string> names;
  SmallVector<StringRef> parts;
  log.split(parts, "undefined reference to `");
  for (StringRef part : ArrayRef(parts).drop_front())
    if (const std::string name = part.split('\'').first.str();
        llvm::find(names, name) == names.end())
      names.push_back(name);
  return names;
}

Error runOrFail(ArrayRef<std::string> command, const WorkFolder &folder, StringRef what) {
  Expected<int> status = runProgram(command, folder.file("log"));
  if (!status)
    return status.takeError();
  if (*status != 0)
    return createStringError(what + " failed:\n" + contentOf(folder.file("log")));
  return Error::success();
}
} // namespace

/// Its loop over time makes as many turns as the check wants.
static void endByCount(Understood &found) {
  if (!found.prototype.edits.empty())
    found.tree.endsWhen.clear();
}

/// With a sum of the terms' sizes beside each sum that the caller gets: how far it may be off by
/// rounding.
static Understood withSizesOfSums(Understood found) {
  std::vector<Reduction> reductions;
  std::vector<unsigned> numbers;
  const auto &binding = found.lifted.binding.reductions;
  for (const auto &[reduction, number] : zip(found.lifted.stencil.reductions, binding)) {
    reductions.push_back(reduction);
    numbers.push_back(number);
    if (reduction.op != Reduction::Op::Sum)
      continue;
    Reduction size = reduction;
    size.name = fmt::format("lift_terms_{}", number);
    size.formula = call(Builtin::Abs, {reduction.formula});
    reductions.push_back(std::move(size));
    numbers.push_back(number);
  }
  found.lifted.stencil.reductions = std::move(reductions);
  found.lifted.binding.reductions = std::move(numbers);
  return found;
}

Error check(ArrayRef<Understood> given, const CheckOptions &options, raw_ostream &out) {
  std::vector<Understood> functions;
  for (const Understood &found : given)
    endByCount(functions.emplace_back(withSizesOfSums(found)));
  for (const Understood &found : functions) {
    std::string why =
        !found.prototype.whyNoLoops.empty()
            ? found.prototype.whyNoLoops
            : whyNotRunnable(found.tree, found.grid, found.lifted, found.prototype, true);
    if (why.empty())
      why = whyNoTables(found);
    if (!why.empty())
      return createStringError("`" + found.prototype.name + "` cannot be checked: " + why);
  }
  const WorkFolder folder;
  if (!folder)
    return createStringError("there is no folder for temporary files");
  SmallString<128> source(options.source);
  sys::fs::make_absolute(source);

  const bool isCPlusPlus = functions[0].prototype.isCPlusPlus;
  std::vector<std::string> compile = {"c++",
                                      "-O1",
                                      "-ffp-contract=off",
                                      "-w",
                                      "-o",
                                      folder.file("compare"),
                                      folder.file("compare.cpp")};
  for (const Understood &found : functions) {
    const std::string &name = found.lifted.stencil.name;
    if (Error error = folder.write(name + ".stn", lift(found.lifted, found.tree.name, source)))
      return error;
    if (Error error = runOrFail({options.stencilc, folder.file(name + ".stn"), "--target=host",
                                 "-o", folder.file(name + ".cpp")},
                                folder, "stencilc"))
      return error;
    compile.push_back(folder.file(name + ".cpp"));
  }
  const std::string original = isCPlusPlus ? "original.cc" : "original.c";
  if (Error error = folder.write(original, originalText(functions, source)))
    return error;
  if (Error error = folder.write("compare.cpp", comparisonText(functions)))
    return error;

  std::vector<std::string> compileOriginal = {isCPlusPlus ? "c++" : "cc"};
  compileOriginal.insert(compileOriginal.end(), options.flags.begin(), options.flags.end());
  if (isCPlusPlus)
    compileOriginal.push_back("-fno-access-control"); // members are set from outside
  SmallString<128> place(source);
  sys::path::remove_filename(place);
  compileOriginal.insert(compileOriginal.end(),
                         {"-O1", "-ffp-contract=off", "-w", "-I" + place.str().str(), "-c", "-o",
                          folder.file("original.o"), folder.file(original)});
  if (Error error = runOrFail(compileOriginal, folder, "compiling the original"))
    return error;
  compile.insert(compile.end(), {folder.file("original.o"), "-lm"});
  // Functions that are not there, such as a clock, do nothing. The loops call none of them.
  Expected<int> linked = runProgram(compile, folder.file("log"));
  if (!linked)
    return linked.takeError();
  if (*linked != 0)
    for (const std::string &name : undefinedIn(contentOf(folder.file("log"))))
      compile.push_back("-Wl,--defsym=" + name + "=lift_unseen");
  if (*linked != 0)
    if (Error error = runOrFail(compile, folder, "compiling the comparison"))
      return error;
  Expected<int> status = runProgram({folder.file("compare")}, folder.file("result"));
  if (!status)
    return status.takeError();
  out << contentOf(folder.file("result"));
  if (*status != 0)
    return createStringError("the stencil does not do what the loops do");
  return Error::success();
}

} // namespace stencilc::lift
