// NamedNumbers: which numbers of the kernels' formulas are constants of the file, with a name.
//
// A number has one that is too long to be told from others at a glance: of more than three digits.
// So have those beside it in a sum, as weights of the same difference, but for 0, 1, 2 and 0.5.
// Weights, which multiply, are told apart from other numbers. Those of a sum come largest first,
// as a difference has them by distance: kWeight0 multiplies the point itself, kWeight1 what is
// nearest to it.
#pragma once

#include "ir/kernel/KernelBuilder.h"

#include <map>

namespace stencilc {

/// By type and amount.
using NumberNames = std::map<std::pair<ScalarType, double>, std::string>;

struct NamedNumber {
  ScalarType type;
  double value; ///< above 0
  std::string name;
};

/// Those of the kernels of a program, in the order of their names; none where there would be so
/// many that their names said nothing. Names avoid those taken.
std::vector<NamedNumber> namedNumbers(const Program &program, UniqueNames &taken);

/// "8/315": the fraction of few digits that rounds to the number; empty if there is none.
std::string fractionOf(ScalarType type, double value);

} // namespace stencilc
