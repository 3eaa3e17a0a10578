#include "frontend/driver/FileOutput.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace stencilc {

namespace {

Error cannotWrite(StringRef path, const std::error_code &code) {
  return createStringError(code, "cannot write `" + path + "`: " + code.message());
}

bool isWrittenDirectly(StringRef path) {
  sys::fs::file_status status;
  return path == "-" || (!sys::fs::status(path, status) && sys::fs::exists(status) &&
                         !sys::fs::is_regular_file(status) && !sys::fs::is_directory(status));
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

Expected<sys::fs::TempFile> writeTemporary(const OutputFile &file) {
  auto temporary = sys::fs::TempFile::create(file.path + ".%%%%%%%%.tmp");
  if (!temporary)
    return cannotWrite(file.path, errorToErrorCode(temporary.takeError()));
  raw_fd_ostream out(temporary->FD, /*shouldClose=*/false);
  out << file.text;
  out.flush();
  if (const std::error_code code = out.error()) {
    out.clear_error();
    return joinErrors(cannotWrite(file.path, code), temporary->discard());
  }
  return temporary;
}

} // namespace

Error writeFiles(ArrayRef<OutputFile> files) {
  std::vector<std::pair<sys::fs::TempFile, std::string>> pending;
  const auto abandon = [&](Error error) {
    for (auto &[temporary, path] : pending)
      consumeError(temporary.discard()); // nothing left to do for one that is in place already
    return error;
  };
  for (const OutputFile &file : files)
    if (!isWrittenDirectly(file.path)) {
      Expected<sys::fs::TempFile> temporary = writeTemporary(file);
      if (!temporary)
        return abandon(temporary.takeError());
      pending.emplace_back(std::move(*temporary), file.path);
    }
  for (auto &[temporary, path] : pending)
    if (Error error = temporary.keep(path))
      return abandon(cannotWrite(path, errorToErrorCode(std::move(error))));
  for (const OutputFile &file : files)
    if (isWrittenDirectly(file.path))
      if (Error error = writeDirectly(file))
        return error;
  return Error::success();
}

} // namespace stencilc
