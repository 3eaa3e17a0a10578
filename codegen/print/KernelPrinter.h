// KernelPrinter: the text of one kernel.
#pragma once

#include "codegen/print/Expressions.h"
#include "codegen/print/FileNames.h"

namespace stencilc {

/// A kernel as printed, with what its launcher must know.
struct PrintedKernel {
  std::string text;
  /// Axes whose extent and strides are arguments: the arrays come first, then these extents, these
  /// strides of the caller's, these of the workspace's rows, these integers and the uniforms.
  std::array<bool, kMaxRank> extents = {}, strides = {}, rows = {};
  std::vector<bool> integers;
  bool callsFunctions = false; ///< of the C mathematics library
  bool copiesAsync = false;    ///< needs <cuda_pipeline.h>
};

PrintedKernel printKernel(const Program &program, unsigned number, const FileNames &file,
                          FloatMode mode, HelperSet &helpers);

/// `double *__restrict__ u`: an array as a parameter.
std::string parameter(const ArrayArgument &array);
/// What the names of a grid's numbers begin with: "grid." where they are members of `grid`.
struct GridPrefixes {
  std::string extents, strides, rows;
};
/// "nz", "stride_z", "row_z" per axis.
void nameGrid(LeafNames &names, const std::vector<std::string> &axes, const GridPrefixes &prefixes);
/// What the text of a kernel calls them.
LeafNames leafNames(const Program &program, const Kernel &kernel, const FileNames &file,
                    unsigned number);

} // namespace stencilc
