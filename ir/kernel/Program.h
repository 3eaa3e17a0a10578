// Program: the ordered list of launches that make one time step, with everything that the host
// printer, the cost model and the interpreter need to know; what is launched is what is costed.
//
// Semantics of a run of `steps` steps
// -----------------------------------
// If any extent or `steps` is 0, nothing happens. Extents below minimumExtent are refused.
// Each step performs the launches in order; a launch marked FirstStep is left out after step 0 of a
// run. Then each field's buffers rotate: what was Target becomes Source, what was Source becomes
// Previous if the field has that level and Target otherwise; without a Target buffer the new level
// was written in place (over Source, or over Previous) and takes Source's place.
// Uniforms are evaluated once per run.
//
// A launch covers the box [begin, end) of the stencil's index space: block b of dimension d starts
// at first + b * cover along the axis of d. `first` is begin, except that where `alignTo` names an
// array argument, first on the contiguous axis is moved down so that the element of that array at
// (begin of the slower axes, first) starts a 128-byte line; kernels guard against the points before
// begin. `first` and `end` reach the kernel as integer arguments where firstArgument/endArgument
// name them. A grid larger than the device allows is cut into slabs: each slab is a launch of the
// same kernel with larger `first`. An empty box launches nothing. Host kernels are called once,
// with the whole box; cover and alignment mean nothing for them.
#pragma once

#include "ir/kernel/Kernel.h"

namespace stencilc {

/// An array as the caller sees it: what the C ABI is derived from. Depends on the stencil alone.
struct SignatureArray {
  std::string name;
  ScalarType type;
  llvm::SmallVector<unsigned, 3> axes;
  Widths ghost = {};
  bool isField = true;
  bool hasPrevious = false; ///< `name_prev` exists
  bool hasNext = false;     ///< `name_next` exists
};
struct SignatureParam {
  std::string name;
  ScalarType type;
  std::optional<double> defaultValue;
};
struct Signature {
  std::string name; ///< of the stencil
  std::vector<std::string> axes;
  std::vector<SignatureArray> arrays;
  std::vector<SignatureParam> params;
  /// Least extents (periodic boundaries), per axis.
  std::array<int64_t, kMaxRank> minimumExtent = {};

  unsigned rank() const { return axes.size(); }
};

/// One number or truth value per run: a param or a formula of params, computed once by the
/// launcher; kernels take those they need as arguments.
struct Uniform {
  std::string name;
  ScalarType type;
  /// Leaves: LiteralValue, ParamLeaf, and UniformValue for an *earlier* uniform of the program
  /// (there `argument` is its number in Program::uniforms).
  Value value;
};

enum class BufferRole { Source, Previous, Target };
struct BufferRef {
  unsigned array; ///< number in Signature::arrays
  BufferRole role = BufferRole::Source;
  bool operator==(const BufferRef &) const = default;
};

enum class LaunchWhen { EveryStep, FirstStep };

struct Launch {
  unsigned kernel; ///< number in Program::kernels
  LaunchWhen when = LaunchWhen::EveryStep;
  std::string comment;                    ///< what it does, for the launcher's reader
  std::vector<BufferRef> arrays;          ///< one per Kernel::arrays
  std::array<Index, kMaxRank> begin, end; ///< per axis, over extents and constants; on the host
                                          ///< only needed where an argument takes them
  std::array<int, kMaxRank> cover = {1, 1, 1}; ///< points a block advances, per axis
  std::optional<unsigned> alignTo;             ///< number in Kernel::arrays
  /// Which integer argument of the kernel takes first / end of each axis, if any.
  std::array<std::optional<unsigned>, kMaxRank> firstArgument, endArgument;
};

struct Program {
  Signature signature;
  Target target = Target::Device;
  std::string schedule; ///< its text form, for banners
  std::vector<Uniform> uniforms;
  std::vector<Kernel> kernels;
  std::vector<Launch> launches;
};

/// A Program that the verifier has passed: the only thing that printers, the cost model and the
/// interpreter accept.
class VerifiedProgram {
public:
  const Program &operator*() const { return program; }
  const Program *operator->() const { return &program; }

private:
  explicit VerifiedProgram(Program program) : program(std::move(program)) {}
  friend class KernelVerifier;
  friend struct UncheckedProgramFactory; // test/: builds faulty programs on purpose
  Program program;
};

/// The signature of a stencil; every lowering starts from it.
Signature signatureOf(const Stencil &stencil);
/// Ghost points around the arrays with all axes: the widest of them.
Widths widestGhosts(const Signature &signature);

/// The `--emit=kernel` text: signature, uniforms, launches, and each kernel as an indented listing.
void print(llvm::raw_ostream &out, const Program &program);
void print(llvm::raw_ostream &out, const Kernel &kernel, const std::vector<Uniform> &uniforms);
/// An index in the kernel's names: "x + 1", "min(z + 64, nz - 1)".
std::string toString(const Index &index, const Kernel &kernel);

} // namespace stencilc
