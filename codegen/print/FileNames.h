// FileNames: what a source file calls what its kernels share.
#pragma once

#include "ir/kernel/KernelBuilder.h"

#include <map>

namespace stencilc {

/// What the file calls what its kernels share: made before any kernel is printed.
struct FileNames {
  /// Everything a kernel may name: what file-level names avoid.
  UniqueNames taken;
  /// Per kernel: Kernel::constants, and what __launch_bounds__ holds.
  std::vector<std::vector<std::string>> constants;
  std::vector<std::string> bounds;
  /// The definitions of all constants, an empty line after those of each kernel.
  std::string definitions;

  explicit FileNames(const Program &program);

private:
  /// Lines of code with the comment that follows each.
  using Lines = std::vector<std::pair<std::string, std::string>>;
  /// What the constants defined so far are called, by what they were to be called and their value.
  std::map<std::string, std::string> known;

  std::string define(llvm::StringRef name, const std::string &value, llvm::StringRef comment,
                     Lines &lines);
  std::string launchBounds(const Program &program, const Kernel &kernel,
                           llvm::ArrayRef<std::string> names, Lines &lines);
};

} // namespace stencilc
