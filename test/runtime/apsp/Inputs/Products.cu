// The products without paths, for a look at their registers.
#include "runtime/apsp/Blocked.h"

namespace stencilc::apsp::device {

using detail::NarrowTile, detail::WideTile;
using Float = Lanes<MinPlus, float, WeightRange::NonNegative>;
using Int = Lanes<MinPlus, int32_t, WeightRange::Any>;
using Halves = Lanes<MinPlus, uint16_t, WeightRange::Any>;
using Below22Bits = Lanes<MinPlus, int32_t, WeightRange::Below22Bits>;

template __global__ void extendTiles<Float, WideTile>(Panels<Float>, Region, int);
template __global__ void extendTiles<Float, NarrowTile>(Panels<Float>, Region, int);
template __global__ void extendTiles<Int, WideTile>(Panels<Int>, Region, int);
template __global__ void extendTiles<Int, NarrowTile>(Panels<Int>, Region, int);
template __global__ void extendTiles<Halves, WideTile>(Panels<Halves>, Region, int);
template __global__ void extendTiles<Halves, NarrowTile>(Panels<Halves>, Region, int);
template __global__ void extendTilesOnTensorCores<Below22Bits, WideTile>(Panels<Below22Bits>,
                                                                         Region, int);

} // namespace stencilc::apsp::device
