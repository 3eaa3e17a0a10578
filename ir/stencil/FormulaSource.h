// Formulas as expressions of the language.
//
// What the parser makes of the text is the same value again. Values with the name of a `let` and
// those that are used often become `let`s: a let that was moved (`lap[x+1]`) is written once, and
// no text grows with the number of ways through a formula. A cast is written where the language
// would not convert by itself.
#pragma once

#include "ir/stencil/Stencil.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace stencilc {

/// The shortest text that the language reads as the same number of its type; of a param's default
/// also what is no finite number.
std::string literalSource(ScalarType type, double value);

class FormulaSource {
public:
  explicit FormulaSource(const Stencil &stencil);

  /// The expression that has the formula's value where a number of `type` is wanted. The lets it
  /// needs and that are not there yet are written before, one a line.
  std::string print(llvm::raw_ostream &out, llvm::StringRef indent, const Formula &formula,
                    ScalarType type);

  /// Lets that are written from here on end with the stage.
  void beginStage() { atStage = known; }
  void endStage() { known = atStage; }

private:
  std::string nameOf(llvm::StringRef wanted, const std::string &body, bool &isNew);

  const Stencil &stencil;
  llvm::StringSet<> declared; ///< names that no let may have

  /// Lets: by wanted name and text, the name they have; and all names.
  struct Known {
    std::map<std::pair<std::string, std::string>, std::string> names;
    llvm::StringSet<> taken;
  };
  Known known, atStage;
};

} // namespace stencilc
