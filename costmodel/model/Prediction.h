// Prediction: what a model says that one time step of a program will take on a device.
//
// All numbers are predicted, in bytes and seconds per time step unless they say otherwise; what
// they were made from is in Counts.h.
#pragma once

#include "costmodel/compiled/Instructions.h"
#include "costmodel/compiled/MachineCode.h"
#include "costmodel/count/Counts.h"
#include "costmodel/device/Occupancy.h"
#include "costmodel/model/Bound.h"

#include <map>
#include <optional>

namespace stencilc {

/// A level of the memory hierarchy.
struct LevelPrediction {
  std::string name;      ///< "device memory", "L2", "SM"
  double bytes = 0;      ///< that cross it
  double leastBytes = 0; ///< if every value crossed it once; 0: not meaningful here
  double bandwidth = 0;  ///< bytes per second: all of `bytes` in `seconds`
  double seconds = 0;
};

/// The quantities of [su2015], named after Table 2, of the launch that takes longest.
struct Su2015Quantities {
  int64_t alignedLoads = 0, misalignedLoads = 0, loads = 0, stores = 0; ///< per thread, (4)
  int64_t threads = 0, blocks = 0, blocksPerSmx = 0, blocksPerGroup = 0, groups = 0;
  double blockNet = 0, smxMissRatio = 0, blockLoads = 0,
         blockStores = 0; ///< elements, (6) to (8), (17)
  double edgeNet = 0;     ///< elements of a block beyond its faces: HaloMode decides on them
  int64_t widthY = 0, heightZ = 0;                                       ///< (13), (14)
  double groupNet = 0, l2MissRatio = 0, groupLoads = 0, groupStores = 0; ///< elements, (11) to (15)
  double unadjustedSeconds = 0, adjustedSeconds = 0;                     ///< (2) and (18)
  double occupancyEfficiency = 1;
};

/// What the geometric model saw on its way, of the launch that takes longest.
struct GeometricQuantities {
  double windowBytes = 0, effectiveBytes = 0; ///< reuse between planes against what the L2 holds
  double reuseKept = 1;                       ///< share of that reuse
  double inFlightBytes = 0;                 ///< of device memory per SM, if only waiting took time
  double waves = 0;                         ///< of resident blocks
  double l1FootprintBytes = 0, l1Bytes = 0; ///< of the blocks on one SM, against the cache
  double instructionsPerPoint = 0;          ///< of threads
};

/// What one launch adds to the step.
struct LaunchShare {
  std::string kernel;
  double smxBytes = 0, l2Bytes = 0, dramBytes = 0, seconds = 0;
  Bound bottleneck = Bound::Dram;
};

struct Prediction {
  std::string model;
  Schedule schedule;
  struct {
    double smx = 0, l2 = 0, dram = 0;
  } bytes;
  std::array<LevelPrediction, 3> levels; ///< from the registers outwards: SM, L2, device memory
  /// The time that each resource alone would need; 0: the model has no such term.
  std::array<double, kBounds> seconds = {};
  double total = 0; ///< seconds
  Bound bottleneck = Bound::Dram;
  std::vector<LaunchShare> launches; ///< in their order
  Occupancy occupancy;               ///< of the launch that takes longest
  std::optional<Su2015Quantities> su2015;
  std::optional<GeometricQuantities> geometric;

  double operator[](Bound bound) const { return seconds[unsigned(bound)]; }
  double &operator[](Bound bound) { return seconds[unsigned(bound)]; }
};

/// 1e9 points a second, where a step updates so many.
inline double gstencilsPerSecond(int64_t points, const Prediction &predicted) {
  return points / predicted.total / 1e9;
}

/// The `--emit=prediction` text: a key, a value and its unit a line, all digits.
void print(llvm::raw_ostream &out, const Prediction &prediction);

enum class Model { Su2015, Geometric };
llvm::StringRef spelling(Model model);
/// [su2015] for the cards of its time (compute capability below 7), the geometric model after.
Model defaultModel(const DeviceProfile &device);

/// What a compiler made of a kernel.
struct CompiledKernel {
  int registers = 0;                   ///< of a thread
  int spilledBytes = 0;                ///< that a thread stores for want of registers
  std::optional<LoadWaits> waits = {}; ///< if its machine code was read
};

/// Of kernels that are asked about more than once: by one thread, for one device.
using KernelEstimates = std::map<const Kernel *, EstimatedKernel>;

struct PredictOptions {
  std::optional<Model> model = {};
  std::optional<int> registers = {}; ///< per thread, in place of the estimate
  /// By the names of kernels that were compiled: in place of both.
  std::map<std::string, CompiledKernel> compiled = {};
  KernelEstimates *known = nullptr; ///< keeps estimates from call to call

  /// Null: it was not compiled.
  const CompiledKernel *compiledAs(const Kernel &kernel) const {
    const auto found = compiled.find(kernel.name);
    return found != compiled.end() ? &found->second : nullptr;
  }
};

/// Refuses where the profile lacks a section that the model needs, and a block that does not fit on
/// an SM.
llvm::Expected<Prediction> predict(const ProgramCounts &counts, const DeviceProfile &device,
                                   const PredictOptions &options);

/// Blocks of one of the launches on an SM, at the registers asked for or else estimated; refuses a
/// block that does not fit.
llvm::Expected<Occupancy> occupancyOf(const ProgramCounts &counts, const LaunchCounts &launch,
                                      const DeviceProfile &device, const PredictOptions &options);

/// Refuses a program with a kernel that takes more arguments than the device passes to one, without
/// a device more than any does, or whose blocks run in clusters, which the device has not.
llvm::Error checkArguments(const Program &program, const DeviceProfile *device);

/// The most blocks of each launch that an SM has places for and leaves registers for what a thread
/// must keep, by the estimate and the error of its kind; at least 1. Here and below `known` keeps
/// estimates, as in PredictOptions.
int mostResidency(const ProgramCounts &counts, const DeviceProfile &device,
                  KernelEstimates *known = nullptr);

/// The registers that a thread of some kernel whose blocks are promised needs, if they are more
/// than it may have with a block alone on an SM, whatever grid the kernel is for.
std::optional<int> spillsAlone(const Program &program, const DeviceProfile &device,
                               KernelEstimates *known = nullptr);

/// Why the blocks promised to an SM may make a thread spill registers; empty: they leave it enough.
std::string registerShortage(const ProgramCounts &counts, const DeviceProfile &device,
                             KernelEstimates *known = nullptr);

// The two models; `predict` chooses.
llvm::Expected<Prediction> predictSu2015(const ProgramCounts &counts, const DeviceProfile &device,
                                         const PredictOptions &options);
llvm::Expected<Prediction> predictGeometric(const ProgramCounts &counts,
                                            const DeviceProfile &device,
                                            const PredictOptions &options);

} // namespace stencilc
