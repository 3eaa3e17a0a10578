// What the generated cases were like: a random test is worth what it generates.
#pragma once

#include "test/fuzz/Case.h"

namespace stencilc::fuzz {

class Histogram {
public:
  void add(const Case &tested, const Stencil &stencil);
  /// One line per feature, with the share of cases that have it.
  void print(llvm::raw_ostream &out) const;
  /// The required features that less than one case in twenty has.
  std::vector<std::string> rareFeatures() const;

private:
  struct Feature {
    std::string name;
    bool isRequired;
    unsigned count = 0;
  };
  void count(llvm::StringRef name, bool isRequired, bool isPresent);
  void addBoundaries(const Stencil &stencil);
  void addSizes(const Case &tested, const Stencil &stencil);
  void addExpressions(const Case &tested);

  std::vector<Feature> features; ///< in the order in which they are counted first
  unsigned cases = 0;
};

} // namespace stencilc::fuzz
