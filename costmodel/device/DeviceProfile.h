// DeviceProfile: a GPU as data.
//
// One YAML file per device, in devices/, where every number stands beside its source: a table of a
// paper, a datasheet, or a micro-benchmark and its date; a value that nobody measured on the device
// says so ("uncalibrated: ..."). Nothing has a default. What a device is (limits, caches) must be
// there; what only one model reads is a section of its own, which may be left out: a model that is
// asked for it then refuses with the file and what is missing.
#pragma once

#include "costmodel/device/CodeTable.h"
#include "costmodel/device/ShippedFile.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>

namespace stencilc {

/// What one multiprocessor (SM, SMX) holds; follows from the compute capability.
struct SmLimits {
  Sourced<int64_t> threads, blocks;     ///< resident at once
  Sourced<int64_t> registers;           ///< of 32 bits
  Sourced<int64_t> registersPerThread;  ///< the most that a compiler may use
  Sourced<int64_t> registerUnit;        ///< a warp is given registers in multiples of this
  Sourced<int64_t> registerFiles;       ///< equal parts of the registers; warps take turns at them
  Sourced<int64_t> sharedBytes;         ///< shared memory of all resident blocks
  Sourced<int64_t> sharedBytesPerBlock; ///< the most that one block may ask for
  Sourced<int64_t> sharedUnit;          ///< a block is given shared memory in multiples of this
  Sourced<int64_t> sharedReserved;      ///< bytes of each block that the system keeps
};

/// Where loads go. `L1` is the storage that shared memory is carved from; `ReadOnly` the separate
/// cache of Kepler's texture path; `L2` means that no cache of the SM keeps the data.
enum class LoadPath { L1, ReadOnly, L2 };

struct Caches {
  Sourced<int64_t> sectorBytes;   ///< what moves at once
  Sourced<int64_t> l1Bytes;       ///< shared memory included
  Sourced<int64_t> readOnlyBytes; ///< of the read-only path's own cache; the L1 again if none
  Sourced<LoadPath> plainLoads, readOnlyLoads;
  Sourced<int64_t> l2Bytes;
};

/// How a block's x halo is counted in lines ([su2015] equation (6)).
enum class LineMode { Bytes, Warp }; ///< `smxLineBytes`, or 32 elements
/// Which rows of a block's footprint carry a halo: faces only, as (6) reads, or every row touched.
enum class HaloMode { Paper, Geometric };

/// The constants of [su2015] equations (2) to (18). Bandwidths in bytes per second.
struct Su2015Constants {
  Sourced<double> smxBandwidth, l2Bandwidth, dramBandwidth;
  Sourced<int64_t> storageBytes; ///< "on-SMX storage"
  Sourced<int64_t> smxLineBytes;
  Sourced<LineMode> lineMode;
  Sourced<HaloMode> haloMode;
  Sourced<int64_t> l2LineBytes;
  Sourced<int64_t> coresPerSm; ///< streaming processors
  Sourced<double> delta, epsilon, eta;
};

/// The constants of the geometric model. Bandwidths in bytes per second over the whole device,
/// rates per clock and SM.
struct GeometricConstants {
  Sourced<double> dramBandwidth;     ///< of a copy, reads and writes together
  Sourced<double> dramInFlightBytes; ///< per SM, read and written: what must be on its way
                                     ///< for 1 - 1/e of it; over the bandwidth, a latency
  Sourced<double> l2Bandwidth;
  Sourced<double> l2RequestBytes;   ///< that the L2 could move while it takes a request
  Sourced<double> l2EffectiveBytes; ///< window of reuse at which half of the reuse is lost
  Sourced<double> l2Softness;       ///< width of that loss, as a share of l2EffectiveBytes
  /// By how much longer device memory takes to serve marches of twice as many planes, as a share.
  Sourced<double> marchLoss;
  Sourced<double> partedMarchLoss;      ///< further, where blocks share lines
  Sourced<double> rewrittenLineSeconds; ///< further for each line that they read and write in parts
  Sourced<double> issueRate;            ///< warp instructions
  Sourced<double> fp32Rate, fp64Rate, integerRate, multiplyAddRate, specialRate; ///< lanes
  Sourced<double> requestClocks;   ///< of the load/store unit, per warp request ...
  Sourced<double> wavefrontClocks; ///< ... and per 128 bytes of it, L1 or shared
  Sourced<double> l1Latency, l2Latency, barrierLatency; ///< clocks
  Sourced<double> norm;                                 ///< p of the p-norm that composes times
  Sourced<double> dependentClocks; ///< between instructions of a warp that wait for one another
  Sourced<double> dependentShare;  ///< of a warp's instructions, those that do
  Sourced<double>
      keptInstructions;        ///< of code that warps pass through again, without being fetched
  Sourced<double> fetchClocks; ///< of a warp for an instruction of longer code
};

/// What starting work costs, in seconds.
struct LaunchTiming {
  Sourced<double> hostInterval;  ///< between two launches on a stream, at best
  Sourced<double> graphInterval; ///< between two launches in a CUDA graph, at best
  Sourced<double> start;         ///< before blocks run that waited for another launch's, in a graph
  Sourced<double> streamStart;   ///< the same on a stream
  Sourced<double> entry;         ///< of a lone thread that updates one entry of a matrix
  Sourced<double> stepStart; ///< of a step on a stream, before its blocks run at their full rate
  Sourced<double> blocksPerSecond; ///< rate at which blocks start on the whole device
};

/// The interval model of shortest paths, [duemmler2015] Table 1.
struct ApspConstants {
  Sourced<int64_t> coresPerSm, warpGranularity, coalescableAccesses;
  /// #BlocksPerSM_Occ of the shortest-path kernels, for blocks 8, 16 and 32 wide.
  std::array<Sourced<int64_t>, 3> residentBlocks;
  /// Share of the time of L1 and L2 accesses that arithmetic does not hide; for forecasts only.
  Sourced<double> exposedAccess;
};

/// The table of compiled code that a profile names.
struct CodeReference {
  std::string name; ///< of one that ships, or a FILE.yaml
  std::shared_ptr<const CodeTable> table;
};

struct DeviceProfile {
  std::string file;  ///< that it was read from, for messages
  int64_t lines = 0; ///< of that file
  std::string name;
  Sourced<double> computeCapability; ///< 3.5, 9.0, ...
  Sourced<int64_t> memoryBytes, sms, threadsPerWarp;
  Sourced<double> clock; ///< of the SMs, Hz
  /// By which the code of kernels is estimated; calibrated if it is of the device's architecture.
  Sourced<CodeReference> code;
  SmLimits sm;
  Caches caches;
  std::optional<Su2015Constants> su2015;
  std::optional<GeometricConstants> geometric;
  std::optional<LaunchTiming> launching;
  std::optional<ApspConstants> apsp;

