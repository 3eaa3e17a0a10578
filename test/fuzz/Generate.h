// The generator of random cases.
#pragma once

#include "test/fuzz/Case.h"

namespace stencilc::fuzz {

/// Which part of the language to draw from.
enum class Dialect {
  Whole, ///< all of it
  Exact, ///< all but functions whose last bits depend on who built the output
  Plain, ///< fields and consts, params and formulas alone, all of whose numbers may have one type
};

/// The case of a seed: the same on every machine.
Case generate(uint64_t seed, Dialect dialect);

/// Data, sizes and a schedule for a program that is there.
Case generateFor(const std::string &text, const Stencil &stencil, uint64_t seed);

} // namespace stencilc::fuzz
