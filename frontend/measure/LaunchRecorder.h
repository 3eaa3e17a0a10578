// LaunchRecorder: follows the plan of a Program and writes down the launches of a run, with the
// arguments that the emitted launcher would pass. They can be made any number of times then.
#pragma once

#include "codegen/print/Print.h"
#include "frontend/measure/DeviceGrid.h"
#include "ir/kernel/PlanRun.h"
#include "ir/stencil/Scalar.h"

namespace stencilc {

struct RecordedLaunch {
  unsigned kernel;                            ///< number in Program::kernels
  std::array<unsigned, 3> blocks = {1, 1, 1}; ///< x first
  std::vector<uint64_t> arguments;            ///< each from the start of its word
};

class LaunchRecorder final : public PlanRun {
public:
  /// `addresses` are those of the program's buffers, on whose lines the places count; all of these
  /// outlive the recorder.
  LaunchRecorder(const VerifiedProgram &program, const DeviceGrid &grid,
                 llvm::ArrayRef<uint64_t> addresses, llvm::ArrayRef<double> params,
                 int64_t firstStep);

  std::vector<RecordedLaunch> launches;
  std::vector<size_t> passEnds; ///< how many launches there are when a pass has ended

private:
  llvm::Error perform(const Launch &launch) override;
  bool isAligned(unsigned buffer, const Aligned &aligned) const override;
  llvm::Error endPass(const Pass &pass) override;

  int64_t pastLine(const Launch &launch, llvm::ArrayRef<int64_t> point) const;
  RecordedLaunch record(const Launch &launch, const PlacedCover &slab) const;

  const DeviceGrid &grid;
  llvm::ArrayRef<uint64_t> addresses;
  const std::vector<KernelParameters> parameters;
  const std::vector<ScalarValue> uniforms;
  RunNumbers numbers; ///< of the pass under way
};

} // namespace stencilc
