// FileNames: what a source file calls what its kernels share.
#pragma once

#include "codegen/print/NamedNumbers.h"

namespace stencilc {

/// Keeps the names that a kernel declares, but for those of its locals.
void reserveNames(UniqueNames &taken, const Kernel &kernel);

/// What the file calls what its kernels share: made before any kernel is printed.
struct FileNames {
  /// Everything a kernel may name: what file-level names avoid.
  UniqueNames taken;
  /// Per kernel: Kernel::constants, and what __launch_bounds__ holds.
  std::vector<std::vector<std::string>> constants;
  std::vector<std::string> bounds;
  /// Per axis: the constant that stands for the extent; none if the file is for every grid.
  std::vector<std::string> extents;
  NumberNames numbers;
  /// The definitions of all constants, an empty line after those of each kernel.
  std::string definitions;

  /// `onlyExtents`: of the one grid that the file is for; empty: any grid.
  explicit FileNames(const Program &program, llvm::ArrayRef<int64_t> onlyExtents = {});

private:
  /// Lines of code with the comment that follows each.
  using Lines = std::vector<std::pair<std::string, std::string>>;
  /// What the constants defined so far are called, by what they were to be called and their value.
  std::map<std::string, std::string> known;

  std::string define(llvm::StringRef name, const std::string &value, llvm::StringRef comment,
                     Lines &lines);
  void defineNumbers(const Program &program);
  void defineExtents(const Program &program, llvm::ArrayRef<int64_t> onlyExtents);
  std::string launchBounds(const Program &program, const Kernel &kernel,
                           llvm::ArrayRef<std::string> names, Lines &lines);
};

} // namespace stencilc
