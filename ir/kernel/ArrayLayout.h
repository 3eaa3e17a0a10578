// ArrayLayout: where the elements of buffers lie on a grid of given extents.
//
// The launcher takes the buffers of the workspace one after another, each from a multiple of
// kWorkspaceAlignment bytes on. Those of Layout::Rows share strides that follow from the extents
// alone: rows of whole memory lines, with room for the ghost points of all of them. In buffers with
// all axes the first updated point of a row starts a line, as the emitted layout function has it
// for the caller's; in the others the first element does.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// Bytes.
inline constexpr unsigned kWorkspaceAlignment = 256;

/// The element at `index` is number origin + sum of index * stride, counted from the start of a
/// memory line.
struct ArrayLayout {
  std::array<int64_t, kMaxRank> stride = {}; ///< per axis of the array
  int64_t origin = 0;                        ///< of point 0

  int64_t element(llvm::ArrayRef<int64_t> index) const;
  bool operator==(const ArrayLayout &) const = default;
};

/// Elements between neighbours along each axis of the stencil.
std::array<int64_t, kMaxRank> stridesOf(const LineRows &rows, llvm::ArrayRef<int64_t> extents);

/// What the buffers of Layout::Rows share.
LineRows workspaceRows(const Program &program);

/// Of a buffer without padding, point 0 at the start of a line.
ArrayLayout denseLayout(const Buffer &buffer, llvm::ArrayRef<int64_t> extents);
/// Of a buffer of the workspace, where the caller's arrays with all axes have the strides
/// `strided`.
ArrayLayout workspaceLayout(const Program &program, const Buffer &buffer,
                            llvm::ArrayRef<int64_t> extents,
                            const std::array<int64_t, kMaxRank> &strided);

} // namespace stencilc
