#include "frontend/measure/MeasureCache.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace stencilc {

/// A variable of the environment that is set and not empty.
static std::string variable(StringRef name) {
  return sys::Process::GetEnv(name).value_or(std::string());
}

static std::string cacheFolder() {
  if (std::string named = variable("STENCILC_CACHE"); !named.empty())
    return named;
  SmallString<128> folder(variable("XDG_CACHE_HOME"));
  if (folder.empty()) {
    folder = variable("HOME");
    sys::path::append(folder, ".cache");
  }
  sys::path::append(folder, "stencilc");
  return folder.str().str();
}

MeasureCache::MeasureCache(function_ref<void(const std::string &)> warn)
    : folder(cacheFolder()), warn(warn) {}

std::string MeasureCache::pathOf(ArrayRef<std::string> key) const {
  SHA256 digest;
  for (const std::string &part : key) {
    digest.update(part);
    digest.update(StringRef("\0", 1));
  }
  SmallString<128> path(folder);
  sys::path::append(path, toHex(digest.final(), /*LowerCase=*/true).substr(0, 32) + ".measured");
  return path.str().str();
}

std::vector<double> MeasureCache::find(ArrayRef<std::string> key) const {
  auto file = MemoryBuffer::getFile(pathOf(key));
  if (!file)
    return {};
  SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<double> seconds;
  for (StringRef line : lines) {
    double value;
    if (line.getAsDouble(value) || !(value > 0))
      return {}; // not what we wrote
    seconds.push_back(value);
  }
  return seconds;
}

void MeasureCache::keep(ArrayRef<std::string> key, ArrayRef<double> seconds) {
  const std::string path = pathOf(key);
  const auto write = [&](raw_ostream &out) -> Error {
    for (double value : seconds)
      out << fmt::format("{:.9g}\n", value);
    return Error::success();
  };
  std::error_code failed = sys::fs::create_directories(folder);
  if (!failed)
    failed = errorToErrorCode(writeToOutput(path, write));
  if (failed && !hasWarned) {
    hasWarned = true;
    warn(fmt::format("no times are kept: {}: {}; STENCILC_CACHE names another folder", folder,
                     failed.message()));
  }
}

} // namespace stencilc
