// DeviceGrid: where the buffers of a Program lie in the memory of a device: the caller's by the
// layout that the emitted code recommends, the workspace's as the launcher takes them.
#pragma once

#include "ir/kernel/ArrayLayout.h"

namespace stencilc {

/// Every buffer starts on a memory line; `layout.origin` is the number of elements before point 0.
struct BufferPlace {
  ArrayLayout layout;
  int64_t elements = 0;
  size_t bytes = 0; ///< of all of them, in whole pieces of kWorkspaceAlignment
};

struct DeviceGrid {
  std::vector<int64_t> extents;
  int64_t timeSteps = 0;                         ///< values that arrays over time have
  std::array<int64_t, kMaxRank> strides = {};    ///< of the caller's arrays with all axes
  std::array<int64_t, kMaxRank> rowStrides = {}; ///< of the workspace's
  std::vector<BufferPlace> places;               ///< one per Program::buffers
};

DeviceGrid placeBuffers(const Program &program, llvm::ArrayRef<int64_t> extents, int64_t timeSteps);

/// What all buffers of the caller take, and those of the workspace.
struct DeviceBytes {
  size_t caller = 0, workspace = 0;
};
DeviceBytes bytesOf(const Program &program, const DeviceGrid &grid);

} // namespace stencilc
