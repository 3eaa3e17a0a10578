#include "ir/stencil/Words.h"

#include "ir/stencil/Scalar.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <vector>

namespace stencilc {

llvm::ArrayRef<llvm::StringRef> functionNames() {
  static const std::vector<llvm::StringRef> names = [] {
    std::vector<llvm::StringRef> names;
    for (Builtin function : allBuiltins())
      names.push_back(spelling(function));
    names.insert(names.end(), {"sign", "where", "sum", "laplace", "diff", "diff2"});
    return names;
  }();
  return names;
}

bool isReservedWord(llvm::StringRef text) {
  static const llvm::StringSet<> words = {
      "stencil", "field",  "const", "param", "let",    "boundary", "init",      "stage",
      "f32",     "f64",    "real",  "fixed", "halo",   "clamp",    "value",     "periodic",
      "temp",    "reduce", "step",  "size",  "mirror", "reflect",  "symmetric", "sweep"};
  return words.contains(text) || llvm::is_contained(functionNames(), text);
}

} // namespace stencilc
