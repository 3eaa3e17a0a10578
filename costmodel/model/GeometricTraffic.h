// GeometricTraffic: the bytes of one launch that cross each level of a present GPU's memory, from
// footprints; no miss ratio is fitted, only how gradually a cache loses a window that outgrows it.
#pragma once

#include "costmodel/model/Prediction.h"

namespace stencilc {

/// Lines of what a launch stores that blocks have parts of, for their rows end within lines. What
/// is stored has the rows of blocks as they are, without what lies around them.
struct PartedLines {
  double share = 0;     ///< of all lines stored
  double pieces = 0;    ///< beyond one that blocks store a line in, in the mean
  double rewritten = 0; ///< parted lines of arrays that the launch reads, too
};
PartedLines partedLines(const LaunchCounts &launch);

struct GeometricTraffic {
  double smxBytes = 0; ///< sectors that warps ask for
  double l2Bytes = 0;  ///< sectors that leave or enter an SM
  /// Between an SM and the L2, beyond those that would be of whole lines.
  double shortRequests = 0;
  double shortOwn = 0; ///< of them those for the points that blocks update
  PartedLines parted;
  double coldBytes = 0; ///< to and from device memory if nothing is in the L2 at first
  double keptShare = 0; ///< of them, in the L2 from one time step to the next
  double dramBytes() const { return (1 - keptShare) * coldBytes; }
  GeometricQuantities seen; ///< windows, capacities and what is kept of reuse
};

/// What the L2 could move while it takes one of `shortRequests`, beyond what that moves.
double bytesOfShortRequest(const GeometricConstants &constants);

/// `residentBlocks`: on one SM, on average.
GeometricTraffic geometricTraffic(const LaunchCounts &launch, double residentBlocks,
                                  const DeviceProfile &device);

/// The share of reuse that a cache keeps when `window` bytes pass between two uses: 1 for a window
/// of 0, half at `effective`, falling over about `softness` of it.
double keptReuse(double window, double effective, double softness);

} // namespace stencilc
