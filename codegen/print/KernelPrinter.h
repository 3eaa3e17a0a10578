// KernelPrinter: the text of one kernel.
#pragma once

#include "codegen/print/Expressions.h"

namespace stencilc {

/// A kernel as printed, with what its launcher must know.
struct PrintedKernel {
  std::string text;
  /// Axes whose extent and stride are arguments: the arrays come first, then these extents, these
  /// strides, the integers and the uniforms.
  std::array<bool, kMaxRank> extents = {}, strides = {};
  bool callsFunctions = false; ///< of the C mathematics library
  bool copiesAsync = false;    ///< needs <cuda_pipeline.h>
};

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
  std::string launchBounds(const Kernel &kernel, llvm::ArrayRef<std::string> sides, Lines &lines);
};

PrintedKernel printKernel(const Program &program, unsigned number, const FileNames &file,
                          FloatMode mode, HelperSet &helpers);

/// `double *__restrict__ u`: an array as a parameter.
std::string parameter(const ArrayArgument &array);
/// "nz", "stride_z" per axis.
void nameGrid(LeafNames &names, const std::vector<std::string> &axes, llvm::StringRef prefix);

/// Bytes of shared memory that a launch of the kernel asks for: 0 where its tiles fit what a kernel
/// may declare by itself.
int64_t dynamicSharedBytes(const Kernel &kernel);

} // namespace stencilc
