#include "frontend/driver/SourceFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace stencilc {

/// At most one byte more than a source may have.
static Expected<std::string> readSome(const std::string &path) {
  const auto unreadable = [&](const std::error_code &code) {
    return createStringError(code, "cannot read `" + path + "`: " + code.message());
  };
  sys::fs::file_t file = sys::fs::getStdinHandle();
  if (path != "-") {
    Expected<sys::fs::file_t> opened = sys::fs::openNativeFileForRead(path);
    if (!opened)
      return unreadable(errorToErrorCode(opened.takeError()));
    file = *opened;
  }
  const auto closed = make_scope_exit([&] {
    if (path != "-")
      sys::fs::closeFile(file);
  });
  std::string text(kMaxSourceBytes + 1, '\0');
  size_t size = 0;
  while (size < text.size()) {
    Expected<size_t> read =
        sys::fs::readNativeFile(file, MutableArrayRef(text.data() + size, text.size() - size));
    if (!read)
      return unreadable(errorToErrorCode(read.takeError()));
    if (*read == 0)
      break;
    size += *read;
  }
  text.resize(size);
  return text;
}

void endLinesAlike(std::string &text) {
  for (size_t place = 0; place < text.size(); ++place)
    if (text[place] == '\r' && StringRef(text).substr(place + 1, 1) != "\n")
      text[place] = '\n';
}

Expected<std::unique_ptr<MemoryBuffer>> readSource(const std::string &path) {
  Expected<std::string> text = readSome(path);
  if (!text)
    return text.takeError();
  if (text->size() > kMaxSourceBytes)
    return createStringError("`" + path + "` has more than " + Twine(kMaxSourceBytes) +
                             " bytes, which is the most that a stencil may have");
  endLinesAlike(*text);
  return MemoryBuffer::getMemBufferCopy(*text, path == "-" ? "<stdin>" : path);
}

} // namespace stencilc
