// The kernels for one type, range and kind: CMake compiles this file once for each.
#include "runtime/apsp/Instantiate.h"

STENCILC_APSP_INSTANTIATE_ONE(MinPlus, STENCILC_TYPE, STENCILC_RANGE, STENCILC_WITH_PATHS)
