#include "runtime/graph/DeviceSolve.h"

namespace stencilc::graph {

static constexpr const char *kReason = "this program was built without CUDA";

std::string findDevice(DeviceInfo &) { return kReason; }

template <class T> int64_t deviceBytes(int64_t, apsp::PathKind, const apsp::Plan &) { return 0; }

template <class T>
std::string solveOnDevice(const apsp::Problem<T> &, const apsp::Plan &, double &) {
  return kReason;
}

template int64_t deviceBytes<float>(int64_t, apsp::PathKind, const apsp::Plan &);
template int64_t deviceBytes<double>(int64_t, apsp::PathKind, const apsp::Plan &);
template int64_t deviceBytes<int32_t>(int64_t, apsp::PathKind, const apsp::Plan &);
template int64_t deviceBytes<int16_t>(int64_t, apsp::PathKind, const apsp::Plan &);
template int64_t deviceBytes<uint16_t>(int64_t, apsp::PathKind, const apsp::Plan &);
template std::string solveOnDevice(const apsp::Problem<float> &, const apsp::Plan &, double &);
template std::string solveOnDevice(const apsp::Problem<double> &, const apsp::Plan &, double &);
template std::string solveOnDevice(const apsp::Problem<int32_t> &, const apsp::Plan &, double &);
template std::string solveOnDevice(const apsp::Problem<int16_t> &, const apsp::Plan &, double &);
template std::string solveOnDevice(const apsp::Problem<uint16_t> &, const apsp::Plan &, double &);

} // namespace stencilc::graph