  const CodeTable &codeTable() const { return *code.value.table; }
};

/// Every value that is there, in the order of the file.
std::vector<SourcedValue> valuesOf(const DeviceProfile &device);

/// Widths of the blocks that `residentBlocks` speaks of.
inline constexpr std::array<int, 3> kProfiledBlockWidths = {8, 16, 32};

/// Reads one profile; errors name the buffer, line and column.
llvm::Expected<DeviceProfile> parseDeviceProfile(llvm::MemoryBufferRef yaml);

/// A profile that ships with stencilc by its name (`h200`), or one read from `FILE.yaml`.
llvm::Expected<DeviceProfile> loadDeviceProfile(llvm::StringRef nameOrFile);

/// "toy.yaml:80: the model `geometric` needs the section `launching`, which this profile lacks";
/// the line is the last one, where it could be added.
llvm::Error missingSection(const DeviceProfile &device, llvm::StringRef model,
                           llvm::StringRef section);

/// The `--list-gpus` text: a line for each profile that ships.
void printDeviceList(llvm::raw_ostream &out);
/// The `--print-gpu` text: every value with its source; as YAML that reads back the same.
void printDeviceProfile(llvm::raw_ostream &out, const DeviceProfile &device);

/// Everything in devices/: the profiles (*.yaml) and measured runs (*.csv).
llvm::ArrayRef<ShippedFile> shippedFiles();

} // namespace stencilc
