// Instructions: what a kernel will execute once compiled, estimated from its statements.
//
// The Kernel says which loads, stores and arithmetic there are; address arithmetic, predicates,
// moves, and the expansions of division, square root and functions are an estimate: the rules stand
// in this folder, their numbers in a table of the architecture (costmodel/device/CodeTable.h). The
// estimate's error against compiled code is measured by test/costmodel/compiled.py and kept as
// data.
#pragma once

#include "costmodel/compiled/CommonValues.h"
#include "costmodel/compiled/PatchWords.h"
#include "costmodel/device/CodeTable.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace stencilc {

class InstructionEstimate;
struct RegisterEstimate;

/// A kernel, and what both estimates take of it; all of it is made once. The kernel must outlive
/// this.
struct EstimatedKernel {
  EstimatedKernel(const Kernel &kernel) : kernel(kernel), inPatches(patchWords(kernel)) {}
  const InstructionEstimate &instructions(const CodeTable &table) const;
  const RegisterEstimate &registers(const CodeTable &table, bool haveFew = false) const;
  const CommonValues &common() const;

  const Kernel &kernel;
  PatchWords inPatches;

private:
  mutable std::shared_ptr<const InstructionEstimate> ofInstructions; ///< by the first table asked
  mutable std::shared_ptr<const RegisterEstimate> ofRegisters, ofFewRegisters;
  mutable std::shared_ptr<const CommonValues> inCommon;
};

/// The estimate for each statement of one kernel. Statements are known by their address: the kernel
/// must outlive this.
class InstructionEstimate {
public:
  InstructionEstimate(const EstimatedKernel &estimated, const CodeTable &table);

  /// What a warp executes before the first statement and at the end.
  const InstructionMix &entry() const { return ofEntry; }
  /// One execution of a statement, without the bodies in it. Of a For: setting it up.
  const InstructionMix &once(const Statement &statement) const;
  /// One turn of a For, without its body.
  const InstructionMix &turn(const Statement &loop) const;
  /// Values of the table that the estimate depends on.
  const CodeValues &used() const { return usedValues; }

private:
  friend class StatementRules;
  struct Cost {
    InstructionMix once, turn;
  };
  InstructionMix ofEntry;
  llvm::DenseMap<const Statement *, Cost> costs;
  CodeValues usedValues;
};

/// 32-bit registers of a thread, estimated from what lives at once.
struct RegisterEstimate {
  int wanted = 0; ///< if nothing caps them
  int needed = 0; ///< with fewer, values are spilled; between the two, computed anew or loaded late
  CodeValues used; ///< values of the table that these depend on
};
/// `haveFew`: a promise of resident blocks leaves threads fewer than CodeNumber::FewRegisters.
RegisterEstimate estimateRegisters(const EstimatedKernel &estimated, const CodeTable &table,
                                   bool haveFew = false);

} // namespace stencilc
