// OptionValues: what an option's value says, or in a UsageError what it takes.
#pragma once

#include "frontend/driver/CommandLine.h"

#include "fmt/format.h"

namespace stencilc {

template <class... Arguments>
llvm::Error usage(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
  return llvm::make_error<UsageError>(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// A value of `option` that is none of the words it takes.
llvm::Error unknownWord(llvm::StringRef option, llvm::StringRef value, llvm::StringRef words);

llvm::Expected<int64_t> parseCount(llvm::StringRef what, llvm::StringRef text, int64_t least);
/// From 1 to 65535.
llvm::Expected<int> parseSmallCount(llvm::StringRef what, llvm::StringRef text);

/// Splits `name=value`.
llvm::Expected<std::pair<std::string, std::string>>
parsePair(llvm::StringRef option, llvm::StringRef text, llvm::StringRef form);

/// The parts of --sweep=, and the sizes of `size:from:to:step`.
llvm::Expected<SweepOptions> parseSweep(llvm::StringRef text);

} // namespace stencilc
