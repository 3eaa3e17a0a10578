#include "costmodel/device/ShippedFile.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

using namespace llvm;

namespace stencilc {

Expected<std::unique_ptr<MemoryBuffer>> openYaml(ArrayRef<ShippedFile> shipped, StringRef what,
                                                 StringRef nameOrFile) {
  if (nameOrFile.ends_with(".yaml")) {
    auto buffer = MemoryBuffer::getFile(nameOrFile, /*IsText=*/true);
    if (!buffer)
      return createStringError(buffer.getError(),
                               "cannot read `" + nameOrFile + "`: " + buffer.getError().message());
    return std::move(*buffer);
  }
  std::vector<std::string> names;
  for (const ShippedFile &file : shipped) {
    StringRef name = file.name;
    if (!name.consume_back(".yaml"))
      continue;
    if (name.equals_insensitive(nameOrFile))
      return MemoryBuffer::getMemBuffer(file.text, file.name);
    names.push_back(name.str());
  }
  return createStringError(fmt::format("there is no {} `{}`; known are {}, or give a FILE.yaml",
                                       what.str(), nameOrFile.str(), fmt::join(names, ", ")));
}

} // namespace stencilc
