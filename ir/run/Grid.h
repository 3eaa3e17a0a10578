// Grid: the memory of the interpreters, one array with its ghost points; and the state of a run.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// A box of elements of one type. Values of f32 grids are f32 numbers held in doubles.
struct Grid {
  ScalarType type = ScalarType::F64;
  std::vector<int64_t> extents;   ///< of the array's own axes, slowest first
  std::vector<int64_t> low, high; ///< ghost points per axis at each end
  std::vector<double> values;     ///< row-major over extents + ghosts

  Grid() = default;
  /// Filled with `fill`.
  Grid(ScalarType type, std::vector<int64_t> extents, std::vector<int64_t> low,
       std::vector<int64_t> high, double fill);

  bool contains(llvm::ArrayRef<int64_t> index) const;
  /// Element at `index` (from -low to extent + high - 1 on each axis); asserts contains(index).
  double &at(llvm::ArrayRef<int64_t> index);
  double at(llvm::ArrayRef<int64_t> index) const;
  /// Its number in `values`.
  size_t position(llvm::ArrayRef<int64_t> index) const;
};

/// Calls `visit` for every index vector of the box [begin, end), last axis fastest.
void forEachPoint(llvm::ArrayRef<int64_t> begin, llvm::ArrayRef<int64_t> end,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

/// Everything a run starts from and leaves behind.
struct State {
  std::vector<int64_t> extents; ///< per axis of the stencil
  std::vector<Grid> current;    ///< per array as written: newest level, or the `const` array
  std::vector<Grid> previous;   ///< per array: level t-1; empty grids where not read
  std::vector<double> params;   ///< rounded to their types; whole numbers of `param int`
  std::vector<double> results;  ///< per reduction: what a run left where it was wanted
  int64_t step = 0;             ///< steps completed so far, by earlier runs too
};

/// Index of the first element where the two differ, all NaNs being one; none if equal. -0 and +0
/// differ.
std::optional<std::vector<int64_t>> firstDifference(const Grid &left, const Grid &right);

} // namespace stencilc
