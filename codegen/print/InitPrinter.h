// InitPrinter: an `init` formula as host C++, for stand-alone programs.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// A formula as C++ text: named values, in order, then the result.
struct FormulaText {
  std::vector<std::string> values; ///< "const double v0 = ...;"
  std::string result;
};

/// Prints a formula of literals, params (`args.alpha`), axis indices (`x`) and the step's number
/// (`step`), each operation in
/// the type and order that the StencilInterpreter evaluates it in. What is used twice, or would
/// make a line too long, is named; names stay clear of the axes'.
FormulaText formulaText(const Stencil &stencil, const Formula &formula);

/// True if the formula calls the function.
bool calls(const Formula &formula, Builtin function);

/// `name`, with `_` appended while an axis is called so.
std::string clearOfAxes(const Stencil &stencil, std::string name);

} // namespace stencilc
