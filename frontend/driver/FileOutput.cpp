#include "frontend/driver/FileOutput.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <filesystem>

using namespace llvm;

namespace stencilc {

namespace {

Error cannotWrite(StringRef path, const std::error_code &code) {
  return createStringError(code, "cannot write `" + path + "`: " + code.message());
}

/// The file at the end of a chain of symbolic links, which need not exist; a chain without end is
/// left for the system to refuse.
std::string behindLinks(StringRef path) {
  constexpr int kMostLinks = 40;
  std::filesystem::path file = path.str();
  std::error_code code;
  for (int link = 0; link < kMostLinks && std::filesystem::is_symlink(file, code); ++link)
    file = file.parent_path() / std::filesystem::read_symlink(file, code);
  return file.string();
}

Error writeDirectly(const OutputFile &file) {
  std::error_code code;
  raw_fd_ostream out(file.path, code);
  if (!code) {
    out << file.text;
    out.flush();
    code = out.error();
    out.clear_error();
  }
  return code ? cannotWrite(file.path, code) : Error::success();
}

/// Holds back the signals that users and systems send to end a program. Those of a crash pass.
class SignalsHeldBack {
public:
  SignalsHeldBack() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int signal : {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGPIPE})
      sigaddset(&signals, signal);
    sigprocmask(SIG_BLOCK, &signals, &before);
  }
  ~SignalsHeldBack() { sigprocmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};

/// A file on its way to its place.
class Replacement {
public:
  /// Writes the text beside `file`, which is no link.
  static Expected<Replacement> prepare(const OutputFile &output) {
    const std::string file = behindLinks(output.path);
    SmallString<128> model(sys::path::parent_path(file));
    sys::path::append(model, ".stencilc-%%%%%%%%.tmp");
    auto temporary = sys::fs::TempFile::create(model);
    if (!temporary)
      return cannotWrite(output.path, errorToErrorCode(temporary.takeError()));
    raw_fd_ostream out(temporary->FD, /*shouldClose=*/false);
    out << output.text;
    out.flush();
    if (const std::error_code code = out.error()) {
      out.clear_error();
      return joinErrors(cannotWrite(output.path, code), temporary->discard());
    }
    return Replacement(output.path, file, std::move(*temporary));
  }

  /// Puts the text in place and keeps what stood there, under another name.
  Error commit() {
    const std::string old = temporary.TmpName + ".old";
    if (sys::fs::is_regular_file(file)) {
      // Not every file system has hard links.
      if (sys::fs::create_hard_link(file, old))
        if (const std::error_code code = sys::fs::copy_file(file, old))
          return cannotWrite(path, code);
      sys::RemoveFileOnSignal(old);
      before = old;
    }
    if (Error error = temporary.keep(file)) {
      discardOld();
      return cannotWrite(path, errorToErrorCode(std::move(error)));
    }
    committed = true;
    return Error::success();
  }

  /// As if nothing had been written.
  void undo() {
    if (!committed)
      consumeError(temporary.discard());
    else if (before.empty())
      sys::fs::remove(file);
    else
      sys::fs::rename(before, file);
    discardOld();
  }

  void discardOld() {
    if (before.empty())
      return;
    sys::fs::remove(before);
    sys::DontRemoveFileOnSignal(before);
    before.clear();
  }

private:
  Replacement(std::string path, std::string file, sys::fs::TempFile temporary)
      : path(std::move(path)), file(std::move(file)), temporary(std::move(temporary)) {}

  std::string path, file; ///< as the user calls it, and where it is
  sys::fs::TempFile temporary;
  std::string before; ///< another name of what stood there; empty if nothing did
  bool committed = false;
};

Error replaceAll(ArrayRef<OutputFile> files) {
  const SignalsHeldBack heldBack;
  std::vector<Replacement> replacements;
  const auto undoAll = [&](Error error) {
    for (Replacement &replacement : replacements)
      replacement.undo();
    return error;
  };
  for (const OutputFile &file : files)
    if (!isWrittenDirectly(file.path)) {
      Expected<Replacement> prepared = Replacement::prepare(file);
      if (!prepared)
        return undoAll(prepared.takeError());
      replacements.push_back(std::move(*prepared));
    }
  for (Replacement &replacement : replacements)
    if (Error error = replacement.commit())
      return undoAll(std::move(error));
  for (Replacement &replacement : replacements)
    replacement.discardOld();
  return Error::success();
}

/// One name for all that lead to the same place.
std::string placeOf(StringRef path) {
  std::error_code code;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(behindLinks(path)), code)
      .string();
}

} // namespace

bool isWrittenDirectly(StringRef path) {
  sys::fs::file_status status;
  return path == "-" || (!sys::fs::status(path, status) && sys::fs::exists(status) &&
                         !sys::fs::is_regular_file(status) && !sys::fs::is_directory(status));
}

std::string findOverwritten(ArrayRef<std::string> outputs, ArrayRef<std::string> inputs) {
  const auto isSame = [](const std::string &left, const std::string &right) {
    return placeOf(left) == placeOf(right) || sys::fs::equivalent(left, right);
  };
  for (size_t number = 0; number < outputs.size(); ++number) {
    const std::string &output = outputs[number];
    if (isWrittenDirectly(output))
      continue;
    for (const std::string &input : inputs)
      if (input != "-" && isSame(output, input))
        return "the output `" + output + "` would overwrite the input `" + input + "`";
    for (const std::string &other : outputs.take_front(number))
      if (!isWrittenDirectly(other) && isSame(output, other))
        return "two outputs would be written to `" + output + "`";
  }
  return "";
}

Error writeFiles(ArrayRef<OutputFile> files) {
  if (Error error = replaceAll(files))
    return error;
  for (const OutputFile &file : files)
    if (isWrittenDirectly(file.path))
      if (Error error = writeDirectly(file))
        return error;
  return Error::success();
}

} // namespace stencilc
