// CudaLimits: what no GPU launches, of compute capability 5.0 and later (CUDA C++ Programming
// Guide, "Technical Specifications"). What devices differ in stands in their profiles.
#pragma once

namespace stencilc::cuda {

inline constexpr int kMaxThreadsPerBlock = 1024;
inline constexpr int kMaxBlockZ = 64;
/// Sixteen barriers, one of which is that of the whole block.
inline constexpr unsigned kMaxWarpGroups = 15;
inline constexpr int kMaxThreadsPerSm = 2048;
inline constexpr int kMaxBlocksPerSm = 32;
inline constexpr int kRegistersPerSm = 65536;
inline constexpr int kMaxRegistersPerThread = 255;
/// Of compute capability 9.0, which has the most.
inline constexpr int kMaxSharedBytesPerBlock = 232448;
/// Of it, the words by which a block of a cluster counts what comes from its partner.
inline constexpr int kMailBytes = 16;
/// Of compute capability 7.0 and later, by CUDA 12.1 and later; and before.
inline constexpr int kMaxArgumentBytes = 32764, kMaxArgumentBytesBeforeVolta = 4096;

} // namespace stencilc::cuda
