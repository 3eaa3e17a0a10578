// GeometricTraffic: the bytes of one launch that cross each level of a present GPU's memory, from
// footprints; no miss ratio is fitted, only how gradually a cache loses a window that outgrows it.
#pragma once

#include "costmodel/model/Prediction.h"

namespace stencilc {

struct GeometricTraffic {
  double smxBytes = 0; ///< sectors that warps ask for
  double l2Bytes = 0;  ///< sectors that leave or enter an SM
  /// Between an SM and the L2, beyond those that would be of whole lines.
  double shortRequests = 0;
  /// Of them those for the points that blocks update.
  double shortOwn = 0;
  double partedShare = 0;    ///< of the lines stored, those that a block has only a part of
  double rewrittenParts = 0; ///< such lines of arrays that the launch reads, too
  double coldBytes = 0;      ///< to and from device memory if nothing is in the L2 at first
  double keptShare = 0;      ///< of them, in the L2 from one time step to the next
  double dramBytes() const { return (1 - keptShare) * coldBytes; }
  GeometricQuantities seen; ///< windows, capacities and what is kept of reuse
};

/// `residentBlocks`: on one SM, on average.
GeometricTraffic geometricTraffic(const LaunchCounts &launch, double residentBlocks,
                                  const DeviceProfile &device);

/// The share of reuse that a cache keeps when `window` bytes pass between two uses: 1 for a window
/// of 0, half at `effective`, falling over about `softness` of it.
double keptReuse(double window, double effective, double softness);

} // namespace stencilc
