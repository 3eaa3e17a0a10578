// DeviceSolve: shortest paths on a CUDA device for a caller that has everything in host memory.
//
// Two implementations with one interface: DeviceSolve.cu, and NoDevice.cpp for a build without
// CUDA, which has no device to offer. Problems come back as text, empty for none.
#pragma once

#include "runtime/apsp/Apsp.h"

#include <string>

namespace stencilc::graph {

struct DeviceInfo {
  std::string name;
  int64_t freeBytes = 0;
};

/// The current CUDA device, or why there is none.
std::string findDevice(DeviceInfo &device);

/// Device memory that a problem takes, matrices and workspace.
template <class T> int64_t deviceBytes(int64_t n, apsp::PathKind kind, const apsp::Plan &plan);

/// Solves a problem whose pointers are to host memory; `seconds` is that of the solution alone,
/// without copies. T is float, double, int32_t, int16_t or uint16_t.
template <class T>
std::string solveOnDevice(const apsp::Problem<T> &problem, const apsp::Plan &plan, double &seconds);

} // namespace stencilc::graph
