// What the generated cases were like: a random test is worth what it generates.
#pragma once

#include "test/fuzz/Generate.h"

namespace stencilc::fuzz {

class Histogram {
public:
  explicit Histogram(Dialect dialect) : isWhole(dialect != Dialect::Plain) {}
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
  void addUpdates(const Stencil &stencil);
  void addNumbers(const Stencil &stencil);
  void addSizes(const Case &tested, const Stencil &stencil);
  void addForms(const Case &tested, const Stencil &stencil);
  void addExpressions(const Case &tested);

  const bool isWhole;            ///< what a smaller dialect leaves out is not required of it
  std::vector<Feature> features; ///< in the order in which they are counted first
  unsigned cases = 0;
};

} // namespace stencilc::fuzz
