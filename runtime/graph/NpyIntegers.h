// NpyIntegers: the integer element types of .npy files that graphs and paths need beside floats.
#pragma once

#include "runtime/Npy.h"

namespace npy {

template <> inline std::string typeName<int16_t>() { return "i2"; }
template <> inline std::string typeName<uint16_t>() { return "u2"; }
template <> inline std::string typeName<int32_t>() { return "i4"; }
template <> inline std::string typeName<int64_t>() { return "i8"; }

} // namespace npy
