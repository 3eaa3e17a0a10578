// RepeatedText: what a turn of a march does at several places, as a function of its own.
#pragma once

#include "ir/kernel/Kernel.h"

#include <map>

namespace stencilc {

/// Statements that fill a patch, or a part of a tile, and stand at several places but for some
/// indices.
struct RepeatedText {
  struct Parameter {
    unsigned local; ///< that stands for such an index
    std::string name;
  };
  std::string name; ///< "fill_u_around"
  Body body;
  std::vector<Parameter> parameters;
  std::string comment = "What is done at several places below.";
};

struct RepeatedTexts {
  struct Call {
    size_t text;
    size_t statements; ///< in place of so many
    std::vector<Index> arguments;
  };
  std::vector<RepeatedText> texts;
  /// By the statement that texts are made before, and by the first one that a call stands for.
  std::multimap<const Statement *, size_t> madeBefore;
  std::map<const Statement *, Call> calls;
};

/// Finds them in a body and in the bodies in it, but not in what a branch with another side does,
/// unless that is asked of `branch`, the number of a branch (CommonText.h). Parameters are numbered
/// from `firstLocal` on.
RepeatedTexts repeatedTexts(const Body &body, const Kernel &kernel, unsigned branch,
                            unsigned firstLocal);

} // namespace stencilc
