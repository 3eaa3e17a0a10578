// Instructions: what a kernel will execute once compiled, estimated from its statements.
//
// The Kernel says which loads, stores and arithmetic there are; address arithmetic, predicates,
// moves, and the expansions of division, square root and functions are a written estimate
// (Instructions.cpp gives each rule). The estimate's error against compiled code is measured by
// test/costmodel/compiled.py and kept as data.
#pragma once

#include "ir/kernel/Kernel.h"

#include "llvm/ADT/DenseMap.h"

namespace stencilc {

/// The compute capability whose code the rules of this folder were read from.
inline constexpr double kReadFrom = 9.0;

/// Where an instruction goes. What is not arithmetic on numbers of the stencil is Integer (adds,
/// shifts, comparisons, selects, minima, moves), MultiplyAdd (integer multiply-add) or Control
/// (branches, barriers, exits).
enum class Pipe { Fp32, Fp64, Integer, MultiplyAdd, Special, LoadStore, Control };
inline constexpr unsigned kPipes = 7;
llvm::StringRef spelling(Pipe pipe);

/// Warp instructions by pipe. Estimates, hence not integers.
struct InstructionMix {
  std::array<double, kPipes> count = {};

  double &operator[](Pipe pipe) { return count[unsigned(pipe)]; }
  double operator[](Pipe pipe) const { return count[unsigned(pipe)]; }
  double all() const;
  InstructionMix &add(const InstructionMix &other, double times = 1);
};

/// The estimate for each statement of one kernel. Statements are known by their address: the kernel
/// must outlive this.
class InstructionEstimate {
public:
  explicit InstructionEstimate(const Kernel &kernel);

  /// What a warp executes before the first statement and at the end.
  const InstructionMix &entry() const { return ofEntry; }
  /// One execution of a statement, without the bodies in it. Of a For: setting it up.
  const InstructionMix &once(const Statement &statement) const;
  /// One turn of a For, without its body.
  const InstructionMix &turn(const Statement &loop) const;

private:
  friend class StatementRules;
  struct Cost {
    InstructionMix once, turn;
  };
  InstructionMix ofEntry;
  llvm::DenseMap<const Statement *, Cost> costs;
};

/// 32-bit registers of a thread, estimated from what lives at once.
struct RegisterEstimate {
  int wanted = 0; ///< if nothing caps them
  int needed = 0; ///< with fewer, values are spilled; between the two, computed anew or loaded late
};
RegisterEstimate estimateRegisters(const Kernel &kernel);

} // namespace stencilc
