// CheckText: the source texts that a check compiles, beside what stencilc writes.
#pragma once

#include "frontend/lift/Understood.h"

namespace stencilc::lift {

/// In the language of the original, which it includes: functions `original_NAME` that call the
/// original by tables of arrays, whole numbers and numbers.
std::string originalText(llvm::ArrayRef<Understood> functions, llvm::StringRef source);
/// C++: a program that fills arrays, runs both and compares.
std::string comparisonText(llvm::ArrayRef<Understood> functions);

} // namespace stencilc::lift
