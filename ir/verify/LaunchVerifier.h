// The verifier's rules on launches: arguments fit the kernel, promises are kept.
#pragma once

#include "ir/kernel/Program.h"
#include "ir/verify/CoverVerifier.h"
#include "ir/verify/DifferenceConstraints.h"
#include "ir/verify/VerifierState.h"

namespace stencilc {

/// What launches ask of a kernel.
struct KernelUses {
  explicit KernelUses(const Kernel &kernel);

  BlockUses blocks;
  /// An array over time, read `offset` steps from what an integer argument says.
  struct StepRead {
    unsigned array, integer;
    int64_t offset;
  };
  std::vector<StepRead> steps;
};

/// Where a launch stands in the plan.
struct LaunchPlace {
  const Pass *pass;                         ///< null outside any
  llvm::ArrayRef<Aligned> aligned;          ///< what holds there
  llvm::ArrayRef<WholePieces::Along> whole; ///< ... of extents
  bool hasPoints;                           ///< no extent is 0 there
  bool isShort;                             ///< ShortAddresses holds there
};

/// Checks the rules `launch`, `cover` and `time`; the kernels must have been checked. `uses` are
/// those of the launch's kernel.
void verifyLaunch(const Program &program, const Launch &launch, const KernelUses &uses,
                  const LaunchPlace &place, VerifierFault &fault);

/// True if `index` holds extents of existing axes, constants and the whole ones of `params` only.
bool isOverExtents(const Index &index, unsigned rank, llvm::ArrayRef<SignatureParam> params = {});
/// What holds of extents and whole params in every run.
DifferenceConstraints knownOfRuns(const Signature &signature);

} // namespace stencilc
