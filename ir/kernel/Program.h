// Program: what a stencil is lowered to: the plan of a run, the kernels that it launches and the
// numbers that they take; with everything that the host printer, the cost model and the interpreter
// need to know. What is launched is what is costed.
#pragma once

#include "ir/kernel/Plan.h"
#include "ir/kernel/Schedule.h"

namespace stencilc {

/// One number or truth value per run: a param or a formula of params, computed once by the
/// launcher; kernels take those they need as arguments.
struct Uniform {
  std::string name;
  ScalarType type;
  /// Leaves: LiteralValue, ParamLeaf, and UniformValue for an *earlier* uniform of the program
  /// (there `argument` is its number in Program::uniforms).
  Value value;
};

struct Program {
  Signature signature;
  Target target = Target::Device;
  Schedule schedule; ///< what it was lowered from
  std::vector<Uniform> uniforms;
  std::vector<Buffer> buffers; ///< the caller's (ir/kernel/Plan.h), then the workspace's
  std::vector<Kernel> kernels;
  Plan plan;
  int64_t mostShort = kMostShort; ///< fewer where tests shall come to what larger grids have
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

/// The `--emit=kernel` text: signature, uniforms, buffers, plan, and each kernel as an indented
/// listing.
void print(llvm::raw_ostream &out, const Program &program);
void print(llvm::raw_ostream &out, const Kernel &kernel, const std::vector<Uniform> &uniforms);
/// The line of that listing which a statement begins with.
std::string headOf(const Statement &statement, const Kernel &kernel,
                   const std::vector<Uniform> &uniforms);
/// Buffers and plan alone.
void printPlan(llvm::raw_ostream &out, const Program &program);
/// An index in the kernel's names: "x + 1", "min(z + 64, nz - 1)".
std::string toString(const Index &index, const Kernel &kernel);
/// An index of a plan: "nz - 1".
std::string toString(const Index &index, const Signature &signature);

} // namespace stencilc
