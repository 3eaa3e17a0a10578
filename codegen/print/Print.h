// The printers: text for nvcc (or a host compiler) from a verified Program and plain strings.
//
// They decide nothing: what they print stands in the Program, its Signature and the Banner. The C
// ABI (names, order, types, statuses) depends on the Signature alone:
//
//   typedef struct {
//     int64_t nz, ny, nx;             n<axis>, slowest first
//     int64_t stride_z, stride_y;     stride_<axis>, in elements, all axes but the last
//     int64_t step;                   the number of the next step, if anything depends on it
//     double *u;  double *u_prev;  double *u_next;    each field: newest level, then the levels it
//     has const double *c;                each const array, in order of declaration with the fields
//     const double *w;  int64_t w_steps;  one over time, and the values it has
//     double *speed;                  each reduction: where its number goes, or null
//     double alpha, beta;             params; int64_t where they are whole
//   } heat_args;
//   typedef enum { HEAT_OK, HEAT_NULL, HEAT_EXTENT, HEAT_STRIDE, HEAT_OVERLAP, HEAT_TOO_SMALL,
//                  HEAT_TOO_LARGE, HEAT_WORKSPACE, HEAT_LAUNCH,
//                  HEAT_REGION, HEAT_STEPS } heat_status;    the last two if params bound regions,
//                                                            if arrays are over time
//   heat_args heat_args_default(void);
//   void heat_layout(heat_args *args, int64_t *lead_padding, int64_t *elements);
//   size_t heat_workspace_bytes(const heat_args *args, int64_t steps);
//   heat_status heat_run(heat_args *args, int64_t steps, void *workspace, size_t workspace_bytes,
//                        void *stream);
//   const char *heat_strerror(heat_status status);
//
// A param without a default is NaN in heat_args_default(), a whole one INT64_MIN. heat_layout()
// fills in the strides that the code likes best, the number of elements to leave before point
// (0,0,0) so that the first updated point of a row starts a 128-byte line (given a base that does),
// and the number of elements to allocate per array with all axes, ghost points included.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// Points along an axis that heat_run takes: coordinates past the end still fit 32 bits.
inline constexpr int64_t kMaxExtent = 2000000000;

enum class FloatMode { Contract, Strict };

/// Plain strings for the comment that opens a file.
struct Banner {
  std::string version;            ///< "0.1"
  std::string source;             ///< "heat.stn"
  std::string command;            ///< the command that regenerates the file
  std::vector<std::string> notes; ///< further lines: schedule, prediction, ...
};

/// heat.h.
void printHeader(llvm::raw_ostream &out, const Signature &signature, const Banner &banner);
/// The same interface as JSON: names, types, axes, ghost points, levels, in the order of heat_args.
void printInterfaceJson(llvm::raw_ostream &out, const Signature &signature);
/// heat.cu, or heat.cpp for a program whose target is the host. `header` is the name to include.
/// With `onlyExtents`, one for each axis and as large as the stencil needs, kernels have these for
/// constants, and heat_run refuses other grids (HEAT_EXTENT); the interface stays the same.
void printSource(llvm::raw_ostream &out, const VerifiedProgram &program, const Banner &banner,
                 llvm::StringRef header, FloatMode mode, llvm::ArrayRef<int64_t> onlyExtents = {});
/// What a kernel of the printed text takes beside its arrays, which come first, in this order, and
/// its uniforms, which come last.
struct KernelParameters {
  std::array<bool, kMaxRank> extents = {}; ///< an int each, by axis
  std::array<bool, kMaxRank> strides = {}; ///< of the caller's arrays: an int64_t each
  std::array<bool, kMaxRank> rows = {};    ///< of the workspace's
  std::vector<bool> integers;              ///< of Kernel::integers: int64_t where wide, else int
};
/// One per kernel of the program, as printSource prints it.
std::vector<KernelParameters> kernelParameters(const VerifiedProgram &program);
/// heat_main.cu (or .cpp): a stand-alone program around heat.h. Takes the Stencil for `init`. A run
/// has `extents` unless its flags say otherwise; empty: as many as suit most machines.
void printMain(llvm::raw_ostream &out, const Stencil &stencil, Target target, const Banner &banner,
               llvm::StringRef header, llvm::ArrayRef<int64_t> extents = {});

} // namespace stencilc
