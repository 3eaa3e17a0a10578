#include "costmodel/device/SourcedYaml.h"

#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace stencilc {

void keepFirst(const SMDiagnostic &diagnostic, void *context) {
  auto &first = *static_cast<std::string *>(context);
  if (first.empty())
    first = fmt::format("{}:{}:{}: {}", diagnostic.getFilename().str(), diagnostic.getLineNo(),
                        diagnostic.getColumnNo() + 1, diagnostic.getMessage().str());
}

Error checkDepth(MemoryBufferRef text, StringRef what) {
  constexpr size_t kMostBrackets = 16, kMostColumns = 64;
  StringRef rest = text.getBuffer();
  size_t brackets = 0;
  for (int line = 1; !rest.empty(); ++line) {
    StringRef here;
    std::tie(here, rest) = rest.split('\n');
    bool isTooDeep = here.size() - here.ltrim(" -?:\t").size() > kMostColumns;
    for (char c : here) {
      if (c == '[' || c == '{')
        ++brackets;
      else if ((c == ']' || c == '}') && brackets > 0)
        --brackets;
      isTooDeep |= brackets > kMostBrackets;
    }
    if (isTooDeep)
      return createStringError(fmt::format("{}:{}: nests deeper than a {} does",
                                           text.getBufferIdentifier().str(), line, what.str()));
  }
  return Error::success();
}

} // namespace stencilc
