#include "costmodel/apsp/ApspJumps.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace stencilc {

double ApspJump::highest() const { return *max_element(heights); }

ApspJump jumpAt(const DeviceProfile &device, ApspAlgorithm algorithm, int blockWidth,
                int64_t from) {
  ApspJump jump;
  jump.from = from;
  jump.launch = algorithm == ApspAlgorithm::MinPlus &&
                launches(algorithm, from + 1) > launches(algorithm, from);
  jump.blocks = from % blockWidth == 0;
  const ApspInterval before = symbolicInterval(device, algorithm, blockWidth, from);
  const ApspInterval after = symbolicInterval(device, algorithm, blockWidth, from + 1);
  for (auto [height, was, is] : zip(jump.heights, before.times, after.times))
    height = was > 0 ? is / was - 1 : 0;
  return jump;
}

std::optional<ApspJump> nextJump(const DeviceProfile &device, ApspAlgorithm algorithm,
                                 int blockWidth, int64_t nodes) {
  // Below three nodes min-plus launches nothing and a height has no base.
  for (int64_t from = std::max<int64_t>(nodes, 3); from < 2 * nodes + blockWidth; ++from) {
    const ApspJump jump = jumpAt(device, algorithm, blockWidth, from);
    if ((jump.launch || jump.blocks) && jump.highest() >= kJumpHeight)
      return jump;
  }
  return std::nullopt;
}

} // namespace stencilc
